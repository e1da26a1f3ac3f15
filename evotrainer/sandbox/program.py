"""What goes into a sandbox and what comes out: Program, Limits, Execution.

A program is fed its standard input, or has one of its functions called with JSON arguments, once or several times in
one execution. What it is expected to answer never goes in: the parent compares (compare.py).
"""

from dataclasses import dataclass, field
from pathlib import PurePosixPath
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

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise ValueError(f"{name} is {value}: a limit must be above 0")


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
    seed: int = 0
    """Of the random module, so that an execution can be repeated."""
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


@dataclass(frozen=True)
class Execution:
    """How a program ended. Everything but the times was written by the program: data to compare, not to trust."""

    outcome: Outcome
    stdout: str
    stderr: str
    exit_status: int | None
    """None when a signal ended it."""
    values: tuple[Any, ...] = ()
    """What each call returned, up to the first that failed: JSON values, and tuples as tuples."""
    ran_to_end: bool = False
    """Whether the program ran to its end, as its process reports, and did not leave by sys.exit or os._exit."""
    signal: int | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def value(self) -> Any:
        """What the first call returned, when the outcome is ok, else None."""
        return self.values[0] if self.outcome == "ok" and self.values else None
