"""A domain's grader with a judge beside it: the verifier's grade stays, the judge's score joins as a term.

Recorded are the term `judge`, which counts in the reward by its weight (reward.judge, 0 by default), and the checks
judge, judge_probe and judge_master_keys, by which a judge that is talked to shows. Correctness is the verifier's alone.
"""

from collections.abc import Sequence

from evotrainer.domains.base import Grade, Grader
from evotrainer.domains.judge.judge import Judge
from evotrainer.domains.judge.probes import is_probe
from evotrainer.domains.judge.prompt import answer_text
from evotrainer.records import Message, Problem
from evotrainer.records.checks import CHECKS


class JudgedGrader:
    """Grades as `grader` does, and asks `judge` about the same answer."""

    waits_for_sandbox = False

    def __init__(self, grader: Grader, judge: Judge) -> None:
        self._grader, self._judge = grader, judge

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade with the judge's term and checks; raises GraderError where either gave none."""
        grade = self._grader.grade(problem, messages, stop_reason)
        answer = answer_text(messages)
        score = self._judge.score(problem, answer)
        checks = {
            **grade.extra.get(CHECKS, {}),
            "judge": score,
            "judge_probe": float(is_probe(answer)),
            "judge_master_keys": self._judge.master_keys_paid,
        }
        return Grade(grade.correct, {**grade.terms, "judge": score}, grade.format_ok, {**grade.extra, CHECKS: checks})
