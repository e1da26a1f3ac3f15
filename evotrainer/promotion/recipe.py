"""The recipe gate: is this recipe better, over training seeds? Fresh seeds of the candidate against the incumbent's.

One training run says nothing about its recipe: another seed of the *same* recipe is truly another checkpoint, and any
checkpoint gate promotes it sooner or later. So the seed that the screen has seen only screens; `candidate_seeds` fresh
runs are compared with `incumbent_seeds` runs of the incumbent by a one-sided t test with the variance between seeds
pooled over both recipes. After `futility_seeds` fresh runs the gate stops where their mean is less than one
between-seed SD ahead.

Assumed: the scores of one recipe's seeds are about normal with the same spread for both recipes (docs/gate.md shows by
simulation what heavy tails and collapsing seeds do); all seeds, the collapsed ones too, are handed in and shown.

The base policy has no seeds: against it the reference's scores are evaluations of one checkpoint, whose spread says
nothing of a recipe's. Spreads are then not pooled, and the candidate's alone gives the degrees of freedom (Welch's
test, on its conservative side).

Not claimed: anything about problems beyond those named, or a difference below the campaign's noise floor. With fewer
seeds than declared the claim stays `unproven`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from pydantic import Field

from evotrainer.errors import EvidenceError
from evotrainer.records import RecipeClaim, RecipeOutcome, Record, SeedRun

RECIPE_OUTCOMES: tuple[RecipeOutcome, ...] = ("open", "proven", "futile", "unproven")


class RecipeDesign(Record):
    """What is fixed before the first fresh seed."""

    alpha: float = Field(default=0.05 / 50, gt=0, lt=1, description="one-sided error of this confirmation")
    candidate_seeds: int = Field(default=6, ge=2)
    incumbent_seeds: int = Field(default=8, ge=2)
    futility_seeds: int = Field(default=2, ge=1)
    min_difference: float = Field(default=0.0, ge=0, description="the campaign's noise floor")
    is_pooled: bool = Field(default=True, description="False: the reference is one policy, evaluated several times")

    @property
    def least_spread(self) -> float:
        """SD of one run's evaluation: the spread between seeds contains it, however alike a few of them came out."""
        return self.min_difference / math.sqrt(2.0)


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
        if not self.design.is_pooled and len(self.candidate) > 1:
            return pooled_spread(self.candidate, ())
        return pooled_spread(self.candidate, self.incumbent)

    def bounds(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """Return the two-sided t interval of the difference; None before the first fresh seed."""
        if not self.candidate:
            return None
        design = self.design
        return seed_interval(
            self.candidate, self.incumbent, confidence, is_pooled=design.is_pooled, least=design.least_spread
        )[1:]

    @property
    def p_value(self) -> float | None:
        """One-sided p of "not better". Identical scores throughout: 1 without a difference, 0 or 1 by its sign else."""
        if self.difference is None:
            return None
        design = self.design
        error, freedom = _error(
            np.array([self.candidate]), np.array([self.incumbent]), design.is_pooled, design.least_spread
        )
        if error[0] == 0.0:
            return 0.0 if self.difference > 0 else 1.0
        return float(scipy.stats.t.sf(self.difference / error[0], freedom)) if freedom else 1.0


def design_recipe(num_seeds: int, alpha: float, floor: float, *, is_pooled: bool) -> RecipeDesign:
    """Return the design for `num_seeds` fresh seeds: a third more of the reference, 8 for 6.

    The reference's seeds are shared by all versions that are compared with it, so that there they are cheaper.
    """
    return RecipeDesign(
        alpha=alpha,
        candidate_seeds=num_seeds,
        incumbent_seeds=math.ceil(4 * num_seeds / 3),
        min_difference=floor,
        is_pooled=is_pooled,
    )


def open_recipe(incumbent: Sequence[float], design: RecipeDesign | None = None) -> RecipeState:
    """Return the gate against the incumbent's seeds; raises EvidenceError where there are fewer than declared."""
    design = design or RecipeDesign()
    if len(incumbent) < design.incumbent_seeds:
        raise EvidenceError(
            f"the incumbent has {len(incumbent)} of {design.incumbent_seeds} training seeds: train the "
            'others, or say "recipe unproven"'
        )
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


@dataclass(frozen=True)
class RecipeTrial:
    """What was compared: fresh seeds of two recipes, each scored by `attempts` at every one of `num_problems`."""

    against: str
    """The version whose recipe the candidate's is compared with."""
    screening: float
    """Score of the candidate's own seed, which selected it and counts no further."""
    candidate: Sequence[SeedRun]
    reference: Sequence[SeedRun]
    num_problems: int
    attempts: int


def claim_of(
    trial: RecipeTrial, design: RecipeDesign, state: RecipeState | None, confidence: float, stopped: str = ""
) -> RecipeClaim:
    """Return what is stored; `stopped` says why a gate that is still open, or never opened, goes no further."""
    state = state or RecipeState(design=design, incumbent=tuple(run.score for run in trial.reference))
    outcome: RecipeOutcome = "unproven" if state.outcome == "open" else state.outcome
    low, high = state.bounds(confidence) or (None, None)
    is_bounded = low is not None and high is not None and math.isfinite(high - low)
    return RecipeClaim(
        against=trial.against,
        outcome=outcome,
        reason=stopped or _why(state),
        alpha=design.alpha,
        num_problems=trial.num_problems,
        attempts=trial.attempts,
        screening=trial.screening,
        candidate=tuple(trial.candidate),
        reference=tuple(trial.reference),
        difference=state.difference,
        low=_rounded(low) if is_bounded else None,
        high=_rounded(high) if is_bounded else None,
        p_value=_rounded(state.p_value),
        minimum=state.minimum,
        seed_spread=state.seed_spread,
        recipe_floor=round(recipe_floor(state.seed_spread), 12),
    )


def _why(state: RecipeState) -> str:
    """Return what decided a gate that has ended."""
    if state.outcome == "futile":
        return f"after {len(state.candidate)} seeds the mean is less than one SD between seeds ahead"
    least, p = state.design.min_difference, state.p_value or 0.0
    if 0 < (state.difference or 0.0) < least:
        return f"the difference is below the noise floor {least:.4f}"
    return f"one-sided p {p:.2g}, at most {state.design.alpha:.2g} proves it"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0


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
    num_fresh = candidate_AS.shape[1]
    difference_A = np.round(candidate_AS.mean(axis=1) - incumbent_AS.mean(axis=1), 12)
    if num_fresh < design.candidate_seeds:
        spread_A = _spread(candidate_AS, incumbent_AS if design.is_pooled else incumbent_AS[:, :0])
        return np.where((num_fresh == design.futility_seeds) & (difference_A < spread_A), 2, 0)
    error_A, freedom = _error(candidate_AS, incumbent_AS, design.is_pooled, design.least_spread)
    least_A = np.maximum(scipy.stats.t.isf(design.alpha, freedom) * error_A, design.min_difference)
    return np.where((difference_A > 0) & (difference_A >= least_A), 1, 3)


def seed_interval(
    candidate: Sequence[float],
    reference: Sequence[float],
    confidence: float,
    *,
    is_pooled: bool = True,
    least: float = 0.0,
) -> tuple[float, float, float]:
    """Return the difference of two means over seeds with its two-sided t interval, for any metric.

    `least` is a spread between seeds that is known to be there whatever these show. One seed a side shows no spread:
    the interval is then the whole line.
    """
    candidate_AS, reference_AS = np.array([candidate], dtype=float), np.array([reference], dtype=float)
    difference = round(float(candidate_AS.mean() - reference_AS.mean()), 12)
    error, freedom = _error(candidate_AS, reference_AS, is_pooled, least)
    if not freedom:
        return difference, -math.inf, math.inf
    reach = float(scipy.stats.t.ppf((1.0 + confidence) / 2.0, freedom) * error[0])
    return difference, difference - reach, difference + reach


def _spread(candidate_AS: np.ndarray, incumbent_AS: np.ndarray) -> np.ndarray:
    groups = [scores for scores in (candidate_AS, incumbent_AS) if scores.shape[1]]
    freedom = sum(scores.shape[1] - 1 for scores in groups)
    squares_A = sum(((scores - scores.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) for scores in groups)
    return np.round(np.sqrt(squares_A / max(freedom, 1)), 12)


def _error(candidate_AS: np.ndarray, reference_AS: np.ndarray, is_pooled: bool, least: float) -> tuple[np.ndarray, int]:
    """Return the standard errors of the differences of means, and their degrees of freedom."""
    num_fresh, num_reference = candidate_AS.shape[1], reference_AS.shape[1]
    if is_pooled:
        spread_A = np.maximum(_spread(candidate_AS, reference_AS), least)
        return spread_A * math.sqrt(1.0 / num_fresh + 1.0 / num_reference), num_fresh + num_reference - 2
    parts_A = [
        np.maximum(_spread(scores, scores[:, :0]), least) ** 2 / scores.shape[1]
        for scores in (candidate_AS, reference_AS)
    ]
    return np.sqrt(parts_A[0] + parts_A[1]), num_fresh - 1


def _score(score: float) -> float:
    if not 0.0 <= score <= 1.0:
        raise EvidenceError(f"a training seed scored {score}: expected a number in [0, 1]; run its evaluation again")
    return float(score)
