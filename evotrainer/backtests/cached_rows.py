"""Cached rows as replays read them: columns, and what no recipe changes of them, worked out once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from evotrainer.algorithm.groups import Groups
from evotrainer.algorithm.masks import Episodes, read_episodes
from evotrainer.config import Config
from evotrainer.evidence.rows import Rows
from evotrainer.records import Trajectory


@dataclass(frozen=True, eq=False)
class CachedRows:
    """Graded attempts, with their groups."""

    attempts: Rows
    _episodes: dict[str, Episodes] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: "Sequence[Trajectory] | CachedRows") -> "CachedRows":
        """Return rows as cached ones; those that are, as they are."""
        return rows if isinstance(rows, CachedRows) else cls(Rows.of(rows))

    def __len__(self) -> int:
        """Return the number of attempts."""
        return len(self.attempts)

    @cached_property
    def groups(self) -> Groups:
        """The groups that the attempts were sampled in."""
        return Groups(self.attempts.group.codes)

    @cached_property
    def correct(self) -> np.ndarray:
        """Outcome, 0 where it is not known; [N]."""
        return np.nan_to_num(self.attempts.correct)

    @cached_property
    def gaps(self) -> np.ndarray:
        """Outcome minus its mean in the group, [N]."""
        return self.groups.centred(self.correct)

    def episodes(self, config: Config) -> Episodes:
        """Return what the attempts did with their tools, by the table of actions of a recipe."""
        actions = repr(config.harness.actions)
        if actions not in self._episodes:
            self._episodes[actions] = read_episodes(self.attempts, config)
        return self._episodes[actions]
