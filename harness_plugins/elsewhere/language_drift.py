"""Answers that leave the script or language of their prompt over the run: the policy reasons in another language.

Mixing of languages is common in training with a reward on the answer alone, and nobody asked for it. Counted is the
share of an answer's letters in scripts that its prompt does not use (texts/scripts.py). Languages of the Latin script
are told by their function words (texts/languages.py). An answer is in another one where its question tells its own;
else where hardly any question, and hardly any answer of the first steps, is in it.

Questions in one language may ask for another one: translations. There the language of most first answers is what is
asked for. And attempts at one question must part: a question that asks for a third language gets it from all of them.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"language_drift": ("num_chars", "step")}

_RARE, _RISE = 0.2, 0.1
_MET = 0.1
"""Share of questions, or of the first answers, from which a language is one of the evidence."""
_PARTS = 0.2
"""Share of the groups with answers in a third language whose other answers are in the one that is asked for."""
_MIXED = 0.2
"""Share of an answer's letters in other scripts from which it is mixed."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where answers in other scripts spread."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    is_mixed = (rows["other_scripts"] >= _MIXED) | _is_other(rows)
    found = trend(rows.assign(_mixed=is_mixed.astype(float)), "_mixed", limits.min_groups)
    if found is None or found.early > _RARE or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return Diagnosis()
    message = (
        f"answers in scripts or languages that their prompts do not use went from {found.early:.0%} to "
        f"{found.late:.0%} over the run: the policy changes its language"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    shown = rows[is_mixed].sort_values("step", ascending=False, kind="stable")
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
