"""The process in which a written strategy runs. It is started as a script, knows nothing of Ostrom, and imports only
the standard library.

It reads one line of JSON with the code, gives up every right that it does not need, and only then checks and runs the
code. From then on it can read its standard input, write its standard output, use memory and end. The kernel refuses
everything else, whatever the code does. Every line that it writes is data of an untrusted source.
"""

import ast
import bisect
import builtins
import collections
import ctypes
import fractions
import functools
import heapq
import itertools
import json
import math
import os
import platform
import random
import resource
import socket
import statistics
import struct
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

MODULES = {
    module.__name__: module
    for module in (bisect, collections, fractions, functools, heapq, itertools, math, statistics)
}
"""The modules that a strategy may import."""
FORBIDDEN_NAMES = frozenset(
    {"breakpoint", "classmethod", "compile", "delattr", "dir", "eval", "exec", "exit", "getattr", "globals", "help"}
    | {"input", "locals", "memoryview", "object", "open", "print", "quit", "setattr", "staticmethod", "super"}
    | {"type", "vars"}
)
"""Names that a strategy does not need."""
MAX_NODES = 20_000
MAX_LINE = 8_000_000
_CALLS = {
    # read, write, mmap, mprotect; then the calls that are allowed with any arguments: munmap, brk, rt_sigreturn,
    # mremap, madvise, futex, exit, exit_group, clock_gettime, gettimeofday, getrandom, sched_yield, restart_syscall
    "x86_64": (0xC000003E, 0, 1, 9, 10, (11, 12, 15, 25, 28, 202, 60, 231, 228, 96, 318, 24, 219)),
    "aarch64": (0xC00000B7, 63, 64, 222, 226, (215, 214, 139, 216, 233, 98, 93, 94, 113, 169, 278, 124, 128)),
}
_NEW_USER, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x40000000, 0x08000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_WRITE_AND_EXECUTE = 0x4


def limit(memory: int, seconds: int) -> None:
    """Limit memory and processor time, and allow no files, processes or core dumps."""
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 3),
    ):
        resource.setrlimit(kind, (most, most))


def filter_calls() -> tuple[bytes, int]:
    """Return the program by which the kernel decides about system calls, in the form of `struct sock_filter`."""
    arch, read, write, mmap, mprotect, allowed = _CALLS[platform.machine()]
    rows = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    # On x86-64, numbers from 0x40000000 are calls of another interface.
    rows += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    for call, descriptor in ((read, 0), (write, 1)):
        rows += [
            (_EQUAL, 0, 6, call),
            (_LOAD, 0, 0, 16),
            (_EQUAL, 0, 3, descriptor),
            (_LOAD, 0, 0, 20),
            (_EQUAL, 0, 1, 0),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _REFUSE),
        ]
    for call in (mmap, mprotect):  # Memory can be used, but not executed.
        rows += [
            (_EQUAL, 0, 4, call),
            (_LOAD, 0, 0, 32),
            (_ANY_BIT, 1, 0, _WRITE_AND_EXECUTE),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _REFUSE),
        ]
    for call in allowed:
        rows += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ALLOW)]
    rows.append((_RETURN, 0, 0, _REFUSE))
    return b"".join(struct.pack("=HBBI", *row) for row in rows), len(rows)


