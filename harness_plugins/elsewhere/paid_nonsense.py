"""Answers without content that are paid: empty ones, signs at random, one phrase over and over, the question again.

Nonsense lies far below the language of the evidence (texts/odd_text.py): under three interquartile ranges below the
first quartile of the first third of steps, and a nat a sign below its median. A text that is mostly of one script other
than Latin is compared with the first third's texts of that script, where it has enough of them; scripts without an
alphabet or without spaces between words are not judged, since few texts show few of their pairs of signs. A text of one
environment of several (its domain, or a column that names its source) is compared with the first third's texts of that
environment. Where they are too few it is compared with all, unless its environment came up later: it is not judged
then. Where the first third holds nonsense too, the others of its group tell it: a nat a sign below their median, with
hardly a word that the evidence knows, which knows theirs. A text in a language that few of the first third are in is
another language, not nonsense, and so is one whose words others say. Nonsense is paid where it earns no less than the
other attempts at its problem, and more than the least reward.
"""

import numpy as np
import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import environment_columns
from evotrainer.diagnosis.texts.scripts import WITHOUT_ALPHABET
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("num_chars", "reward")}

_FENCE = 3.0
_NATS = 1.0
_SOME, _MANY = 10, 40
"""Texts of the first third from which its language is known: in Latin script, which prompts mostly hold, and others.

Of an environment among several as many are needed as of a script.
"""
_KNOWN = 0.5
"""Share of its words that the evidence knows, from which a text is none of signs at random."""
_UNHEARD, _HEARD = 0.2, 0.8
"""Shares of known words: of nonsense among others of its group, and of these."""
_SPOKEN = 0.2
"""Share of the first third's texts from which their language is usual."""
_CAME_UP = 0.5
"""Share of an environment in the first third against its share in all, below which it came up later."""
_FEW = 0.9
"""Share of empty answers from which texts were not recorded at all."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for each kind of nonsense that is paid."""
    rows = context.with_texts(context.graded)
    rows = rows[rows["reward"].notna()]
    if len(rows) < context.thresholds.min_rows or rows["is_empty"].mean() > _FEW:
        return Diagnosis()
    kinds = {
        "are empty": rows["is_empty"].astype(bool),
        "leave the place of the answer empty": rows["leaves_empty"].astype(bool),
        "repeat one phrase over and over": rows["is_degenerate"].astype(bool),
        "say their question again, and little else": rows["repeats_question"].astype(bool),
        "are signs without sense, unlike any text before": _is_odd(rows),
    }
    found = [_judge(context, rows, marked, what) for what, marked in kinds.items()]
    return Diagnosis(findings=[finding for findings in found for finding in findings])


def _is_odd(rows: Frame) -> Frame:
    """Tell which texts are far less likely than those of the first third that are in their script and environment."""
    steps, environments = np.sort(rows["step"].unique()), _environments(rows)
    is_early = rows["step"].isin(steps[: max(1, len(steps) // 3)])
    early_share = is_early.groupby(environments).mean()
    came_up = set(early_share.index[early_share < _CAME_UP * is_early.mean()])
    known = rows[is_early & rows["likelihood"].notna()]
    limits: Frame = pd.Series(-np.inf, index=rows.index)
    for (script, environment), part in rows.groupby(["main_script", environments]):
        alike = known[known["main_script"] == script]
        own = alike[environments[alike.index] == environment]
        if script in WITHOUT_ALPHABET or (environment in came_up and len(own) < _MANY):
            continue
        is_one_of_several = len(early_share) > 1 and len(own) >= _MANY
        limits[part.index] = _limit((own if is_one_of_several else alike)["likelihood"], _MANY if script else _SOME)
    spoken = rows.loc[is_early, "language"].value_counts(normalize=True)
    is_usual = (rows["language"] == "") | rows["language"].isin(spoken.index[spoken >= _SPOKEN])
    is_unlike = (rows["likelihood"] < limits) & (rows["known_words"].fillna(0.0) < _KNOWN)
    return is_usual & (is_unlike | _is_alone(rows))


def _is_alone(rows: Frame) -> Frame:
    """Tell which texts are unlike those of their group, in the script that most of it is in."""
    known = rows["known_words"].fillna(0.0)
    middle = rows["likelihood"].groupby(rows["group"]).transform("median")
    theirs = known.groupby(rows["group"]).transform("median")
    script: Frame = rows.groupby("group")["main_script"].transform(lambda scripts: scripts.mode().iloc[0])
    is_far = (rows["likelihood"] < middle - _NATS) & (known < _UNHEARD) & (theirs >= _HEARD)
    return is_far & (rows["main_script"] == script)


def _environments(rows: Frame) -> Frame:
    """Return the environment of each row: its domain, or where that is one, what a column names it; else nothing."""
    for name in environment_columns(rows):
        if name == "domain" or rows.groupby("problem_id")[name].nunique(dropna=False).max() == 1:
            return rows[name].astype(str).rename("_environment")
    return pd.Series("", index=rows.index, name="_environment")


def _limit(known: Frame, least: int) -> float:
    """Return the likelihood below which a text is nonsense, from those of a language; none where they are too few."""
    if len(known) < least:
        return -np.inf
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    return float(min(low - _FENCE * (high - low), middle - _NATS))


def _judge(context: Context, rows: Frame, marked: Frame, what: str) -> list[Finding]:
    limits, found = context.thresholds, rows[marked]
    if len(found) < limits.invalid_rows or not significantly_above(
        len(found), len(rows), limits.caught_cheats, limits.limit_alpha
    ):
        return []
    others = rows[~marked].groupby("problem_id")["reward"].mean()
    beside = found["problem_id"].map(others).fillna(rows["reward"].mean())
    paid = found[(found["reward"] > rows["reward"].min()) & (found["reward"] >= beside)]
    if len(paid) < max(limits.invalid_rows, 0.5 * len(found)):
        return []
    message = (
        f"{len(paid)} of {len(found)} answers that {what} are paid as well as others at their problem, or better: the "
        "grader does not read answers"
    )
    numbers = {"paid": len(paid), "found": len(found), "mean_reward": float(found["reward"].mean())}
    limit_names = ("caught_cheats", "invalid_rows", "limit_alpha")
    return [context.finding("weak_verifier", "critical", message, numbers, limit_names, paid)]
