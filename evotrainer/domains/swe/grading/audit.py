"""The audit: a stored episode played again from its messages, judged by real pytest.

Its files come from its calls alone, git answers again and must say what it said, and pytest runs the hidden tests,
whatever runner graded them. The grade must be the stored one. The sandbox around git and pytest is that of the episode.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.swe.access import is_sanitized
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.grading.hidden_tests import hidden_ids, is_submitted, plan_of, run_hidden, share_passed
from evotrainer.domains.swe.tools.calls import CHANGES, GIT, Tools
from evotrainer.domains.swe.tools.observation import Answer, first_line, shown
from evotrainer.domains.swe.tools.replay import answered_calls
from evotrainer.errors import GraderError
from evotrainer.records import Message, Problem, Trajectory
from evotrainer.records.checks import CHECKS

REAL_RUNNER = "pytest"


@dataclass(frozen=True)
class AuditResult:
    """What the audit of one trajectory found; it agrees where nothing differs."""

    trajectory_id: str
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the stored grade is the real one."""
        return not self.differences


def audit_trajectory(row: Trajectory, problem: Problem, domain: DomainConfig) -> AuditResult:
    """Play a stored trajectory again and compare; `domain` is the one it was played under.

    Raises GraderError for a row that was never graded.
    """
    if row.correct is None:
        raise GraderError(f"{row.trajectory_id} was not graded ({row.error}): there is nothing to compare")
    copy = WorkingCopy(open_repository(problem, is_sanitized(domain)))
    answers = _play(row.messages, copy, domain.max_observation_chars)
    real = _grade_really(row, problem, copy)
    return AuditResult(row.trajectory_id, (*answers, *_compare(row, real), *_repeat(row, problem, domain)))


def _play(messages: Sequence[Message], copy: WorkingCopy, max_characters: int) -> list[str]:
    """Repeat the calls that can change files, and name the answers of git that are not the stored ones."""
    tools, differences = Tools(copy, lambda path: Answer("")), []
    for call, stored in answered_calls(messages):
        if call.name not in CHANGES:
            continue
        answer = tools.call(call)
        if call.name == GIT and (shown(answer.text, max_characters), answer.ok) != (stored.content, stored.ok):
            differences.append(
                f"git {first_line(str(call.arguments.get('arguments')))}: stored {first_line(stored.content)!r}, "
                f"again {first_line(answer.text)!r}"
            )
    return differences


def _grade_really(row: Trajectory, problem: Problem, copy: WorkingCopy) -> dict[str, float]:
    """Return what pytest says of the files that the episode ended with."""
    snapshot = Snapshot(copy.repository, copy.changes())
    run = run_hidden(problem, snapshot, REAL_RUNNER)
    share = share_passed(problem, run)
    earned = 0.0 if plan_of(problem, copy.repository, REAL_RUNNER).flags(run) else share
    return {
        "correct": float(is_submitted(row.messages) and earned == 1.0),
        "lenient_correct": float(share == 1.0),
        "partial": earned,
        "hidden_share": run.passed(hidden_ids(problem)) / len(hidden_ids(problem)),
    }


def _compare(row: Trajectory, real: dict[str, float]) -> list[str]:
    checks = row.extra.get(CHECKS) or {}
    stored = {
        "correct": row.correct,
        "partial": row.reward_terms.get("partial"),
        "lenient_correct": row.extra.get("lenient_correct"),
        "hidden_share": checks.get("hidden_share"),
    }
    return [
        f"{name}: stored {stored[name]:g}, audited {value:g}"
        for name, value in real.items()
        if stored[name] is not None and abs(stored[name] - value) > 1e-9
    ]


def _repeat(row: Trajectory, problem: Problem, domain: DomainConfig) -> list[str]:
    """Grade the messages again in memory: the same messages must have the same grade."""
    again = create_grader(domain).grade(problem, row.messages, row.stop_reason)
    return [] if again.correct == row.correct else [f"correct: stored {row.correct:g}, graded again {again.correct:g}"]
