"""Counts of turns that are not set back: attempts end at their limit early, by what was before them in the same slot.

A limit of turns ends attempts at one prompt at one number of turns, or of calls. Where many are ended by it before
others, something else is counted too. Penalties, lives and several moves in a turn do that as well, and they depend on
the attempt alone. So it is a finding where the attempt before in the same slot decides: behind one that ended by itself
nearly all are ended early, and behind one that reached its limit hardly any, or the other way round. A slot is a value
of a column that attempts at one problem share out, or the place in the group.
"""

import re
from collections.abc import Iterator

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"leftover_state": ("stop_reason", "reward")}

_TURNS = r"(?:turn|step|move|iteration|round|guess)"
_AT_LIMIT = re.compile(
    rf"(?:max|limit|out.of)\w*?[ _-]?{_TURNS}|{_TURNS}(?:e?s)?[ _-]?\w*(?:limit|max|exceed|exhaust)", re.I
)
_OF_TOKENS, _MARK = re.compile(r"token|length", re.I), re.compile(r"(?:^|[._])(?:truncated|time_?limit\w*)$", re.I)
_MOSTLY, _SELDOM = 0.8, 0.1
"""Shares of attempts that are ended early, behind those that leave a count and behind others."""
_ALL = 0.95
"""Share of attempts at the limit that stand at one number, from which it is kept."""
_MIN_SHORT, _MIN_PROBLEMS, _MAX_SLOTS = 12, 4, 128
_SURPRISING = 1e-6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the attempt before in the same slot decides whether one reaches its limit of turns early."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows.assign(_cut=_is_cut(rows)).sort_values(["step", "place"], kind="stable")
    if rows["_cut"].sum() < 2 * _MIN_SHORT:
        return Diagnosis()
    is_short = [_is_short(rows, name) for name in ("num_turns", "num_tool_calls")]
    counted = [short for short in is_short if short is not None]
    if not counted or any(short[rows["_cut"]].mean() <= 1 - _ALL for short in counted):
        return Diagnosis()
    rows = rows.assign(_short=counted[0])
    for label, slot in _slots(rows):
        found = _judge(context, rows, label, slot)
        if found is not None:
            return Diagnosis(findings=[found])
    return Diagnosis()


def _is_cut(rows: Frame) -> Frame:
    """Tell of each attempt whether a limit ended it that is none of tokens: by its reason, or by a mark beside."""
    reasons = rows["stop_reason"]
    cut = reasons.map({name: bool(_AT_LIMIT.search(name)) for name in reasons.unique()}).astype(bool)
    if cut.any():
        return cut
    is_marked = rows["is_truncated"].astype(bool)
    for name in outside_columns(rows):
        if _MARK.search(name):
            is_marked |= rows[name] == 1.0
    return is_marked & ~reasons.str.contains(_OF_TOKENS)


def _is_short(rows: Frame, name: str) -> Frame | None:
    """Tell of each attempt whether the limit ended it before others at the same prompt; None where nothing counts."""
    if rows[name].max() <= 1:
        return None
    return rows["_cut"] & (rows[name] < rows.groupby("asked")[name].transform("max"))


def _slots(rows: Frame) -> Iterator[tuple[str, Frame]]:
    """Yield what attempts at one problem share out, with its name."""
    for name in outside_columns(rows):
        is_shared_out = (rows.groupby("group")[name].nunique() > 1).mean() > 0.5
        if 2 <= rows[name].nunique() <= _MAX_SLOTS and is_shared_out:
            yield f"`{name.removeprefix(EXTRA_PREFIX)}`", rows[name]
    yield "place in the group", rows.groupby("group").cumcount()


def _judge(context: Context, rows: Frame, label: str, slot: Frame) -> Finding | None:
    before = rows.groupby(slot)["_cut"].shift()
    known = rows[rows["_cut"] & before.notna()]
    short = known[known["_short"]]
    if len(short) < _MIN_SHORT or short["problem_id"].nunique() < _MIN_PROBLEMS:
        return None
    for was_cut in (False, True):
        there = known["_short"][before[known.index] == was_cut]
        others = known["_short"].drop(there.index)
        if min(len(there), len(others)) == 0 or there.mean() < _MOSTLY or others.mean() > _SELDOM:
            continue
        table = [[int(part.sum()), int((~part).sum())] for part in (there, others)]
        chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
        if chance >= _SURPRISING:
            continue
        message = (
            f"{len(short)} of {len(known)} attempts that their limit of turns ended had fewer turns than others at the "
            f"same prompt: {there.mean():.0%} of those behind an attempt with the same {label} that ended "
            f"{'at' if was_cut else 'before'} its limit, {others.mean():.0%} of the others; turns of the attempt "
            "before are still counted, set the environment back before each"
        )
        numbers = {"short": len(short), "there": float(there.mean()), "others": float(others.mean()), "p_value": chance}
        return context.finding("leftover_state", "warning", message, numbers, (), short)
    return None
