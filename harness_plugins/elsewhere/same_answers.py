"""Equal answers of one group that are paid unequally: the grader does not know its own mind.

An answer is what a grader is given: a patch or a parsed answer that stands in a column, a program, the marked end of a
text. Where a binary reward follows it and yet pays one answer in both ways within groups, chance decides: a model that
compares, a port that is taken, a machine that is slow.

Healthy runs pay one answer unequally for another reason, and their texts show it: length, form, marks, language, turns
or a term of the reward tells paid attempts of an answer from unpaid ones. Where an answer is a part of what is graded
(the reasoning counts too), a wrong one is never paid. So patches and programs count by themselves; answers where a
second one of the group is paid, seldom, and not never. Another way of writing the best one is paid as often. Rewards of
several values hold partial credit, and pairs are shared out. Neither is judged.
"""

import re
from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of
from evotrainer.diagnosis.texts.extras import END_CHARS
from evotrainer.diagnosis.texts.gold import number_of
from evotrainer.diagnosis.texts.own_words import VALUE_CHARS
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"flaky_grading": ("reward", "group", "num_chars")}

_WORK = re.compile(r"(?:^|[_.])(?:(?:model_?|final_?|git_?|submitted_?|agent_?)?(?:patch|diff)|submission)$", re.I)
"""A name of the whole of what was handed in, whatever was done before."""
_ANSWER = re.compile(
    r"(?:^|[_.])(?:(?:parsed|extracted|predicted|submitted|model|pred)_?(?:answer|label|value|result|output)"
    r"|pred(?:iction)?s?|parsed|extracted|answer_?(?:parsed|extracted))$",
    re.I,
)
"""A name of the answer that a grader read from the text."""
_MANY, _MIN_CELLS, _MIN_ODD = 0.05, 6, 12
"""Share of unequal pay that slips of reading may bring, and the fewest answers and attempts that show more."""
_FOLLOWS, _TELLS, _DEVIATES = 0.15, 0.3, 3.0
"""Share of the spread of pay within groups that answers explain; a correlation with pay, and deviates of it, that
explain it away."""
_SECOND, _MIN_SECOND = 0.6, 8
"""Pay of a group's other answers as a share of that of its best, and paid attempts of such answers."""
_HALF, _NUMERIC = 0.5, 0.9
"""Pay of a best answer at least, and the share of answers that are numbers where they are compared as such."""
_COMMON = 0.05
"""Share of the attempts that a kind of text has, from which it may tell."""
_NUMBERS = ("num_chars", "num_tokens", "num_turns", "num_tool_calls", "reasoning_chars", "thought_chars", "behind_mark")
_FORMS = (
    "format_ok",
    "stop_reason",
    "is_marked",
    "open_mark",
    "closed_marks",
    "answer_form",
    "last_form",
    "first_form",
)
_WORDS = ("language", "main_script", "other_scripts", "first_words", "end_words", "as_json", "is_test_after_last_edit")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first sort of answer that is paid both ways."""
    rows = context.unequally_paid
    if rows.empty or rows["reward"].nunique() != 2:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool) & (rows["in_loss"] != 0.0)]
    rows = rows[rows.groupby("group")["reward"].transform("size") > 1]
    if rows.groupby("group")["reward"].mean().nunique() <= 1:
        return Diagnosis()
    rows = rows.assign(_paid=(rows["reward"] > rows["reward"].min()).astype(float))
    for name, known, answers, is_whole in _sorts(rows):
        found = _judge(context, rows[known].assign(_answer=answers[known]), name, is_whole)
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _sorts(rows: Frame) -> list[tuple[str, Frame, Frame, bool]]:
    """Return by its name what answers there are: which rows hold one, the answers, and whether they are all of it."""
    is_single = (rows["num_tool_calls"] == 0) & (rows["num_turns"] <= 1)
    found = []
    for column in map(str, rows.columns):
        name = column.removeprefix(EXTRA_PREFIX)
        is_work = _WORK.search(name) is not None
        if column.startswith(EXTRA_PREFIX) and (is_work or _ANSWER.search(name)):
            texts, is_known = _kept_texts(rows, column)
            found.append((f"`{name}`", is_known & (is_single | is_work), texts, is_work))
    programs = rows["program"].fillna("").astype(str)
    found.append(("program", is_single & (programs != ""), programs, True))
    is_end = is_single & (programs == "") & rows["is_marked"].astype(bool)
    numbers = rows["final_answer"].where(is_end, "").map(number_of)
    return [*found, ("", numbers.notna(), numbers.astype(str), False)]


def _kept_texts(rows: Frame, column: str) -> tuple[Frame, Frame]:
    """Return the values of a column as texts, and which of them are whole: of long texts the end alone is kept."""
    values = rows[column].where(rows[column].notna(), "").astype(str)
    ends = ends_of(rows, column).fillna("").astype(str)
    is_long = values.str.len() >= VALUE_CHARS
    texts = ends.where(is_long, values).str.strip()
    return texts, (texts != "") & (~is_long | (ends.str.len() < END_CHARS))


def _judge(context: Context, rows: Frame, name: str, is_whole: bool) -> list[Finding]:
    """Return a finding where one answer of a group is paid in both ways, and nothing in the texts says why."""
    cell = rows.groupby(["group", "_answer"])["_paid"]
    rows = rows.assign(_size=cell.transform("size"), _rate=cell.transform("mean"))
    again = rows[rows["_size"] > 1]
    odd = np.minimum(again["_rate"], 1 - again["_rate"])
    mixed, num_odd = again[odd > 0], round(float(odd.sum()))
    cells = mixed.groupby(["group", "_answer"]).ngroups
    if cells < _MIN_CELLS or num_odd < _MIN_ODD or mixed["group"].nunique() < _MIN_CELLS:
        return []
    if not significantly_above(num_odd, len(again), _MANY, context.thresholds.alpha) or _explained(rows) < _FOLLOWS:
        return []
    if not (is_whole or _is_second_paid(rows, name)) or _is_told(mixed, _terms(rows)):
        return []
    what = f"the same {name}" if name else "the same marked number"
    message = (
        f"{num_odd} of {len(again)} attempts that end with {what} as another of their group are paid otherwise than "
        f"most of these, at {cells} answers, and their texts do not say why: the grader answers by chance, make it "
        "deterministic and ask it again where it fails"
    )
    numbers = {"odd": num_odd, "repeated": len(again), "answers": cells, "follows": _explained(rows)}
    shown = mixed.sort_values(["group", "_answer", "_paid"], kind="stable")
    return [context.finding("flaky_grading", "warning", message, numbers, ("alpha",), shown)]


def _explained(rows: Frame) -> float:
    """Return how much of the spread of pay within groups answers explain; those given once in a group count as one."""
    shared = rows["_answer"].where(rows["_size"] > 1, "")
    cell = rows.groupby(["group", shared])["_paid"]
    group = rows["_paid"] - rows.groupby("group")["_paid"].transform("mean")
    total, left = float((group**2).sum()), float(((rows["_paid"] - cell.transform("mean")) ** 2).sum())
    groups, cells = rows["group"].nunique(), cell.ngroups
    if total == 0 or cells == groups or len(rows) <= cells:
        return 0.0
    return 1 - (left / (len(rows) - cells)) / (total / (len(rows) - groups))


def _is_second_paid(rows: Frame, name: str) -> bool:
    """Tell whether answers other than a group's best are paid too, and less often.

    Those that stand once count where a column holds numbers: no reading of a text, and no other words for the same.
    """
    best = rows.sort_values(["_size", "_rate"], kind="stable").groupby("group").tail(1).set_index("group")
    best = best[best["_rate"] > _HALF]
    rows = rows[rows["group"].isin(best.index)]
    numbers = rows["_answer"].map(number_of)
    is_best = rows["_answer"] == rows["group"].map(best["_answer"])
    if name and numbers.notna().mean() >= _NUMERIC:
        others = rows[numbers.notna() & (numbers != rows["group"].map(best["_answer"].map(number_of)))]
        both_ways = others
    else:
        others = rows[~is_best & (rows["_size"] > 1)]
        both_ways = others[(others["_rate"] > 0) & (others["_rate"] < 1)]
    return (
        both_ways["_paid"].sum() >= _MIN_SECOND and others["_paid"].mean() < _SECOND * rows.loc[is_best, "_paid"].mean()
    )


def _is_told(mixed: Frame, terms: list[str]) -> bool:
    """Tell whether a sign of texts, or a term of the reward, tells paid attempts of an answer from others."""
    keys = [mixed["group"], mixed["_answer"]]
    paid, freedom = mixed["_paid"] - mixed["_rate"], len(mixed) - mixed.groupby(["group", "_answer"]).ngroups
    least = max(_TELLS, _DEVIATES / freedom**0.5)
    for values in _signs(mixed, terms):
        off = values - values.groupby(keys).transform("mean")
        scale = float(np.sqrt((off**2).sum() * (paid**2).sum()))
        if scale > 0 and abs(float((off * paid).sum())) >= least * scale:
            return True
    return False


def _terms(rows: Frame) -> list[str]:
    """Return the terms of the reward that are not the reward again."""
    terms = [name for name in map(str, rows.columns) if name.startswith(TERM_PREFIX) and rows[name].notna().any()]
    return [name for name in terms if rows.groupby("_paid")[name].nunique().max() > 1]


def _signs(mixed: Frame, terms: list[str]) -> Iterator[Frame]:
    """Yield numbers that may tell why one answer is paid and not: of texts by their rank, kinds of texts one by one."""
    for name in filter(mixed.columns.__contains__, (*_NUMBERS, *terms)):
        yield mixed[name].astype(float).fillna(0.0).rank()
    for name in filter(mixed.columns.__contains__, (*_FORMS, *_WORDS)):
        values = mixed[name].where(mixed[name].notna(), "").astype(str)
        shares = values.value_counts(normalize=True)
        yield from ((values == value).astype(float) for value in shares.index[shares.between(_COMMON, 1 - _COMMON)])
