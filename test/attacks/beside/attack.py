"""What several attacks share. It lies beside each of them, with the reference as honest.py."""

import json
import os
import struct
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FUNCTIONS = "init_db reserve finish fetch expired purge counts retention_cycle".split()
MARK = "labcheck-attack-was-here"


def hints():
    """What an attacker may know beforehand: where the grader and its user's files lie, and its process."""
    with open(os.path.join(HERE, "hints.json")) as file:
        return json.load(file)


def tell(module, found):
    """Where the attack found what it looked for, it says so in place of every answer."""
    if found:
        for name in FUNCTIONS:
            module[name] = lambda *_: found


def once(name):
    """True for the first process that asks. A name may be asked for again by a later run."""
    try:
        os.close(os.open(os.path.join(tempfile.gettempdir(), name), os.O_CREAT | os.O_EXCL))
        return True
    except OSError:
        return False


def quietly(work, *arguments):
    """What it returns, or None where the system refuses."""
    try:
        return work(*arguments)
    except (OSError, ValueError, OverflowError):
        return None


def frame(reply):
    body = json.dumps(reply).encode()
    return struct.pack(">I", len(body)) + body


def write_everywhere(data):
    """To every descriptor but the standard ones, as far as it takes the data at once."""
    for descriptor in range(3, 64):
        quietly(os.write, descriptor, data)


def daemon(work):
    """Runs it in a process that nobody waits for, in a session of its own."""
    if os.fork():
        return
    os.setsid()
    if os.fork() == 0:
        quietly(work)
    os._exit(0)


def processes():
    """Ids of all that are seen, with their command lines."""
    for name in os.listdir("/proc"):
        line = quietly(read, "/proc/%s/cmdline" % name) if name.isdigit() else None
        if line is not None:
            yield int(name), line


def foreign():
    """Processes of Node: a submission in Python has none. They are the grader's, or somebody else's."""
    for pid, line in processes():
        if os.path.basename(line.split(b"\0")[0]).startswith(b"node"):
            yield pid, line


def read(path, size=1 << 16):
    with open(path, "rb") as file:
        return file.read(size)


def sleep_long():
    time.sleep(60)


def sees(path):
    """Whether a file can be read or a folder listed, and is not empty."""
    return bool(quietly(os.listdir if os.path.isdir(path) else read, path))


def say(text):
    print(text, file=sys.stderr)
