"""Pure programs in batches: many of them, with all their inputs, in one execution of the sandbox.

A fork costs more than most programs. So programs whose text shows that they leave nothing behind run one after the
other in one process (answers_inside.py). They are read there, not here: a parser can be brought down by what it reads.

What is not certain has no answer here, and is run alone: programs that are not shown to be pure, those that reach a
limit, and one that ends the process; behind that one the batch goes on in a new execution.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.domains.code.grading.ended import Ended
from evotrainer.domains.code.grading.program_text import MAX_READ_CHARACTERS
from evotrainer.sandbox import Limits, Program
from evotrainer.sandbox.inside import calling
from evotrainer.sandbox.result import decode_value
from evotrainer.sandbox.sandbox import Sandbox
from evotrainer.sandbox.shared import shared_sandbox

MAX_PROGRAMS, MAX_BYTES = 32, 4 * 1024**2
"""Of one execution: programs, and bytes of their texts and inputs."""
TIME_SHARE = 0.25
"""Of the processor time of one input: what all inputs of a program take here at most. Who takes longer is run alone."""
START_SECONDS, WALL_FACTOR = 2.0, 5.0
ANSWER_BYTES = 16 * 1024**2

_PACKAGE = "evotrainer.domains.code.grading.pure"
_INSIDE = tuple(f"{_PACKAGE}.{name}_inside" for name in ("vocabulary", "attributes", "syntax", "answers"))
_IMPURE = re.compile(
    r"(?<![.\w])(?:open|eval|exec|compile|globals|locals|vars|getattr|setattr|delattr|type|memoryview|async|await"
    r"|__import__|__builtins__)\s*[(\[.= ]|\b(?:__class__|__dict__|__del__)\s*[(\[.= ]"
    r"|^[ \t]*(?:import|from)[ \t]+(?:os|threading|subprocess|time|numpy|ctypes|gc|inspect|importlib|atexit|signal)\b",
    re.MULTILINE,
)
"""Signs of a program that is not pure. They save an execution, and decide nothing."""


@dataclass(frozen=True)
class Job:
    """A program and what it is to be run on."""

    prelude: str
    source: str
    function: str | None
    inputs: Sequence[Any]
    """Lists of arguments, or texts of standard input."""
    num_alone: int
    """Inputs of a function that are run where it does not answer all of them together."""
    limits: Limits
    """Of one input."""

    @property
    def may_be_pure(self) -> bool:
        """Whether a batch may have the answers."""
        return len(self.source) <= MAX_READ_CHARACTERS and not _IMPURE.search(self.source)


def grading_sandbox() -> Sandbox:
    """Return the sandbox that graded programs run in."""
    return shared_sandbox(own_modules=_INSIDE)


def answers_together(jobs: Sequence[Job]) -> list[list[Ended | None]]:
    """Return the ends of each program's inputs, None where an input has to be run alone.

    Raises:
        SandboxError: the sandbox failed.

    """
    found: list[list[Ended | None]] = [[None] * len(job.inputs) for job in jobs]
    for numbers in _batches(jobs):
        while numbers:
            said = _answers([jobs[number] for number in numbers])
            for number, ends in zip(numbers, said, strict=False):
                found[number] = ends
            numbers = numbers[len(said) + 1 :]  # the one behind the last answer ended the process
    return found


def _batches(jobs: Sequence[Job]) -> Iterator[list[int]]:
    """Give the numbers of jobs that go into one execution each."""
    batch: list[int] = []
    size = 0
    for number, job in enumerate(jobs):
        if not job.may_be_pure:
            continue
        num_bytes = len(job.source) + len(job.prelude) + sum(len(text) for text in _texts(job))
        if batch and (len(batch) == MAX_PROGRAMS or size + num_bytes > MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += num_bytes
    if batch:
        yield batch


def _texts(job: Job) -> list[str]:
    return [given if job.function is None else json.dumps(given) for given in job.inputs]


def _answers(jobs: Sequence[Job]) -> list[list[Ended | None]]:
    """Return what the execution said of its programs, up to one that ended it."""
    shares = [TIME_SHARE * job.limits.cpu_seconds for job in jobs]
    calls = tuple(
        (job.prelude, job.source, job.function, _texts(job), job.num_alone, [share, job.limits.output_bytes])
        for job, share in zip(jobs, shares, strict=True)
    )
    seconds = START_SECONDS + sum(shares)
    limits = Limits(
        seconds, seconds * WALL_FACTOR, min(job.limits.memory_bytes for job in jobs), ANSWER_BYTES + MAX_BYTES
    )
    execution = grading_sandbox().run(Program(calling(_INSIDE[-1], "answer"), function="answer", calls=calls), limits)
    return [_ends(job, value) for job, value in zip(jobs, execution.values, strict=False)]


def _ends(job: Job, said: Any) -> list[Ended | None]:
    if said is None:
        return [None] * len(job.inputs)
    return [None if end is None else _ended(job.function, *end) for end in said]


def _ended(function: str | None, outcome: str, text: str, has_left: bool, last_line: str) -> Ended:
    value = text if function is None else decode_value(text) if outcome == "ok" else None
    return Ended(outcome, value, has_left, last_line)
