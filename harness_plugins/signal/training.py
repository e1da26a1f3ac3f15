"""Optimiser steps: what they move, on whose attempts, and which attempts never reach the loss."""

import math

import numpy as np
import pandas as pd
from scipy import special

from evotrainer.diagnosis import stats
from evotrainer.diagnosis.context import Context, Diagnosis, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import share
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import significantly_below, thirds
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity

_SIGNALS = ("entropy", "kl", "clip_fraction", "grad_norm", "mean_ratio", "kept_groups")
_MIN_STEPS = 3
"""Optimiser steps that have a first, a middle and a last one."""
_NOTHING = 1e-12
"""A gradient norm that is 0 in floating point."""


@hookimpl
def training_signals(context: Context) -> Diagnosis:
    """Return means over the last third of optimiser steps; nothing for evidence without signals."""
    if context.signals.empty:
        return Diagnosis()
    last = context.signals.tail(max(1, len(context.signals) // 3))
    return Diagnosis(known({**{name: last[name].mean() for name in _SIGNALS}, "num_steps": len(context.signals)}))


@hookimpl
def zero_gradient(context: Context) -> Diagnosis:
    """Return the share of steps without gradient or rows; warn above 5%, critical above half.

    The gradient norm shows it, not the loss value. Steps whose groups are all dead have no gradient either and count:
    they cost as much. A norm that is not finite is critical at once.
    """
    norm = context.signals["grad_norm"]
    judged = context.training[context.training["in_loss"].notna()]
    steps = {
        "zero_gradient_steps": (norm.abs() <= _NOTHING, "have a gradient of 0: they change nothing"),
        "masked_steps": (
            judged.groupby("step")["in_loss"].max() == 0.0,
            "have every row masked from the loss: they change nothing",
        ),
        "": (~np.isfinite(norm), "have a gradient norm that is not finite: lower the learning rate"),
    }
    findings = []
    for name, (is_idle, what) in steps.items():
        # Steps are not a sample: the share itself is compared, from two steps on.
        count, least = int(is_idle.sum()), LIMITS.zero_gradient
        if (count >= 2 and count > least * len(is_idle)) or (count and not name):
            severity: Severity = "critical" if count > len(is_idle) / 2 or not name else "warning"
            message = f"{count} of {len(is_idle)} optimiser steps {what}"
            numbers = {"steps": count, "share": count / len(is_idle)}
            findings.append(context.finding("zero_gradient", severity, message, numbers))
    return Diagnosis(known({name: is_idle.mean() for name, (is_idle, _) in steps.items() if name}), findings)


@hookimpl
def kl_ineffective(context: Context) -> Diagnosis:
    """Warn when KL is configured and measured as 0 after the policy has changed.

    It is then measured against the policy itself, or not at all. Whether the coefficient changes the gradient needs a
    replay on a fixed batch. The backtest does that; stored rows cannot.
    """
    if context.training_recipe is None or context.training_recipe.algorithm.kl_coefficient <= 0:
        return Diagnosis()
    coefficient = context.training_recipe.algorithm.kl_coefficient
    moved = context.signals[(context.signals["grad_norm"].shift(1).cummax() > 0) & context.signals["kl"].notna()]
    largest = float(moved["kl"].abs().max()) if len(moved) >= _MIN_STEPS else math.inf
    if largest > LIMITS.kl_moves:
        return Diagnosis()
    message = (
        f"the KL coefficient is {coefficient:g}, but the measured KL stayed at 0 over {len(moved)} steps: it is "
        "measured against the policy itself, or not at all"
    )
    numbers = {"kl_coefficient": coefficient, "largest_kl": largest, "steps": len(moved)}
    return Diagnosis(findings=[context.finding("kl_ineffective", "warning", message, numbers)])


@hookimpl
def staleness(context: Context) -> Diagnosis:
    """Return the share of rows sampled by an earlier policy; warn above the limit, critical above half.

    Rows name the policy that sampled them by its hash. Between steps with a gradient the hash must change. A step whose
    rows name the policy of an earlier step trains off-policy. One name for a whole run is no hash and says nothing.
    """
    rows = graded(context.training)
    rows = rows[rows["policy_id"].notna() & (rows["policy_id"] != "")]
    if rows["step"].nunique() < _MIN_STEPS or context.signals.empty or rows["policy_id"].nunique() < 2:
        return Diagnosis()
    moved = context.signals.set_index("step")["grad_norm"].abs() > _NOTHING
    updates = moved.groupby(level=0).max().cumsum().shift(1, fill_value=0)
    first = rows.groupby("policy_id")["step"].min()
    age = rows["step"].map(updates) - rows["policy_id"].map(first).map(updates)
    stale = float((age > 0).mean())
    metrics = known({"stale_rows": stale, "mean_row_age": age.mean()})
    if stale <= LIMITS.stale_rows:
        return Diagnosis(metrics)
    message = (
        f"{stale:.0%} of training rows (limit {LIMITS.stale_rows:.0%}) were sampled by a policy of earlier steps "
        f"({age.mean():.1f} updates old): sample anew at each step"
    )
    severity: Severity = "critical" if stale > 0.5 else "warning"
    shown = rows[age > 0].drop_duplicates("step")
    return Diagnosis(metrics, [context.finding("staleness", severity, message, metrics, shown)])


_FARTHEST = 50.0
"""Nats at which a ratio of 0 or infinity counts."""


@hookimpl
def train_inference_mismatch(context: Context) -> Diagnosis:
    """Return how far the mean importance ratio is from 1, in nats; critical where steps leave the range.

    It is 1 up to noise while trainer and sampler agree. Outside [0.5, 2] the update is that of another policy (failure
    modes, 31). A ratio that stays off 1 over the last third of the run is a warning: the two diverge, or the batch is
    used for too many updates.
    """
    ratio = context.signals["mean_ratio"].astype(float)
    ratio = ratio.dropna().clip(math.exp(-_FARTHEST), math.exp(_FARTHEST))
    if len(ratio) < _MIN_STEPS:
        return Diagnosis()
    distance = np.log(ratio).abs()
    late = float(distance.tail(max(_MIN_STEPS, len(ratio) // 3)).median())
    outside = int((distance > np.log(LIMITS.importance_ratio)).sum())
    metrics = known({"ratio_distance": late, "ratio_outside": outside / len(ratio)})
    if outside < 2 and late <= LIMITS.ratio_drift:
        return Diagnosis(metrics)
    severity: Severity = "critical" if outside >= 2 else "warning"
    message = (
        f"the mean importance ratio is off 1 by more than a factor of {LIMITS.importance_ratio:g} in {outside} of "
        f"{len(ratio)} optimiser steps, and by {late:.2f} nats at the end (limit {LIMITS.ratio_drift:g}): sampler and "
        "trainer use different policies"
    )
    numbers = {"steps": outside, **metrics}
    return Diagnosis(metrics, [context.finding("train_inference_mismatch", severity, message, numbers)])


@hookimpl
def over_filtering(context: Context) -> Diagnosis:
    """Return kept share and problem diversity; warn below 30% kept and below half the problems.

    Below 30% kept (failure modes, 25) a run pays for rollouts that it discards. The pool's size is not in the rows, so
    shrinkage is measured within the run: the distinct problems of the last third of steps against those of the first
    third, at an equal number of groups (rarefaction: Hurlbert 1971).
    """
    rows, findings = graded(context.training), []
    judged = rows[rows["in_loss"].notna()]
    used = judged[judged["in_loss"] > 0]
    kept, ratio = len(used) / max(len(judged), 1), _problem_ratio(used, LIMITS.min_groups)
    # Groups are kept or dropped as a whole, so they are the independent units.
    by_group = judged.groupby("group")["in_loss"].max() > 0
    count, total = int(by_group.sum()), len(by_group)
    is_little = significantly_below(count, total, LIMITS.kept_rows, LIMITS.limit_alpha)
    if total >= LIMITS.min_groups and kept < LIMITS.kept_rows and is_little:
        message = f"{count} of {total} groups reach the loss (limit {LIMITS.kept_rows:.0%} of rows): loosen the filter"
        findings.append(context.finding("over_filtering", "warning", message, {"kept_rows": kept}))
    if ratio is not None and ratio < LIMITS.unique_problems:
        message = (
            f"the last third of the run trained on {ratio:.0%} as many different problems as the first third (limit "
            f"{LIMITS.unique_problems:.0%}): loosen filter or curriculum"
        )
        findings.append(context.finding("over_filtering", "warning", message, {"unique_problem_ratio": ratio}))
    return Diagnosis(known({"kept_rows": kept if len(judged) else None, "unique_problem_ratio": ratio}), findings)


def _problem_ratio(rows: Frame, min_groups: int) -> float | None:
    """Return distinct problems among equally many groups, last third of steps over first third; None for few groups."""
    parts = thirds(rows)
    if parts is None:
        return None
    counts = [part.groupby("problem_id")["group"].nunique().to_numpy() for part in parts]
    drawn = int(min(count.sum() for count in counts))
    if drawn < min_groups:
        return None
    early, late = (_expected_problems(count, drawn) for count in counts)
    return late / early


def _expected_problems(groups: np.ndarray, drawn: int) -> float:
    """Return how many problems `drawn` groups hold on average, of problems with so many groups each."""
    others = groups.sum() - groups
    log_missed = special.gammaln(others + 1) - special.gammaln(np.maximum(others - drawn, 0) + 1)
    log_all = special.gammaln(groups.sum() + 1) - special.gammaln(groups.sum() - drawn + 1)
    return float(np.where(others < drawn, 1.0, 1.0 - np.exp(log_missed - log_all)).sum())


_MACHINE_STOPS = (
    "timeout",
    "grader_timeout",
    "error",
    "grader_error",
    "crash",
    "infrastructure",
    "infrastructure_error",
)
_AT_LIMIT = 0.99
"""Part of the longest duration from which an attempt ended at a time limit."""


@hookimpl
def infrastructure_zeros(context: Context) -> Diagnosis:
    """Return the share of lost attempts; critical for errors with a reward, warnings for lost or stalled ones.

    Failures of grader, environment or machine that are stored as a reward of 0 teach the policy to avoid what it did
    right. Three signs: a row names an infrastructure error and has a reward; a stop reason names one while `error` is
    empty; attempts all failed at exactly the longest duration, which is a time limit. Validation rows count too.
    """
    rows: Frame = pd.concat([context.rows, context.validation], ignore_index=True)
    if rows.empty:
        return Diagnosis()
    is_lost = rows["error"].notna()
    is_named = is_lost | rows["stop_reason"].isin(_MACHINE_STOPS)
    scored, findings = rows[is_named & (rows["reward"].notna() | rows["correct"].notna())], []
    if len(scored):
        message = f"{len(scored)} attempts ended with an infrastructure error and have a reward or outcome: mask them"
        numbers = {"scored_errors": len(scored), "share": len(scored) / len(rows)}
        findings = [context.finding("infrastructure_zeros", "critical", message, numbers, scored)]
    names = ", ".join(f"{name} {count}" for name, count in sorted(rows["error"].value_counts().items()))
    what = f"attempts were lost to infrastructure errors, {names}: fix the environment, grader or machine"
    findings += share(context, "infrastructure_errors", rows, is_lost, "infrastructure_errors", what)
    return Diagnosis(known({"infrastructure_error_rate": is_lost.mean()}), findings + _stalled(context, rows))


def _stalled(context: Context, rows: Frame) -> list[Finding]:
    """Find failures at the longest duration; attempts out of tokens or turns are long and wrong without a clock."""
    is_timed = rows["error"].isna() & rows["duration_seconds"].notna() & rows["correct"].notna()
    timed = rows[is_timed & ~rows["is_truncated"].astype(bool)]
    longest = float(timed["duration_seconds"].max()) if len(timed) else 0.0
    at_limit, failed = timed["duration_seconds"] >= _AT_LIMIT * longest, timed["correct"] <= 0
    chance = stats.two_shares(failed.to_numpy(), at_limit.to_numpy()) if len(timed) else 1.0
    if longest <= 0 or not failed[at_limit].all() or chance >= LIMITS.alpha:
        return []
    what = (
        f"attempts all failed at the longest duration ({longest:.3g} s), others in {failed[~at_limit].mean():.0%}: a "
        "time limit is stored as a wrong answer, mask it"
    )
    numbers = {"longest_seconds": longest, "p_value": chance}
    return share(context, "infrastructure_zeros", timed, at_limit, "stalled_failures", what, numbers=numbers)
