"""Compare problem files: how many problems that are judged on are trained on too, or were demonstrated."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evotrainer.domains.problem_sets.columns import Reading
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.domains.problem_sets.overlap import DEMONSTRATED, HELD, Overlap, find_overlaps, read_demonstrated
from evotrainer.domains.problem_sets.rows import Row


@dataclass(frozen=True)
class ProblemCheck:
    """What a comparison of problem files with each other and with demonstrations found."""

    num_problems: dict[str, int]
    """By split."""
    num_demonstrated: int | None
    """Different problems of the demonstrations; None where the base policy does not record them."""
    overlaps: tuple[Overlap, ...]
    contradictions: tuple[str, ...] = ()
    """A line for each row whose statement has another answer elsewhere."""

    @property
    def num_held(self) -> dict[str, int]:
        """Problems by split that is judged on."""
        return {split: count for split, count in self.num_problems.items() if split in HELD}

    @property
    def metrics(self) -> dict[str, float]:
        """The numbers by the names that metrics.json uses."""
        shares = {}
        for name, is_shown in (("trained_problems", False), ("demonstrated_problems", True)):
            known = [each for each in self.overlaps if each.is_same and (each.source == DEMONSTRATED) == is_shown]
            shares[name] = max((count / total for count, total in self.by_split(known).values()), default=0.0)
        return shares

    def by_split(self, overlaps: Sequence[Overlap]) -> dict[str, tuple[int, int]]:
        """Return (known, all) problems of each held split that has some of these overlaps."""
        counts = Counter(overlap.split for overlap in overlaps)
        return {split: (counts[split], total) for split, total in self.num_held.items() if counts[split]}


def check_problems(
    path: Path, domain: str, policy: Path | None, text_limit: float, reading: Reading | None = None
) -> ProblemCheck:
    """Compare the held problems at `path` with those trained on, and with what the demonstrations of `policy` solved.

    `text_limit` is the share of a problem's phrases in problems trained on from which it is reported.

    Raises:
        DataError: a problem file is missing or malformed.

    """
    return check_rows(split_rows(path, domain, reading), read_demonstrated(policy) if policy else None, text_limit)


def check_rows(
    rows: Mapping[str, Sequence[Row]], demonstrated: Sequence[str] | None, text_limit: float
) -> ProblemCheck:
    """Compare the held splits of `rows` with the others, and with the identities of problems demonstrated."""
    overlaps = find_overlaps(rows, demonstrated or (), text_limit)
    counts = {split: len(members) for split, members in rows.items() if members}
    return ProblemCheck(counts, None if demonstrated is None else len(demonstrated), tuple(overlaps))
