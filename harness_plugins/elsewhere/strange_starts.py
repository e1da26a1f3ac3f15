"""First observations of another episode: the state that a tool shows is not the one that the prompt tells.

Words and numbers that a few prompts hold are what is special of a problem: a number of stones, a name, a room. Where
the first answer of a tool repeats those of its prompt, it shows the state that was told. Where the same call at the
same problem is answered in the same sentence with others in their place, another episode's state is shown.

Worlds drawn by chance repeat what the prompt tells as often at other problems, so answers are held against the prompts
of these. What is measured near the told number (a clock, a thermometer) follows it from problem to problem: it is not
judged. Neither are long answers, and sentences that never repeat the prompt: they tell something else.
"""

import math
from collections import Counter
from typing import Any

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, graded, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"leftover_state": ("num_tool_calls", "group")}

_MIN_PROBLEMS, _MIN_TOLD, _MIN_OTHERS = 5, 10, 10
_SPECIAL, _LEAST, _LEAST_OTHERS, _BY_CHANCE = 0.25, 0.2, 0.05, 0.1
"""Largest share of prompts that hold a special word; least shares of answers that repeat their prompt's, and that do
not; largest share that repeats those of another prompt."""
_FOLLOWS = 0.05
"""Chance below which numbers of other answers rise with the told one."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where a part of first answers shows another state than the prompt tells."""
    rows = context.with_texts(graded(context.rows))
    if rows.empty or "first_words" not in rows:
        return Diagnosis()
    rows = rows[(rows["first_words"] != "") & ~(rows["machine_share"] > 0)]
    if rows["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    rows = _compared(rows)
    others = rows[~rows["is_told"] & rows["meets_told"]]
    told = rows[rows["is_told"]]
    if len(told) < _MIN_TOLD or len(others) < _MIN_OTHERS or others["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    share, by_chance = float(rows["is_told"].mean()), float(rows["by_chance"].mean())
    if share < _LEAST or len(others) < _LEAST_OTHERS * len(rows) or by_chance > _BY_CHANCE:
        return Diagnosis()
    if not significantly_above(len(told), len(rows), by_chance, context.thresholds.alpha) or _follow(told, others):
        return Diagnosis()
    message = (
        f"the first answer of a tool repeats what the prompt tells of the state in {len(told)} attempts, and in "
        f"{len(others)} others at {others['problem_id'].nunique()} of the same problems it says something else in the "
        f"same words ({by_chance:.0%} repeat the prompt of another problem): episodes see the state of others, make an "
        "environment for each"
    )
    numbers = {"told": len(told), "others": len(others), "by_chance": by_chance}
    return Diagnosis(findings=[context.finding("leftover_state", "warning", message, numbers, ("alpha",), others)])


def _compared(rows: Frame) -> Frame:
    """Return rows whose first answer has a sentence that repeats the prompt somewhere, and whether it does so there."""
    prompts = rows.groupby("problem_id")["prompt_words"].first().map(lambda words: frozenset(words.split(" ")))
    counts = Counter(word for words in prompts for word in words)
    most = max(1.0, _SPECIAL * len(prompts))
    special = {word for word, count in counts.items() if count <= most}
    neighbours = dict(zip(prompts.index, [*prompts[1:], prompts.iloc[0]], strict=True))
    pairs = {text: _slots(text, special) for text in rows["first_words"].unique()}
    asked = {text: frozenset(text.split(" ")) for text in rows["prompt_words"].unique()}
    slots: list[frozenset[str]] = [pairs[text][0] for text in rows["first_words"]]
    rows = rows.assign(
        form=rows["first_words"].map(lambda text: pairs[text][1]),
        is_told=[one <= asked[text] for one, text in zip(slots, rows["prompt_words"], strict=True)],
        by_chance=[one <= neighbours[name] for one, name in zip(slots, rows["problem_id"], strict=True)],
        slots=slots,
    )
    rows = rows[rows["slots"].map(bool)]
    forms = rows.loc[rows["is_told"], "form"].unique()
    rows = rows[rows["form"].isin(forms)]
    meets = rows.groupby(["problem_id", "first_call"])["is_told"].transform("any")
    return rows.assign(meets_told=meets.astype(bool))


def _slots(text: str, special: set[str]) -> tuple[frozenset[str], str]:
    """Return the special words and the numbers of an answer, and the answer without them."""
    words = text.split(" ")
    held = [word in special or word[0].isdigit() for word in words]
    kept = frozenset(word for word, is_slot in zip(words, held, strict=True) if is_slot)
    return kept, " ".join("#" if is_slot else word for word, is_slot in zip(words, held, strict=True))


def _follow(told: Frame, others: Frame) -> bool:
    """Tell whether the numbers of other answers rise with those that are told at the same problem."""
    known = told.groupby("problem_id")["slots"].first().map(_number)
    pairs: Frame = pd.DataFrame({"told": others["problem_id"].map(known), "shown": others["slots"].map(_number)})
    pairs = pairs.dropna()
    if len(pairs) < _MIN_OTHERS or pairs["told"].nunique() < 3 or pairs["shown"].nunique() < 2:
        return False
    found: Any = scipy.stats.spearmanr(pairs["told"], pairs["shown"], alternative="greater")
    return bool(found.pvalue < _FOLLOWS)


def _number(slots: frozenset[str]) -> float:
    """Return the largest number among words; NaN for none."""
    return max((float(word) for word in slots if word[0].isdigit()), default=math.nan)
