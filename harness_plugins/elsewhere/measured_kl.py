"""KL to the reference as rows record it: large before anything was learned, or without bound.

A policy that has not been updated is its own reference, so the KL of the first step is 0 up to noise. A large one there
means another reference: a stale checkpoint, another model. Over a run KL rises in healthy runs too. It is a finding
where it grows tenfold, beyond a nat a token, and the reward does not rise with it. A penalty that is 0 in each row,
with a coefficient above 0, is charged to nobody; one in the reward may be 0 where the coefficient is that of the loss.
So is a distance that is 0 to the digit over all steps, though the coefficient asks for one: the reference is the policy
itself. Columns are known by their names (texts/named.py).
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"kl_drift": ("kl", "step", "reward"), "kl_ineffective": ("kl", "kl_penalty", "kl_coefficient")}

_FIRST_STEPS = (0, 1)
_AT_START = 0.5
_MOVED = 0.05
"""KL from which a penalty should show."""
_MIN_STEPS = 3
"""Steps after the first in which no distance is none at all."""
_GREW, _FAR = 10.0, 1.0
"""Growth over the run, and nats a token, from which KL is no longer that of a policy near its reference."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first column of KL that starts far away, or leaves without gain."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    uncharged = _never_charged(context, rows) or _never_apart(context, rows)
    for name, values in _distances(rows).items():
        known = rows.assign(_kl=values.abs())
        if found := _starts_far(context, known, name) or _leaves(context, known, name):
            return Diagnosis(findings=uncharged + found)
    return Diagnosis(findings=uncharged)


def _distances(rows: Frame) -> dict[str, Frame]:
    """Return the columns of KL that hold distances: one value in all attempts is a setting, such as `use_kl_loss`."""
    return {name: values for name, values in measured(rows, "kl").items() if values.nunique() > 1}


def _never_charged(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where a configured penalty stays 0 although the policy is away from its reference."""
    far = {name: values for name, values in _distances(rows).items() if values.abs().mean() > _MOVED}
    weights = {name: values for name, values in measured(rows, "kl_coefficient").items() if (values > 0).all()}
    in_loss = any("loss" in name.lower() for name in weights)
    charged = {
        name: values
        for name, values in measured(rows, "kl_penalty").items()
        if values.notna().all() and not (in_loss and "reward" in name.lower())
    }
    if not far or not weights or not charged or any((values != 0).any() for values in charged.values()):
        return []
    (name, values), weight, penalty = next(iter(far.items())), next(iter(weights)), next(iter(charged))
    message = (
        f"{penalty} is 0 in all {len(rows)} attempts, though {weight} is {weights[weight].mean():.3g} and {name} "
        f"{values.mean():.3g} on average: the penalty reaches neither reward nor loss"
    )
    numbers = {"coefficient": float(weights[weight].mean()), "kl": float(values.mean())}
    return [context.finding("kl_ineffective", "critical", message, numbers, (), rows)]


def _never_apart(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where the distance from the reference stays 0 after the first steps of a run that learns."""
    late = rows[rows["step"] > rows["step"].min()]
    weights = [name for name, values in measured(rows, "kl_coefficient").items() if (values > 0).all()]
    still = [name for name, values in measured(late, "kl").items() if values.notna().all() and (values == 0).all()]
    moved = [name for name, values in measured(late, "kl").items() if (values.abs() > 0).any()]
    if not weights or not still or moved or late["step"].nunique() < _MIN_STEPS or rows["reward"].nunique() < 2:
        return []
    message = (
        f"{still[0]} is 0 in all {len(late)} attempts after the first step, though {weights[0]} asks for a small one: "
        "the reference is the policy itself, it must stay where training began"
    )
    return [context.finding("kl_ineffective", "warning", message, {"attempts": len(late)}, (), late)]


def _starts_far(context: Context, rows: Frame, name: str) -> list[Finding]:
    first = rows[rows["step"] == rows["step"].min()]
    value = float(first["_kl"].mean())
    if int(rows["step"].min()) not in _FIRST_STEPS or rows["step"].nunique() < 2 or not value > _AT_START:
        return []
    message = (
        f"{name} is {value:.2f} in the first step already, where a policy is its own reference: the reference is "
        "another checkpoint or model"
    )
    return [context.finding("kl_drift", "warning", message, {"first": value}, (), first)]


def _leaves(context: Context, rows: Frame, name: str) -> list[Finding]:
    limits = context.thresholds
    found, paid = trend(rows, "_kl", limits.min_groups), trend(rows, "reward", limits.min_groups)
    if found is None or paid is None or paid.z > limits.outcome_rise or found.z < z_limit(limits.alpha):
        return []
    if found.late < max(_FAR, _GREW * found.early):
        return []
    falls = paid.z < -z_limit(limits.alpha)
    message = (
        f"{name} rose from {found.early:.3g} to {found.late:.3g} over the run while the mean reward went from "
        f"{paid.early:.2f} to {paid.late:.2f}: the policy leaves its reference, lower the learning rate"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z, "reward_z": paid.z}
    examples = rows.sort_values("_kl", ascending=False, kind="stable")
    severity = "critical" if falls else "warning"
    return [context.finding("kl_drift", severity, message, numbers, ("alpha", "outcome_rise"), examples)]
