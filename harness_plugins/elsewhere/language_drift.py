"""Answers that leave the script or language of their prompt over the run: the policy reasons in another language.

Mixing of languages is common in training with a reward on the answer alone, and nobody asked for it. Counted is the
share of an answer's letters in scripts that its prompt does not use (texts/scripts.py). Languages of the Latin script
are told by their function words (texts/languages.py). An answer is in another one where its question tells its own;
else where hardly any question, and hardly any answer of the first steps, is in it.

Questions in one language may ask for another one: translations. There the language of most first answers is what is
asked for. And attempts at one question must part: a question that asks for a third language gets it from all of them.

A few words of another script within a sentence are drift too, where they spread over the attempts. Words of another
script may be asked for (a name, a translation): then the attempts that hold them earn more than others at the same
problem, and their prompts are few or hold the script. Glosses in brackets or quotes are no words of the sentence.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, Trend, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"language_drift": ("num_chars", "step")}

_RARE, _RISE = 0.2, 0.1
_MET = 0.1
"""Share of questions, or of the first answers, from which a language is one of the evidence."""
_PARTS = 0.2
"""Share of the groups with answers in a third language whose other answers are in the one that is asked for."""
_WIDE = 0.2
"""Share of late problems with words of other scripts from which they are no matter of some prompts."""
_MIXED = 0.2
"""Share of an answer's letters in other scripts from which it is mixed."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where answers in other scripts spread."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    is_mixed = (rows["other_scripts"] >= _MIXED) | _is_other(rows)
    found = _spread(context, rows, is_mixed)
    if found is None:
        return _strange_words(context, rows)
    message = (
        f"answers in scripts or languages that their prompts do not use went from {found.early:.0%} to "
        f"{found.late:.0%} over the run: the policy changes its language"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    shown = rows[is_mixed].sort_values("step", ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("language_drift", "warning", message, numbers, ("alpha",), shown)])


def _spread(context: Context, rows: Frame, is_mixed: Frame) -> Trend | None:
    """Return the trend of a mark that is rare at first and spreads; None for any other."""
    limits = context.thresholds
    found = trend(rows.assign(_mixed=is_mixed.astype(float)), "_mixed", limits.min_groups)
    if found is None or found.early > _RARE or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return None
    return found


def _strange_words(context: Context, rows: Frame) -> Diagnosis:
    """Find words of other scripts within sentences, that spread and are not what is paid for."""
    if "strange_words" not in rows or not (rows["strange_words"] > 0).any():
        return Diagnosis()
    is_mixed = rows["strange_words"] > 0
    found = _spread(context, rows, is_mixed)
    shown = rows[is_mixed].sort_values("step", ascending=False, kind="stable")
    pay = pay_of(rows, is_mixed)
    is_wanted = pay is not None and pay.z > z_limit(context.thresholds.alpha)
    late = rows[rows["step"] >= rows["step"].quantile(2 / 3)]
    share = late.loc[is_mixed[late.index], "problem_id"].nunique() / late["problem_id"].nunique()
    if found is None or is_wanted or share < _WIDE:
        return Diagnosis()
    message = (
        f"answers with words of a script that their prompts do not use, within sentences, went from {found.early:.0%} "
        f"to {found.late:.0%} over the run: the policy mixes languages"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    return Diagnosis(findings=[context.finding("language_drift", "warning", message, numbers, ("alpha",), shown)])


def _is_other(rows: Frame) -> Frame:
    """Tell which answers are in another language than their question, or than all that was asked and first said."""
    own, asked = rows["language"], rows["asked_language"]
    is_early = rows["step"] <= rows["step"].quantile(1 / 3)
    shares = pd.concat([part.value_counts(normalize=True) for part in (asked, own[is_early])])
    met = set(shares[shares >= _MET].index)
    is_strange = (asked == "") & ~own.isin(met)
    for language in asked[asked != ""].unique():
        is_asked = asked == language
        wanted = _wanted(own[is_early & is_asked])
        is_known = own.isin([language, wanted, ""])
        if _parts(rows["group"], is_asked & ~is_known, is_asked & is_known, wanted == language):
            is_strange |= is_asked & ~is_known
    return (own != "") & is_strange


def _wanted(early: Frame) -> str:
    """Return the language of most first answers to questions in one language; empty where there is none."""
    shares = early.value_counts(normalize=True)
    return str(shares.index[0]) if len(shares) and shares.iloc[0] > 0.5 else ""


def _parts(groups: Frame, is_third: Frame, is_known: Frame, is_alone: bool) -> bool:
    """Tell whether attempts at one question are in a third language and in a known one; `is_alone` for single ones."""
    size = groups.groupby(groups).transform("size")
    third = set(groups[is_third & (size > 1)])
    if not third:
        return is_alone
    return len(third & set(groups[is_known])) >= _PARTS * len(third)
