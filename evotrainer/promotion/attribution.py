"""What a gain is attributed to: a hypothesis over training seeds, and one of two merged changes.

*Hypothesis*

    not proven                                           NOT_FIRED
    proven, but the predicted metric did not move so     CONFOUNDED
    proven, but what must not move did                   CONFOUNDED
    proven, moved as predicted, all controls still       FIRED

A metric is compared as the score is: mean over fresh seeds of this recipe minus mean over fresh seeds of the other. A
prediction comes true where the whole t interval lies on the predicted side; "none" where the difference lies inside the
predicted interval. A control allows a rise (or fall) over the incumbent's reading at the time of the proposal; it has
moved where the difference is larger than that. A metric that was not measured counts as moved. Not claimed: that no
other path leads from the change to the score. Only the metrics that the hypothesis named are tested.

*Merge*: a 2 x 2 factorial re-evaluation. Four policies are evaluated on the same problems with fresh rows: neither
change, the first alone, the second alone, both. Contrasts are taken problem by problem:

    first        ((first - neither) + (both - second)) / 2      main effect
    second       ((second - neither) + (both - first)) / 2      main effect
    interaction  both - first - second + neither                 what the merge adds beyond the sum

Intervals are percentile bootstraps over problems, at `confidence` for the three together (Bonferroni). The policies
are single checkpoints: the attribution is of the checkpoints' gain, not of the recipes'.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from evotrainer.config.criteria import spell
from evotrainer.evidence.score_table import ScoreTable, require_same_problems
from evotrainer.promotion.recipe import seed_interval
from evotrainer.promotion.statistics import Interval, mean_interval
from evotrainer.records import Attribution, Carrier, Condition, Effect, MergeClaim, MetricShift, Prediction, RecipeClaim

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


def attribute(
    neither: ScoreTable,
    first: ScoreTable,
    second: ScoreTable,
    both: ScoreTable,
    *,
    samples: int,
    confidence: float,
    seed: int,
) -> MergeClaim:
    """Return which change carried the gain of `both` over `neither`; raises EvidenceError if problems differ."""
    for table in (first, second, both):
        require_same_problems(neither, table)
    base_N, first_N, second_N, both_N = (table.means() for table in (neither, first, second, both))
    contrasts = {
        "first": ((first_N - base_N) + (both_N - second_N)) / 2.0,
        "second": ((second_N - base_N) + (both_N - first_N)) / 2.0,
        "interaction": both_N - first_N - second_N + base_N,
        "merge": both_N - base_N,
    }
    joint = 1.0 - (1.0 - confidence) / 3.0
    effects = {name: _effect(values_N, joint, samples, seed) for name, values_N in contrasts.items()}
    carried_by, reason = _conclusion(effects)
    return MergeClaim(
        first=effects["first"],
        second=effects["second"],
        interaction=effects["interaction"],
        merge=effects["merge"],
        carried_by=carried_by,
        reason=reason,
        num_problems=len(neither.problem_ids),
        attempts=neither.num_attempts,
    )


def _effect(values_N: np.ndarray, confidence: float, samples: int, seed: int) -> Effect:
    found: Interval = mean_interval(np.round(values_N, 12), samples=samples, confidence=confidence, seed=seed)
    return Effect(value=found.value, low=found.low, high=found.high)


def _conclusion(effects: dict[str, Effect]) -> tuple[Carrier, str]:
    interaction = effects["interaction"]
    if interaction.low > 0 or interaction.high < 0:
        kind = "help each other" if interaction.low > 0 else "get in each other's way, or do the same"
        return "interaction", f"the changes {kind}: interaction {_shown(interaction)}; neither effect stands alone"
    carriers = [name for name in ("first", "second") if effects[name].low > 0]
    shown = "; ".join(f"{name} {_shown(effects[name])}" for name in ("first", "second", "interaction"))
    if len(carriers) == 2:
        return "both", f"both changes carry it, no interaction shown: {shown}"
    if carriers == ["first"]:
        return "first", f"the first change carries it, the second's effect is not shown: {shown}"
    if carriers == ["second"]:
        return "second", f"the second change carries it, the first's effect is not shown: {shown}"
    return "unresolved", f"no effect is shown, evaluate more attempts or problems: {shown}"


def _shown(effect: Effect) -> str:
    return f"{100 * effect.value:+.1f} pp [{100 * effect.low:+.1f}, {100 * effect.high:+.1f}]"
