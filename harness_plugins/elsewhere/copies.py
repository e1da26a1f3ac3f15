"""Attempts of a group that are copies: seeds of the sampler repeat, or nothing is left to choose.

Attempts drawn anew from a policy that is sure of one answer leave some that differ. Where in nearly every group each
text stands at least twice, and still several texts do, the sampler drew from equal seeds. Over a run, texts that all
differed at first and hardly do in the end are an exploration that is lost; short answers leave no choice and are not
judged. Groups of one text alone, that go with one value of a column (a node, a seed, an engine) while those with other
values differ, were drawn from one seed there.

Where nearly every group is one text from the first step on, each group is one attempt. Rows that say that they were
decoded without a choice (a temperature of 0, one candidate a token) are so on purpose. One text with several rewards
was judged several times, and was not drawn so.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.uneven import most_marked
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"entropy_collapse": ("num_chars", "group")}

_LONG_CHARS = 60
_MIN_SIZE = 4
_NEARLY_ALL = 0.9
_MIN_ONE, _MAX_VALUES, _ONE_TEXT, _SELDOM = 5, 64, 0.3, 0.1
"""Groups of one text, values of a column, and shares of such groups with one value and with the others."""
_MIN_TEXTS, _MOST = 4, 0.5
"""Different texts of a group from which chance leaves some single, and the share of such groups that has none."""
_SEED = re.compile(r"(?:^|[._])seed$", re.I)
_NO_CHOICE = (
    (re.compile(r"temperature$", re.I), 0.0),
    (re.compile(r"do_?sample$", re.I), 0.0),
    (re.compile(r"top_?k$", re.I), 1.0),
)
"""Columns that tell of decoding without a choice, and the value that does."""
_UNLIKE = 0.5
"""Texts of groups of one text, as a share of these groups, below which all problems share them."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for copies in every group, or for texts that come to repeat each other."""
    rows = graded(context.training)
    if context.texts is None or rows.empty:
        return Diagnosis()
    rows = rows[(rows["num_chars"] >= _LONG_CHARS) & (rows["decoding"] != "greedy")]
    rows = rows[rows.groupby("group")["group"].transform("size") >= _MIN_SIZE]
    return Diagnosis(
        findings=_paired(context, rows)
        or _of_one_machine(context, rows)
        or _repeat(context, rows)
        or _single(context, rows)
    )


def _paired(context: Context, rows: Frame) -> list[Finding]:
    copies = rows.groupby(["group", "response_hash"]).size().groupby(level=0).agg(["min", "size"])
    for texts, share in ((2, _NEARLY_ALL), (_MIN_TEXTS, _MOST)):
        several = copies[copies["size"] >= texts]
        paired = several[several["min"] >= 2]
        if len(several) >= context.thresholds.min_groups and len(paired) >= share * len(several):
            break
    else:
        return []
    message = (
        f"in {len(paired)} of {len(several)} groups every attempt stands at least twice: the sampler repeats its "
        "seeds, a group is smaller than it looks"
    )
    numbers = {"paired": len(paired), "groups": len(several)}
    shown = rows[rows["group"].isin(paired.index)]
    return [context.finding("entropy_collapse", "critical", message, numbers, ("min_groups",), shown)]


def _of_one_machine(context: Context, rows: Frame) -> list[Finding]:
    """Find groups of one text that go with a value of a column which groups with other values do not share."""
    by_group = rows.groupby("group")
    is_one = by_group["response_hash"].nunique() == 1
    if is_one.sum() < _MIN_ONE:
        return []
    described = context.with_texts(rows)
    for name in outside_columns(described):
        values = described.groupby("group")[name].agg(["first", "nunique"])
        values = values[values["nunique"] == 1]["first"]
        if not 2 <= values.nunique() <= _MAX_VALUES:
            continue
        found = most_marked(is_one[values.index], values, _MIN_ONE)
        if (
            found is None
            or found.there < _ONE_TEXT
            or found.others > _SELDOM
            or found.p_value >= context.thresholds.alpha
        ):
            continue
        shown = rows[rows["group"].isin(values.index[(values == found.value) & is_one[values.index]])]
        message = (
            f"with {name.removeprefix(EXTRA_PREFIX)} {str(found.value)[:40]} all attempts are one text in "
            f"{found.there:.0%} of the groups, with others in {found.others:.0%}: the sampler repeats its seed there"
        )
        numbers = {"there": found.there, "others": found.others, "p_value": found.p_value}
        return [context.finding("entropy_collapse", "warning", message, numbers, ("alpha",), shown)]
    return []


def _single(context: Context, rows: Frame) -> list[Finding]:
    """Find groups of one text nearly everywhere, where several texts could have been drawn."""
    described = context.with_texts(rows)
    rows = rows[~_has_no_choice(described)]
    by_group = rows.groupby("group")
    is_one = (by_group["response_hash"].nunique() == 1) & (by_group["reward"].nunique() <= 1)
    num_texts = rows.loc[rows["group"].isin(is_one.index[is_one]), "response_hash"].nunique()
    if len(is_one) < context.thresholds.min_groups or is_one.mean() < _NEARLY_ALL or num_texts < _UNLIKE * is_one.sum():
        return []
    seeds = [name for name in outside_columns(described) if _SEED.search(name) and _is_shared(described, name)]
    cause = (
        f"`{seeds[0].removeprefix(EXTRA_PREFIX)}` is the same for all of them"
        if seeds
        else "the sampler has one seed for all of them, or decodes without a choice"
    )
    message = (
        f"in {int(is_one.sum())} of {len(is_one)} groups all attempts are one text: {cause}, and each group is one "
        "attempt"
    )
    numbers = {"one_text": int(is_one.sum()), "groups": len(is_one)}
    shown = rows[rows["group"].isin(is_one.index[is_one])]
    return [context.finding("entropy_collapse", "warning", message, numbers, ("min_groups",), shown)]


def _has_no_choice(rows: Frame) -> Frame:
    """Tell of each row whether a column says that its tokens were no draw."""
    found = rows["num_chars"] < 0
    for name in outside_columns(rows):
        for pattern, value in _NO_CHOICE:
            if pattern.search(name):
                found |= rows[name] == value
    return found


def _is_shared(rows: Frame, name: str) -> bool:
    """Tell whether all attempts of each group have one value of a column."""
    return bool(rows[name].notna().all() and (rows.groupby("group")[name].nunique() == 1).all())


def _repeat(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    by_group = rows.groupby("group")["response_hash"]
    distinct = ((by_group.nunique() - 1) / (by_group.size() - 1)).rename("_distinct")
    found = trend(rows.join(distinct, on="group"), "_distinct", limits.min_groups)
    if found is None or found.late >= limits.distinct_responses or found.z > -z_limit(limits.alpha):
        return []
    if found.early < 1 - (1 - limits.distinct_responses) / 2:
        return []
    message = (
        f"the share of attempts of a group that differ fell from {found.early:.0%} to {found.late:.0%} over the run "
        f"(limit {limits.distinct_responses:.0%}): nothing is explored any more"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    shown = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
    return [context.finding("entropy_collapse", "warning", message, numbers, ("distinct_responses", "alpha"), shown)]
