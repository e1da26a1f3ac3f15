"""Right attempts that are paid like wrong ones, and what they have in common; equal answers with unequal pay.

1. A column that names a machine, shard or process explains the reward beyond correctness. Which column does is found in
   the rows: at least two of its values pay alike, and others pay the least reward for everything, right attempts
   included. A value that is itself an outcome (pass, fail) has no two values that pay alike, and phrases that tell the
   reward of each attempt say why it has it. A number that follows the length of attempts counts what they did, and so
   does one whose lowest values alone go unpaid. A column of what the policy wrote itself names nothing else.
2. Right attempts with the least reward stand at the longest duration, which is a time limit. Any column of numbers may
   hold durations: many values, and a crowd at the largest. One that follows the length of texts is none.
3. Equal answers to one problem get both values of a binary reward, though others answered the same to each attempt.
"""

import re

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.repeated_answers import repeated_answers
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("reward", "group"), "flaky_grading": ("reward", "num_chars")}

_MAX_VALUES = 64
_MIN_VALUE_ROWS = 8
_ALMOST_ALL = 0.98
_MANY = 0.3
_MIN_COUNTS = 6
"""Values of a column from which one may count."""
_USUAL = 0.8
"""Share with the least reward elsewhere, above which even a dead grader would not show."""
_IS_NAME = re.compile(
    r"replica|host|node|worker|engine|server|gpu|rank|machine|instance|pod|device|sampler|actor|shard|slot|port|id(?:x|$)"
    r"|index|grader|judge|key|version|batch|seed|split|fold|part",
    re.I,
)
_FAILED = re.compile(r"^(?:fail|wrong|incorrect|exception|error|reject|invalid|no$|false$|bad|lost|lose|partial)", re.I)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_BOUND = 0.98
"""Share of attempts up to a number, or from it on, that are unpaid where it is a bound of what was done."""
_ALIKE = 0.001
_AT_LIMIT = 0.99
_FOLLOWS_LENGTH = 0.7
_LENGTHS = ("num_chars", "num_tokens", "num_turns")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the column that explains unpaid attempts, for a time limit, and for unequal pay."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    return Diagnosis(findings=_dead_values(context, rows) + _timed_out(context, rows) + _unequal(context, rows))


def _dead_values(context: Context, rows: Frame) -> list[Finding]:
    """Find values of a column with unpaid attempts: right ones where outcomes are known, else all of them."""
    right, least = rows[rows["correct"] >= 1.0], rows["reward"].min()
    for name in outside_columns(rows):
        for part, enough, usual in ((right, _MANY, _MANY / 2), (rows, _ALMOST_ALL, _USUAL)):
            table = _table(part, name, least)
            dead = table[table["least"] >= enough * table["size"]] if len(table) else table
            alive = table.drop(dead.index)
            if (
                dead.empty
                or len(alive) < 2
                or _is_bound(part, name, dead, least)
                or _names_outcome(rows, name, dead, alive)
            ):
                continue
            if not _pay_alike(part[part[name].isin(alive.index)], name):
                continue
            share = float(alive["least"].sum() / alive["size"].sum())
            if share < usual and _is_surprising(dead, share, context.thresholds.alpha / len(table)):
                return [_dead(context, part[part[name].isin(dead.index)], name, dead, share)]
    return []


def _names_outcome(rows: Frame, name: str, dead: Frame, alive: Frame) -> bool:
    """Tell whether values are another name of the outcome: they say that an attempt failed, why, or what it scored.

    What scores is one text for all attempts, with other numbers: `3 selected, 0 passed`.
    """
    values = [value for value in dead.index if isinstance(value, str)]
    if len(values) < len(dead):
        return False
    frames = [{_NUMBER.sub("#", value) for value in part if isinstance(value, str)} for part in (values, alive.index)]
    tells = rows.groupby(name)["reward"].nunique().max() == 1
    if tells and all(" " in value.strip() for value in values):
        return True
    scores = all(len(_NUMBER.findall(value)) > 1 for value in values) and bool(frames[0] & frames[1])
    return scores or all(_FAILED.search(value) is not None for value in values)


