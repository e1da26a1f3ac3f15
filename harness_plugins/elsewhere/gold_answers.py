"""Attempts that end with the gold answer and are paid like wrong ones.

Rows of others often hold the gold answer, and the attempt's own is read from its text. Both are compared as numbers,
or as words without case. A grader may refuse a form of writing, run into its time limit, or grade another attempt. It
is critical where some are paid and the reward does not follow them; where none is, the task may ask for another thing.
A value of a column that unpaid matches share and paid ones lack is named: it says which. One that varies within
problems names a machine or a grader's end; one that belongs to problems names data that the grader cannot read. Where
unpaid matches are written in another way than the gold answer, and paid ones do not, the grader cannot read that way.
Where they mark it and write on, and paid ones write less behind their mark or nothing, the grader looks at the end of
texts alone. Where every unpaid match is longer than nearly every paid one, the grader sees the beginning of texts
alone. Where attempts with one value of a column that varies within problems are refused several times as often as
others, graders disagree on right answers. Attempts at exactly the largest length were cut and end with no answer.
"""

import math

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.texts.gold import gold_column, is_written_otherwise
from evotrainer.diagnosis.texts.lengths import at_largest_length
from evotrainer.diagnosis.uneven import most_marked
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {
    "reward_outcome_divergence": ("gold", "reward"),
    "metric_defect": ("gold", "reward"),
    "format_gate": ("gold", "reward"),
    "length_limit": ("gold", "reward"),
    "flaky_grading": ("gold", "reward", "extra"),
}

_MIN_ROWS = 30
_UNPAID = 0.05
_FOLLOWS = 0.15
_AGAINST, _MIN_REVERSED = -0.5, 10
"""Correlation of reward and gold answers where pay is reversed, and attempts of each sort that show it."""
_SHARED, _LACKED, _MAX_VALUES = 0.9, 0.1, 12
_MOSTLY, _MORE = 0.7, 0.3
"""Share of unpaid matches that write their number in another way, where that is why, and how much less of paid ones do.
"""
_APART = 0.98
"""Share of paid matches up to a length, and of unpaid ones beyond it, where that length parts them."""
_FARTHER, _FAR = 0.9, 40
"""How often an unpaid match has more text behind its mark than a paid one, where that is why, and signs of some text.
"""
_HALF = 0.5
"""Share of refused right answers beside accepted ones to the same problem, where the grader changes its mind."""
_TIMES, _SOME = 3.0, 0.15
"""How many times as often, and how often at least, a grader refuses right answers that disagrees with others."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where gold answers are not paid; critical where the reward knows nothing of them."""
    limits, rows = context.thresholds, context.with_texts(context.graded)
    if rows.empty:
        return Diagnosis()
    rows = rows[rows["reward"].notna() & rows["is_gold"].notna() & ~rows["is_truncated"].astype(bool)]
    rows = rows[~at_largest_length(rows)]
    is_gold = rows["is_gold"] > 0
    gold, others = rows[is_gold], rows[~is_gold]
    if min(len(gold), len(others)) < _MIN_ROWS:
        return Diagnosis()
    is_unpaid = gold["reward"] <= max(float(others["reward"].mean()), float(others["reward"].median()))
    unpaid = gold[is_unpaid]
    if not significantly_above(len(unpaid), len(gold), _UNPAID, limits.alpha):
        return Diagnosis()
    why = _shared(unpaid, gold[~is_unpaid], rows)
    found = _reversed(context, rows, why, unpaid[why].mode().iloc[0]) if why else _disagree(context, gold, is_unpaid)
    found = (
        found
        or _unread(context, unpaid, gold[~is_unpaid])
        or _out_of_sight(context, unpaid, gold[~is_unpaid])
        or _beyond(context, unpaid, gold[~is_unpaid])
        or _both_ways(context, gold, is_unpaid, others)
    )
    found = found or _unpaid(context, rows, unpaid, why)
    return Diagnosis(findings=found)


