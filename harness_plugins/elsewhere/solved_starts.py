"""Attempts that begin in a world which is mended already, change nothing and are paid: it was not set back.

At the same problem the same first call has one answer usually. Some get another one, which others see only when they
ask again behind what they did (texts/answer_forms.py: `again_form`). So they begin where others end. They must earn
more than others at their problem, and call tools less often than those that are paid.

Worlds whose beginnings are drawn by chance look the same, and so do flaky tests. They begin so from the first step on,
before an attempt that mends as often as behind it, and on any machine. So a finding needs one of three: the first
groups of the run hold no such beginning, by more than chance; nearly all of them come behind an attempt of their group
that mended it; or they go with a machine that attempts at one problem share out. Groups must hold both beginnings: a
world that is changed for all is another one. Failures of machines are left to tool_outages.
"""

import re

import pandas as pd
import scipy

from evotrainer.diagnosis.come_behind import come_behind
from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.tool_use_metrics import is_solved
from evotrainer.diagnosis.uneven import most_marked
from evotrainer.evidence.frames import Frame

NEEDS = {"leftover_state": ("num_tool_calls", "group", "reward")}

_MIN_MARKED, _MIN_PROBLEMS, _HALF = 10, 4, 0.5
_NEARLY_ALL = 0.95
_BY_CHANCE = 1e-4
"""Chance that the first groups hold no such beginning, or that one machine has so many."""
_MACHINE = re.compile(
    r"host|node|worker|server|machine|instance|pod(?:$|_)|device|sandbox|container|slot|(?:^|[._])env|vm(?:$|_)", re.I
)


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts find what others mended."""
    rows = context.unequally_paid
    if rows.empty or "again_form" not in rows or not (rows["again_form"] != "").any():
        return Diagnosis()
    rows = rows[(rows["first_call"] != "") & ~(rows["machine_share"] > 0)]
    is_changed = is_solved(rows) & (rows["again_form"] != "") & (rows["again_form"] != rows["first_form"])
    rows = rows[rows["first_call"].isin(rows.loc[is_changed, "first_call"])]
    solved, is_begun = is_solved(rows), _begins_mended(rows, is_changed[rows.index])
    begun = rows[is_begun]
    if len(begun) < _MIN_MARKED or begun["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    mended = rows[~is_begun & solved]
    pay = pay_of(rows, is_begun)
    is_spared = begun["num_tool_calls"].median() < mended["num_tool_calls"].median()
    if pay is None or pay.z < z_limit(context.thresholds.alpha) or not is_spared or not _is_part(rows, is_begun):
        return Diagnosis()
    how = _how_handed_on(context, rows, is_begun, ~is_begun & solved)
    if not how:
        return Diagnosis()
    message = (
        f"{len(begun)} attempts at {begun['problem_id'].nunique()} problems see at first what others "
        f"see only when they are done, call tools {begun['num_tool_calls'].median():.0f} times, those that "
        f"mend it {mended['num_tool_calls'].median():.0f}, and earn {pay.difference:.1f} standard deviations more; "
        f"{how}: set the environment back before each"
    )
    numbers = {"attempts": len(begun), "pay": pay.difference, "z": pay.z}
    return Diagnosis(findings=[context.finding("leftover_state", "warning", message, numbers, ("alpha",), begun)])


def _begins_mended(rows: Frame, is_changed: Frame) -> Frame:
    """Tell which attempts get at first what changed ones, that are solved, got when they made that call again.

    Others at the same problem must begin with an answer to the same call that no solved attempt ended with.
    """
    seen = set(zip(rows.loc[is_changed, "first_call"], rows.loc[is_changed, "again_form"], strict=True))
    keys = zip(rows["first_call"], rows["first_form"], strict=True)
    is_seen: Frame = pd.Series([key in seen for key in keys], index=rows.index)
    is_torn = (~is_seen).groupby([rows["problem_id"], rows["first_call"]]).transform("any")
    return is_seen & is_torn.astype(bool)


def _is_part(rows: Frame, is_begun: Frame) -> bool:
    """Tell whether most groups with such beginnings hold the usual one too."""
    has, lacks = (which.groupby(rows["group"]).any() for which in (is_begun, ~is_begun))
    return bool(lacks[has].mean() >= _HALF)


def _how_handed_on(context: Context, rows: Frame, is_begun: Frame, mends: Frame) -> str:
    """Return what tells such beginnings from worlds drawn by chance; nothing where nothing does."""
    by_group = is_begun.groupby(rows["group"]).any()
    order = rows.groupby("group")[["step", "place"]].min().sort_values(["step", "place"]).index
    held = by_group[order].to_numpy()
    num_before = int(held.argmax())
    if scipy.stats.hypergeom.pmf(0, len(held), held.sum(), num_before) < _BY_CHANCE:
        return f"the first {num_before} groups hold none"
    takers, behind = come_behind(rows, is_begun, mends)
    is_behind = behind.share >= _NEARLY_ALL and behind.z > z_limit(context.thresholds.alpha)
    is_behind &= len(takers) >= _MIN_MARKED and takers["problem_id"].nunique() >= _MIN_PROBLEMS
    if is_behind:
        return f"{behind.share:.0%} come behind an attempt of their group that mended it"
    return _machine(rows, is_begun)


def _machine(rows: Frame, is_begun: Frame) -> str:
    """Return the machine with more such beginnings than others; nothing where there is none."""
    for name in outside_columns(rows):
        is_shared_out = (rows.groupby("group")[name].nunique() > 1).mean() > _HALF
        if not _MACHINE.search(name) or not is_shared_out:
            continue
        found = most_marked(is_begun, rows[name], _MIN_MARKED)
        if found is not None and found.p_value < _BY_CHANCE:
            column = name.removeprefix(EXTRA_PREFIX)
            return f"{found.there:.0%} with {column} {found.value} are such, {found.others:.0%} of the others"
    return ""
