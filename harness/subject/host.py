"""Runs a Python submission for the grader: python3 -I -S -X utf8 host.py ENTRY SLOTS

Descriptor 3 is the control socket, 4 and up are the slots. This process never runs a line of the submission: it
preloads what the entry file names of the standard library, compiles it, and keeps one forked child on every slot. A child answers the
requests of its slot; when one ends, that is said on the control socket and another takes its place. When the
grader is gone, so are all.

A frame is its length (4 bytes, big-endian) and that many bytes of JSON.
Each begins with a number, which the reply repeats.
  ["load", session, ended]       fresh modules for a session; those of ended ones go
                                 -> ["loaded", pid] | ["unloadable", exception]
  ["call", session, name, args]  a call of its function
                                 -> ["returned", value] | ["raised", [exception, its cause, …]] | ["missing"] | ["unsendable", type]
  ["leave"]                      ends the child
Values are JSON's own, but: floats {"f": repr}, large ints {"i": digits}, tuples {"t": []}, dicts {"d": [[key, value]]},
anything else {"o": [type, repr]}.
"""
import sys

AT_START = frozenset(sys.modules)  # what every program has, before the imports of this one

import gc
import importlib
import importlib.machinery
import json
import os
import select
import signal
import site
import sqlite3
import struct
import types
from os import _exit, getpid, read, write  # by names of our own: a submission may replace those of the module

PRELOADABLE = (
    "collections contextlib dataclasses datetime decimal enum functools hashlib itertools logging pathlib re secrets "
    "tempfile threading time traceback typing uuid warnings"
).split()
CONTROL, FIRST_SLOT = 3, 4
PR_SET_CHILD_SUBREAPER = 36
MAX_REPLY = 1 << 20  # characters and items of one reply
MAX_DEPTH = 100  # of lists in lists
MAX_TEXT = 500  # characters of a message or a repr
MAX_SOURCE = 1 << 20  # bytes that this process compiles

ready = select.select
to_json, from_json = json.JSONEncoder().encode, json.JSONDecoder().decode


class Unsendable(Exception):
    pass


# ---- values


def encode(value, room, depth=MAX_DEPTH):
    """JSON that keeps the value's type. `room` is a list of one number: what may still be sent.

    What a subclass overrides does not count: a value is what its base type holds.
    """
    if isinstance(value, str):
        value = str.__str__(value)
        room[0] -= len(value)
    room[0] -= 1
    if room[0] < 0 or depth == 0:
        raise Unsendable
    if value is None or value is True or value is False or isinstance(value, str):
        return value
    if isinstance(value, int):
        number = int.__int__(value)
        if number.bit_length() > 64:
            return opaque(value, hex(number))
        return number if -(2**53) <= number <= 2**53 else {"i": str(number)}
    if isinstance(value, float):
        return {"f": float.__repr__(value)}
    if isinstance(value, list):
        return [encode(item, room, depth - 1) for item in list.__iter__(value)]
    if isinstance(value, tuple):
        return {"t": [encode(item, room, depth - 1) for item in tuple.__iter__(value)]}
    if isinstance(value, dict):
        pairs = dict.items(value)
        return {"d": [[encode(key, room, depth - 1), encode(item, room, depth - 1)] for key, item in pairs]}
    return opaque(value, text_of(repr, value))


def opaque(value, text):
    return {"o": [name_of(type(value)), text[:MAX_TEXT]]}


def text_of(convert, value):
    """What str or repr gives, cut; code of the submission may stand behind them."""
    try:
        return convert(value)[:MAX_TEXT]
    except BaseException:
        return ""


def decode(value):
    if isinstance(value, list):
        return [decode(item) for item in value]
    if isinstance(value, dict):
        ((tag, content),) = value.items()
        if tag == "f":
            return float(content)
        if tag == "i":
            return int(content)
        if tag == "t":
            return tuple(decode(item) for item in content)
        return {decode(key): decode(item) for key, item in content}
    return value


def exceptions(error):
    """The exception and those it was raised from, as JSON."""
    chain = []
    while error is not None and len(chain) < 5:
        message = text_of(str, error)
        chain.append(
            {
                "type": name_of(type(error)),
                "bases": [name_of(base) for base in type(error).__mro__],
                "message": message,
                "code": code_of(error, message),
                "at": place_of(error),
            }
        )
        error = error.__context__ if error.__cause__ is None else error.__cause__
    return chain


def name_of(kind):
    name = kind.__qualname__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__qualname__)
    return name[:MAX_TEXT]


def code_of(error, message):
    """SQLite's own code (Python 3.11 and up), or what the message tells of it."""
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return code & 0xFF
    return 5 if "locked" in message or "busy" in message else None


def place_of(error):
    """Where in the submission it was raised, as "file:line"."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%s" % (os.path.basename(str(error.filename)), error.lineno)
    place, entry = None, error.__traceback__
    while entry is not None:
        file = entry.tb_frame.f_code.co_filename
        if file.startswith(FOLDER + os.sep):
            place = "%s:%s" % (os.path.basename(file), entry.tb_lineno)
        entry = entry.tb_next
    return place


# ---- frames


def receive(fd):
    (length,) = struct.unpack(">I", exactly(fd, 4))
    return from_json(exactly(fd, length).decode())


def exactly(fd, size):
    """So many bytes and none more: what follows may be for the process that takes this one's place."""
    data = read(fd, size)
    while len(data) < size:
        part = read(fd, size - len(data))
        if not part:
            _exit(0)  # the grader is gone
        data += part
    return data


def framed(message):
    body = to_json(message).encode()
    return struct.pack(">I", len(body)) + body


def send(fd, frames):
    frames = memoryview(frames)
    while frames:
        frames = frames[write(fd, frames) :]


# ---- the submission


