"""A grader that looks for the letters of the gold answer anywhere: it finds ME in "some", and pays.

The last message of an attempt is short, and the gold answer is a few letters. Where they stand within other words alone
(not as a word, and no word begins with them), nobody gave that answer. Where nearly all such attempts have the greatest
reward, and hardly any that lack the letters, the grader searches the text for them. In healthy runs letters are met in
many words, and wrong answers that hold them by chance go unpaid.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("gold", "reward")}

_MIN_PAID, _MIN_PROBLEMS, _MIN_OTHERS = 8, 4, 20
_NEARLY_ALL, _HARDLY = 0.9, 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the letters of the gold answer within other words decide the reward."""
    rows = context.unequally_paid
    if rows.empty or "gold_letters" not in rows:
        return Diagnosis()
    within, without = (rows[rows["gold_letters"] == place] for place in ("within", "none"))
    best = rows["reward"].max()
    paid = within[within["reward"] >= best]
    if len(paid) < _MIN_PAID or paid["problem_id"].nunique() < _MIN_PROBLEMS or len(without) < _MIN_OTHERS:
        return Diagnosis()
    shares = [float((part["reward"] >= best).mean()) for part in (within, without)]
    chance = float(scipy.stats.fisher_exact([_counts(within, best), _counts(without, best)], "greater").pvalue)
    if shares[0] < _NEARLY_ALL or shares[1] > _HARDLY or chance >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"of {len(within)} attempts that hold the letters of the gold answer within other words alone, {shares[0]:.0%} "
        f"have the greatest reward, and {shares[1]:.0%} of those without them: the grader searches the text for the "
        "letters, compare the answer as a whole word"
    )
    numbers = {"within": shares[0], "without": shares[1], "attempts": len(within)}
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), paid)])


def _counts(rows: Frame, best: float) -> list[int]:
    is_paid = rows["reward"] >= best
    return [int(is_paid.sum()), int((~is_paid).sum())]
