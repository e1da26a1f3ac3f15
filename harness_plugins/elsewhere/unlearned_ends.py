"""Ends of replies that are not in the loss: the policy is never taught to stop.

A count of trained tokens is that of the sampled ones in each attempt that was cut, and one token less for each end of
a turn in all that stopped by themselves. So the token that ends a reply is masked. Nothing then keeps replies from
growing up to the limit, and the sign is the mask itself, at whatever length replies have.

Healthy runs lose a token too. A shift to next tokens takes one from all attempts, cut ones included, and a count of
sampled tokens without the end is not above that of trained ones. Where no attempt was cut, both look the same, and
nothing is said. Caps, filters and turns that are left out take many tokens, not one for each end.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame

NEEDS = {"loss_mask": ("loss_tokens", "stop_reason")}

_ALL = 0.98
_MIN_CUT, _MIN_PROBLEMS = 8, 4
"""Attempts that were cut, and problems of attempts of each kind."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts that stopped have one token a turn less in the loss, and those that were cut have all."""
    rows = context.with_texts(graded(context.training))
    is_cut = rows["is_truncated"].astype(bool)
    rows = rows[(rows["in_loss"] != 0.0) & (is_cut | (rows["stop_reason"] != "unknown"))]
    is_cut = is_cut[rows.index]
    if is_cut.sum() < _MIN_CUT or (~is_cut).sum() < context.thresholds.min_rows:
        return Diagnosis()
    if min(rows.loc[part, "problem_id"].nunique() for part in (is_cut, ~is_cut)) < _MIN_PROBLEMS:
        return Diagnosis()
    sampled = {"num_tokens": rows["num_tokens"].astype(float)} if (rows["num_tokens"] > 0).all() else {}
    sampled |= measured(rows, "sampled_tokens")
    for name, trained in measured(rows, "loss_tokens").items():
        for beside, tokens in sampled.items():
            if name == beside or not _lacks_ends(rows, is_cut, tokens - trained):
                continue
            message = (
                f"{name} is {beside} in {int(is_cut.sum())} attempts that were cut, and one less for each end of a "
                f"turn in {int((~is_cut).sum())} that stopped by themselves: the token that ends a reply is not in "
                "the loss, so stopping is never learned, look at the mask"
            )
            numbers = {"cut": float(is_cut.sum()), "stopped": float((~is_cut).sum())}
            shown = rows[~is_cut]
            return Diagnosis(findings=[context.finding("loss_mask", "warning", message, numbers, ("min_rows",), shown)])
    return Diagnosis()


def _lacks_ends(rows: Frame, is_cut: Frame, missing: Frame) -> bool:
    """Tell whether just the ends of turns are missing; the last turn of an attempt that was cut has none."""
    ends = rows["num_turns"].astype(float).clip(lower=1) - is_cut.astype(float)
    return all(bool((missing == ends)[part].mean() >= _ALL) for part in (is_cut, ~is_cut))
