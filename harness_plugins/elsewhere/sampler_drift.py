"""Logprobs of the sampler against those of the trainer: weights that are never synced.

Any column of logprobs beside the sampler's is compared with it: it starts within 0.1 nats a token of it, and moves away
over the run. Reference policies move away in healthy runs too, so columns of a reference (ref, base, old reference) are
left out by their name.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"train_inference_mismatch": ("mean_logprob", "step")}

_REFERENCE = re.compile(r"ref|base|init|teacher|sft", re.I)
_NEGATIVE = 0.98
_SAME = 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where two columns of logprobs part over the run."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    columns = [name for name in rows.columns if _is_logprob(rows, str(name))]
    pairs = [(one, other) for place, one in enumerate(columns) for other in columns[place + 1 :]]
    return Diagnosis(findings=[found for pair in pairs for found in _parted(context, rows, *pair)][:1])


def _is_logprob(rows: Frame, name: str) -> bool:
    if name == "mean_logprob":
        return bool(rows[name].notna().any())
    if not name.startswith(EXTRA_PREFIX) or "prob" not in name.lower() or _REFERENCE.search(name):
        return False
    values = rows[name].dropna()
    is_number = values.map(lambda value: isinstance(value, float)).all()
    return bool(len(values) and is_number and (values.astype(float) <= 0).mean() >= _NEGATIVE)


def _parted(context: Context, rows: Frame, one: str, other: str) -> list[Finding]:
    limits = context.thresholds
    gaps = rows.assign(_gap=(rows[one].astype(float) - rows[other].astype(float)))
    found = trend(gaps, "_gap", limits.min_groups)
    if found is None or abs(found.early) > 2 * _SAME:
        return []
    moved = abs(found.late) - abs(found.early)
    if moved < limits.ratio_drift or abs(found.z) < z_limit(limits.alpha):
        return []
    names = [name.removeprefix(EXTRA_PREFIX) for name in (one, other)]
    message = (
        f"{names[0]} and {names[1]} part over the run, from {found.early:+.2f} to {found.late:+.2f} nats a token "
        f"(limit {limits.ratio_drift:g}): sync the weights of the sampler after each step"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = gaps.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
    return [
        context.finding("train_inference_mismatch", "critical", message, numbers, ("ratio_drift", "alpha"), examples)
    ]
