"""Prompts with a place that nothing was filled into (`{problem}`, `None`): their attempts cannot know what is asked.

Braces also stand in code and in forms to be filled in. It is a finding where the same place stands in the prompts of
some problems alone, and more attempts at these earn the least reward than at others: critical where nearly all do. Who
has to guess among few answers is right at times.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"metric_defect": ("num_chars", "reward")}

_MOSTLY, _HALF, _MORE, _SOME = 0.9, 0.5, 0.2, 0.7
"""Shares of attempts with an empty place that earn the least: critical, a warning, and how many more than of others.

The last is the share of all attempts that have one at most.
"""
_MIN_ROWS, _MIN_OTHERS = 12, 12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where prompts with an empty place are never paid."""
    rows = context.unequally_paid
    if rows.empty or not (rows["empty_slot"] != "").any():
        return Diagnosis()
    slot = rows.loc[rows["empty_slot"] != "", "empty_slot"].value_counts().index[0]
    is_empty, is_least = rows["empty_slot"] == slot, rows["reward"] <= rows["reward"].min()
    found, others = rows[is_empty], rows[~is_empty]
    if len(found) < _MIN_ROWS or len(others) < _MIN_OTHERS or is_empty.mean() > _SOME:
        return Diagnosis()
    shares = [float(is_least[part.index].mean()) for part in (found, others)]
    table = [[int(is_least[part.index].sum()), int((~is_least[part.index]).sum())] for part in (found, others)]
    if shares[0] < max(_HALF, shares[1] + _MORE):
        return Diagnosis()
    if scipy.stats.fisher_exact(table, alternative="greater").pvalue >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"the prompts of {len(found)} attempts hold {slot!r}, a place that nothing was filled into; {shares[0]:.0%} of "
        f"them earn the least reward, {shares[1]:.0%} of others: see which key of the data the template reads"
    )
    numbers = {"attempts": len(found), "share": shares[0], "share_others": shares[1]}
    severity = "critical" if shares[0] >= _MOSTLY else "warning"
    return Diagnosis(findings=[context.finding("metric_defect", severity, message, numbers, ("alpha",), found)])
