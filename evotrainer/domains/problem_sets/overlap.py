"""Which problems that are judged on are known from elsewhere: from splits that are trained on, or demonstrations.

A problem is *the same* when it shares an id with another, or nearly its text (duplicates.py, the similarity of swe
problems being that of the changes that solve them). A problem inside a longer text is not alike as a
whole, but its phrases are: shared are word 8-grams (Brown et al. 2020 use 13-grams; problems are shorter) of the
problem's own; phrases that more than a few problems hold belong to the collection. A person decides what follows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evotrainer.domains.problem_sets.duplicates import nearest, ngrams
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.domains.problem_sets.rows import Reading, Row
from evotrainer.records.base import HELD

NGRAM_WORDS = 8
MAX_HOLDERS = 3
"""An n-gram of more problems than this is a phrase of the collection, not of a problem."""
TRAINED = ("train", "probe")
DEMONSTRATED = "demonstrations"
DEMONSTRATIONS_FILE = ".demonstrated.txt"
"""Beside a base policy: the identity of each problem that its demonstrations solved, once, a line each."""

Kind = Literal["same id", "nearly the same text", "text inside it"]


@dataclass(frozen=True)
class Overlap:
    """A problem that is judged on, and what is known of it elsewhere."""

    split: str
    problem_id: str
    source: str
    """Split of the other problem, or `demonstrations`."""
    other: str
    """Its id, or the beginning of its text."""
    kind: Kind
    share: float
    """Of the text that is shared, in (0, 1]."""

    @property
    def is_same(self) -> bool:
        """Whether it is the same problem up to a trivial change."""
        return self.kind != "text inside it"


@dataclass(frozen=True)
class ProblemCheck:
    """What a comparison of problem files with each other and with demonstrations found."""

    num_problems: dict[str, int]
    """By split."""
    overlaps: tuple[Overlap, ...]
    contradictions: tuple[str, ...] = ()
    """A line for each row whose statement has another answer elsewhere."""
    repeats: str = ""
    """A line about rows that state the problem of another one."""

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

    Raises DataError where a problem file is missing or malformed.
    """
    return check_rows(split_rows(path, domain, reading), read_demonstrated(policy) if policy else None, text_limit)


def check_rows(
    rows: Mapping[str, Sequence[Row]], demonstrated: Sequence[str] | None, text_limit: float
) -> ProblemCheck:
    """Compare the held splits of `rows` with the others, and with the identities of problems demonstrated."""
    overlaps = find_overlaps(rows, demonstrated or (), text_limit)
    return ProblemCheck({split: len(members) for split, members in rows.items() if members}, tuple(overlaps))


def find_overlaps(
    rows_by_split: Mapping[str, Sequence[Row]], demonstrated: Sequence[str], text_limit: float
) -> list[Overlap]:
    """Return at most one overlap for each problem of the held splits: the plainest, by source and in file order.

    `text_limit` is the share of a problem's own 8-grams in problems trained on, from which it is reported.
    """
    trained = [(split, row) for split in TRAINED for row in rows_by_split.get(split, ())]
    held = [(split, row) for split in HELD for row in rows_by_split.get(split, ())]
    known = [(split, row.row_id, row.identity) for split, row in trained]
    known += [(DEMONSTRATED, " ".join(text.split())[:60], text) for text in demonstrated]
    first_id: dict[str, int] = {}
    for place, (_, row) in enumerate(trained):
        first_id.setdefault(row.row_id, place)
    near = nearest([row.identity for _, row in held], [identity for _, _, identity in known])
    contained = _contained([row for _, row in trained], [row for _, row in held], text_limit)
    overlaps = []
    for (split, row), alike in zip(held, near, strict=True):
        candidates: list[tuple[Kind, tuple[int, float] | None]] = [
            ("same id", (first_id[row.row_id], 1.0) if row.row_id in first_id else None),
            ("nearly the same text", alike),
            ("text inside it", contained.get(row.row_id)),
        ]
        for kind, met in candidates:
            if met is not None:
                source, name, _ = known[met[0]]
                overlaps.append(Overlap(split, row.row_id, source, name, kind, met[1]))
                break
    return overlaps


def read_demonstrated(policy: Path) -> list[str] | None:
    """Return the identities of the problems that the demonstrations of a base policy solved; None: not recorded."""
    path = policy / DEMONSTRATIONS_FILE
    if not path.is_file():
        return None
    return [line.encode().decode("unicode_escape") for line in path.read_text(encoding="ascii").splitlines()]


def _contained(trained: Sequence[Row], held: Sequence[Row], limit: float) -> dict[str, tuple[int, float]]:
    """Return {held id: (place of the trained row that holds most, share)} where `limit` of its own n-grams are held."""
    grams_of = {row.row_id: ngrams(row.problem, NGRAM_WORDS) for row in held}
    common = Counter(gram for grams in grams_of.values() for gram in grams)
    holders: dict[str, list[int]] = {}
    for place, row in enumerate(trained):
        for gram in ngrams(row.problem, NGRAM_WORDS) & common.keys():
            holders.setdefault(gram, []).append(place)
    found = {}
    for problem_id, grams in grams_of.items():
        own = [gram for gram in grams if common[gram] + len(holders.get(gram, ())) <= MAX_HOLDERS]
        shared = Counter(holder for gram in own for holder in holders.get(gram, ()))
        share = sum(gram in holders for gram in own) / len(own) if own else 0.0
        if shared and share >= limit:
            found[problem_id] = (min(shared, key=lambda place: (-shared[place], trained[place].row_id)), share)
    return found
