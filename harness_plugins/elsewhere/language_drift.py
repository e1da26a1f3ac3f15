"""Answers that leave the script or language of their prompt over the run: the policy reasons in another language.

Mixing of languages is common in training with a reward on the answer alone, and nobody asked for it. Counted is the
share of an answer's letters in scripts that its prompt does not use (texts/scripts.py). Languages of the Latin script
are told by their function words (texts/languages.py). An answer is in another one where its question tells its own;
else where hardly any question, and hardly any answer of the first steps, is in it.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"language_drift": ("num_chars", "step")}

_RARE, _RISE = 0.2, 0.1
_MET = 0.1
"""Share of questions, or of the first answers, from which a language is one of the evidence."""
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
    early = own[rows["step"] <= rows["step"].quantile(1 / 3)]
    shares = pd.concat([part.value_counts(normalize=True) for part in (asked, early)])
    met = set(shares[shares >= _MET].index)
    return (own != "") & (((asked != "") & (own != asked)) | ((asked == "") & ~own.isin(met)))