def _unpaid(context: Context, rows: Frame, unpaid: Frame, why: str) -> list[Finding]:
    """Return the finding that gold answers are not paid, and which; critical where the reward knows nothing of them."""
    is_gold = rows["is_gold"] > 0
    value, total = correlation(is_gold.astype(float), rows["reward"]), int(is_gold.sum())
    message = (
        f"{len(unpaid)} of {total} attempts that end with the gold answer earn no more than wrong ones"
        f"{_told(unpaid, why)}: see what the grader reads, and whether it came to an end"
    )
    numbers = {"unpaid": len(unpaid), "gold": total, "correlation": value if math.isfinite(value) else 0.0}
    follows = value >= _FOLLOWS
    mode = "metric_defect" if follows else "reward_outcome_divergence"
    mode = "infrastructure_zeros" if why and _varies(rows, why) else mode
    is_some_paid = bool((rows.loc[is_gold, "reward"] > rows["reward"].min()).any())
    severity = "critical" if is_some_paid and not follows else "warning"
    return [context.finding(mode, severity, message, numbers, ("alpha",), unpaid)]


def _reversed(context: Context, rows: Frame, name: str, value: object) -> list[Finding]:
    """Return a finding where, with one value of a column, gold answers earn less than wrong ones."""
    there = rows[rows[name] == value]
    is_gold = there["is_gold"] > 0
    if min(is_gold.sum(), (~is_gold).sum()) < _MIN_REVERSED:
        return []
    follows = correlation(is_gold.astype(float), there["reward"])
    if not follows <= _AGAINST:
        return []
    gold, wrong = (float(there.loc[which, "reward"].mean()) for which in (is_gold, ~is_gold))
    message = (
        f"with {name.removeprefix(EXTRA_PREFIX)} {str(value)[:40]} attempts that end with the gold answer earn "
        f"{gold:.3g} and wrong ones {wrong:.3g}: pay is reversed there, and nowhere else"
    )
    numbers = {"gold": gold, "wrong": wrong, "correlation": follows}
    return [context.finding("reward_outcome_divergence", "critical", message, numbers, (), there)]


def _unread(context: Context, unpaid: Frame, paid: Frame) -> list[Finding]:
    """Return a finding where unpaid matches, and no paid ones, are written in another way than the gold answer."""
    name = gold_column(unpaid, unpaid["problem_id"], EXTRA_PREFIX)
    if not name or paid.empty:
        return []
    is_other, is_other_paid = (
        [is_written_otherwise(answer, str(gold)) for answer, gold in zip(part["final_answer"], part[name], strict=True)]
        for part in (unpaid, paid)
    )
    found, shares = unpaid[is_other], [sum(some) / len(some) for some in (is_other, is_other_paid)]
    if shares[0] < max(_MOSTLY, shares[1] + _MORE):
        return []
    message = (
        f"{len(found)} attempts end with the gold answer in another way of writing, as "
        f"{found['final_answer'].iloc[0]!r} for {str(found[name].iloc[0])!r}, and earn no more than wrong ones, of "
        f"paid ones {shares[1]:.0%}: the grader cannot read such answers"
    )
    numbers = {"unpaid": len(found), "share": shares[0], "share_paid": shares[1]}
    return [context.finding("format_gate", "warning", message, numbers, ("alpha",), found)]


def _beyond(context: Context, unpaid: Frame, paid: Frame) -> list[Finding]:
    """Return a finding where one length parts unpaid matches from paid ones: what is longer is not seen whole."""
    if len(paid) < _MIN_ROWS:
        return []
    limit, least = float(paid["num_chars"].quantile(_APART)), float(unpaid["num_chars"].quantile(1 - _APART))
    if least < limit or (unpaid["num_chars"] <= limit).mean() > 1 - _APART:
        return []
    message = (
        f"{len(unpaid)} attempts end with the gold answer, are longer than {limit:.0f} signs and earn no more than "
        f"wrong ones; the {len(paid)} that are paid are shorter: what grades them sees the beginning of texts alone"
    )
    numbers = {"unpaid": len(unpaid), "paid": len(paid), "signs": limit}
    return [context.finding("length_limit", "warning", message, numbers, ("alpha",), unpaid)]


def _out_of_sight(context: Context, unpaid: Frame, paid: Frame) -> list[Finding]:
    """Return a finding where unpaid matches have far more text behind the mark of their answer than paid ones."""
    parts = [part.loc[part["is_marked"].astype(bool), "behind_mark"] for part in (unpaid, paid)]
    if len(parts[0]) < _MOSTLY * len(unpaid) or parts[1].empty or parts[0].median() < _FAR:
        return []
    area = float(scipy.stats.mannwhitneyu(*parts).statistic) / (len(parts[0]) * len(parts[1]))
    if area < _FARTHER:
        return []
    total = len(unpaid) + len(paid)
    message = (
        f"{len(unpaid)} of {total} attempts that mark the gold answer earn no more than wrong ones, and write on "
        f"behind the mark: {parts[0].median():.0f} signs at the middle one, {parts[1].median():.0f} where it is paid: "
        "the grader looks at the end of texts alone, let it look for the mark in the whole text"
    )
    numbers = {"unpaid": len(unpaid), "gold": total, "behind": float(parts[0].median()), "area": area}
    return [context.finding("metric_defect", "warning", message, numbers, ("alpha",), unpaid)]


