"""Train-validation gap: a policy that solves its training problems and not unseen ones has memorised.

The last third of training rows is compared with sampled validation rows, over the families that both hold, since splits
may differ by family on purpose. Groups are the independent units. The finding is a warning: an adaptive curriculum or
another temperature can open a gap too.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the gap; warn where it is significantly above 15 points."""
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
            f"the solve rate on training problems is {gap:.0%} above that on unseen problems of the same families "
            f"(limit {limits.train_validation_gap:.0%}): train on more problems"
        )
        numbers = {"gap": gap, "standard_error": error}
        limit_names = ("train_validation_gap", "min_groups", "alpha")
        findings.append(context.finding("train_validation_gap", "warning", message, numbers, limit_names))
    return Diagnosis(known({"train_validation_gap": gap}), findings)
