"""One sandbox a process, started when it is first needed: graders and environments of all episodes share it.

Users of other modules start their own.
"""

import atexit
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from evotrainer.sandbox.sandbox import Sandbox

Item = TypeVar("Item")
Result = TypeVar("Result")

NUM_WORKERS = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
"""Executions that a process has running at a time: as many as it has processors."""


@cache
def shared_sandbox(
    preload: tuple[str, ...] = (),
    import_paths: tuple[str, ...] = (),
    readable_paths: tuple[str, ...] = (),
    own_modules: tuple[str, ...] = (),
) -> Sandbox:
    """Return the process's running sandbox of this kind; raises SandboxError where none can be had."""
    sandbox = Sandbox(
        num_workers=NUM_WORKERS,
        preload=preload,
        import_paths=import_paths,
        readable_paths=readable_paths,
        own_modules=own_modules,
    )
    sandbox.__enter__()
    atexit.register(sandbox.__exit__, None, None, None)
    return sandbox


def run_parallel(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Return what `work` makes of each item, in their order, NUM_WORKERS at a time: it mostly waits for the sandbox."""
    return list(_threads().map(work, items))


@cache
def _threads() -> ThreadPoolExecutor:
    """Threads that live as long as the process: a zygote may end with the thread that started it."""
    return ThreadPoolExecutor(NUM_WORKERS, thread_name_prefix="sandbox")
