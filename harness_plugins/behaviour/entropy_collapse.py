"""Exploration: mean logprob of sampled tokens, distinct responses in a group, and the entropy signal over a run.

The published limits on mean logprob, -0.1 and -0.05 (base metrics of EvoTrainer, arXiv 2606.03108), are taken with
the joint sign that attempts repeat each other: a sure policy that still tries different things is not collapsed.
Above -0.05 without repetition it warns. Over a run, entropy that falls by 80% or doubles is told, unless success
rises with the fall: a policy that learns becomes sure of itself. Where no signal says it, the rows do: mean logprob
that halves (rule engine of the same source: exploration collapses) or doubles (it explodes); and attempts sampled
below -2 nats a token are near noise, whatever came before. A mean moves late: told earlier is that attempts far
surer, or far wilder, than those of the first third spread over the run (evotrainer/diagnosis/trend_within_run.py);
surer ones, which a healthy run hardly holds, are told by their share as well. logprob_change is how much surer the
second half of an episode's turns is sampled than the first.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.trend_within_run import oddly_sure, oddly_wild, warn_if_outliers, warn_if_spreading
from evotrainer.records import Finding

_MIN_STEPS = 9


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return logprob, diversity and entropy; warn or worse when exploration is gone."""
    rows, limits = context.graded, context.thresholds
    logprob = rows["mean_logprob"].mean()
    by_group = rows[rows["num_chars"] > 0].groupby("group")["response_hash"]
    size = by_group.size()
    # 1 stands for attempts that never repeat, 0 for attempts that are all the same.
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
    beside = f" and attempts repeat each other (distinct {distinct:.2f})" if repeats else ""
    message = f"mean logprob is {logprob:.3f} nats a token{beside}: hardly anything is explored"
    numbers = known({"mean_logprob": logprob, "distinct_responses": distinct})
    examples = context.graded.sort_values("mean_logprob", ascending=False, kind="stable")
    return [
        context.finding(
            "entropy_collapse",
            severity,
            message,
            numbers,
            ("logprob_warning", "logprob_critical", "distinct_responses", "min_rows"),
            examples,
        )
    ]


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
    return [
        context.finding(
            "entropy_collapse",
            "warning",
            message,
            {"early": early, "late": late},
            ("entropy_fall", "entropy_rise", "outcome_rise"),
        )
    ]


def _logprobs(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, graded(context.training)
    found, solved = (trend(rows, column, limits.min_groups) for column in ("mean_logprob", "correct"))
    if found is None or solved is None or found.early >= 0 or solved.z > limits.outcome_rise:
        return []
    ratio, rest = found.late / found.early, 1 - limits.logprob_change
    if abs(found.z) < z_limit(limits.alpha) or rest < ratio < 1 / rest:
        return []
    how = "rose: exploration collapses" if ratio <= rest else "fell: the policy comes apart"
    message = (
        f"mean logprob went from {found.early:.3f} to {found.late:.3f} nats a token over the run while the solve rate "
        f"went from {solved.early:.2f} to {solved.late:.2f}; it {how}"
    )
    # As surprise in nats a token, the estimate of entropy: what rises is exploration.
    numbers = {"early": -found.early, "late": -found.late, "z": -found.z, "solve_rate_z": solved.z}
    examples = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
    limit_names = ("logprob_change", "outcome_rise", "alpha")
    return [context.finding("entropy_collapse", "warning", message, numbers, limit_names, examples)]


def _exploded(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, context.graded
    found, total = rows[rows["mean_logprob"] < limits.logprob_exploded], int(rows["mean_logprob"].notna().sum())
    if total < limits.min_rows or not significantly_above(len(found), total, limits.exploded, limits.limit_alpha):
        return []
    message = f"{len(found)} of {total} attempts are sampled below {limits.logprob_exploded:g} nats a token: near noise"
    numbers = {"exploded": len(found) / total, "mean_logprob": float(found["mean_logprob"].mean())}
    limit_names = ("logprob_exploded", "exploded", "min_rows", "limit_alpha")
    examples = found.sort_values("mean_logprob", kind="stable")
    return [context.finding("entropy_collapse", "warning", message, numbers, limit_names, examples)]


def _spreads(context: Context) -> list[Finding]:
    rows = graded(context.training)
    is_sure, is_wild, who = oddly_sure(rows), oddly_wild(rows), "far {} than the first ones"
    return (
        warn_if_spreading(context, "entropy_collapse", rows, is_sure, who.format("surer"))
        or warn_if_spreading(context, "entropy_collapse", rows, is_wild, who.format("wilder"))
        or warn_if_outliers(context, "entropy_collapse", rows, is_sure, who.format("surer"))
    )
