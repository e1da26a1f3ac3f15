"""Change against the reference version, as <metric>_change.

Both versions' metrics come from this diagnostic's definitions. One rule of EvoTrainer's rule engine (arXiv 2606.03108)
compares two versions: mean logprob that rises by half (towards 0) without a better solve rate is a collapse of
exploration.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, group_table, known, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl

_LOGPROB_RISE = 0.5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return changes against the reference version; nothing where there is none."""
    rows = context.graded
    if context.reference is None or rows.empty:
        return Diagnosis()
    table = group_table(context.rows)
    current = known(
        {
            "solve_rate": rows["correct"].mean(),
            "mean_reward": rows["reward"].mean(),
            "mean_logprob": rows["mean_logprob"].mean(),
            "mean_tokens": rows["num_tokens"].mean(),
            "truncation_rate": rows["is_truncated"].mean(),
            "dead_group_ratio": table["is_dead"].mean(),
            "reward_spread": table["reward_std"].mean(),
        }
    )
    before = context.reference.metrics
    changes = {name: value - before[name] for name, value in current.items() if name in before}
    findings = []
    logprob, was = current.get("mean_logprob", math.nan), before.get("mean_logprob", math.nan)
    gain = changes.get("solve_rate", math.nan)
    error = float(rows.groupby("group")["correct"].mean().std()) / math.sqrt(max(rows["group"].nunique(), 1))
    if was < 0 and 1 - logprob / was > _LOGPROB_RISE and gain < z_limit(context.thresholds.alpha) * error:
        message = (
            f"mean logprob rose from {was:.3f} to {logprob:.3f} against {context.reference.spec.version} while the "
            f"solve rate changed by {gain:+.2f}: exploration collapses"
        )
        numbers = {"mean_logprob": logprob, "before": was, "solve_rate_change": gain}
        findings.append(context.finding("entropy_collapse", "warning", message, numbers, ("alpha",)))
    return Diagnosis(known({f"{name}_change": value for name, value in changes.items()}), findings)