def _shared(unpaid: Frame, paid: Frame, rows: Frame) -> str:
    """Return the column of which nearly all unpaid matches have one value and hardly any paid one."""
    for name in outside_columns(unpaid):
        if not 0 < unpaid[name].nunique() <= _MAX_VALUES or _is_reward(rows, name):
            continue
        value = unpaid[name].mode().iloc[0]
        if (unpaid[name] == value).mean() >= _SHARED and (paid[name] == value).mean() <= _LACKED:
            return name
    return ""


def _is_reward(rows: Frame, name: str) -> bool:
    """Tell whether a column has one value a reward, and one reward a value."""
    pairs = rows[[name, "reward"]].drop_duplicates()
    return len(pairs) == pairs[name].nunique() == pairs["reward"].nunique()


def _disagree(context: Context, gold: Frame, is_unpaid: Frame) -> list[Finding]:
    """Return a finding where one value of a column that varies within problems goes with refusals of gold answers."""
    for name in outside_columns(gold):
        known = gold[gold[name].notna()]
        if not 2 <= known[name].nunique() <= _MAX_VALUES or not _varies(known, name):
            continue
        found = most_marked(is_unpaid[known.index], known[name], _MIN_REVERSED)
        if found is None or not max(_SOME, _TIMES * found.others) <= found.there <= _SHARED:
            continue
        if found.p_value >= context.thresholds.alpha:
            continue
        message = (
            f"with {name.removeprefix(EXTRA_PREFIX)} {str(found.value)[:40]} {found.there:.0%} of attempts that end "
            f"with the gold answer earn no more than wrong ones, with others {found.others:.0%}: graders disagree on "
            "right answers"
        )
        numbers = {"there": found.there, "others": found.others, "p_value": found.p_value}
        shown = known[is_unpaid[known.index] & (known[name] == found.value)]
        return [context.finding("flaky_grading", "warning", message, numbers, ("alpha",), shown)]
    return []


def _both_ways(context: Context, gold: Frame, is_unpaid: Frame, others: Frame) -> list[Finding]:
    """Return a finding where wrong answers are paid as often, and one wrong answer to a problem is and is not."""
    is_paid = others["reward"] >= float(gold.loc[~is_unpaid, "reward"].median())
    if is_unpaid.all() or not significantly_above(int(is_paid.sum()), len(others), _SOME / 2, context.thresholds.alpha):
        return []
    same = [is_paid.groupby([others["problem_id"], others["final_answer"]]).transform(how) for how in ("sum", "size")]
    is_odd = (same[0] > 0) & (same[0] < same[1])
    differ = is_unpaid.groupby(gold["problem_id"]).transform("nunique") > 1
    if is_odd.sum() < _MIN_ROWS or is_odd.mean() < _SOME or differ[is_unpaid].mean() < _HALF:
        return []
    message = (
        f"{is_unpaid.mean():.0%} of attempts that end with the gold answer are unpaid and {is_paid.mean():.0%} of "
        f"others are paid; {int(is_odd.sum())} share a wrong answer that is both: the grader changes its mind"
    )
    numbers = {"unpaid": float(is_unpaid.mean()), "paid": float(is_paid.mean()), "both_ways": int(is_odd.sum())}
    return [context.finding("flaky_grading", "warning", message, numbers, ("alpha",), others[is_odd])]


def _told(unpaid: Frame, name: str) -> str:
    if not name:
        return ""
    return f", those with {name.removeprefix(EXTRA_PREFIX)} {str(unpaid[name].mode().iloc[0])[:40]}"


def _varies(rows: Frame, name: str) -> bool:
    """Tell whether a column varies within problems that several attempts were made at."""
    values = rows.groupby("problem_id")[name].agg(["size", "nunique"])
    several = values[values["size"] >= 2]
    return several.empty or bool((several["nunique"] > 1).any())
