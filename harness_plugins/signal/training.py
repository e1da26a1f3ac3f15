"""Optimiser steps: what they move, and on whose attempts."""

import math

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.records import Finding

_SIGNALS = ("entropy", "kl", "clip_fraction", "grad_norm", "mean_ratio", "kept_groups")


@hookimpl
def training_signals(context: Context) -> Diagnosis:
    """Return the means; nothing for evidence without signals.

    Training signals at the end of a run: means over the last third of its optimiser steps. No findings.

    entropy and kl in nats a token; clip_fraction, kept_groups in [0, 1]; grad_norm; mean_ratio of new to old
    probability.
    """
    if context.signals.empty:
        return Diagnosis()
    last = context.signals.tail(max(1, len(context.signals) // 3))
    return Diagnosis(known({**{name: last[name].mean() for name in _SIGNALS}, "num_steps": len(context.signals)}))


_ZERO_GRADIENT_NOTHING = 1e-12


@hookimpl
def zero_gradient(context: Context) -> Diagnosis:
    """Return the share of steps without gradient or rows; warn above 5%, critical above half.

    Zero gradient: optimiser steps that change nothing. The gradient norm shows it, not the loss value.

    Three causes: a gradient norm of 0, a norm that is not finite, and masks that drop every row of a step. Steps whose
    groups are all dead have no gradient either and count: they cost as much.
    """
    findings: list[Finding] = []
    metrics: dict[str, float] = {}
    if len(context.signals):
        norm = context.signals["grad_norm"]
        metrics["zero_gradient_steps"] = float((norm.abs() <= _ZERO_GRADIENT_NOTHING).mean())
        findings += _share(
            context, int((norm.abs() <= _ZERO_GRADIENT_NOTHING).sum()), len(norm), "have a gradient of 0"
        )
        findings += _not_finite(context, int((~np.isfinite(norm)).sum()), len(norm))
    known_mask = context.training[context.training["in_loss"].notna()]
    if len(known_mask):
        is_masked = known_mask.groupby("step")["in_loss"].max() == 0.0
        metrics["masked_steps"] = float(is_masked.mean())
        findings += _share(context, int(is_masked.sum()), len(is_masked), "have every row masked from the loss")
    return Diagnosis(known(metrics), findings)


def _share(context: Context, count: int, total: int, what: str) -> list[Finding]:
    limits = context.thresholds
    # Steps are not a sample: the share itself is compared, from two steps on.
    if count < 2 or count <= limits.zero_gradient * total:
        return []
    severity = "critical" if count > total / 2 else "warning"
    message = f"{count} of {total} optimiser steps {what} (limit {limits.zero_gradient:.0%}): they change nothing"
    return [
        context.finding(
            "zero_gradient", severity, message, {"steps": count, "share": count / total}, ("zero_gradient",)
        )
    ]


def _not_finite(context: Context, count: int, total: int) -> list[Finding]:
    if not count:
        return []
    message = f"{count} of {total} optimiser steps have a gradient norm that is not finite: lower the learning rate"
    return [context.finding("zero_gradient", "critical", message, {"steps": count, "share": count / total})]


_KL_INEFFECTIVE_MIN_STEPS = 3


@hookimpl
def kl_ineffective(context: Context) -> Diagnosis:
    """Warn when KL is configured and measured as 0 after the policy has changed.

    Ineffective KL: a coefficient is configured, but the measured distance from the reference policy stays 0.

    With a coefficient above 0 and gradients other than 0, a measured KL of exactly 0 means that it is measured against
    the policy itself, or not at all. Whether the coefficient changes the gradient needs a replay on a fixed batch. The
    backtest does that; stored rows cannot.
    """
    if context.training_recipe is None or context.training_recipe.algorithm.kl_coefficient <= 0:
        return Diagnosis()
    coefficient = context.training_recipe.algorithm.kl_coefficient
    moved = context.signals[(context.signals["grad_norm"].shift(1).cummax() > 0) & context.signals["kl"].notna()]
    largest = float(moved["kl"].abs().max()) if len(moved) >= _KL_INEFFECTIVE_MIN_STEPS else None
    if largest is None or largest > context.thresholds.kl_moves:
        return Diagnosis()
    message = (
        f"the KL coefficient is {coefficient:g}, but the measured KL stayed at 0 over {len(moved)} steps: "
        "it is measured against the policy itself, or not at all"
    )
    numbers = {"kl_coefficient": coefficient, "largest_kl": largest, "steps": len(moved)}
    return Diagnosis(findings=[context.finding("kl_ineffective", "warning", message, numbers, ("kl_moves",))])


_STALENESS_MIN_STEPS = 3
_STALENESS_NOTHING = 1e-12


@hookimpl
def staleness(context: Context) -> Diagnosis:
    """Return the share of rows sampled by an earlier policy; warn above the limit, critical above half.

    Staleness: training rows that a policy of earlier steps sampled, although the optimiser has updated it since.

    Rows name the policy that sampled them by its hash. Between steps with a gradient the hash must change. A step whose
    rows name the policy of an earlier step trains off-policy. Steps without a gradient leave the policy as it was and
    do not count. One name for a whole run is no hash: foreign rows often carry the model's name.
    """
    rows = graded(context.training)
    rows = rows[rows["policy_id"].notna() & (rows["policy_id"] != "")]
    is_named_once = rows["policy_id"].nunique() < 2
    if rows["step"].nunique() < _STALENESS_MIN_STEPS or context.signals.empty or is_named_once:
        return Diagnosis()
    first = rows.groupby("policy_id")["step"].min()
    moved = context.signals.set_index("step")["grad_norm"].abs() > _STALENESS_NOTHING
    updates = moved.groupby(level=0).max().cumsum()
    age = rows["step"].map(updates.shift(1, fill_value=0)) - rows["policy_id"].map(first).map(
        updates.shift(1, fill_value=0)
    )
    is_stale = age > 0
    share, limits = float(is_stale.mean()), context.thresholds
    metrics = known({"stale_rows": share, "mean_row_age": age.mean()})
    if share <= limits.stale_rows:
        return Diagnosis(metrics)
    message = (
        f"{share:.0%} of training rows (limit {limits.stale_rows:.0%}) were sampled by a policy of earlier steps "
        f"({age.mean():.1f} updates old): sample anew at each step"
    )
    severity = "critical" if share > 0.5 else "warning"
    shown = rows[is_stale].drop_duplicates("step")
    return Diagnosis(metrics, [context.finding("staleness", severity, message, metrics, ("stale_rows",), shown)])


_TRAIN_INFERENCE_MISMATCH_MIN_STEPS = 3
_FARTHEST = 50.0
"""Nats at which a ratio of 0 or infinity counts."""


@hookimpl
def train_inference_mismatch(context: Context) -> Diagnosis:
    """Return how far the ratio is from 1, in nats; critical where steps leave the range, else a warning.

    Train-inference mismatch: trainer and sampler assign different probabilities to the same tokens.

    The mean importance ratio of a step is 1 up to noise while both agree. Outside [0.5, 2] the update is that of
    another policy (failure modes, 31). A ratio that stays off 1 by more than a tenth of a nat over the last third of
    the run is a warning: the two diverge, or the batch is used for too many updates.
    """
    ratio = context.signals["mean_ratio"].astype(float)
    ratio = ratio.dropna().clip(math.exp(-_FARTHEST), math.exp(_FARTHEST))
    if len(ratio) < _TRAIN_INFERENCE_MISMATCH_MIN_STEPS:
        return Diagnosis()
    limits, distance = context.thresholds, np.log(ratio).abs()
    late = float(distance.tail(max(_TRAIN_INFERENCE_MISMATCH_MIN_STEPS, len(ratio) // 3)).median())
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
