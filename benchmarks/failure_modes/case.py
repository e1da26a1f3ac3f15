"""A case of the failure modes as frames, and what injection into frames shares.

Modes of reward, signal and optimiser are injected into the evidence of a real training run. What follows from a change
is made to follow: a changed term changes the reward, by the recipe's weights, and the reward the advantage, so that a
case is what a run would have stored, and no detector of another identity sees the seam.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.failure_modes.base import Rng
from evotrainer.algorithm.advantages import advantages
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine
from evotrainer.config import Config
from evotrainer.diagnosis.context import Context
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import TERM_PREFIX
from evotrainer.records import VersionRecord


@dataclass(frozen=True, eq=False)
class Case:
    """One version's evidence, as an audit gets it."""

    training: Frame
    validation: Frame
    signals: Frame
    recipe: Config | None = None
    reference: VersionRecord | None = None
    """The incumbent that the version is compared with."""

    def context(self) -> Context:
        """Return what diagnostics are given: rows are those of training, as in the audit of a version."""
        return Context(
            "v001",
            self.training,
            self.training,
            self.validation,
            self.signals,
            recipe=self.recipe,
            training_recipe=self.recipe,
            reference=self.reference,
        )

    def training_with(self, **columns: Any) -> "Case":
        """Return the case with columns of its training rows replaced."""
        return replace(self, training=self.training.assign(**columns))

    def rewarded(self, **weights: float) -> "Case":
        """Return the case under other weights of the reward, its rewards and advantages made anew."""
        assert self.recipe is not None
        recipe = replace(self.recipe, reward=replace(self.recipe.reward, **weights))
        return replace(self, recipe=recipe).credited()

    def credited(self) -> "Case":
        """Return the case with rewards from terms, advantages from rewards, and the signals' ratio of dead groups."""
        assert self.recipe is not None
        frame = self.training.copy()
        terms = [name for name in frame.columns if name.startswith(TERM_PREFIX)]
        weights = {name: combine({name.removeprefix(TERM_PREFIX): 1.0}, self.recipe.reward) for name in terms}
        frame["reward"] = sum(frame[name].fillna(0.0) * weight for name, weight in weights.items())
        for _, places in frame.groupby("group").indices.items():
            rewards = frame["reward"].to_numpy()[places][None, :]
            frame.iloc[places, frame.columns.get_loc("advantage")] = advantages(
                rewards, self.recipe.algorithm.advantage
            )[0]
        spread = frame.groupby(["step", "group"])["reward"].std().fillna(0.0)
        ratio = (spread < DEAD_SPREAD).groupby("step").mean()
        signals = self.signals.assign(dead_group_ratio=self.signals["step"].map(ratio))
        return replace(self, training=frame, signals=signals)


def some(values: Sequence[Any], share: float, rng: Rng) -> list[Any]:
    """Return that share of the distinct values, at least one, drawn evenly."""
    known = np.unique(np.asarray(values))
    return rng.choice(known, max(1, round(share * len(known))), replace=False).tolist()


def marked(count: int, share: float, rng: Rng) -> np.ndarray:
    """Return truth values, of which that share, at least one, are true."""
    marks = np.zeros(count, dtype=bool)
    marks[rng.choice(count, max(1, round(share * count)), replace=False)] = True
    return marks


def terms_of_outcome(correct: float) -> dict[str, float]:
    """Return the columns of an attempt that the grader called right or wrong."""
    return {"correct": correct, "term_correct": correct, "term_partial": correct}
