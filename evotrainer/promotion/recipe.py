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

Whether a gain is attributed to a hypothesis:

    not proven                                           NOT_FIRED
    proven, but the predicted metric did not move so     CONFOUNDED
    proven, but what must not move did                   CONFOUNDED
    proven, moved as predicted, all controls still       FIRED

A metric is compared as the score is: mean over fresh seeds of this recipe minus mean over fresh seeds of the other. A
prediction comes true where the whole t interval lies on the predicted side; "none" where the difference lies inside the
predicted interval. A control allows a rise (or fall) over the incumbent's reading at the time of the proposal; it has
moved where the difference is larger than that. A metric that was not measured counts as moved. Not claimed: that no
other path leads from the change to the score. Only the metrics that the hypothesis named are tested.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from evotrainer.config.interventions import spell
from evotrainer.records import Attribution, Condition, MetricShift, Prediction, RecipeClaim, RecipeOutcome, SeedRun

RECIPE_OUTCOMES: tuple[RecipeOutcome, ...] = ("open", "proven", "futile", "unproven")


@dataclass(frozen=True)
class RecipeDesign:
    """What is fixed before the first fresh seed."""

    alpha: float = 0.05 / 50
    """One-sided error of this confirmation."""
    candidate_seeds: int = 6
    incumbent_seeds: int = 8
    futility_seeds: int = 2
    min_difference: float = 0.0
    """The campaign's noise floor."""
    is_pooled: bool = True
    """False: the reference is one policy, evaluated several times."""

    @property
    def least_spread(self) -> float:
        """SD of one run's evaluation: the spread between seeds contains it, however alike a few of them came out."""
        return self.min_difference / math.sqrt(2.0)


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


