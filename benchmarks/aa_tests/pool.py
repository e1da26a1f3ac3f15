"""Attempts of one policy at the named problems, sampled block by block and dealt out once.

    pool/attempts-00000.parquet   problem_id, attempt, correct, error: one row a problem and attempt

A block is sampled when it is needed and not there yet, so that a run which was cut short goes on where it stood. Draws
of a block have a step of their own: no two attempts of the pool share a seed. Dealing in order is fair although gates
decide how many they take, because attempts at one problem are exchangeable and none is seen before it is dealt.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evotrainer.errors import EvidenceError
from evotrainer.records import Trajectory

SCHEMA = pa.schema(
    [
        ("problem_id", pa.dictionary(pa.int32(), pa.string())),
        ("attempt", pa.int32()),
        ("correct", pa.float32()),
        ("error", pa.dictionary(pa.int32(), pa.string())),
    ]
)

Sample = Callable[[int], Sequence[Trajectory]]
"""Number of a block -> rows of its attempts at every problem."""


class AttemptPool:
    """Deals attempts of one policy, each of them once."""

    def __init__(self, folder: Path, sample: Sample) -> None:
        self._folder, self._sample = folder, sample
        self._blocks = 0
        self._waiting: list[dict[str, Trajectory]] = []
        self.dealt = 0
        """Attempts a problem that were dealt so far."""

    def deal(self, attempts: int) -> list[Trajectory]:
        """Return this many attempts at every problem that were never dealt before, numbered from 0."""
        while len(self._waiting) < attempts:
            self._waiting += self._next_block()
        dealt, self._waiting = self._waiting[:attempts], self._waiting[attempts:]
        self.dealt += attempts
        return [
            row.model_copy(update={"attempt": number}) for number, column in enumerate(dealt) for row in column.values()
        ]

    def _next_block(self) -> list[dict[str, Trajectory]]:
        path = self._folder / f"attempts-{self._blocks:05d}.parquet"
        if not path.is_file():
            store_rows(path, self._sample(self._blocks))
        self._blocks += 1
        return _columns(path)


def store_rows(path: Path, rows: Sequence[Trajectory]) -> None:
    """Write what scores read of these attempts; the file is there as a whole or not at all."""
    values = [{name: getattr(row, name) for name in SCHEMA.names} for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    pq.write_table(pa.Table.from_pylist(values, schema=SCHEMA), partial)
    partial.replace(path)


def read_rows(path: Path) -> list[Trajectory]:
    """Return stored attempts; raises EvidenceError for a damaged file."""
    try:
        values = pq.read_table(path).to_pydict()
    except (pa.ArrowInvalid, OSError) as error:
        raise EvidenceError(f"{path} cannot be read ({error}): delete it, it is made again") from None
    return [stored_row(*row) for row in zip(*(values[name] for name in SCHEMA.names), strict=True)]


def _columns(path: Path) -> list[dict[str, Trajectory]]:
    """Return {problem: row} for each attempt of a stored block; raises EvidenceError where it is not complete."""
    columns: dict[int, dict[str, Trajectory]] = {}
    for row in read_rows(path):
        columns.setdefault(row.attempt, {})[row.problem_id] = row
    if len({frozenset(column) for column in columns.values()}) != 1:
        raise EvidenceError(f"{path} lacks attempts at some problems: delete it, it is sampled again")
    return [columns[attempt] for attempt in sorted(columns)]


def stored_row(problem_id: str, attempt: int, correct: float | None, error: str | None) -> Trajectory:
    """Return an attempt as far as scores read it: its messages were not kept."""
    return Trajectory.model_construct(
        trajectory_id=f"null-{problem_id}-{attempt}",
        campaign="null",
        version="v000",
        split="validation",
        step=0,
        domain="",
        problem_id=problem_id,
        group_id=problem_id,
        attempt=attempt,
        seed=0,
        policy_id="",
        messages=[],
        reward=None,
        reward_terms={},
        correct=correct,
        advantage=None,
        in_loss=None,
        stop_reason="",
        error=error,
        num_turns=0,
        num_tokens=0,
        is_truncated=False,
        format_ok=None,
        duration_seconds=None,
        started_at=None,
        extra={},
    )
