"""Certainty: entropy and log-probabilities of what is sampled."""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.trends import unusually_certain, unusually_uncertain, warn_if_outliers, warn_if_spreading
from evotrainer.records import Finding

_MIN_STEPS = 9


@hookimpl
def entropy_collapse(context: Context) -> Diagnosis:
    """Return logprob, diversity and entropy; warn or worse when exploration is gone.

    Exploration: mean logprob of sampled tokens, distinct responses in a group, and the entropy signal over a run.

    Limits on the level: mean logprob above -0.1 with repeated responses, above -0.05 without (base metrics of
    EvoTrainer, arXiv 2606.03108). A policy that is certain and still tries different things has not collapsed.

    Over a run, unless success rises (a policy that learns becomes more certain), the first that holds:

    1. Entropy falls by 80% or doubles.
    2. Without an entropy signal: mean logprob halves, a collapse (rule engine of the same source), or doubles, an
       explosion.
    3. Attempts below -2 nats a token, which are near noise, are more common than their limit. This one needs no run.
    4. Attempts far more, or far less, certain than those of the first third spread over the run
       (diagnosis/trends.py), or the more certain ones exceed their limit. A mean moves later than these
       shares.

    logprob_change is the mean logprob of the second half of an episode's turns minus that of the first.
    """
    rows, limits = context.graded, context.thresholds
    logprob = rows["mean_logprob"].mean()
    by_group = rows[rows["num_chars"] > 0].groupby("group")["response_hash"]
    size = by_group.size()
    # 1: no two responses of a group are equal; 0: all are.
    distinct = ((by_group.nunique() - 1) / (size - 1))[size >= 2].mean()
    metrics = known(
        {"mean_logprob": logprob, "distinct_responses": distinct, "logprob_change": rows["logprob_change"].mean()}
    )
    findings: list[Finding] = []
    if math.isfinite(logprob) and len(rows) >= limits.min_rows and logprob > limits.logprob_warning:
        findings += _sure(context, logprob, distinct)
    return Diagnosis(
        metrics, findings + (_entropy(context) or _logprobs(context) or _exploded(context) or _spreads(context))
    )


def _sure(context: Context, logprob: float, distinct: float) -> list[Finding]:
    limits = context.thresholds
    repeats = distinct < limits.distinct_responses
    if not repeats and logprob <= limits.logprob_critical:
        return []
    severity = "critical" if repeats and logprob > limits.logprob_critical else "warning"
    beside = f" and responses repeat (distinct {distinct:.2f})" if repeats else ""
    message = (
        f"mean logprob is {logprob:.3f} nats a token (limit {limits.logprob_warning:g}){beside}: hardly anything is "
        "explored, raise the temperature or the KL coefficient"
    )
    numbers = known({"mean_logprob": logprob, "distinct_responses": distinct})
    examples = context.graded.sort_values("mean_logprob", ascending=False, kind="stable")
    limit_names = ("logprob_warning", "logprob_critical", "distinct_responses", "min_rows")
    return [context.finding("entropy_collapse", severity, message, numbers, limit_names, examples)]


def _entropy(context: Context) -> list[Finding]:
    limits, entropy = context.thresholds, context.signals["entropy"]
    third = len(entropy) // 3
    if len(entropy) < _MIN_STEPS or entropy.iloc[:third].mean() <= 0:
        return []
    early, late = float(entropy.iloc[:third].mean()), float(entropy.iloc[-third:].mean())
    solved = trend(context.training, "correct", limits.min_groups)
    improves = solved is not None and solved.z > limits.outcome_rise
    if late < (1 - limits.entropy_fall) * early and not improves:
        message = f"entropy fell from {early:.3g} to {late:.3g} nats a token and the solve rate did not rise"
    elif late > (1 + limits.entropy_rise) * early and not improves:
        message = f"entropy rose from {early:.3g} to {late:.3g} nats a token and the solve rate did not rise"
    else:
        return []
    numbers = {"early": early, "late": late}
    limit_names = ("entropy_fall", "entropy_rise", "outcome_rise")
    return [context.finding("entropy_collapse", "warning", message, numbers, limit_names)]


def _logprobs(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, graded(context.training)
    found, solved = trend(rows, "mean_logprob", limits.min_groups), context.flat_success(rows)
    if found is None or solved is None or found.early >= 0:
        return []
    ratio, rest = found.late / found.early, 1 - limits.logprob_change
    if abs(found.z) < z_limit(limits.alpha) or rest < ratio < 1 / rest:
        return []
    how = "rose: exploration collapses" if ratio <= rest else "fell: the policy approaches noise"
    message = (
        f"mean logprob went from {found.early:.3f} to {found.late:.3f} nats a token over the run while the solve rate "
        f"went from {solved.early:.2f} to {solved.late:.2f}; it {how}"
    )
    # Negative logprob estimates entropy: a rise of the number is a rise of exploration.
    numbers = {"early": -found.early, "late": -found.late, "z": -found.z, "solve_rate_z": solved.z}
    examples = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
    limit_names = ("logprob_change", "outcome_rise", "alpha")
    return [context.finding("entropy_collapse", "warning", message, numbers, limit_names, examples)]


def _exploded(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, context.graded
    found, total = rows[rows["mean_logprob"] < limits.logprob_exploded], int(rows["mean_logprob"].notna().sum())
    if total < limits.min_rows or not significantly_above(len(found), total, limits.exploded, limits.limit_alpha):
        return []
    message = (
        f"{len(found)} of {total} attempts have a mean logprob below {limits.logprob_exploded:g} nats a token (limit "
        f"{limits.exploded:.0%}): they are near noise, lower the learning rate"
    )
    numbers = {"exploded": len(found) / total, "mean_logprob": float(found["mean_logprob"].mean())}
    limit_names = ("logprob_exploded", "exploded", "min_rows", "limit_alpha")
    examples = found.sort_values("mean_logprob", kind="stable")
    return [context.finding("entropy_collapse", "warning", message, numbers, limit_names, examples)]


def _spreads(context: Context) -> list[Finding]:
    rows = graded(context.training)
    is_certain, is_uncertain = unusually_certain(rows), unusually_uncertain(rows)
    who = "far {} certain than the first ones"
    return (
        warn_if_spreading(context, "entropy_collapse", rows, is_certain, who.format("more"))
        or warn_if_spreading(context, "entropy_collapse", rows, is_uncertain, who.format("less"))
        or warn_if_outliers(context, "entropy_collapse", rows, is_certain, who.format("more"))
    )
