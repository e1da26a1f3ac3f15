"""The recipe gate: is this recipe better, over training seeds? Fresh seeds of the candidate against the incumbent's.

One training run says nothing about its recipe: another seed of the *same* recipe is truly another checkpoint, and any
checkpoint gate promotes it sooner or later. So the seed that the screen has seen only screens; `candidate_seeds` fresh
runs are compared with `incumbent_seeds` runs of the incumbent by a one-sided t test with the variance between seeds
pooled over both recipes. After `futility_seeds` fresh runs the gate stops where their mean is less than one
between-seed SD ahead.

Assumed: the scores of one recipe's seeds are about normal with the same spread for both recipes (docs/gate.md shows by
simulation what heavy tails and collapsing seeds do); all seeds, the collapsed ones too, are handed in and shown.

Not claimed: anything about problems beyond those named. With fewer seeds than declared the claim stays `unproven`.
"""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field
from scipy import stats

from evotrainer.errors import EvidenceError
from evotrainer.records import Record

RecipeOutcome = Literal["open", "proven", "futile", "unproven"]
RECIPE_OUTCOMES: tuple[RecipeOutcome, ...] = ("open", "proven", "futile", "unproven")


class RecipeDesign(Record):
    """What is fixed before the first fresh seed."""

    alpha: float = Field(default=0.05 / 50, gt=0, lt=1, description="one-sided error of this confirmation")
    candidate_seeds: int = Field(default=6, ge=2)
    incumbent_seeds: int = Field(default=8, ge=2)
    futility_seeds: int = Field(default=2, ge=1)


class RecipeState(Record):
    """A gate between two training runs; a score is one run's mean over the named problems, in [0, 1]."""

    design: RecipeDesign = RecipeDesign()
    incumbent: tuple[float, ...] = Field(description="one score a training seed, all of them")
    candidate: tuple[float, ...] = Field(default=(), description="fresh seeds only: never the one that screened")
    outcome: RecipeOutcome = "open"

    @property
    def difference(self) -> float | None:
        """Mean of the candidate's seeds minus mean of the incumbent's."""
        if not self.candidate:
            return None
        return round(float(np.mean(self.candidate) - np.mean(self.incumbent)), 12)

    @property
    def minimum(self) -> float | None:
        """Score of the worst fresh seed: what a person who trains once must expect to be possible."""
        return min(self.candidate, default=None)

    @property
    def seed_spread(self) -> float:
        """SD between training seeds (evaluation noise included), pooled over both recipes."""
        return pooled_spread(self.candidate, self.incumbent)

    def bounds(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """Return the two-sided t interval of the difference; None before the first fresh seed."""
        if self.difference is None:
            return None
        reach = float(stats.t.ppf((1.0 + confidence) / 2.0, _freedom(self)) * _error(self))
        return self.difference - reach, self.difference + reach

    @property
    def p_value(self) -> float | None:
        """One-sided p of "not better". Identical scores throughout: 1 without a difference, 0 or 1 by its sign else."""
        if self.difference is None:
            return None
        if _error(self) == 0.0:
            return 0.0 if self.difference > 0 else 1.0
        return float(stats.t.sf(self.difference / _error(self), _freedom(self)))


def open_recipe(incumbent: Sequence[float], design: RecipeDesign | None = None) -> RecipeState:
    """Return the gate against the incumbent's seeds; raises EvidenceError where there are fewer than declared."""
    design = design or RecipeDesign()
    if len(incumbent) < design.incumbent_seeds:
        raise EvidenceError(f"the incumbent has {len(incumbent)} of {design.incumbent_seeds} training seeds: train the "
                            "others, or say \"recipe unproven\"")  # fmt: skip
    return RecipeState(design=design, incumbent=tuple(_score(score) for score in incumbent))


def step_recipe(state: RecipeState, number: int, score: float) -> RecipeState:
    """Return the state after fresh seed `number` (from 0) with this score; each seed counts once, in order."""
    if state.outcome != "open":
        raise EvidenceError(f"this recipe gate has ended ({state.outcome}): fresh seeds need a new claim")
    if number != len(state.candidate):
        raise EvidenceError(
            f"seed {number} was handed in, seed {len(state.candidate)} is due: seeds count once, in order"
        )
    counted = state.model_copy(update={"candidate": (*state.candidate, _score(score))})
    index = judge_recipes(np.array([counted.candidate]), np.array([counted.incumbent]), counted.design)[0]
    return counted.model_copy(update={"outcome": RECIPE_OUTCOMES[index]})


def recipe_floor(seed_spread: float) -> float:
    """Return fR, the SD of the difference of two runs of one recipe; `seed_spread` includes evaluation noise."""
    return math.sqrt(2.0) * seed_spread


def passes_screen(screening: float, incumbent_mean: float, seed_spread: float) -> bool:
    """Return whether a first seed is worth fresh ones: more than half the recipe floor above the incumbent."""
    return screening - incumbent_mean > 0.5 * recipe_floor(seed_spread)


def pooled_spread(candidate: Sequence[float], incumbent: Sequence[float]) -> float:
    """Return the pooled between-seed SD; 0 where no recipe has two seeds."""
    return float(_spread(np.array([candidate], dtype=float), np.array([incumbent], dtype=float))[0])


def judge_recipes(candidate_AS: np.ndarray, incumbent_AS: np.ndarray, design: RecipeDesign) -> np.ndarray:
    """Return indices into RECIPE_OUTCOMES for A gates with S fresh seeds each: the one rule, of step and simulation."""
    num_fresh, num_incumbent = candidate_AS.shape[1], incumbent_AS.shape[1]
    difference_A = np.round(candidate_AS.mean(axis=1) - incumbent_AS.mean(axis=1), 12)
    spread_A = _spread(candidate_AS, incumbent_AS)
    if num_fresh < design.candidate_seeds:
        return np.where((num_fresh == design.futility_seeds) & (difference_A < spread_A), 2, 0)
    error_A = spread_A * math.sqrt(1.0 / num_fresh + 1.0 / num_incumbent)
    limit = stats.t.isf(design.alpha, num_fresh + num_incumbent - 2)
    return np.where((difference_A > 0) & (difference_A >= limit * error_A), 1, 3)


def _spread(candidate_AS: np.ndarray, incumbent_AS: np.ndarray) -> np.ndarray:
    groups = [scores for scores in (candidate_AS, incumbent_AS) if scores.shape[1]]
    freedom = sum(scores.shape[1] - 1 for scores in groups)
    squares_A = sum(((scores - scores.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) for scores in groups)
    return np.round(np.sqrt(squares_A / max(freedom, 1)), 12)


def _error(state: RecipeState) -> float:
    return state.seed_spread * math.sqrt(1.0 / len(state.candidate) + 1.0 / len(state.incumbent))


def _freedom(state: RecipeState) -> int:
    return len(state.candidate) + len(state.incumbent) - 2


def _score(score: float) -> float:
    if not 0.0 <= score <= 1.0:
        raise EvidenceError(f"a training seed scored {score}: expected a number in [0, 1]; run its evaluation again")
    return float(score)
