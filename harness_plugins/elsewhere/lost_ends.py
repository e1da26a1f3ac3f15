"""Prompts that a limit cut at one end: they are the longest, and lack what the template of shorter ones has there.

A prompt made from a template begins or ends as others do. Where the longest prompts, of nearly one length, have one end
in common with the shorter ones, and their other end is a different one each time, a limit cut it off. Without a
template at that end, texts that break off within a sentence say the same. Code breaks off anywhere: where the longest
have exactly one length and nearly all shorter ones a template, the lost ends suffice. A column may hold the length.
It is told where such problems earn less.

A family of longer problems has ends of its own, which its prompts share or which are whole sentences.
Long documents have lengths of their own. Grids and boards of one size all end alike. Prompts that are cut on purpose
(reviews to be continued) are no harder for it. None of these is judged.
"""

from typing import NamedTuple

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts.prompt_limits import logged_lengths
from evotrainer.evidence.frames import Frame

NEEDS = {"length_limit": ("num_chars", "reward")}

_NEARLY = (0.9, 0.8)
"""Length as a share of the largest, from which prompts stand at a limit that counts tokens: of long texts, of short."""
_MIN_LOST, _SHARE, _MIN_SHORTER, _MIN_SAME = 5, 0.05, 8, 3
_TEMPLATE, _OTHER_END, _AT_LIMIT, _HARDLY_ANY = 0.8, 0.8, 0.5, 0.2
"""Shares: of shorter prompts with a usual end, of lost ones whose other end shorter ones have, of the longest that are
lost, of shorter ones that are."""
_ONE_FORM, _BROKEN, _LESS = 0.3, 0.3, 0.9
"""Shares of lost ends that may be the same, and that stand within a sentence; the pay of their problems by others'."""
_OWN_LENGTHS = 0.5
"""Different lengths of shorter prompts, as a share of their number."""
_SIDES = (("end", "prompt_end", "question_begin"), ("beginning", "prompt_begin", "prompt_end"))


def _ends_within(text: str) -> bool:
    return text[-1:].isalnum() or text.endswith((",", ";", ":", "(", "-"))


def _begins_within(text: str) -> bool:
    return text[:1].islower() or text.startswith((",", ".", ";", ":", ")", "]", "}"))


_BREAKS = {"end": _ends_within, "beginning": _begins_within}
"""Whether a text ends, or begins, within a sentence."""


class _Cut(NamedTuple):
    """Problems whose prompts lost one end."""

    side: str
    lost: Frame
    longest: int
    """How many prompts stand at the limit."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the longest prompts lack an end that shorter ones have, and earn less."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    asked = rows.drop_duplicates("asked").set_index("asked", drop=False)
    cut = _cut(asked, context.thresholds.alpha)
    if cut is None:
        return Diagnosis()
    pay = rows.groupby("asked")["reward"].mean() - rows["reward"].min()
    found, others = pay.loc[cut.lost.index], pay.drop(cut.lost.index)
    if found.mean() > _LESS * others.mean():
        return Diagnosis()
    means = [float(part.mean() + rows["reward"].min()) for part in (found, others)]
    longest = float(asked["prompt_chars"].max())
    message = (
        f"of the {cut.longest} longest prompts, up to {longest:.0f} signs, {len(cut.lost)} lack the {cut.side} that "
        f"shorter ones have, and the rest is as there; they earn {means[0]:.3g}, others {means[1]:.3g}: a limit cuts "
        "them, raise it or leave them out"
    )
    numbers = {"prompts": len(cut.lost), "signs": longest, "mean": means[0], "others": means[1]}
    shown = rows[rows["asked"].isin(cut.lost.index)]
    return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, ("alpha",), shown)])


def _cut(asked: Frame, alpha: float) -> _Cut | None:
    """Return the prompts at the largest length that lost one end; None where there are none."""
    counted = [asked["prompt_chars"], *logged_lengths(asked).values()]
    at_most = [lengths == lengths.max() for lengths in counted]
    exact = [one for one in at_most if one.sum() >= max(_MIN_LOST, _SHARE * len(asked))]
    nearly = [counted[0] >= share * counted[0].max() for share in _NEARLY]
    found = [_cut_among(asked, is_long, alpha, True) for is_long in exact]
    found += [_cut_among(asked, is_long, alpha, False) for is_long in nearly]
    return next(filter(None, found), None)


def _cut_among(asked: Frame, is_long: Frame, alpha: float, is_exact: bool) -> _Cut | None:
    longer, shorter = asked[is_long], asked[~is_long]
    if len(longer) < _MIN_LOST or len(shorter) < _MIN_SHORTER:
        return None
    if shorter["prompt_chars"].nunique() < _OWN_LENGTHS * len(shorter):
        return None
    for side, own, other in _SIDES:
        is_lost, is_odd, has_template = _are_lost(longer, shorter, side, own)
        lost, count = longer[is_lost], int(is_odd.sum())
        if len(lost) < max(_MIN_LOST, _SHARE * len(asked), _AT_LIMIT * len(longer)):
            continue
        if lost[own].value_counts().iloc[0] > _ONE_FORM * len(lost) or count > _HARDLY_ANY * len(shorter):
            continue
        table = [[len(lost), len(longer) - len(lost)], [count, len(shorter) - count]]
        if not (is_exact and has_template) and lost[own].map(_BREAKS[side]).mean() < _BROKEN:
            continue
        is_beyond_chance = scipy.stats.fisher_exact(table, "greater")[1] < alpha
        if is_beyond_chance and lost[other].isin(set(shorter[other])).mean() >= _OTHER_END:
            return _Cut(side, lost, len(longer))
    return None


def _are_lost(longer: Frame, shorter: Frame, side: str, own: str) -> tuple[Frame, Frame, bool]:
    """Tell of longer and of shorter prompts whether they lack an end, and whether a template makes it.

    Where shorter ones have usual ends, that is an end which none of them has; else one within a sentence.
    """
    counts = shorter[own].value_counts()
    usual = set(counts[counts >= max(_MIN_SAME, _SHARE * len(shorter))].index)
    if shorter[own].isin(usual).mean() >= _TEMPLATE:
        return ~longer[own].isin(set(shorter[own])), ~shorter[own].isin(usual), True
    return longer[own].map(_BREAKS[side]).astype(bool), shorter[own].map(_BREAKS[side]).astype(bool), False
