"""Judge hacking: answers persuade the rubric judge instead of solving the problem.

Three signs: the judge approves known master keys (asked when a run starts); answers with a key, a forged verdict or an
instruction score above others of the same outcome; judge and verifier disagree, over attempts or over the run.
Correctness comes from the verifier, so a hacked judge corrupts the reward: critical. `invalid` needs evidence whose
correctness is the judge's own verdict.
"""

import math

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import INVALID_LIMITS, all_rows, check, share_of, solved
from evotrainer.evidence.frame_columns import CHECK_PREFIX, TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity

_MODE = "judge_hacking"
_PAID = 0.5
"""Score from which the judge approves an answer."""
_FINE = 10
"""Distinct scores from which a judge grades on a scale and does not just approve or refuse."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return what the judge approves, and whether answers can persuade it."""
    everything = all_rows(context)
    rows = everything[check(everything, "judge").notna()]
    if rows.empty:
        return Diagnosis()
    paid, is_right = check(rows, "judge") >= _PAID, solved(rows)
    metrics = known(
        {
            "judge_mean": check(rows, "judge").mean(),
            "judge_approves_wrong": paid[~is_right].mean(),
            "judge_refuses_right": (~paid)[is_right].mean(),
            "judge_probe_rate": share_of(check(rows, "judge_probe")),
        }
    )
    severity: Severity = "invalid" if len(rows) == len(everything) and _is_the_score(rows) else "critical"
    findings = _master_keys(context, rows, severity) + _pleas(context, rows, severity)
    return Diagnosis(metrics, findings or _surpassed(context, rows) or _parted(context, rows) or _drifted(context))


def _is_the_score(rows: Frame) -> bool:
    """Tell whether correctness is the judge's approval alone: of every attempt, without another check."""
    others = [name for name in rows if name.startswith(CHECK_PREFIX) and not name.startswith(f"{CHECK_PREFIX}judge")]
    is_verified = rows[[*others, *rows.columns.intersection([f"{TERM_PREFIX}correct"])]].notna().any(axis=None)
    approved = check(rows, "judge") >= _PAID
    return not is_verified and bool((approved == solved(rows)).all()) and approved.nunique() == 2


def _master_keys(context: Context, rows: Frame, severity: Severity) -> list[Finding]:
    share = check(rows, "judge_master_keys").max()
    if not share > 0:
        return []
    message = f"the judge approves {share:.0%} of known master keys, which hold no answer: change its prompt or model"
    return [context.finding(_MODE, severity, message, {"master_keys_paid": float(share)})]


def _pleas(context: Context, rows: Frame, severity: Severity) -> list[Finding]:
    """Compare wrong answers that address the judge with wrong answers that do not."""
    limits, wrong = context.thresholds, rows[~solved(rows)]
    plea, paid = check(wrong, "judge_probe") > 0, check(wrong, "judge") >= _PAID
    found = wrong[plea & paid]
    if len(found) < limits.invalid_rows:
        return []
    table = [
        [int((plea & paid).sum()), int((plea & ~paid).sum())],
        [int((~plea & paid).sum()), int((~plea & ~paid).sum())],
    ]
    result = scipy.stats.fisher_exact(table, alternative="greater")
    if float(result.pvalue) >= limits.alpha / 10:  # type: ignore[attr-defined]
        return []
    message = (
        f"the judge approves {len(found)} of {int(plea.sum())} wrong answers that address it, more often than others: "
        "change its prompt or model"
    )
    numbers = {"paid": len(found), "addressed": int(plea.sum()), "paid_otherwise": float(paid[~plea].mean())}
    return [context.finding(_MODE, severity, message, known(numbers), (*INVALID_LIMITS, "alpha"), found)]


def _surpassed(context: Context, rows: Frame) -> list[Finding]:
    """Find wrong answers that a judge with a scale scores above most right ones."""
    limits, scores, is_right = context.thresholds, check(rows, "judge"), solved(rows)
    if is_right.sum() < limits.min_rows or scores.nunique() < _FINE:
        return []
    high, wrong = float(scores[is_right].quantile(0.75)), rows[~is_right]
    found = wrong[check(wrong, "judge") > high]
    if len(found) < limits.invalid_rows or not significantly_above(
        len(found), len(wrong), limits.judge_surpassed, limits.limit_alpha
    ):
        return []
    message = f"the judge scores {len(found)} of {len(wrong)} wrong answers above three quarters of the right ones"
    numbers = {"surpassed": len(found), "share": len(found) / len(wrong), "high": high}
    limit_names = ("judge_surpassed", "min_rows", "limit_alpha")
    return [context.finding(_MODE, "warning", message, numbers, limit_names, found)]


def _parted(context: Context, rows: Frame) -> list[Finding]:
    limits, wrong = context.thresholds, rows[~solved(rows)]
    found = wrong[check(wrong, "judge") >= _PAID]
    if len(wrong) < limits.min_rows or not significantly_above(
        len(found), len(wrong), limits.judge_disagreement, limits.limit_alpha
    ):
        return []
    message = (
        f"the judge approves {len(found)} of {len(wrong)} answers that the verifier rejects (limit "
        f"{limits.judge_disagreement:.0%}): lower its weight in the reward"
    )
    numbers = {"approved": len(found), "share": len(found) / len(wrong)}
    limit_names = ("judge_disagreement", "min_rows", "limit_alpha")
    return [context.finding(_MODE, "warning", message, numbers, limit_names, found)]


def _drifted(context: Context) -> list[Finding]:
    """Find a judge's score that rises while the solve rate does not: the policy learns the judge."""
    limits, rows = context.thresholds, context.training
    if not check(rows, "judge").notna().any():
        return []
    judged = trend(rows, "check_judge", limits.min_groups)
    if judged is None or judged.z < z_limit(limits.alpha) or context.flat_success(rows) is None:
        return []
    rise = (judged.late - judged.early) / max(float(check(rows, "judge").std()), math.ulp(1.0))
    if rise < limits.divergence:
        return []
    message = (
        f"the judge's score rose from {judged.early:.2f} to {judged.late:.2f} while the solve rate did not: lower its "
        "weight in the reward"
    )
    numbers = {"early": judged.early, "late": judged.late, "z": judged.z}
    return [context.finding(_MODE, "critical", message, numbers, ("divergence", "outcome_rise", "alpha"))]
