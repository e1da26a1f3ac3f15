"""A few prompts that make up much of a run, under whatever names.

Data sets that were joined or resampled hold some problems many times. A prompt counts as repeated where it has eight
times the attempts of the middle prompt, in training. Epochs meet all prompts equally often; games with one prompt for
all levels have no others.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"duplicate_problems": ("num_chars",)}

_TIMES, _MIN_OTHERS = 8.0, 20
_SHARE = 0.2


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where few prompts take a fifth of the attempts."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    counts = rows["asked"].value_counts()
    repeated = counts[counts >= _TIMES * counts.median()]
    share = float(repeated.sum() / len(rows))
    if share < _SHARE or len(counts) - len(repeated) < _MIN_OTHERS:
        return Diagnosis()
    found = rows[rows["asked"].isin(repeated.index)]
    message = (
        f"{len(repeated)} of {len(counts)} prompts make up {share:.0%} of attempts, under "
        f"{found['problem_id'].nunique()} names: take copies out of the data"
    )
    numbers = {"prompts": len(repeated), "share": share}
    shown = found.drop_duplicates("problem_id")
    return Diagnosis(findings=[context.finding("duplicate_problems", "warning", message, numbers, (), shown)])
