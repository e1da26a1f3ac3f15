"""Did a prediction come true? The observed change of the predicted metric against the incumbent, and its direction."""

import math

from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import Prediction


def observe_prediction(evaluation: Evaluation) -> tuple[float | None, bool | None]:
    """Return the observed change of the predicted metric against the incumbent, and whether the direction was right.

    The change of a score is that on fresh rows where the gate drew any. None where it was not measured on both sides.
    """
    if evaluation.intervention is None or evaluation.against is None:
        return None, None
    prediction, gate = evaluation.intervention.prediction, evaluation.gate
    if prediction.metric == "score" and gate is not None and gate.estimate is not None:
        return gate.estimate, _is_hit(prediction, gate.estimate, evaluation.floor)
    before, after = evaluation.incumbent_value(prediction.metric), evaluation.metrics.get(prediction.metric)
    if before is None or after is None or math.isnan(after - before):
        return None, None
    observed = round(after - before, 12)
    return observed, _is_hit(prediction, observed, evaluation.floor if prediction.metric == "score" else 0.0)


def prediction_reasons(evaluation: Evaluation, observed: float | None, hit: bool | None) -> list[str]:
    """Return what became of the prediction as a sentence; empty where there is none to judge."""
    if evaluation.intervention is None or evaluation.against is None:
        return []
    prediction = evaluation.intervention.prediction
    said = f"predicted {prediction.metric} {prediction.direction} by {prediction.size:+.4g}"
    if observed is None:
        return [f"{said}: not observed, the metric is not measured on both versions"]
    word = {True: "hit", False: "missed", None: f"undecided, below the noise floor {evaluation.floor:.4f}"}[hit]
    return [f"{said}, observed {observed:+.4g}: {word}"]


def _is_hit(prediction: Prediction, observed: float, floor: float) -> bool | None:
    """Up and down are hit by the sign, "none" by staying inside the predicted interval.

    None where a change is smaller than what no change at all would show: its sign says nothing.
    """
    if prediction.direction == "none":
        return prediction.low <= observed <= prediction.high
    if abs(observed) < floor:
        return None
    return observed > 0 if prediction.direction == "up" else observed < 0
