"""Grade a math answer: a strict format gate, then equality.

The gate: the response ends with exactly one <answer>...</answer>, or, without any answer tag, its last \\boxed{...} is
the answer. What fails the gate is wrong, whatever it contains; a lenient reading (tag left open, no tag, the last
number) is recorded beside it as extra.lenient_correct, so that a fault of the gate shows as one.

answers.py says what equals the true answer.

Terms: correct, format, partial (share of digits that stand at their place, counted from the last).
"""

import re
from collections.abc import Sequence

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Grade, last_answer
from evotrainer.domains.math.answers import MAX_ANSWER_CHARACTERS, answers_equal, equal_as_written
from evotrainer.records import Message, Problem

_GATE = re.compile(r"<answer>((?:(?!</?answer>).)*)</answer>\s*\Z", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?")


class MathGrader:
    """Grades the last message of an episode."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        self._domain = domain.name

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade of the last assistant message; raises GraderError when math-verify failed."""
        response = last_answer(messages)
        given = extract_answer(response)
        is_correct = given is not None and answers_equal(problem.answer, given)
        lenient = extract_leniently(response)
        is_lenient = is_correct or (lenient is not None and equal_as_written(problem.answer, lenient))
        terms = {
            "correct": float(is_correct),
            "format": float(given is not None),
            "partial": 1.0 if is_correct else share_of_digits(problem.answer, given or ""),
        }
        extra = {"family": problem.family, "answer": given, "lenient_correct": float(is_lenient)}
        return Grade(correct=terms["correct"], terms=terms, format_ok=given is not None, extra=extra)


def extract_answer(response: str) -> str | None:
    """Return the answer that passes the format gate, or None."""
    if response.count("<answer>") == 1 and response.count("</answer>") == 1:
        match = _GATE.search(response)
        return match.group(1).strip() or None if match else None
    if "<answer>" in response or "</answer>" in response:
        return None
    return last_boxed(response)


def extract_leniently(response: str) -> str | None:
    """Return what a benevolent reader takes for the answer: the last tag, closed or not, else the last number."""
    _, tag, tail = response.rpartition("<answer>")
    if tag:
        return tail.partition("</answer>")[0].strip() or None
    boxed = last_boxed(response)
    if boxed is not None:
        return boxed
    numbers = _NUMBER.findall(response)
    return numbers[-1] if numbers else None


def share_of_digits(truth: str, given: str) -> float:
    """Return the share of digits that agree, counted from the last; 0 where either is not a whole number."""
    if not (truth.isdecimal() and given.isdecimal()) or len(given) > MAX_ANSWER_CHARACTERS:
        return 0.0
    matches = sum(left == right for left, right in zip(reversed(truth), reversed(given), strict=False))
    return matches / max(len(truth), len(given))


def last_boxed(response: str) -> str | None:
    """Return the contents of the last \\boxed{...}, braces balanced; None without one."""
    _, tag, tail = response.rpartition("\\boxed{")
    depth = 1
    for index, character in enumerate(tail):
        depth += (character == "{") - (character == "}")
        if tag and depth == 0:
            return tail[:index].strip() or None
    return None
