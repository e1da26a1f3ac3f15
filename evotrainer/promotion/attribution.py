"""Whether a gain is attributed to a hypothesis, over training seeds.

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

from collections.abc import Mapping, Sequence

from evotrainer.config.criteria import spell
from evotrainer.promotion.recipe import seed_interval
from evotrainer.records import Attribution, Condition, MetricShift, Prediction, RecipeClaim

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
