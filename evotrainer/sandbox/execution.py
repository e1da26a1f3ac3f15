"""What one forked child does: take its descriptors, drop every right, run the program, report how it ended.

Order matters: all that needs rights or trusted memory comes before `_confine`; the line "ready" on the result pipe is
the last line that the parent trusts. After it the program owns this process, and what the pipes carry is its
answer: data to compare, never to trust.
"""

import atexit
import errno
import fcntl
import io
import json
import linecache
import math
import os
import random
import resource
import sys
import threading
import traceback
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn, TextIO

from evotrainer.sandbox import kernel
from evotrainer.sandbox.namespaces import INPUT_NAMES, INPUT_PLACE
from evotrainer.sandbox.seccomp import install_filter
from evotrainer.sandbox.values import encode_value

MAX_DESCRIPTORS = 5
_RESULT, _REQUEST = 3, 4

MAX_OPEN_FILES = 64
MAX_THREADS = 64
STACK_BYTES = 64 * 1024**2

_exit = os._exit


def execute(
    descriptors: list[int], limits: dict[str, float], backend: str, work: str, zygote: int, is_own_user: bool
) -> NoReturn:
    """Run the program that the request descriptor holds; never returns, whatever it does.

    `is_own_user`: no process but the sandbox's has this user, so that its threads can be counted.
    """
    status = 1
    try:
        os.setsid()  # one process group, so that the zygote ends all that the program started
        _take_descriptors(descriptors)
        try:
            request = _read_request()
            _place_files(request["files"], Path(work))
            _place_input(request["source"], backend)
            _confine(limits, (backend == "namespaces", is_own_user), zygote, request["can_execute"])
        except Exception as error:  # ours, not the program's: the parent makes a SandboxError of it
            _say({"failed": f"{type(error).__name__}: {error}"})
            _exit(1)
        _say("ready")
        status = _run(request)
    finally:
        _exit(status)


def _take_descriptors(descriptors: list[int]) -> None:
    """Put them at 0 and on, and close everything else that was inherited."""
    spares = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100) for descriptor in descriptors]
    for number, spare in enumerate(spares):
        os.dup2(spare, number, inheritable=False)
    os.closerange(len(descriptors), os.sysconf("SC_OPEN_MAX"))
    sys.stdin = sys.__stdin__ = _text_file(0, "r", "surrogateescape")
    sys.stdout = sys.__stdout__ = _text_file(1, "w", "surrogateescape")
    sys.stderr = sys.__stderr__ = _text_file(2, "w", "backslashreplace")


def _text_file(descriptor: int, mode: str, errors: str) -> TextIO:
    # it lives as long as this process
    return open(descriptor, mode, encoding="utf-8", errors=errors, closefd=False)  # type: ignore[return-value]  # noqa: SIM115


def _read_request() -> dict[str, Any]:
    with open(_REQUEST, "rb") as file:
        file.seek(0)
        return json.loads(file.read())


def _place_files(files: dict[str, str], work: Path) -> None:
    os.chdir(work)
    for folder in dict.fromkeys(name.rpartition("/")[0] for name in files):
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8", errors="surrogateescape")


def _place_input(source: str, backend: str) -> None:
    """Put the input where links at the names of descriptor 0 lead, where the kernel has no such names.

    Only for a program that speaks of one: most read the descriptor.
    """
    if backend == "namespaces" and any(name in source for name in INPUT_NAMES):
        with open(0, "rb", closefd=False) as file:
            Path(INPUT_PLACE).write_bytes(file.read())
        os.lseek(0, 0, os.SEEK_SET)


def _confine(limits: dict[str, float], place: tuple[bool, bool], zygote: int, can_execute: bool) -> None:
    is_boxed, is_own_user = place
    values = {
        resource.RLIMIT_AS: int(limits["memory_bytes"]),
        resource.RLIMIT_FSIZE: int(limits["file_bytes"]),
        resource.RLIMIT_NOFILE: MAX_OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    if is_boxed or is_own_user:  # counted per user and user namespace: the person's own processes must not count
        values[resource.RLIMIT_NPROC] = MAX_THREADS
    stack = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES if stack < 0 else min(STACK_BYTES, stack), stack))
    # SIGXCPU at the first second ends it, SIGKILL at the second one whoever ignores signals
    cpu = math.ceil(limits["cpu_seconds"])
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    for name, value in values.items():
        hard = resource.getrlimit(name)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (bound, bound))
    kernel.die_with_parent()
    if os.getppid() != zygote:
        _exit(1)
    if is_boxed:
        kernel.set_capabilities(0)
    install_filter(is_boxed, can_execute)


def _say(message: Any) -> None:
    os.write(_RESULT, json.dumps(message).encode() + b"\n")


def _run(request: dict[str, Any]) -> int:
    """Run the program to its end, exit handlers included, and return its exit status."""
    random.seed(0)  # so that an execution can be repeated
    try:
        status = run_module(request)
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        _flush(vars(sys.modules[_name_of(request)]).values())
        if status is None:
            _say({"end": True})
            return 0
    except BaseException as error:  # the program's own, of any kind
        status = _status_of(error)
    return status


def _flush(values: Iterable[Any] = ()) -> None:
    """Write what stands in buffers: of the streams, of those that a program put others in place of, of open files among
    its values.
    """
    files = [value for value in values if isinstance(value, io.IOBase)]
    for file in (sys.stdout, sys.__stdout__, sys.stderr, sys.__stderr__, *files):
        if file is not None and not getattr(file, "closed", False):
            file.flush()


def _name_of(request: dict[str, Any]) -> str:
    return "program" if request["function"] else "__main__"


def run_module(request: dict[str, Any]) -> int | None:
    """Return the exit status that the program asked for by sys.exit, or None where it ran to its end."""
    source, function = request["source"], request["function"]
    module = types.ModuleType(_name_of(request))
    module.__file__ = "program.py"
    sys.modules[module.__name__] = module
    linecache.cache["program.py"] = (len(source), None, source.splitlines(keepends=True), "program.py")
    try:
        codes = [compile(request["prelude"], "prelude.py", "exec")] if request["prelude"] else []
        codes.append(compile(source, "program.py", "exec"))
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte, half a surrogate pair
        return _status_of(error, "compile")
    try:
        for code in codes:
            exec(code, vars(module))
        for arguments in request["calls"] if function else ():
            _say_value(call(module, function, arguments))
    except SystemExit as error:
        return _status_of(error)
    return None


def call(module: types.ModuleType, function: str, arguments: list[Any]) -> Any:
    """Return what a function of a module returns, or a method of a class that is built without arguments."""
    owner: Any = module
    for name in function.split("."):
        owner = owner() if isinstance(owner, type) else owner
        owner = getattr(owner, name)
    return owner(*arguments)


def _say_value(value: Any) -> None:
    text = encode_value(value)
    data = b'{"not_json": true}\n' if text is None else b'{"value": ' + text.encode() + b"}\n"
    while data:
        data = data[os.write(_RESULT, data) :]


def _status_of(error: BaseException, kind: str | None = None) -> int:
    """Return the exit status as the interpreter would give it, after the traceback; tell the kind of the error."""
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return (error.code or 0) & 0xFF
        print(error.code, file=sys.stderr)
        return 1
    _say({"error": kind or _kind(error)})
    traceback.print_exception(error)
    _flush()
    return 1


def _kind(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "memory"
    is_denied = isinstance(error, OSError) and error.errno in (errno.EPERM, errno.EACCES, errno.EROFS)
    return "denied" if is_denied else "other"
