"""What goes into a sandbox and what comes out: Program, Limits, Execution.

A program is fed its standard input, or has one of its functions called with JSON arguments, once or several times in
one execution. What it is expected to answer never goes in: the parent compares (values.py).
"""

import builtins
import sys
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal

Outcome = Literal[
    "ok",
    "compile_error",
    "nonzero_exit",
    "timeout",
    "memory",
    "output_limit",
    "killed",
    "denied",
    "no_result",
    "not_json",
]
"""ok            exit status 0; for a function: each call returned a JSON value
compile_error the source does not parse; nothing of it ran
nonzero_exit  an uncaught exception, or sys.exit with a status other than 0
timeout       longer than cpu_seconds or wall_seconds
memory        an uncaught MemoryError
output_limit  more than output_bytes on stdout, on stderr or as the function's value
killed        ended by a signal, e.g. a segmentation fault
denied        an uncaught PermissionError: a forbidden call, file or write
no_result     a function was asked for and the program ended with status 0 before each call had returned
not_json      a call returned what is no JSON value"""


@dataclass(frozen=True)
class Limits:
    """What one execution may use. Processes: none but itself, unless it may start programs; threads and processes: 64
    together, where namespaces count them."""

    cpu_seconds: float = 2.0
    wall_seconds: float = 4.0
    memory_bytes: int = 512 * 1024**2
    """Address space, of which the interpreter takes about 50 MB."""
    output_bytes: int = 1024**2
    """Of stdout, of stderr and of the function's values together, each."""
    file_bytes: int = 16 * 1024**2
    """Of each file; with namespaces also of all files together."""


@dataclass(frozen=True)
class Program:
    """Python source with its input. With `function` set, stdin still goes in, and the function gets `arguments`.

    `function` is a name at the top of the module, or Class.method, for which Class is built without arguments.
    Without it the source runs as `__main__`.
    """

    source: str
    stdin: str = ""
    function: str | None = None
    arguments: tuple[Any, ...] = ()
    """JSON values."""
    calls: tuple[tuple[Any, ...], ...] = ()
    """Instead of `arguments`: the arguments of several calls, one after the other under the limits of one execution.
    Calls share the module's state, and the first that fails ends all. Run a call alone to get its own outcome."""
    files: dict[str, str] = field(default_factory=dict)
    """Relative path -> text, placed in the working directory, from which the program can import."""
    prelude: str = ""
    """Source that runs before `source`, in the same module; its imports from __future__ do not reach further."""
    can_execute: bool = False
    """It may start other programs, which inherit every restriction: for source of our own alone."""

    def __post_init__(self) -> None:
        if self.calls and (self.function is None or self.arguments):
            raise ValueError("calls need a function, and stand instead of arguments")
        for name in self.files:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
                raise ValueError(f"file '{name}' must be a relative path inside the working directory, without '..'")

    @property
    def all_calls(self) -> tuple[tuple[Any, ...], ...]:
        """The arguments of each call of the function; none for a program that reads and prints."""
        return () if self.function is None else self.calls or (self.arguments,)


AWAKE_SHARE = 0.05
"""Of its wall clock: a program that timed out with less of a processor slept."""


@dataclass(frozen=True)
class Execution:
    """How a program ended. Everything but the times was written by the program: data to compare, not to trust."""

    outcome: Outcome
    stdout: str
    stderr: str
    values: tuple[Any, ...] = ()
    """What each call returned, up to the first that failed: JSON values, and tuples as tuples."""
    ran_to_end: bool = False
    """Whether the program ran to its end, as its process reports, and did not leave by sys.exit or os._exit."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def slept(self) -> bool:
        """Whether the program waited until its wall clock ran out, and not for a machine that others load."""
        return self.outcome == "timeout" and self.cpu_seconds < AWAKE_SHARE * self.seconds

    @property
    def value(self) -> Any:
        """What the first call returned, when the outcome is ok, else None."""
        return self.values[0] if self.outcome == "ok" and self.values else None


_ENDS = {
    "nonzero_exit": "raised {error}",
    "timeout": "took more than {seconds:g} s of processor time",
    "memory": "needs more than {megabytes} MB",
    "output_limit": "printed or returned too much",
    "killed": "was ended by a signal",
    "denied": "tried what the sandbox forbids",
    "no_result": "ended before it answered",
    "not_json": "returned no JSON value",
    "compile_error": "is no Python",
}


def describe_end(execution: Execution, limits: Limits) -> str:
    """Return how an execution that did not end well ended: the end of a sentence about its program."""
    last = (execution.stderr.strip().splitlines() or [""])[-1]
    name = last.partition(":")[0]
    known = getattr(builtins, name, None)
    error = name if isinstance(known, type) and issubclass(known, BaseException) else "an error of its own"
    megabytes = limits.memory_bytes >> 20
    return _ENDS[execution.outcome].format(error=error, seconds=limits.cpu_seconds, megabytes=megabytes)


_ROOT = Path(__file__).parents[2]


def calling(name: str, function: str) -> str:
    """Return a program that has a function of a module which the sandbox has loaded (`own_modules`)."""
    return f"import sys\n{function} = sys.modules[{name!r}].{function}\n"


def module_codes(names: Sequence[str]) -> list[tuple[str, types.CodeType]]:
    """Return modules of this package by name, compiled."""
    return [(name, _code(name)) for name in names]


def load_modules(codes: Iterable[tuple[str, types.CodeType]]) -> None:
    """Load modules for all executions to come. Each has builtins of its own, which no other code patches."""
    for name, code in codes:
        module = sys.modules[name] = types.ModuleType(name)
        vars(module)["__builtins__"] = dict(vars(builtins))
        exec(code, vars(module))


def _code(name: str) -> types.CodeType:
    path = (_ROOT / name.replace(".", "/")).with_suffix(".py")
    return compile(path.read_text(encoding="utf-8"), path.name, "exec", dont_inherit=True, optimize=2)