def _dead(context: Context, found: Frame, name: str, dead: Frame, share: float) -> Finding:
    column = name.removeprefix(EXTRA_PREFIX)
    values = ", ".join(str(value) for value in sorted(map(str, dead.index))[:4])
    unpaid, known = int(dead["least"].sum()), int((found["correct"] >= 1.0).sum())
    right = "right " if known == len(found) else ""
    message = (
        f"{unpaid} of {len(found)} {right}attempts with {column} {values} have the least reward, others in "
        f"{share:.0%}: what `{column}` names is broken, mask these attempts"
    )
    numbers = {"attempts": unpaid, "right": known, "share_elsewhere": share}
    return context.finding("infrastructure_zeros", "critical", message, numbers, ("alpha",), found)


def _table(rows: Frame, name: str, least: float) -> Frame:
    """Return by value of a column how many attempts it has and how many have the least reward; none of odd columns."""
    known = rows[rows[name].notna()]
    values = known[name].nunique()
    if not 3 <= values <= _MAX_VALUES or _is_length(rows, name) or _counts_something(known[name], name):
        return pd.DataFrame()
    if not (known.groupby("group")[name].nunique() > 1).mean() > 0.5:
        return pd.DataFrame()
    table = (known["reward"] <= least).groupby(known[name]).agg(size="size", least="sum")
    return table[table["size"] >= _MIN_VALUE_ROWS]


def _counts_something(values: Frame, name: str) -> bool:
    """Tell whether a column holds many numbers and its name is none of a machine or a part: moves, hits, tries."""
    is_number = values.map(lambda value: isinstance(value, float)).all()
    return bool(is_number) and values.nunique() >= _MIN_COUNTS and _IS_NAME.search(name) is None


def _is_length(rows: Frame, name: str) -> bool:
    """Tell whether a column's numbers follow the length of attempts: they count what was done, and name nothing."""
    known = rows[rows[name].notna()]
    if known.empty or not known[name].map(lambda value: isinstance(value, float)).all():
        return False
    values = known[name].astype(float)
    lengths = (known[column].astype(float) for column in (*_LENGTHS, "num_tool_calls"))
    return any(abs(correlation(values, length)) >= _FOLLOWS_LENGTH for length in lengths if length.nunique() > 1)


def _is_bound(rows: Frame, name: str, dead: Frame, least: float) -> bool:
    """Tell whether a column may count: of its numbers all up to the largest unpaid one, or from the least on, are."""
    known = rows[rows[name].notna()]
    if known[name].nunique() < _MIN_COUNTS or not known[name].map(lambda value: isinstance(value, float)).all():
        return False
    values, is_unpaid = known[name].astype(float), known["reward"] <= least
    below, above = values <= float(dead.index.max()), values >= float(dead.index.min())
    return any(values[part].nunique() > 1 and float(is_unpaid[part].mean()) >= _BOUND for part in (below, above))


def _pay_alike(alive: Frame, name: str) -> bool:
    """Tell whether values of a column are paid alike; a count of what succeeded is paid by its size."""
    parts = [part.to_numpy() for _, part in alive.groupby(name)["reward"]]
    if alive["reward"].nunique() < 2:
        return True
    return bool(scipy.stats.kruskal(*parts).pvalue > _ALIKE)


def _is_surprising(dead: Frame, share: float, alpha: float) -> bool:
    counts = zip(dead["least"], dead["size"], strict=True)
    return all(significantly_above(int(least), int(size), max(share, 0.01), alpha) for least, size in counts)


def _timed_out(context: Context, rows: Frame) -> list[Finding]:
    columns = [name for name in rows.columns if str(name).startswith(EXTRA_PREFIX) and _is_duration(rows, name)]
    found = [_at_limit(context, rows, name) for name in ("duration_seconds", *columns)]
    return next(filter(None, found), [])


