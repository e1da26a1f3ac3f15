"""Pay that depends on something an attempt did not choose: the side it was shown on, the judge it met, the machine.

What is assigned by chance is as common at each problem, in each part of the run and at each length of answer. What an
attempt earns or does (a verdict, a reason to stop) follows problem and policy. So a column counts as assigned where it
is independent of problem, step and length; a machine may serve some problems more than others, and is compared at each
one. It is a finding where, at the same problem, its values differ by half a
standard deviation of the reward. A value that decides the reward alone is no assignment but another name of it, and
what the policy wrote itself is its choice.

A machine whose attempts earn at first what others earn, and do not rise with them, samples from the weights of the
beginning.
"""

import math
import re

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, thirds, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"reward_bias": ("extra", "reward", "group"), "staleness": ("extra", "reward", "group", "step")}

_MAX_VALUES, _LEAST_SHARE, _MIN_VALUE_ROWS = 12, 0.05, 30
_INDEPENDENT = 0.01
"""Chance below which a column depends on problem, step or length."""
_WORTH = 0.5
_MACHINE = re.compile(
    r"replica|host|node|worker|engine|server|gpu|rank|machine|instance|pod(?:$|_)|device|sampler|actor|shard|endpoint",
    re.I,
)
_AT_REST, _SAME_START = 0.25, 0.5
"""Shares of the rise of others: below the first a machine does not learn, below the second it started as they did."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first column that was assigned and explains the reward."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    size = rows.groupby("group")["group"].transform("size")
    rows = rows[size >= 2]
    for name in outside_columns(rows):
        known = rows[rows[name].notna()]
        if _is_choice(known[name]) and _varies(known, name):
            found = _explains(context, known, name)
            if found and _is_assigned(known, name):
                return Diagnosis(findings=found)
    return Diagnosis()


def _is_choice(values: Frame) -> bool:
    counts = values.value_counts(normalize=True)
    if not 2 <= len(counts) <= _MAX_VALUES or counts.min() < _LEAST_SHARE:
        return False
    return bool(counts.min() * len(values) >= _MIN_VALUE_ROWS)


def _varies(rows: Frame, name: str) -> bool:
    """Tell whether attempts at one problem have several values."""
    return bool((rows.groupby("group")[name].nunique() > 1).mean() > 0.5)


def _is_assigned(rows: Frame, name: str) -> bool:
    steps = rows["step"].rank(method="dense", pct=True)
    third = (steps * 2.999).astype(int)
    length = rows["num_chars"].rank(method="first", pct=True)
    parts = [(length * 3.999).astype(int), rows["num_turns"], rows["is_truncated"]]
    if not _MACHINE.search(name.removeprefix(EXTRA_PREFIX)):
        parts += [rows["problem_id"], third]
    return all(_chance(part, rows[name]) > _INDEPENDENT for part in parts)


def _chance(part: Frame, value: Frame) -> float:
    """Return the chance of so uneven a table; of problems met once or twice their excess is a normal deviate."""
    table = pd.crosstab(part, value)
    if min(table.shape) < 2:
        return 1.0
    return float(scipy.stats.chi2_contingency(table, correction=False).pvalue)


def _explains(context: Context, rows: Frame, name: str) -> list[Finding]:
    spread = rows["reward"].std()
    centred = (rows["reward"] - rows.groupby("group")["reward"].transform("mean")) / spread
    by_value = centred.groupby(rows[name]).agg(["mean", "std", "size"])
    if (rows.groupby(name)["reward"].std() < 1e-9).all():
        return []
    best, worst = by_value["mean"].idxmax(), by_value["mean"].idxmin()
    gap = float(by_value.loc[best, "mean"] - by_value.loc[worst, "mean"])
    error = math.sqrt(sum(float(by_value.loc[v, "std"]) ** 2 / float(by_value.loc[v, "size"]) for v in (best, worst)))
    pairs = len(by_value) * (len(by_value) - 1) / 2
    if gap < _WORTH or gap < z_limit(context.thresholds.alpha / pairs) * error:
        return []
    means, column = rows.groupby(name)["reward"].mean(), name.removeprefix(EXTRA_PREFIX)
    stale = _stale(context, rows, name, worst) if _MACHINE.search(column) else []
    if stale:
        return stale
    message = (
        f"at the same problem, attempts with {column} {best} earn {means[best]:.3g} and those with {worst} "
        f"{means[worst]:.3g}, {gap:.1f} standard deviations apart, though it depends on neither problem nor answer: "
        "what it names is biased"
    )
    numbers = {"difference": gap, "best": float(means[best]), "worst": float(means[worst])}
    shown = rows[rows[name] == best].sort_values("reward", ascending=False, kind="stable")
    return [context.finding("reward_bias", "warning", message, numbers, ("alpha", "min_rows"), shown)]


def _stale(context: Context, rows: Frame, name: str, worst: object) -> list[Finding]:
    """Return a finding where attempts of one machine start as those of others and do not learn with them."""
    parts = thirds(rows)
    if parts is None:
        return []
    (was, was_others), (now, others) = (_means(part, name, worst) for part in parts)
    rise = others - was_others
    apart = trend(rows.assign(_gap=_gaps(rows, name, worst)), "_gap", context.thresholds.min_groups)
    if apart is None or apart.z > -z_limit(context.thresholds.alpha) or rise <= 0:
        return []
    if now - was > _AT_REST * rise or abs(was - was_others) > _SAME_START * rise or _is_dead(parts[1], name, worst):
        return []
    message = (
        f"attempts with {name.removeprefix(EXTRA_PREFIX)} {worst} earn {was:.3g} in the first third of steps and "
        f"{now:.3g} in the last, all others {was_others:.3g} and {others:.3g}: that machine samples from old weights"
    )
    numbers = {"early": was, "late": now, "others_early": was_others, "others_late": others}
    return [context.finding("staleness", "warning", message, numbers, ("alpha",), rows[rows[name] == worst])]


def _is_dead(rows: Frame, name: str, worst: object) -> bool:
    """Tell whether nothing is paid that comes from a machine: it fails then, and is not merely behind."""
    return bool(rows.loc[rows[name] == worst, "reward"].nunique() <= 1)


def _means(rows: Frame, name: str, worst: object) -> tuple[float, float]:
    is_worst = rows[name] == worst
    return float(rows.loc[is_worst, "reward"].mean()), float(rows.loc[~is_worst, "reward"].mean())


def _gaps(rows: Frame, name: str, worst: object) -> Frame:
    """Return what attempts of a machine earn more than others at the same problem; NaN for those of others."""
    others = rows["reward"].where(rows[name] != worst).groupby(rows["group"]).transform("mean")
    return (rows["reward"] - others).where(rows[name] == worst)
