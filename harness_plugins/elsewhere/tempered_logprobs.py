"""Logprobs of the same tokens that a temperature tells apart: the sampler's before it, the trainer's after it.

Divided by a temperature other than 1, logits give other logprobs. Where one side reports them before it, both columns
rise and fall together from row to row, and one lies above the other in nearly all of them, from the first step on. So
ratios of both are far from 1 though the weights are the same. One column names sampler or trainer, and the other the
logprobs alone; the logprobs that messages hold are the sampler's where another column is the trainer's. Where both
sides have a column with their name, these are compared elsewhere, as are those that part over the run.

Healthy runs hold columns that lie apart too. Sums over tokens and means of them differ by a factor that follows the
length. Two bases of logarithms differ by one factor in all rows. A reference has other weights, and a judge's or a
single token's logprobs do not rise and fall with those of the whole reply. Rounding and older weights give less.
"""

import re
from itertools import combinations

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.named import LOGPROBS, SAMPLER, TRAINER, logprob_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"train_inference_mismatch": ("extra",)}

_OF_MESSAGES = "mean_logprob"
_PLAIN = re.compile(
    r"(?:mean|avg|average|sampled|token|policy|response|completion|action|per|log|probs?|logps?|s|_)+", re.I
)
_TEMPERATURE = re.compile(r"(?:^|[_.])temp(?:erature)?$", re.I)
_TOGETHER, _ONE_SIDE = 0.5, 0.9
"""Correlation of both columns within steps, and the share of rows in which the same one is the larger."""
_SUMMED, _FOLLOWS_LENGTH, _ONE_FACTOR = 8.0, 0.5, 0.01
"""Factors between columns: of sums; their correlation with the length; their spread where they are one."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first pair of columns that lie apart from the first step on and rise and fall together."""
    rows = context.with_texts(graded(context.training))
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    columns = [name for name in logprob_columns(rows) if LOGPROBS.search(name)]
    if all(any(side.search(name) for name in columns) for side in (SAMPLER, TRAINER)):
        return Diagnosis()
    pairs = [pair for pair in combinations(columns, 2) if _is_pair(*pair)]
    return Diagnosis(findings=next(filter(None, (_apart(context, rows, *pair) for pair in pairs)), []))


def _is_pair(one: str, other: str) -> bool:
    """Tell whether one column names a side, and the other none or, for what messages hold, the trainer."""
    sides = [SAMPLER.search(name) is not None or TRAINER.search(name) is not None for name in (one, other)]
    if sum(sides) != 1:
        return False
    plain = other if sides[0] else one
    return plain == _OF_MESSAGES or _PLAIN.fullmatch(plain.removeprefix(EXTRA_PREFIX).rsplit(".", 1)[-1]) is not None


def _apart(context: Context, rows: Frame, one: str, other: str) -> list[Finding]:
    limits = context.thresholds
    both = rows.loc[rows[one].notna() & rows[other].notna(), ["step", "num_chars"]]
    first, second = (rows.loc[both.index, name].astype(float) for name in (one, other))
    if len(both) < limits.min_rows or not _is_of_same_tokens(both, first, second):
        return []
    gap = first - second
    steps = gap.groupby(both["step"]).median()
    side = float(np.sign(gap.median()))
    if (np.sign(gap) == side).mean() < _ONE_SIDE or (side * steps).min() < limits.ratio_drift:
        return []
    names = [name.removeprefix(EXTRA_PREFIX) for name in (one, other)]
    low, high = names if side < 0 else reversed(names)
    message = (
        f"{low} lies {abs(gap.median()):.2f} nats a token below {high} from the first step on (limit "
        f"{limits.ratio_drift:g}), and both rise and fall together{_temperature(rows)}: one is of before the sampling "
        "temperature or of other weights, so ratios of both are far from 1"
    )
    numbers = {"gap": float(abs(gap.median())), "least_of_a_step": float((side * steps).min())}
    shown = rows.loc[(side * gap).sort_values(ascending=False, kind="stable").index]
    return [context.finding("train_inference_mismatch", "warning", message, numbers, ("ratio_drift",), shown)]


def _is_of_same_tokens(both: Frame, first: Frame, second: Frame) -> bool:
    """Tell whether two columns hold nats a token of the same tokens, by how they rise and fall within steps."""
    factor = (first / second.where(second < 0)).dropna()
    if factor.empty or not 1 / _SUMMED < float(factor.median()) < _SUMMED:
        return False
    if abs(correlation(factor, both.loc[factor.index, "num_chars"].astype(float))) >= _FOLLOWS_LENGTH:
        return False
    if float(factor.std()) <= _ONE_FACTOR * abs(float(factor.mean())):
        return False
    within = [values - values.groupby(both["step"]).transform("mean") for values in (first, second)]
    return correlation(*within) >= _TOGETHER


def _temperature(rows: Frame) -> str:
    """Return the temperature that a column tells, where it is one number and not 1."""
    for name in map(str, rows.columns):
        if name.startswith(EXTRA_PREFIX) and _TEMPERATURE.search(name.removeprefix(EXTRA_PREFIX)):
            values = set(rows[name].dropna())
            if len(values) == 1 and isinstance(value := values.pop(), float) and value != 1.0:
                return f" (`{name.removeprefix(EXTRA_PREFIX)}` is {value:g})"
    return ""
