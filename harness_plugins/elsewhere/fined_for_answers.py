"""Fines for length that go by what tools answered: the policy pays for text that it did not write.

Columns of what is taken off (never above 0) and of tokens that others wrote are known by their names. Where the tokens
of tools tell fined from unfined attempts nearly always, and the policy's own hardly, the fine counts the wrong ones.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("extra", "reward_terms")}

_SHARE, _TELLS, _TELLS_LITTLE = 0.1, 0.95, 0.75


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first fine that follows the tokens of tools and not the policy's own."""
    rows = context.with_texts(graded(context.training))
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    written = measured(rows, "policy_tokens") or {"num_tokens": rows["num_tokens"].astype(float)}
    for name, fines in measured(rows, "fine").items():
        if fines.max() > 0 or not _SHARE <= (fines < 0).mean() <= 1 - _SHARE:
            continue
        own = max(_tells(fines < 0, lengths) for lengths in written.values())
        for other, lengths in measured(rows, "others_tokens").items():
            if _tells(fines < 0, lengths) >= _TELLS and own <= _TELLS_LITTLE:
                return Diagnosis(findings=[_found(context, rows, name, fines, other, own)])
    return Diagnosis()


def _tells(is_fined: Frame, lengths: Frame) -> float:
    """Return how often a fined attempt is the longer one of two (area under the ROC curve)."""
    marked, others = lengths[is_fined], lengths[~is_fined]
    return float(scipy.stats.mannwhitneyu(marked, others).statistic / (len(marked) * len(others)))


def _found(context: Context, rows: Frame, name: str, fines: Frame, other: str, own: float) -> Finding:
    tells = _tells(fines < 0, measured(rows, "others_tokens")[other])
    fined = rows[fines < 0]
    message = (
        f"{name} takes reward from {len(fined)} attempts: of a fined and an unfined one the fined has more {other} in "
        f"{tells:.0%}, more tokens of its own in {own:.0%}: the fine counts what tools answered, leave their tokens out"
    )
    numbers = {"fined": len(fined), "by_others": tells, "by_own": own}
    return context.finding("metric_defect", "critical", message, numbers, ("min_rows",), fined)
