"""Train-inference mismatch: trainer and sampler assign different probabilities to the same tokens.

The mean importance ratio of a step is 1 up to noise while both agree. Outside [0.5, 2] the update is that of another
policy (failure modes, 31). A ratio that stays off 1 by more than a tenth of a nat over the last third of the run is a
warning: the two diverge, or the batch is used for too many updates.
"""

import math

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl

_MIN_STEPS = 3
_FARTHEST = 50.0
"""Nats at which a ratio of 0 or infinity counts."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return how far the ratio is from 1, in nats; critical where steps leave the range, else a warning."""
    ratio = context.signals["mean_ratio"].astype(float)
    ratio = ratio.dropna().clip(math.exp(-_FARTHEST), math.exp(_FARTHEST))
    if len(ratio) < _MIN_STEPS:
        return Diagnosis()
    limits, distance = context.thresholds, np.log(ratio).abs()
    late = float(distance.tail(max(_MIN_STEPS, len(ratio) // 3)).median())
    outside = int((distance > np.log(limits.importance_ratio)).sum())
    metrics = known({"ratio_distance": late, "ratio_outside": outside / len(ratio)})
    if outside >= 2:
        message = (
            f"in {outside} of {len(ratio)} optimiser steps the mean importance ratio is off 1 by more than a factor"
        )
        message += f" of {limits.importance_ratio:g}: sampler and trainer use different policies"
        names = ("importance_ratio",)
        finding = context.finding("train_inference_mismatch", "critical", message, {"steps": outside, **metrics}, names)
        return Diagnosis(metrics, [finding])
    if late > limits.ratio_drift:
        message = (
            f"the mean importance ratio stays off 1 by {late:.2f} nats (limit {limits.ratio_drift:g}): sampler and "
            "trainer diverge"
        )
        finding = context.finding("train_inference_mismatch", "warning", message, metrics, ("ratio_drift",))
        return Diagnosis(metrics, [finding])
    return Diagnosis(metrics)
