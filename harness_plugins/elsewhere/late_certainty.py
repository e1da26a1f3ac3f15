"""A policy that ends certain: the mean logprob of the last third of steps, judged by itself.

The mean over a run hides its end, and a solve rate that rises hides it too, as long as some answers still vary. Only
evidence of three steps and more is judged.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, thirds, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"entropy_collapse": ("mean_logprob", "step")}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the last steps are sampled with hardly any choice, and the first were not."""
    limits, rows = context.thresholds, graded(context.training)
    parts = thirds(rows) if context.texts is not None and len(rows) else None
    found = trend(rows, "mean_logprob", limits.min_groups) if parts is not None else None
    if parts is None or found is None or found.late <= limits.logprob_critical or found.z < z_limit(limits.alpha):
        return Diagnosis()
    if found.early > limits.logprob_warning:
        return Diagnosis()
    message = (
        f"mean logprob rose from {found.early:.3f} to {found.late:.3f} nats a token in the last steps (limit "
        f"{limits.logprob_critical:g}): nothing is explored any more, raise the temperature or the KL coefficient"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = parts[1].sort_values("mean_logprob", ascending=False, kind="stable")
    limit_names = ("logprob_warning", "logprob_critical", "alpha")
    return Diagnosis(findings=[context.finding("entropy_collapse", "warning", message, numbers, limit_names, examples)])
