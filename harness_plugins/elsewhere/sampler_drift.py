"""Weights that are never synced: logprobs of sampler and trainer part, or one policy samples to the end.

1. Two columns of logprobs start within 0.1 nats a token of each other and part over the run. A column holds logprobs
   where its name says so, or where it agrees with another one row by row in the first steps. Reference policies move
   away in healthy runs too, so columns of a reference (ref, base, initial, frozen) are left out by their name.
2. The policy that rows name changes in the first steps and never again. Where weights are sent every few steps, names
   last equally long; the last one may last four times as long as any before, and half of the run.
3. A column of the lag of the sampling policy, or of its version, falls behind ever more, in all attempts or in those of
   one machine. A steady lag is asynchronous sampling.
4. Columns that name sampler and trainer, each by a word of its own, differ by as much as sampling and training never do
   with the same weights. Any two columns that agree, but for a few steps in a row in which they differ ten times as
   much, are those of one policy with other weights for a while.
"""

from itertools import combinations

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, measured, outside_columns
from evotrainer.diagnosis.texts.named import LOGPROBS, SAMPLER, TRAINER, logprob_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"train_inference_mismatch": ("mean_logprob", "step"), "staleness": ("policy_lag", "step")}

_SAME = 0.1
_SUMMED = 10.0
_AGREES = 0.1
"""Share of a column's variance that may stand in its difference to another one of the same logprobs."""
_MIN_FROZEN, _LONGER = 4, 4
_MAX_MACHINES = 64
_TIMES_USUAL, _MIN_APART = 10.0, 2
_BEHIND, _MORE = 4.0, 2.0
"""Steps behind in the end, and more than at first, from which a lag is no plan."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where two columns of logprobs part over the run, and where the policy stays the same."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    pairs = [
        pair for pair in combinations(logprob_columns(rows), 2) if all(map(_is_named, pair)) or _agree(rows, *pair)
    ]
    parted = [
        found
        for pair in pairs
        for found in _parted(context, rows, *pair) or _apart(context, rows, *pair) or _for_a_while(context, rows, *pair)
    ]
    return Diagnosis(findings=[*parted[:1], *(_frozen(context, rows) or _falls_behind(context, rows))])


def _is_named(name: str) -> bool:
    return LOGPROBS.search(name) is not None


def _agree(rows: Frame, one: str, other: str) -> bool:
    """Tell whether two columns hold the same quantity, row by row within a step, in the first third of steps."""
    early = rows.loc[rows["step"] <= rows["step"].quantile(1 / 3), ["step", one, other]].astype(float).dropna()
    if len(early) < 2 or early[[one, other]].nunique().min() < len(early) / 2:
        return False
    within = early[[one, other]] - early.groupby("step")[[one, other]].transform("mean")
    return float((within[one] - within[other]).var()) <= _AGREES * float(within.var().min())


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


def _apart(context: Context, rows: Frame, one: str, other: str) -> list[Finding]:
    """Find columns of sampler and trainer that differ from the beginning."""
    limits, roles = context.thresholds, [(bool(SAMPLER.search(n)), bool(TRAINER.search(n))) for n in (one, other)]
    gap = (rows[one].astype(float) - rows[other].astype(float)).abs().dropna()
    if sorted(roles) != [(False, True), (True, False)] or len(gap) < limits.min_rows:
        return []
    # Sums over tokens are no nats a token.
    if rows[one].astype(float).median() < -_SUMMED or gap.median() < limits.ratio_drift:
        return []
    names = [name.removeprefix(EXTRA_PREFIX) for name in (one, other)]
    message = (
        f"{names[0]} and {names[1]} differ by {gap.median():.2f} nats a token (limit {limits.ratio_drift:g}): sampler "
        "and trainer use other weights, another precision or another template"
    )
    shown = rows.loc[gap.sort_values(ascending=False, kind="stable").index]
    numbers = {"gap": float(gap.median())}
    return [context.finding("train_inference_mismatch", "critical", message, numbers, ("ratio_drift",), shown)]


def _for_a_while(context: Context, rows: Frame, one: str, other: str) -> list[Finding]:
    """Find steps in a row in which two columns of logprobs differ, and others in which they agree."""
    limits, names = context.thresholds, [name.removeprefix(EXTRA_PREFIX) for name in (one, other)]
    gap = (rows[one].astype(float) - rows[other].astype(float)).abs().dropna()
    if rows[one].astype(float).median() < -_SUMMED:
        return []
    by_step = gap.groupby(rows.loc[gap.index, "step"]).median()
    usual = float(by_step.median())
    apart = by_step[(by_step >= limits.ratio_drift) & (by_step >= _TIMES_USUAL * usual)]
    places = np.flatnonzero(by_step.index.isin(apart.index))
    if len(places) < _MIN_APART or np.diff(places).max() > 1:
        return []
    since = int(apart.index[0])
    message = (
        f"{names[0]} and {names[1]} differ by {apart.median():.2f} nats a token in steps {since} to "
        f"{apart.index[-1]:g}, and by {usual:.3f} in most others: the sampler has other weights there, see what was "
        f"loaded before step {since}"
    )
    numbers = {"gap": float(apart.median()), "usual": usual, "since": since, "steps": len(apart)}
    shown = rows[rows["step"].isin(apart.index)]
    return [context.finding("train_inference_mismatch", "warning", message, numbers, ("ratio_drift",), shown)]


def _falls_behind(context: Context, rows: Frame) -> list[Finding]:
    lags = measured(rows, "policy_lag")
    lags |= {name: rows["step"] - values for name, values in measured(rows, "policy_version").items()}
    lags = {name: lag for name, lag in lags.items() if not (lag < 0).any()}
    for name, lag in lags.items():
        for part, of_machine in [(rows, ""), *_machines(rows)]:
            found = trend(part.assign(_lag=lag[part.index]), "_lag", context.thresholds.min_groups)
            if found is None or found.late < _BEHIND or found.late - found.early < _MORE:
                continue
            if found.z < z_limit(context.thresholds.alpha) or not _still_grows(part["step"], lag[part.index]):
                continue
            message = (
                f"by {name}, the sampling policy{of_machine} lies {found.early:.1f} steps behind at first and "
                f"{found.late:.1f} in the end: rollouts get stale, see that weights arrive and limit how far sampling "
                "may run ahead"
            )
            numbers = {"early": found.early, "late": found.late, "z": found.z}
            shown = part.assign(_lag=lag[part.index]).sort_values("_lag", ascending=False, kind="stable")
            return [context.finding("staleness", "warning", message, numbers, ("alpha",), shown)]
    return []


def _machines(rows: Frame) -> list[tuple[Frame, str]]:
    """Return the attempts with each value of columns of a few values, and how to name it."""
    found = []
    for name in outside_columns(rows):
        values = rows[name].dropna()
        if 2 <= values.nunique() <= _MAX_MACHINES and not values.map(lambda value: isinstance(value, float)).any():
            label = name.removeprefix(EXTRA_PREFIX)
            found += [(rows[rows[name] == value], f" of {label} {str(value)[:40]}") for value in sorted(set(values))]
    return found


def _still_grows(step: Frame, lag: Frame) -> bool:
    """Tell whether a lag grows in the second half of the run too: sampling that runs ahead reaches its lag early."""
    half, last = float(step.median()), float(step.quantile(0.75))
    middle = lag[(step >= half) & (step < last)]
    return bool(len(middle)) and float(lag[step >= last].mean() - middle.mean()) >= _MORE / 4


def _frozen(context: Context, rows: Frame) -> list[Finding]:
    """Find a policy that samples far longer than any before it, to the end of the run."""
    named = rows[rows["policy_id"].notna() & (rows["policy_id"] != "")]
    if len(named) < context.thresholds.min_rows:
        return []
    newest = named.groupby("step")["policy_id"].agg(lambda names: names.mode().iloc[0])
    starts = np.flatnonzero((newest != newest.shift()).to_numpy())
    lengths = np.diff(np.append(starts, len(newest)))
    if len(lengths) < 2 or lengths[-1] < max(_MIN_FROZEN, _LONGER * lengths[:-1].max(), len(newest) / 2):
        return []
    since, name = int(newest.index[starts[-1]]), str(newest.iloc[-1])
    message = (
        f"policy {name[:40]} samples from step {since} to the end, {lengths[-1]} of {len(newest)} steps, and none "
        f"before it more than {lengths[:-1].max()}: new weights no longer reach the sampler"
    )
    numbers = {"steps": int(lengths[-1]), "steps_before": int(lengths[:-1].max())}
    return [context.finding("staleness", "critical", message, numbers, ("min_rows",), named[named["step"] >= since])]
