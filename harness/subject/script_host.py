"""Runs Python scripts for the grader, as `python3 SCRIPT ARGUMENT…` would: python3 -I -S -X utf8 script_host.py

Descriptor 3 is the control socket. This process preloads the standard library and forks a child for each run, which
becomes the script: same argv, working directory, sys.path[0], exit code, signals, tracebacks. A start takes a few
milliseconds instead of forty.

A frame is its length (4 bytes, big-endian) and that many bytes of JSON.
  ["run", id, script, arguments, folder]  -> ["started", id, pid], then
                                             ["ended", id, exit code or -signal, stdout, stderr, bytes printed to stdout]
  ["kill", id]                            ends the run and all that it started
Output is sent as Latin-1, byte for byte; what goes beyond a cap is read and dropped.
"""
import os
import sys

import argparse  # noqa: E402, F401  what follows is preloaded for the scripts
import contextlib  # noqa: E402, F401
import datetime  # noqa: E402, F401
import hashlib  # noqa: E402, F401
import json  # noqa: E402
import pathlib  # noqa: E402, F401
import selectors  # noqa: E402
import signal  # noqa: E402
import site  # noqa: E402
import sqlite3  # noqa: E402, F401
import struct  # noqa: E402
import types  # noqa: E402
import uuid  # noqa: E402, F401
from importlib.machinery import FileFinder, SourceFileLoader  # noqa: E402

CONTROL = 3
PR_SET_CHILD_SUBREAPER = 36
CAPS = {"stdout": 1 << 20, "stderr": 1 << 16}  # bytes of the output that is sent
CHUNK = 1 << 16


class SourceLoader(SourceFileLoader):
    """Compiles the file as it is now: cached bytecode is matched by a time stamp, which two edits can share."""

    def get_code(self, fullname):
        return self.source_to_code(self.get_data(self.path), self.path)


class Run:
    """A child on its way: its outputs are read until it has ended and nobody holds them open any more."""

    def __init__(self, id, pid, pipes):
        self.id, self.pid, self.code = id, pid, None
        self.pipes = pipes  # descriptor -> name
        self.output = {name: b"" for name in CAPS}
        self.printed = {name: 0 for name in CAPS}

    def read(self, fd):
        data = os.read(fd, CHUNK)
        name = self.pipes[fd]
        self.printed[name] += len(data)
        room = CAPS[name] - len(self.output[name])
        self.output[name] += data[:room]
        return data

    def drain(self):
        """What is there now; a grandchild that keeps a pipe open is not waited for."""
        for fd in list(self.pipes):
            os.set_blocking(fd, False)
            try:
                while self.read(fd):
                    pass
            except BlockingIOError:
                pass


def send(message):
    body = json.dumps(message).encode()
    frame = memoryview(struct.pack(">I", len(body)) + body)
    while frame:
        frame = frame[os.write(CONTROL, frame) :]


def receive():
    head = exactly(4)
    return head and json.loads(exactly(struct.unpack(">I", head)[0]))


def exactly(size):
    data = b""
    while len(data) < size:
        part = os.read(CONTROL, size - len(data))
        if not part:
            return b""
        data += part
    return data


def supervise():
    """Serves requests. Returns in a child only: what it is to become."""
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    os.set_blocking(wake_read, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write)
    selector = selectors.DefaultSelector()
    selector.register(CONTROL, selectors.EVENT_READ)
    selector.register(wake_read, selectors.EVENT_READ)
    runs = {}  # by pid

    def finish(run):
        run.drain()
        for fd in run.pipes:
            if fd in selector.get_map():
                selector.unregister(fd)
            os.close(fd)
        kill(run.pid)  # whatever it started
        send(["ended", run.id, run.code, *(run.output[name].decode("latin-1") for name in CAPS), run.printed["stdout"]])

    while True:
        for key, _ in selector.select():
            if key.fd == CONTROL:
                request = receive()
                if not request:
                    for pid in runs:
                        kill(pid)
                    os._exit(0)  # the grader is gone
                if request[0] == "kill":
                    for run in runs.values():
                        if run.id == request[1]:
                            kill(run.pid)
                    continue
                _, id, script, arguments, folder = request
                pipes = {name: os.pipe() for name in CAPS}
                pid = os.fork()
                if not pid:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    os.setpgid(0, 0)
                    selector.close()
                    for fd in [CONTROL, wake_read, wake_write, *(fd for run in runs.values() for fd in run.pipes)]:
                        os.close(fd)
                    for target, name in ((1, "stdout"), (2, "stderr")):
                        read, write = pipes[name]
                        os.dup2(write, target)
                        os.close(read)
                        os.close(write)
                    return script, arguments, folder
                run = Run(id, pid, {})
                for name, (read, write) in pipes.items():
                    os.close(write)
                    run.pipes[read] = name
                    selector.register(read, selectors.EVENT_READ, run)
                runs[pid] = run
                send(["started", id, pid])
            elif key.fd == wake_read:
                with contextlib.suppress(BlockingIOError):
                    while os.read(wake_read, CHUNK):
                        pass
                while True:
                    try:
                        pid, status = os.waitpid(-1, os.WNOHANG)
                    except ChildProcessError:
                        break
                    if not pid:
                        break
                    run = runs.pop(pid, None)
                    if run:  # or it is an orphan of a script's
                        run.code = os.waitstatus_to_exitcode(status)
                        finish(run)
            elif key.fd in selector.get_map() and not key.data.read(key.fd):
                selector.unregister(key.fd)


def kill(pid):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def adopt_orphans():
    """Processes whose parents have ended become ours, not those of the machine, and end with us: prctl(2)."""
    if os.getppid() == 1:
        return  # in a namespace they cannot get away
    with contextlib.suppress(Exception):  # not on Linux
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def become(script, arguments, folder):
    """What the interpreter does with `SCRIPT ARGUMENT…`."""
    os.chdir(folder)
    path = os.path.abspath(script)
    home = os.path.dirname(os.path.realpath(path))
    sys.argv = [script, *arguments]
    sys.path.insert(0, home)
    sys.dont_write_bytecode = True
    sys.path_hooks.insert(0, finder_below(home))
    sys.excepthook = without_own_frames(path)
    main = types.ModuleType("__main__")
    main.__file__, main.__loader__, main.__cached__ = path, SourceLoader("__main__", path), None
    sys.modules["__main__"] = main
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write("%s: can't open file %r: [Errno %d] %s\n" % (sys.executable, path, error.errno, error.strerror))
        sys.exit(2)
    exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)


def finder_below(home):
    def finder(path):
        if path == home or path.startswith(home + os.sep):
            return FileFinder(path, (SourceLoader, [".py"]))
        raise ImportError

    return finder


def without_own_frames(script):
    """A traceback begins at the script."""
    original = sys.excepthook

    def hook(kind, error, traceback):
        entry = traceback
        while entry is not None and entry.tb_frame.f_code.co_filename == __file__:
            entry = entry.tb_next
        original(kind, error.with_traceback(entry), entry)

    return hook


if __name__ == "__main__":
    site.setquit()
    site.sethelper()
    os.set_inheritable(CONTROL, False)
    adopt_orphans()
    import gc

    gc.collect()
    gc.freeze()
    become(*supervise())
