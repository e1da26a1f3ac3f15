"""Truncation: attempts cut by the token or turn budget, and how many of them would have been right.

A share of 20% is the published limit (base metrics of EvoTrainer, arXiv 2606.03108). It holds for all steps and for the
later half of them: a budget may shrink within a run. The second signal is the loss. A
cut attempt would have been right about as often as the attempts of its group that were not cut, or it is right when its
answer is read leniently. The message names a mask on cut attempts: it hides the loss from the reward, not from the
policy.
"""

import math

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return truncation metrics; warn above the share, or where correct work is cut; critical where both hold."""
    rows = context.graded
    if rows.empty:
        return Diagnosis()
    lost = _lost(rows)
    cut = rows[rows["is_truncated"]]
    metrics = known(
        {
            "truncation_rate": rows["is_truncated"].mean(),
            "lost_to_truncation": lost.mean(),
            "masked_truncated": (cut["in_loss"] == 0.0).mean() if cut["in_loss"].notna().any() else None,
        }
    )
    late = rows[rows["step"] >= rows["step"].median()]
    findings = _judge(context, rows, lost, metrics) or _judge(context, late, lost[late.index], metrics)
    return Diagnosis(metrics, findings)


def _lost(rows: Frame) -> Frame:
    """Return for each attempt the chance, in [0, 1], that it was cut and would have been right."""
    whole = rows[~rows["is_truncated"]]
    solved = rows["group"].map(whole.groupby("group")["correct"].mean()).fillna(0.0)
    lenient = rows["lenient_correct"].fillna(0.0)
    is_cut_wrong = rows["is_truncated"] & ~(rows["correct"] >= 1.0)
    return pd.concat([solved, lenient], axis=1).max(axis=1).where(is_cut_wrong, 0.0)


def _judge(context: Context, rows: Frame, lost: Frame, metrics: dict[str, float]) -> list[Finding]:
    limits, count, total = context.thresholds, int(rows["is_truncated"].sum()), len(rows)
    by_group = lost.groupby(rows["group"]).mean()
    error = float(by_group.std()) / math.sqrt(len(by_group)) if len(by_group) > 1 else math.inf
    is_share = total >= limits.min_rows and significantly_above(count, total, limits.truncation, limits.limit_alpha)
    is_lost = (
        len(by_group) >= limits.min_groups
        and by_group.mean() - t_limit(limits.alpha, len(by_group)) * error > limits.lost_to_truncation
    )
    if not (is_share or is_lost):
        return []
    hidden = ", hidden by a mask on cut attempts" if metrics.get("masked_truncated", 0.0) > 0.5 else ""
    since = f" since step {rows['step'].min():g}" if rows["step"].min() > context.graded["step"].min() else ""
    message = (
        f"{count} of {total} attempts{since} were cut by the budget (limit {limits.truncation:.0%}){hidden}; by the "
        f"other attempts of their groups about {lost.sum():.0f} would have been right: raise the token or turn budget"
    )
    examples = rows[rows["is_truncated"]].assign(lost=lost).sort_values("lost", ascending=False, kind="stable")
    limit_names = ("truncation", "lost_to_truncation", "limit_alpha", "alpha")
    return [
        context.finding(
            "truncation", "critical" if is_share and is_lost else "warning", message, metrics, limit_names, examples
        )
    ]
