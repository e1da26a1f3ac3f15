"""Weights that do not move: a learning rate or gradient of nothing, no token in the loss, the same probabilities.

A text that a policy writes again at the same problem has the same mean logprob only while the policy is the same. So
texts that recur over many steps with one logprob are proof. A learning rate below a billionth changes no weight of half
precision.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, measured
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"zero_gradient": ("learning_rate", "step")}

_NO_RATE = 1e-9
_MIN_RECURRING, _MIN_STEPS, _ALL = 20, 4, 0.95
_SAME, _SURE = 1e-6, 0.01
"""Difference of logprobs that are the same, and nats below which a text is certain under any policy."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for a rate of nothing, and for logprobs that stay."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or rows["step"].nunique() < _MIN_STEPS:
        return Diagnosis()
    return Diagnosis(findings=_nothing(context, rows) or _same_logprobs(context, rows) or _no_rate(context, rows))


def _nothing(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where no gradient or no token was measured at any step, though rewards vary."""
    empty = [
        name
        for measure in ("grad_norm", "loss_tokens")
        for name, values in measured(rows, measure).items()
        if (values == 0).all()
    ]
    if not empty or len(rows) < context.thresholds.min_rows or not rows["reward"].nunique() > 1:
        return []
    message = (
        f"{' and '.join(empty)} {'is' if len(empty) == 1 else 'are'} 0 in all {len(rows)} attempts: nothing is "
        "trained, look at the mask of the loss"
    )
    return [context.finding("zero_gradient", "critical", message, {"rows": len(rows)}, ("min_rows",), rows)]


def _no_rate(context: Context, rows: Frame) -> list[Finding]:
    for name, values in measured(rows, "learning_rate").items():
        late = values[rows["step"] >= rows["step"].quantile(2 / 3)].dropna()
        if len(late) and float(late.abs().max()) <= _NO_RATE:
            message = (
                f"{name} is at most {float(late.abs().max()):.2g} in the last third of steps: the policy is not "
                "trained, look at the schedule"
            )
            return [context.finding("zero_gradient", "warning", message, {"rate": float(late.max())}, (), rows)]
    return []


def _same_logprobs(context: Context, rows: Frame) -> list[Finding]:
    names = [str(name) for name in rows.columns if str(name).startswith(EXTRA_PREFIX) and "prob" in str(name).lower()]
    for name in ("mean_logprob", *names):
        known = rows[rows[name].map(lambda value: isinstance(value, float)) & (rows["num_chars"] > 0)]
        known = known.assign(_logprob=known[name].astype(float))
        known = known[known["_logprob"] < -_SURE]
        by_text = known.groupby(["problem_id", "response_hash"])
        table = by_text.agg(steps=("step", "nunique"), low=("_logprob", "min"), high=("_logprob", "max"))
        table = table[table["steps"] >= 2]
        is_same = table["high"] - table["low"] < _SAME
        if len(table) < _MIN_RECURRING or is_same.mean() < _ALL or known["_logprob"].nunique() < _MIN_RECURRING:
            continue
        message = (
            f"{int(is_same.sum())} of {len(table)} texts that recur at later steps have the same "
            f"{name.removeprefix(EXTRA_PREFIX)} as before: the policy did not change"
        )
        numbers = {"recurring": len(table), "same": float(is_same.mean())}
        return [context.finding("zero_gradient", "critical", message, numbers, (), known)]
    return []
