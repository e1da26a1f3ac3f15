"""Grade a program: a strict format gate, then hidden tests in the sandbox (docs/domains.md).

Fences of the gate are found line by line, in linear time. What fails the gate is wrong, whatever it contains; a lenient
reading (an open block, the last of several, the whole response) is graded beside it as extra.lenient_correct, so that a
fault of the gate shows as one. A response that was cut is no wrong one: extra.result is passed, wrong, an outcome of
the sandbox (compile_error, timeout, ...), no_program or truncated. No word of a program decides.

A sandbox that fails raises, and the row is masked: never a reward of 0.
"""

import re
from collections.abc import Sequence
from itertools import islice

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Grade, last_answer
from evotrainer.domains.code.program_checks import Examination, examine
from evotrainer.domains.code.program_tests import TestSet
from evotrainer.records import Message, Problem
from evotrainer.records.evidence import CHECKS

_FENCE = re.compile(r"^```.*$", re.MULTILINE)
_OPENING = re.compile(r"```(?:python3?|py)?[ \t]*")


class CodeGrader:
    """Grades the last message of an episode."""

    waits_for_sandbox = True

    def __init__(self, domain: DomainConfig) -> None:
        self._domain = domain.name

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade of the last assistant message; raises InfrastructureError when grading itself failed."""
        response, tests = last_answer(messages), TestSet.of(problem.data)
        program, read = _read(response)
        found = examine(tests, problem.answer, read) if read is not None else None
        is_right = found is not None and found.share == 1
        graded = found if program is not None else None
        terms = {
            "correct": float(graded is not None and is_right),
            "partial": graded.share if graded is not None else 0.0,
            "format": float(program is not None),
        }
        extra = {
            "family": problem.family,
            "answer": program,
            "lenient_correct": float(is_right),
            "result": _result(graded, stop_reason),
            "verdicts": dict(graded.verdicts) if graded is not None else {},
            "error": graded.error if graded is not None else "",
            CHECKS: {**_checks(tests, graded, response), "scrubbed_correct": terms["correct"]},
        }
        return Grade(correct=terms["correct"], terms=terms, format_ok=program is not None, extra=extra)


def _read(response: str) -> tuple[str | None, str | None]:
    """Return the program that passes the gate, and the one that a benevolent reader takes."""
    program = extract_program(response)
    return program, program if program is not None else extract_leniently(response)


def extract_program(response: str) -> str | None:
    """Return the program that passes the format gate, or None."""
    fences = list(islice(_FENCE.finditer(response), 3))
    if len(fences) != 2:
        return None
    opening, closing = fences
    if not _OPENING.fullmatch(opening.group()) or closing.group().rstrip(" \t") != "```":
        return None
    program = response[opening.end() + 1 : closing.start()].removeprefix("\ufeff")
    return program if program.strip() else None


def extract_leniently(response: str) -> str | None:
    """Return what a benevolent reader takes for the program: the last block, closed or not, else the whole response."""
    parts = [part for part in _FENCE.split(response) if part.strip()]
    return parts[-1].removeprefix("\ufeff") if parts else None


def _result(found: Examination | None, stop_reason: str) -> str:
    """Return how the answer ended, in one word: of several verdicts the most frequent that is no pass."""
    if found is None:
        return "truncated" if stop_reason == "max_tokens" else "no_program"
    failed = {verdict: count for verdict, count in found.verdicts.items() if verdict != "passed"}
    return max(failed, key=lambda verdict: failed[verdict]) if failed else "passed"


def _checks(tests: TestSet, found: Examination | None, response: str) -> dict[str, float]:
    says_canary = bool(tests.canary) and tests.canary in response
    checks = dict(found.checks) if found is not None else {}
    return checks | {"reads_answers": max(checks.get("reads_answers", 0.0), float(says_canary))}
