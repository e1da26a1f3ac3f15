"""Sandbox: where all code runs that a policy or a trainer agent wrote.

    with Sandbox() as sandbox:
        execution = sandbox.run(Program("print(int(input()) + 1)", stdin="41"))
        execution.outcome, execution.stdout           # ("ok", "42\\n")

A program that misbehaves is an Execution with its outcome; only a sandbox that fails raises, SandboxError. There is no
unprotected mode: where neither backend works, entering raises.
"""

import atexit
import queue
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import TracebackType
from typing import Literal, TypeVar

from evotrainer.errors import SandboxError
from evotrainer.sandbox.kernel import num_processors
from evotrainer.sandbox.program import Execution, Limits, Program
from evotrainer.sandbox.run import BackendRefusedError, ZygoteProcess, run_program

Backend = Literal["namespaces", "landlock"]
BACKENDS: tuple[Backend, ...] = ("namespaces", "landlock")
"""In order of preference."""

# fmt: off
PRELOAD = (
    "array", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "io", "itertools", "json", "math", "operator", "random", "re", "statistics", "string",
    "sys", "textwrap", "time", "typing",
)
# fmt: on
"""Modules that programs often import; loaded once, before any program."""


class Sandbox:
    """A few zygotes behind one `run`, which several threads may call. Starts when entered, ends when left."""

    def __init__(
        self,
        backend: Backend | None = None,
        num_workers: int = 1,
        import_paths: Sequence[str] = (),
        preload: Sequence[str] = (),
        readable_paths: Sequence[str] = (),
        own_modules: Sequence[str] = (),
    ) -> None:
        """`backend` None: the first that the kernel allows.

        `num_workers` executions run at a time. Programs may read and import from `import_paths`, absolute directories;
        modules named in `preload` are imported once, before any program. They may also read `readable_paths`.
        `own_modules` of this package, by full name and in the order in which they import each other, are loaded too.
        """
        if backend is not None and backend not in BACKENDS:
            raise ValueError(f"backend '{backend}' is unknown: choose one of {', '.join(BACKENDS)}")
        self.backend: Backend | None = backend
        self._num_workers = num_workers
        self._needs = {"import_paths": import_paths, "readable_paths": readable_paths, "own_modules": own_modules}
        self._needs["preload"] = (*PRELOAD, *preload)
        self._idle: queue.SimpleQueue[ZygoteProcess] = queue.SimpleQueue()
        self._is_open = False

    def __enter__(self) -> "Sandbox":
        """Start the zygotes; raises SandboxError where no backend works."""
        try:
            for _ in range(self._num_workers):
                self._idle.put(self._start())
        except SandboxError:
            self._stop_idle()
            raise
        self._is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        self._stop_idle()

    def run(self, program: Program, limits: Limits | None = None) -> Execution:
        """Run one program; waits for a free worker. Raises SandboxError when the sandbox itself failed."""
        if not self._is_open:
            raise SandboxError("the sandbox is closed: use it inside `with Sandbox() as sandbox:`")
        zygote = self._idle.get()
        try:
            if not zygote.is_running:
                zygote = self._start()
            return run_program(zygote, program, limits or Limits())
        finally:
            self._idle.put(zygote)

    def _start(self) -> ZygoteProcess:
        """Return a zygote behind the backend that is set, else behind the first that works, which is set then."""
        if sys.platform != "linux":
            raise SandboxError(f"the sandbox needs Linux, this is {sys.platform}: code of a policy cannot run here")
        reasons: list[str] = []
        for backend in BACKENDS if self.backend is None else (self.backend,):
            try:
                zygote = ZygoteProcess(backend, self._needs)
            except BackendRefusedError as error:
                reasons.append(f"{backend}: {error}")
            else:
                self.backend = backend
                return zygote
        raise SandboxError(
            f"this machine gives no sandbox ({'; '.join(reasons)}): allow user namespaces, or use Linux 5.19 or newer "
            "with Landlock; nothing runs unprotected"
        )

    def _stop_idle(self) -> None:
        while not self._idle.empty():
            self._idle.get().stop()


Item = TypeVar("Item")
Result = TypeVar("Result")

NUM_WORKERS = min(8, num_processors())
"""Executions that a process has running at a time: as many as it has processors."""


@cache
def shared_sandbox(
    preload: tuple[str, ...] = (),
    import_paths: tuple[str, ...] = (),
    readable_paths: tuple[str, ...] = (),
    own_modules: tuple[str, ...] = (),
) -> Sandbox:
    """Return the process's running sandbox of this kind; raises SandboxError where none can be had."""
    sandbox = Sandbox(None, NUM_WORKERS, import_paths, preload, readable_paths, own_modules).__enter__()
    atexit.register(sandbox.__exit__, None, None, None)
    return sandbox


def run_parallel(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Return what `work` makes of each item, in their order, NUM_WORKERS at a time: it mostly waits for the sandbox."""
    return list(_threads().map(work, items))


@cache
def _threads() -> ThreadPoolExecutor:
    """Threads that live as long as the process: a zygote may end with the thread that started it."""
    return ThreadPoolExecutor(NUM_WORKERS, thread_name_prefix="sandbox")
