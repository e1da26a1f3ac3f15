"""True correctness of a sample: attempts at some train problems, graded again by a stronger verifier.

`domain.audit_path` names problems by the ids of the train pool, with what the stronger verifier needs: hidden tests in
place of examples, or an answer that a person checked. The domain's own grader runs on them. Whole groups are audited,
drawn by the campaign's seed, until budget.audit_rows attempts are reached. An audit corrects rewards and replays; it
never scores a version (the verdict reads validation alone).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import problem_of, read_rows
from evotrainer.domains.regrading import grade_again
from evotrainer.errors import DataError, EvoTrainerError
from evotrainer.evidence.rows import Rows
from evotrainer.records import Problem, Trajectory


@dataclass(frozen=True)
class Audit:
    """Audited attempts in their stored order, and what is true of each; a note where there are none."""

    rows: tuple[Trajectory, ...] = ()
    truth: tuple[float, ...] = ()
    note: str = ""

    def joined(self, other: "Audit") -> "Audit":
        """Return the attempts of both; the note of this one where neither has any."""
        return Audit((*self.rows, *other.rows), (*self.truth, *other.truth), "" if other.rows else self.note)

    @property
    def corrected(self) -> list[Trajectory]:
        """The attempts with true correctness; their reward terms stay those of the campaign's grader."""
        return [row.model_copy(update={"correct": true}) for row, true in zip(self.rows, self.truth, strict=True)]


def audit_rows(root: Path, config: Config, rows: Sequence[Trajectory] | Rows) -> Audit:
    """Audit a sample of these attempts; without domain.audit_path there is none, and no note.

    What is wrong with the audit's own file is a note: the campaign goes on as it would without an audit.
    """
    if not config.domain.audit_path:
        return Audit()
    try:
        problems = audit_problems(root, config)
    except EvoTrainerError as error:
        return Audit(note=f"no audit: {error}")
    chosen = _chosen(rows, problems, config)
    if not chosen:
        return Audit(note=f"no audit: {config.domain.audit_path} names none of the {len(rows)} attempts' problems")
    grades = grade_again(config.domain, [(problems[row.problem_id], row) for row in chosen])
    kept = [(row, float(grade[0] >= 1.0)) for row, grade in zip(chosen, grades, strict=True) if grade is not None]
    note = "" if kept else "no audit: the grader failed on every attempt"
    return Audit(tuple(row for row, _ in kept), tuple(truth for _, truth in kept), note)


def audit_problems(root: Path, config: Config) -> dict[str, Problem]:
    """Return {problem_id: problem} of the audit's file, or of train.jsonl of its folder; raises DataError."""
    path = root / config.domain.audit_path
    path = path / "train.jsonl" if path.is_dir() else path
    if not path.is_file():
        raise DataError(f"domain.audit_path={config.domain.audit_path} has no {path.name}: name a file of problems")
    name = config.domain.name
    found = [problem_of(row, name, "train") for row in read_rows(path, name)]
    return {problem.problem_id: problem for problem in found}


def _chosen(rows: Sequence[Trajectory] | Rows, problems: dict[str, Problem], config: Config) -> list[Trajectory]:
    """Return whole groups of audited problems, drawn by the campaign's seed, in the order of the rows."""
    groups: dict[str, list[Trajectory]] = {}
    for row in rows:
        if row.split == "train" and row.error is None and row.correct is not None and row.problem_id in problems:
            groups.setdefault(row.group_id, []).append(row)
    wanted: set[str] = set()
    size = 0
    for members in sorted(groups.values(), key=lambda members: derive_seed(config.seed, "audit", members[0].group_id)):
        if size + len(members) > config.budget.audit_rows:
            break
        wanted |= {row.trajectory_id for row in members}
        size += len(members)
    return [row for row in rows if row.trajectory_id in wanted]
