"""Attempts of one policy at the named problems, sampled block by block and dealt out once.

    pool/block-00000/   evidence: one row a problem and attempt

A block is sampled when it is needed and not there yet, so that a run which was cut short goes on where it stood. Draws
of a block have a step of their own: no two attempts of the pool share a seed. Dealing in order is fair although gates
decide how many they take, because attempts at one problem are exchangeable and none is seen before it is dealt.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from evotrainer.campaign.documents import new_folder
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.score_table import SAMPLED_STEP
from evotrainer.evidence.store import write_rows
from evotrainer.records import Trajectory

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
        """Return this many attempts at every problem that were never dealt before, as one evaluation numbers them."""
        while len(self._waiting) < attempts:
            self._waiting += self._next_block()
        dealt, self._waiting = self._waiting[:attempts], self._waiting[attempts:]
        self.dealt += attempts
        return [
            row.model_copy(update={"step": SAMPLED_STEP, "attempt": number})
            for number, column in enumerate(dealt)
            for row in column.values()
        ]

    def _next_block(self) -> list[dict[str, Trajectory]]:
        """Return {problem: row} for each attempt of the next block; raises EvidenceError where it is damaged."""
        path = self._folder / f"block-{self._blocks:05d}"
        if not path.is_dir():
            with new_folder(path) as partial:
                write_rows(partial, 0, self._sample(self._blocks))
        self._blocks += 1
        columns: dict[int, dict[str, Trajectory]] = {}
        for row in Rows.read(path):
            columns.setdefault(row.attempt, {})[row.problem_id] = row
        return [columns[attempt] for attempt in sorted(columns)]