def contain(memory: int, seconds: int) -> str | None:
    """Give up all rights. Return the reason if the kernel does not allow this, and otherwise None."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return f"system calls are not filtered on {sys.platform} ({platform.machine()})"
    libc = ctypes.CDLL(None, use_errno=True)
    # A second barrier where the system allows it: no network, no rights over other processes.
    libc.unshare(_NEW_USER | _NEW_NETWORK | _NEW_IPC)
    limit(memory, seconds)
    program, rows = filter_calls()
    text = ctypes.create_string_buffer(program)
    header = ctypes.create_string_buffer(struct.pack("@HxxxxxxP", rows, ctypes.addressof(text)))
    for arguments in ((4, 0, 0, 0, 0), (38, 1, 0, 0, 0)):  # not dumpable, no new privileges
        if libc.prctl(*(ctypes.c_ulong(value) for value in arguments)):
            return "the kernel refuses to give up privileges"
    if libc.prctl(ctypes.c_ulong(22), ctypes.c_ulong(2), header, ctypes.c_ulong(0), ctypes.c_ulong(0)):
        return f"the kernel refuses a filter of system calls ({os.strerror(ctypes.get_errno())})"
    for attempt in (lambda: os.open("/", os.O_RDONLY), socket.socket, os.fork, lambda: os.kill(os.getpid(), 0)):
        try:
            attempt()
        except PermissionError:
            continue
        except OSError as error:
            return f"a system call failed in an unexpected way ({error})"
        return "the filter of system calls has no effect"
    return None


def problem_of(code: str) -> str | None:
    """Return the first reason why the code is not a strategy, or None. This tells an honest author what is wrong; the
    kernel contains the code in any case."""
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (RecursionError, MemoryError, ValueError) as error:
        return f"the code cannot be parsed ({type(error).__name__})"
    nodes = list(itertools.islice(ast.walk(tree), MAX_NODES + 1))
    if len(nodes) > MAX_NODES:
        return "the code is too long"
    for node in nodes:
        if problem := _problem_of_node(node):
            return f"line {getattr(node, 'lineno', '?')}: {problem}"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "answer":
            names = [argument.arg for argument in node.args.args]
            return None if len(names) == 3 else "answer must have three parameters: question, memory and draw"
    return "the code defines no function answer(question, memory, draw)"


def _problem_of_node(node: ast.AST) -> str | None:
    if isinstance(node, ast.Import):
        wrong = [alias.name for alias in node.names if alias.name not in MODULES]
        return f"import of {wrong[0]} is not allowed; allowed: {', '.join(MODULES)}" if wrong else None
    if isinstance(node, ast.ImportFrom):
        known = node.level == 0 and node.module in MODULES
        return None if known else f"import from {node.module} is not allowed; allowed: {', '.join(MODULES)}"
    name = _name_in(node)
    if name.startswith("__") and not (name == "__init__" and isinstance(node, ast.FunctionDef)):
        return f"the name {name} is not allowed"
    if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
        return f"{node.id} is not allowed"
    if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
        return "asynchronous code is not allowed"
    return None


def _name_in(node: ast.AST) -> str:
    match node:
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
        case ast.FunctionDef() | ast.ClassDef():
            return node.name
    return ""


def _import(name: str, scope: Any = None, local: Any = None, names: Any = (), level: int = 0) -> types.ModuleType:
    if level or name not in MODULES:
        raise ImportError(f"import of {name} is not allowed")
    return MODULES[name]


def load(code: str) -> Callable[..., object]:
    """Run the code and return its function `answer`."""
    allowed = {
        name: value
        for name, value in vars(builtins).items()
        if name not in FORBIDDEN_NAMES and (not name.startswith("__") or name == "__build_class__")
    }
    scope = {"__builtins__": {**allowed, "__import__": _import}, "__name__": "strategy"}
    exec(compile(code, "<strategy>", "exec"), scope)
    answer: Callable[..., object] = scope["answer"]  # type: ignore[assignment]
    return answer


def line_of(error: BaseException) -> int | None:
    """Return the last line of the strategy in the error's traceback."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == "<strategy>":
            line = step.tb_lineno
        step = step.tb_next
    return line


def describe(error: BaseException) -> str:
    """Return an error in one line."""
    line = line_of(error)
    try:
        text = str(error)
    except BaseException:
        text = ""
    where = "" if line is None else f"line {line}: "
    return f"{where}{type(error).__name__}: {text[:300]}"


def lines() -> Iterator[Any]:
    """Yield the lines of standard input."""
    rest = b""
    while True:
        part = os.read(0, 1 << 16)
        if not part:
            return
        rest += part
        if len(rest) > MAX_LINE:
            return
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            yield json.loads(line)


def reply(content: Any) -> None:
    """Write one line to standard output."""
    data = json.dumps(content).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


def main() -> None:
    """Contain the process, check and run the code, and answer questions."""
    asked = lines()
    start = next(asked)
    json.dumps({"warm": [1, 2.5, None, "é"]})  # The encoder is complete before files can no longer be read.
    "x".encode("ascii")
    if reason := contain(start["memory"], start["seconds"]):
        reply({"uncontained": reason})
        return
    if problem := problem_of(start["code"]):
        reply({"problem": problem})
        return
    try:
        answer = load(start["code"])
        reply({"ready": True})
    except BaseException as error:
        reply({"problem": describe(error)})
        return
    memory: dict[Any, Any] = {}
    for question in asked:
        draw = random.Random(question.pop("seed")).random
        try:
            reply({"answer": answer(question, memory, draw)})
        except BaseException as error:
            reply({"error": describe(error)})


if __name__ == "__main__":
    main()
    os._exit(0)
