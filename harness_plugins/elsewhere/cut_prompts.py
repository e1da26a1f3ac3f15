"""Prompts cut by a limit of length: many end up at exactly the largest length, whatever they ask.

Prompts have lengths of their own, so that few are as long as the longest, or as one another. A heap there was cut,
mostly at its front, where the question may stand. It is told where attempts at these problems earn less than others. A
column may also say which prompts were cut, or hold the limit beside the lengths: many prompts stand at it, and none
goes beyond. Prompts that are all padded to a limit have no others to compare with.
"""

import re

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.texts.prompt_limits import logged_lengths, logged_limits
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"length_limit": ("num_chars", "reward")}

_MIN_HEAP, _SHARE, _MIN_LENGTHS = 5, 0.05, 12
_TIMES = 3
"""Prompts at the largest length by those at any other one: as many may be equally long by chance."""
_SAYS = re.compile(
    r"(?:prompt|input|question|context).*(?:trunc|clip|cut)|(?:trunc|clip|cut).*(?:prompt|input|question)", re.I
)
_LESS = 0.5
"""Pay of prompts that are said to be cut as a share of others', from which it costs."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where prompts stand at the largest length and their attempts earn less."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    for name in outside_columns(rows):
        if _SAYS.search(name.removeprefix(EXTRA_PREFIX)) and (found := _said(context, rows, name)):
            return Diagnosis(findings=found)
    if found := _at_limit(context, rows):
        return Diagnosis(findings=found)
    asked = rows.drop_duplicates("asked")
    longest, counts = float(asked["prompt_chars"].max()), asked["prompt_chars"].value_counts()
    heap = int(counts[longest])
    if heap < max(_MIN_HEAP, _SHARE * len(asked)) or len(counts) < max(_MIN_LENGTHS, heap):
        return Diagnosis()
    if heap < _TIMES * counts.drop(longest).max():
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


def _said(context: Context, rows: Frame, name: str) -> list[Finding]:
    """Return a finding where prompts that a column calls cut earn less than others."""
    is_cut = rows[name].map(lambda value: value in (1.0, True))
    return _costly(context, rows, is_cut, f"`{name.removeprefix(EXTRA_PREFIX)}` says that {{}} prompts were cut")


def _at_limit(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where prompts that are as long as a logged limit allows earn less than others."""
    lengths = list(logged_lengths(rows).values())
    for name, limit in logged_limits(rows).items():
        own = [rows["prompt_chars"]] if "char" in name.lower() else []
        for values in (values for values in (*lengths, *own) if values.max() == limit):
            if found := _costly(context, rows, values == limit, f"{{}} prompts are as long as `{name}` allows"):
                return found
    return []


def _costly(context: Context, rows: Frame, is_cut: Frame, what: str) -> list[Finding]:
    """Return a finding where prompts that seem to be cut earn less than others."""
    cut, others = rows[is_cut], rows[~is_cut]
    if cut["asked"].nunique() < _MIN_HEAP or len(cut) < _SHARE * len(rows) or others.empty:
        return []
    base = float(rows["reward"].min())
    means = [float(part["reward"].mean()) - base for part in (cut, others)]
    chance = float(scipy.stats.mannwhitneyu(cut["reward"], others["reward"], alternative="less").pvalue)
    if means[0] > _LESS * means[1] or chance >= context.thresholds.alpha:
        return []
    message = (
        f"{what.format(cut['asked'].nunique())}, and they earn {means[0] + base:.3g}, others {means[1] + base:.3g}: "
        "raise the limit or leave them out"
    )
    numbers = {"prompts": cut["asked"].nunique(), "attempts": len(cut), "p_value": chance}
    return [context.finding("length_limit", "warning", message, numbers, ("alpha",), cut)]
