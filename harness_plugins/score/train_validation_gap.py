"""Train-validation gap: a policy that solves what it trained on, and not what it never met, has memorised.

The last third of training rows against sampled validation rows, over the families that both hold, since splits may
differ by family on purpose. Groups are the units. Named as a warning: an adaptive curriculum or another temperature
can open a gap too.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the gap; warn where it is surely above 15 points."""
    limits, training = context.thresholds, graded(context.training)
    validation = graded(context.validation[context.validation["decoding"] == "sampled"])
    if training.empty or validation.empty:
        return Diagnosis()
    steps = sorted(training["step"].unique())
    training = training[training["step"].isin(steps[-max(1, len(steps) // 3) :])]
    shared = set(training["family"]) & set(validation["family"])
    means = [
        part[part["family"].isin(shared)].groupby("group")["correct"].mean().dropna() for part in (training, validation)
    ]
    if min(map(len, means)) < limits.min_groups:
        return Diagnosis()
    gap = float(means[0].mean() - means[1].mean())
    error = math.sqrt(sum(float(part.var()) / len(part) for part in means))
    findings = []
    if gap - t_limit(limits.alpha, min(map(len, means))) * error > limits.train_validation_gap:
        message = (
            f"the policy solves {gap:.0%} more of the problems it trains on than of unseen ones of the same families"
        )
        findings.append(
            context.finding(
                "train_validation_gap",
                "warning",
                message,
                {"gap": gap, "standard_error": error},
                ("train_validation_gap", "min_groups", "alpha"),
            )
        )
    return Diagnosis(known({"train_validation_gap": gap}), findings)