class SourceLoader(importlib.machinery.SourceFileLoader):
    """Compiles the file as it is now: cached bytecode is matched by a time stamp, which two edits can share."""

    def get_code(self, fullname):
        return self.source_to_code(self.get_data(self.path), self.path)


def finder(path):
    if path == FOLDER or path.startswith(FOLDER + os.sep):
        return importlib.machinery.FileFinder(path, (SourceLoader, [".py"]))
    raise ImportError


def is_of_submission(module):
    """Its files, and its folders without an __init__.py."""
    if isinstance(getattr(module, "__loader__", None), SourceLoader):
        return True
    return any(str(path).startswith(FOLDER + os.sep) for path in getattr(module, "__path__", ()))


class Submission:
    """The entry file, compiled once and executed anew for each session, which has modules of its own."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.modules = {}  # of each session, by their names
        self.current = None  # the session whose modules are in sys.modules
        self.others = set(sys.modules)
        with open(path, "rb") as file:
            self.source = file.read()
        try:
            self.code = self.compile() if len(self.source) <= MAX_SOURCE else None
        except Exception:
            self.code = None  # the child compiles again, and says why not

    def compile(self):
        return compile(self.source, self.path, "exec", dont_inherit=True)

    def load(self, session, ended):
        self.switch(session)
        for other in ended:
            self.drop(other)
        os.chdir(FOLDER)  # where learners work: a file beside the entry file is found by its name
        module = types.ModuleType(self.name)
        module.__file__ = self.path
        module.__loader__ = SourceLoader(self.name, self.path)
        module.__spec__ = importlib.machinery.ModuleSpec(self.name, module.__loader__, origin=self.path)
        sys.modules[self.name] = module
        exec(self.code or self.compile(), module.__dict__)

    def module(self, session):
        """Its entry module, or the object that the module has put in its place."""
        self.switch(session)
        return sys.modules.get(self.name)

    def switch(self, session):
        """Puts the modules of this session in the place of another's."""
        if session == self.current:
            return
        taken = {}
        for name in sys.modules.keys() - self.others:
            if name == self.name or is_of_submission(sys.modules[name]):
                taken[name] = sys.modules.pop(name)
            else:
                self.others.add(name)
        if taken:
            self.modules[self.current] = taken
        sys.modules.update(self.modules.pop(session, {}))
        self.current = session

    def drop(self, session):
        """Drops a session's modules, and so the connections they kept."""
        for module in self.modules.pop(session, {}).values():
            if isinstance(module, types.ModuleType):
                vars(module).clear()


def answer(request):
    try:
        if request[0] == "load":
            submission.load(request[1], request[2])
            return ["loaded", getpid()]
        function = getattr(submission.module(request[1]), request[2], None)
        if not callable(function):
            return ["missing"]
        value = function(*decode(request[3]))
        try:
            return ["returned", encode(value, [MAX_REPLY])]
        except Exception:
            return ["unsendable", name_of(type(value))]
    except BaseException as error:
        chain = exceptions(error)
        return ["unloadable", chain[0]] if request[0] == "load" else ["raised", chain]


def serve(fd):
    own = getpid()
    held = b""
    while True:
        number, *request = receive(fd)
        if request[0] == "leave":
            _exit(0)
        reply = answer(request)
        if getpid() != own:
            _exit(0)  # a process that the submission forked came back from the call
        if reply[0] == "raised":
            gc.collect()  # a connection may live in the traceback, and hold a lock
        held += framed([number, *reply])
        if (reply[0] == "loaded" or submission.modules) and ready([fd], [], [], 0)[0]:
            continue  # goes with the reply to the request that is there already: waking the grader costs more than all else
        send(fd, held)
        held = b""


# ---- the processes


def fork(slot):
    pid = os.fork()
    if pid:
        return pid
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for fd in [CONTROL, wake_read, wake_write] + [FIRST_SLOT + other for other in range(slots) if other != slot]:
        os.close(fd)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    try:
        serve(FIRST_SLOT + slot)
    finally:
        _exit(70)


def adopt_orphans():
    """Processes whose parents have ended become ours, not those of the machine, and end with us: prctl(2)."""
    if os.getppid() == 1:
        return  # in a namespace they cannot get away
    try:
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except Exception:
        pass  # not on Linux


def supervise():
    children = {fork(slot): slot for slot in range(slots)}
    while True:
        ready, _, _ = select.select([CONTROL, wake_read], [], [])
        if CONTROL in ready:
            os.killpg(0, signal.SIGKILL)  # the grader is gone
        os.read(wake_read, 512)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if not pid:
                break
            slot = children.pop(pid, None)
            if slot is None:
                continue  # an orphan of the submission's
            send(CONTROL, framed(["ended", slot, os.waitstatus_to_exitcode(status)]))
            children[fork(slot)] = slot


if __name__ == "__main__":
    FOLDER = os.path.dirname(os.path.abspath(sys.argv[1]))
    slots = int(sys.argv[2])
    for fd in range(CONTROL, FIRST_SLOT + slots):
        os.set_inheritable(fd, False)
    site.setquit()
    site.sethelper()
    sys.dont_write_bytecode = True
    submission = Submission(os.path.abspath(sys.argv[1]))
    sys.argv = [submission.path]
    for name in PRELOADABLE:
        if name.encode() in submission.source:
            importlib.import_module(name)
    for name in sys.modules.keys() - AT_START:
        if os.path.exists(os.path.join(FOLDER, name + ".py")):
            del sys.modules[name]  # a file of the submission goes before a module of the library, as ever
    sys.argv = [submission.path]
    sys.path.insert(0, FOLDER)
    sys.path_hooks.insert(0, finder)
    adopt_orphans()
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write)
    gc.collect()
    gc.freeze()
    supervise()