@dataclass(frozen=True)
class RecipeGate:
    """Training runs of two recipes, a score each: what they show, and whether another run is needed."""

    design: RecipeDesign
    reference: Sequence[SeedRun]
    """All seeds of the recipe that it is compared with."""
    candidate: Sequence[SeedRun] = ()
    """Fresh seeds only: never the one that screened."""

    @property
    def outcome(self) -> RecipeOutcome:
        """What the runs decide; `open` where another one is needed."""
        return RECIPE_OUTCOMES[judge_recipes(*self._scores, self.design)[0]] if self.candidate else "open"

    @property
    def seed_spread(self) -> float:
        """SD between training seeds (evaluation noise included), pooled over both recipes."""
        candidate, reference = self._scores
        is_alone = not self.design.is_pooled and len(self.candidate) > 1
        return float(_spread(candidate, reference[:, :0] if is_alone else reference)[0])

    def passes_screen(self, screening: float) -> bool:
        """Return whether a first seed is worth fresh ones: more than half the recipe floor above the reference."""
        return screening - float(self._scores[1].mean()) > 0.5 * recipe_floor(self.seed_spread)

    def claim(
        self, against: str, screening: float, num_problems: int, attempts: int, confidence: float, stopped: str = ""
    ) -> RecipeClaim:
        """Return what is stored.

        Args:
            against: the version whose recipe the candidate's is compared with.
            screening: score of the candidate's own seed, which selected it and counts no further.
            num_problems: on which every run was scored.
            attempts: at each of them.
            confidence: of the interval.
            stopped: why a gate that is still open goes no further.

        """
        difference, low, high, p = self._compared(confidence) if self.candidate else (None, None, None, None)
        is_bounded = low is not None and high is not None and math.isfinite(high - low)
        return RecipeClaim(
            against=against,
            outcome="unproven" if self.outcome == "open" else self.outcome,
            reason=stopped or self._why(difference or 0.0, p or 0.0),
            alpha=self.design.alpha,
            num_problems=num_problems,
            attempts=attempts,
            screening=screening,
            candidate=tuple(self.candidate),
            reference=tuple(self.reference),
            difference=difference,
            low=_rounded(low) if is_bounded else None,
            high=_rounded(high) if is_bounded else None,
            p_value=_rounded(p),
            minimum=min((run.score for run in self.candidate), default=None),
            seed_spread=self.seed_spread,
            recipe_floor=round(recipe_floor(self.seed_spread), 12),
        )

    @property
    def _scores(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores of both recipes, one row each."""
        candidate, reference = ([[run.score for run in runs]] for runs in (self.candidate, self.reference))
        return np.array(candidate, dtype=float), np.array(reference, dtype=float)

    def _compared(self, confidence: float) -> tuple[float, float, float, float]:
        """Return the difference of means, its two-sided t interval, and the one-sided p of "not better".

        Identical scores throughout: 1 without a difference, 0 or 1 by its sign else.
        """
        candidate, reference = self._scores
        is_pooled, least = self.design.is_pooled, self.design.least_spread
        difference, low, high = seed_interval(
            candidate[0].tolist(), reference[0].tolist(), confidence, is_pooled=is_pooled, least=least
        )
        error, freedom = _error(candidate, reference, is_pooled, least)
        if error[0] == 0.0:
            return difference, low, high, 0.0 if difference > 0 else 1.0
        return difference, low, high, float(scipy.stats.t.sf(difference / error[0], freedom)) if freedom else 1.0

    def _why(self, difference: float, p: float) -> str:
        """Return what decided a gate that has ended."""
        if self.outcome == "futile":
            return f"after {len(self.candidate)} seeds the mean is less than one SD between seeds ahead"
        if 0 < difference < self.design.min_difference:
            return f"the difference is below the noise floor {self.design.min_difference:.4f}"
        return f"one-sided p {p:.2g}, at most {self.design.alpha:.2g} proves it"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0


def recipe_floor(seed_spread: float) -> float:
    """Return fR, the SD of the difference of two runs of one recipe; `seed_spread` includes evaluation noise."""
    return math.sqrt(2.0) * seed_spread


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
    squares = (((scores - scores.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) for scores in groups)
    squares_A = sum(squares, start=np.zeros(len(candidate_AS)))
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


Metrics = Sequence[Mapping[str, float]]
"""The metrics of each run of one recipe."""


def shift_of_prediction(
    prediction: Prediction, candidate: Metrics, reference: Metrics, confidence: float
) -> MetricShift:
    """Return the shift of a predicted metric over the seeds."""
    said = prediction.words
    found = _interval(prediction.metric, candidate, reference, confidence)
    if found is None:
        return MetricShift(metric=prediction.metric, said=said, difference=None, came_true=None)
    difference, low, high = found
    sides = {"up": low > 0, "down": high < 0, "none": prediction.low <= difference <= prediction.high}
    return MetricShift(
        metric=prediction.metric,
        said=said,
        difference=difference,
        low=low,
        high=high,
        came_true=sides[prediction.direction],
    )


def shift_of_control(
    control: Condition, readings: Mapping[str, float], candidate: Metrics, reference: Metrics, confidence: float
) -> MetricShift:
    """Return whether a metric that must not move did; `readings` are those that the control was set from."""
    before = readings.get(control.metric)
    found = _interval(control.metric, candidate, reference, confidence)
    allowed = None if before is None else round(control.value - before, 6)
    said = f"{spell(control)}" + ("" if allowed is None else f" ({allowed:+.4g} allowed)")
    if found is None or allowed is None:
        return MetricShift(metric=control.metric, said=said, difference=None, came_true=None)
    difference, low, high = found
    still = {
        "<": difference < allowed,
        "<=": difference <= allowed,
        ">": difference > allowed,
        ">=": difference >= allowed,
        "==": low <= 0.0 <= high,
    }
    return MetricShift(
        metric=control.metric, said=said, difference=difference, low=low, high=high, came_true=still[control.operator]
    )


def fired(
    claim: RecipeClaim, prediction: MetricShift, controls: Sequence[MetricShift]
) -> tuple[Attribution, list[str]]:
    """Return the attribution of a hypothesis whose recipe was tested, with its reasons."""
    if claim.outcome != "proven":
        return "NOT_FIRED", [f"its recipe is not proven: {claim.reason}"]
    reasons = [] if prediction.came_true else [f"predicted {prediction.said}, over seeds {_moved(prediction)}"]
    reasons += [f"negative control {each.said}: {_moved(each)}" for each in controls if not each.came_true]
    if reasons:
        return "CONFOUNDED", ["its recipe is proven, but not by what its hypothesis says", *reasons]
    still = f" and {len(controls)} negative controls held still" if controls else "; it names no negative control"
    return "FIRED", [f"its recipe is proven; {prediction.said} was predicted, over seeds {_moved(prediction)}{still}"]


def _interval(
    metric: str, candidate: Metrics, reference: Metrics, confidence: float
) -> tuple[float, float, float] | None:
    """Return difference and bounds over seeds; None unless every run of both recipes measures the metric."""
    if not all(metric in run for run in (*candidate, *reference)) or min(len(candidate), len(reference)) < 2:
        return None
    one, other = [run[metric] for run in candidate], [run[metric] for run in reference]
    difference, low, high = seed_interval(one, other, confidence)
    return difference, round(low, 9), round(high, 9)


def _moved(shift: MetricShift) -> str:
    if shift.difference is None:
        return "it was not measured on all of them"
    return f"it moved by {shift.difference:+.4g} [{shift.low:+.4g}, {shift.high:+.4g}]"
