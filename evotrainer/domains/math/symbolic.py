"""Equality of mathematical expressions by math-verify, in a process that can be killed.

Its parser can loop on hostile input, where its own timeouts (signals) do not always reach; a second process under a
deadline does. The worker starts on the first question and is kept; it ends when its input closes, so it cannot outlive
its owner. It is imported only there: sympy takes seconds to load and math-verify logs what it cannot parse.
"""

import atexit
import json
import logging
import resource
import select
import subprocess
import sys
from pathlib import Path

from evotrainer.errors import GraderError

ANSWER_SECONDS = 5.0
START_SECONDS = 120.0
CODE_ROOT = Path(__file__).resolve().parents[3]  # the worker runs the code of this tree, wherever it was started


def is_equivalent(truth: str, given: str) -> bool:
    """Return whether math-verify holds the two for equal; raises GraderError when it fails or takes too long."""
    return _WORKER.ask(truth, given)


class _Worker:
    """One child process, restarted after a failure. Not for use by several threads."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def ask(self, truth: str, given: str) -> bool:
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps([truth, given]) + "\n")
            process.stdin.flush()
        except BrokenPipeError as error:
            self.stop()
            raise GraderError("math-verify's process ended; install it with `make setup`, then rerun") from error
        return bool(self._read(ANSWER_SECONDS, f"on the answer {given[:60]!r}"))

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "evotrainer.domains.math.symbolic"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=CODE_ROOT,
        )
        self._read(START_SECONDS, "while it started")
        return self._process

    def _read(self, seconds: float, occasion: str) -> object:
        """Return the next line's value; the worker writes whole lines only, so a readable pipe has one."""
        assert self._process is not None and self._process.stdout is not None
        is_ready = select.select([self._process.stdout], [], [], seconds)[0]
        line = self._process.stdout.readline() if is_ready else ""
        if not line:
            self.stop()
            raise GraderError(f"math-verify {'ended' if is_ready else f'took over {seconds:g} s'} {occasion}")
        return json.loads(line)


_WORKER = _Worker()
atexit.register(_WORKER.stop)


MAX_MEMORY_BYTES = 4 * 2**30
"""Of address space: a power tower would take all there is. Beyond it the process ends, which its owner reports."""


def _verified(truth: str, given: str) -> bool:
    """Plain expressions are read as LaTeX too: math-verify finds them by their delimiters."""
    from math_verify import parse, verify

    return verify(parse(_delimited(truth)), parse(_delimited(given)))


def _delimited(text: str) -> str:
    return text if "$" in text else f"${text}$"


def main() -> None:
    """Read [truth, given] a line and write true or false, until the input ends."""
    logging.disable(logging.CRITICAL)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    import math_verify  # noqa: F401 - loaded before the first question, whose time is short

    print("true", flush=True)
    for line in sys.stdin:
        truth, given = json.loads(line)
        print(json.dumps(_verified(truth, given)), flush=True)


if __name__ == "__main__":
    main()
