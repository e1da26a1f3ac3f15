"""The audit: a stored episode played again in a real checkout with real git, judged by real pytest.

What an episode is played on is a working copy and a git in memory, and often a test runner of our own. The audit takes
none of that on trust: real commits, real files, real git for every command that the episode gave, pytest for the hidden
tests, whatever runner graded them. Its word must be the stored grade. Only the sandbox around pytest is the same.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from evotrainer.config import DomainConfig
from evotrainer.domains.graders import create_grader
from evotrainer.domains.swe.access import is_sanitized
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.real_checkout import RealPlace
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.grading.hidden_tests import graded, hidden_ids, is_submitted, share_passed
from evotrainer.domains.swe.runners import create_runner
from evotrainer.domains.swe.tools.replay import replay
from evotrainer.errors import GraderError
from evotrainer.records import Problem, Trajectory
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

    Raises GraderError for a row that was never graded, and where the checkout cannot be made.
    """
    if row.correct is None:
        raise GraderError(f"{row.trajectory_id} was not graded ({row.error}): there is nothing to compare")
    with tempfile.TemporaryDirectory(prefix="evotrainer-audit-") as folder:
        place = RealPlace(problem, Path(folder), is_sanitized(domain))
        replay(row.messages, place)
        place.check()
        real = _grade_really(row, problem, domain, place)
    return AuditResult(row.trajectory_id, (*place.differences, *_compare(row, real), *_repeat(row, problem, domain)))


def _grade_really(row: Trajectory, problem: Problem, domain: DomainConfig, place: RealPlace) -> dict[str, float]:
    """Return what the hidden tests say of the files that lie in the checkout."""
    repository = open_repository(problem, is_sanitized(domain))
    files = place.read_all()
    known = {path: text for path, text in repository.files.items() if path not in place.closed}
    changes = {path: files.get(path) for path in sorted({*files, *known}) if files.get(path) != known.get(path)}
    run = create_runner(REAL_RUNNER).run(graded(problem, Snapshot(repository, changes)), hidden_ids(problem))
    share = share_passed(problem, run)
    return {
        "correct": float(is_submitted(row.messages) and share == 1.0),
        "lenient_correct": float(share == 1.0),
        "partial": share,
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
        f"{name}: stored {stored[name]:g}, in a real checkout {value:g}"
        for name, value in real.items()
        if stored[name] is not None and abs(stored[name] - value) > 1e-9
    ]


def _repeat(row: Trajectory, problem: Problem, domain: DomainConfig) -> list[str]:
    """Grade the messages again in memory: the same messages must have the same grade."""
    again = create_grader(domain).grade(problem, row.messages, row.stop_reason)
    return [] if again.correct == row.correct else [f"correct: stored {row.correct:g}, graded again {again.correct:g}"]
