"""Zero gradient: optimiser steps that change nothing. The gradient norm shows it, not the loss value.

Three causes: a gradient norm of 0, a norm that is not finite, and masks that drop every row of a step. Steps whose
groups are all dead have no gradient either and count: they cost as much.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.records import Finding

_NOTHING = 1e-12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of steps without gradient or rows; warn above 5%, critical above half."""
    findings: list[Finding] = []
    metrics: dict[str, float] = {}
    if len(context.signals):
        norm = context.signals["grad_norm"]
        metrics["zero_gradient_steps"] = float((norm.abs() <= _NOTHING).mean())
        findings += _share(context, int((norm.abs() <= _NOTHING).sum()), len(norm), "have a gradient of 0")
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
