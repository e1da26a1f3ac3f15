"""What each problem of rows from elsewhere asks, and ids that tell problems apart.

Files often number the problems of each split from 0. Where held rows ask something else under an id than rows that are
trained on, that is no problem which is trained on and judged on: the id is then named by its split.
"""

from collections import defaultdict
from collections.abc import Sequence

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame
from evotrainer.records import Trajectory

_Key = tuple[str, str]
"""A problem's id in the file, and its split where that is held."""


class Asked:
    """The prompts of rows that come in parts."""

    def __init__(self) -> None:
        """Begin without rows."""
        self._last: dict[_Key, tuple[int, str]] = {}
        self._turns: dict[tuple[str, bool], set[int]] = defaultdict(set)
        self._num_rows = 0

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            row = attempt.row
            is_held = row.split in HELD
            self._num_rows += 1
            self._last[row.problem_id, row.split if is_held else ""] = (self._num_rows, attempt.prompt)
            self._turns[row.problem_id, is_held].add(hash(_all_asked(row)))

    def named_apart(self, frame: Frame) -> Frame:
        """Return the frame of these rows with an id for each problem."""
        renamed = self._renamed()
        if not renamed:
            return frame
        wanted = frame["split"].isin(HELD) & frame["problem_id"].isin(renamed)
        return frame.assign(problem_id=frame["problem_id"].mask(wanted, frame["split"] + "/" + frame["problem_id"]))

    def prompts(self) -> dict[str, str]:
        """Return {problem: the prompt of its last row}, by ids that tell problems apart."""
        renamed = self._renamed()
        found: dict[str, tuple[int, str]] = {}
        for (name, split), asked in self._last.items():
            own = f"{split}/{name}" if split and name in renamed else name
            found[own] = max(asked, found.get(own, asked))
        return {name: text for name, (_, text) in found.items()}

    def _renamed(self) -> set[str]:
        """Return the ids under which held rows ask something else than the others."""
        return {
            name
            for name, is_held in self._turns
            if is_held and (name, False) in self._turns and self._turns[name, True].isdisjoint(self._turns[name, False])
        }


def _all_asked(row: Trajectory) -> str:
    return "\n".join([message.content for message in row.messages if message.role in ("system", "user")])
