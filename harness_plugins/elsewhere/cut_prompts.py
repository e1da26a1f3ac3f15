"""Prompts cut by a limit of length: many end up at exactly the largest length, whatever they ask.

Prompts have lengths of their own, so that few are as long as the longest. A heap there was cut, mostly at its front,
where the question may stand. It is told where attempts at these problems earn less than others.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"length_limit": ("num_chars", "reward")}

_MIN_HEAP, _SHARE, _MIN_LENGTHS = 5, 0.05, 12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where prompts stand at the largest length and their attempts earn less."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    asked = rows.drop_duplicates("asked")
    longest = float(asked["prompt_chars"].max())
    heap = int((asked["prompt_chars"] == longest).sum())
    if heap < max(_MIN_HEAP, _SHARE * len(asked)) or asked["prompt_chars"].nunique() < max(_MIN_LENGTHS, heap):
        return Diagnosis()
    is_cut = rows["prompt_chars"] == longest
    found, others = rows[is_cut], rows[~is_cut]
    chance = float(scipy.stats.mannwhitneyu(found["reward"], others["reward"], alternative="less").pvalue)
    if chance >= context.thresholds.alpha:
        return Diagnosis()
    means = [float(part["reward"].mean()) for part in (found, others)]
    message = (
        f"{heap} of {len(asked)} prompts have exactly the largest length, {longest:.0f} signs, and earn "
        f"{means[0]:.3g}, others {means[1]:.3g}: a limit cuts them, raise it or leave them out"
    )
    numbers = {"prompts": heap, "signs": longest, "p_value": chance}
    return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, ("alpha",), found)])
