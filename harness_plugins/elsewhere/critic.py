"""A critic whose expectations leave the range of rewards: its advantages only say how wrong it is.

Three signs, over the last third of steps. A column of values whose mean lies outside all rewards by their whole range.
One of which a fifth does, and hardly any did in the first third: values run off to both sides. Or advantages whose mean
is farther from 0 than the range of rewards: what was subtracted is no reward that an attempt can get. Whitened and
group-relative advantages have a mean of 0.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, thirds
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame

_HARDLY, _OFTEN = 0.02, 0.2
"""Shares of values beyond all rewards, early and late, that show a critic running off."""

NEEDS = {"critic_divergence": ("values", "step", "reward")}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the critic's values, or advantages, are beyond any reward."""
    rows = context.with_texts(graded(context.training))
    rows = rows[rows["reward"].notna()]
    parts = thirds(rows) if len(rows) >= context.thresholds.min_rows else None
    if parts is None or rows["reward"].nunique() < 2:
        return Diagnosis()
    (early, late), low, high = parts, float(rows["reward"].min()), float(rows["reward"].max())
    width = high - low
    told = [measured(rows, "values") for rows in (early, late)]
    for name, values in told[1].items():
        mean = float(values.mean())
        if mean > high + width or mean < low - width:
            what = f"{name} is {mean:.3g} on average in the last steps, where rewards go from {low:g} to {high:g}"
            return _found(context, late, what, mean)
        was, now = (float((~values_of[name].between(low - width, high + width)).mean()) for values_of in told)
        if was <= _HARDLY and now >= _OFTEN:
            what = (
                f"{now:.0%} of {name} lie far beyond all rewards ({low:g} to {high:g}) at the end, {was:.0%} at first"
            )
            return _found(context, late, what, mean)
    mean = float(late["advantage"].mean())
    if abs(mean) > width:
        what = f"advantages are {mean:.3g} on average in the last steps, beyond the range of rewards ({width:g})"
        return _found(context, late, what, mean)
    return Diagnosis()


def _found(context: Context, rows: Frame, what: str, mean: float) -> Diagnosis:
    message = f"{what}: the critic has diverged, lower its learning rate or clip its values"
    return Diagnosis(findings=[context.finding("critic_divergence", "critical", message, {"mean": mean}, (), rows)])