def _is_duration(rows: Frame, name: str) -> bool:
    """Tell whether a column's numbers could be durations: of many values one, the largest, is common."""
    values = rows[name].dropna()
    if len(values) < _MIN_VALUE_ROWS or not values.map(lambda value: isinstance(value, float)).all():
        return False
    values = values.astype(float)
    is_crowd = float((values == values.max()).mean()) > 1 / 64
    if values.min() < 0 or not is_crowd or values.nunique() < max(_MAX_VALUES, len(values) / 4):
        return False
    lengths = (rows.loc[values.index, column].astype(float) for column in _LENGTHS)
    return all(abs(correlation(values, length)) < _FOLLOWS_LENGTH for length in lengths if length.nunique() > 1)


def _at_limit(context: Context, rows: Frame, name: str) -> list[Finding]:
    limits = context.thresholds
    timed = rows[rows[name].notna() & rows["correct"].notna() & ~rows["is_truncated"].astype(bool)]
    timed = timed.assign(_seconds=timed[name].astype(float))
    if len(timed) < limits.min_rows or timed["_seconds"].max() <= 0:
        return []
    at_limit = timed["_seconds"] >= _AT_LIMIT * timed["_seconds"].max()
    unpaid = (timed["correct"] >= 1.0) & (timed["reward"] <= rows["reward"].min())
    stalled, others = timed[at_limit & unpaid], timed[~at_limit & (timed["correct"] >= 1.0)]
    share = float(unpaid[others.index].mean()) if len(others) else 1.0
    right = timed[at_limit & (timed["correct"] >= 1.0)]
    if len(stalled) < limits.invalid_rows or not significantly_above(
        len(stalled), len(right), max(share, limits.order_violations_warning), limits.alpha
    ):
        return []
    longest = float(timed["_seconds"].max())
    message = (
        f"{len(stalled)} of {len(right)} right attempts at the longest `{name.removeprefix(EXTRA_PREFIX)}` "
        f"({longest:.3g}) have the "
        f"least reward, {share:.0%} of the others: a time limit is stored as a wrong answer, mask it"
    )
    numbers = {"stalled": len(stalled), "longest_seconds": longest}
    return [context.finding("infrastructure_zeros", "critical", message, numbers, ("alpha",), stalled)]


def _are_compared(rows: Frame) -> bool:
    """Tell whether all groups share out the same rewards, as pairs of which one wins: equal answers part there too."""
    by_group = rows.groupby("group")["reward"]
    shares = by_group.mean()[by_group.size() >= 2]
    return len(shares) > 1 and shares.nunique() == 1 and 0 < shares.iloc[0] < 1


def _unequal(context: Context, rows: Frame) -> list[Finding]:
    """Find equal answers with both values of a binary reward, where correctness does not tell them apart."""
    limits = context.thresholds
    said = rows[(rows["num_chars"] > 0) & (rows["num_tool_calls"] == 0)]
    if rows["reward"].nunique() != 2 or len(said) < limits.min_rows or _are_compared(rows):
        return []
    said = said.assign(format_ok=said["format_ok"].fillna(-1.0))
    found = repeated_answers((said, ["problem_id", "response_hash", "heard", "is_truncated", "format_ok"], "reward"))
    if not found.is_many(limits):
        return []
    message = (
        f"{found.odd} of {found.attempts} attempts with a repeated answer are paid otherwise than most of their "
        f"answer, at {len(found.flaky)} answers: make the grader deterministic"
    )
    numbers = {"flaky": len(found.flaky), "repeated": len(found.table)}
    shown = said[said["problem_id"].isin(found.flaky.index)]
    limit_names = ("flaky_answers", "limit_alpha")
    return [context.finding("flaky_grading", "critical", message, numbers, limit_names, shown)]
