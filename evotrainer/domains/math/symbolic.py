"""Equality of mathematical expressions by math-verify, in a process that can be killed.

Its parser can loop on hostile input, where its own timeouts (signals) do not always reach; a second process under a
deadline does. The worker starts on the first question and is kept; it ends when its pipe closes, so it cannot outlive
its owner. It is imported only there: sympy takes seconds to load and math-verify logs what it cannot parse.
"""

import logging
import multiprocessing
import os
import resource
import sys
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from evotrainer.errors import GraderError

ANSWER_SECONDS = 5.0
START_SECONDS = 120.0
MAX_MEMORY_BYTES = 4 * 2**30
"""Of address space: a power tower would take all there is. Beyond it the process ends, which its owner reports."""


def is_equivalent(truth: str, given: str) -> bool:
    """Return whether math-verify holds the two for equal; raises GraderError when it fails or takes too long."""
    return _WORKER.ask(truth, given)


class _Worker:
    """One child process, restarted after a failure. Not for use by several threads."""

    def __init__(self) -> None:
        self.process: SpawnProcess | None = None

    def ask(self, truth: str, given: str) -> bool:
        if self.process is None:
            spawn = multiprocessing.get_context("spawn")
            self._pipe, inner = spawn.Pipe()
            self.process = process = spawn.Process(target=_serve, args=(inner,), daemon=True)
            process.start()
            inner.close()
            self._receive(START_SECONDS, "while it started")
        return self._receive(ANSWER_SECONDS, f"on the answer {given[:60]!r}", truth, given)

    def _receive(self, seconds: float, occasion: str, *question: str) -> bool:
        try:
            if question:
                self._pipe.send(question)
            if self._pipe.poll(seconds):
                return self._pipe.recv()
            ended = f"took over {seconds:g} s"
        except (EOFError, OSError):
            ended = "ended"
        if self.process is not None:
            self.process.kill()
            self.process = None
        raise GraderError(f"math-verify {ended} {occasion}; install it with `make setup` where it is missing")


_WORKER = _Worker()


def _serve(pipe: Connection) -> None:
    """Answer (truth, given) until the pipe closes. Plain texts are read as LaTeX: math-verify needs delimiters."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    logging.disable(logging.CRITICAL)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    from math_verify import parse, verify  # loaded before the first question, whose time is short

    pipe.send(True)
    while True:
        truth, given = (text if "$" in text else f"${text}$" for text in pipe.recv())
        pipe.send(bool(verify(parse(truth), parse(given))))
