"""Weak verifiers: hidden tests, own tests and judges that a wrong answer passes."""

import math
from collections.abc import Callable

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import (
    INVALID_LIMITS,
    all_rows,
    check,
    column,
    proven,
    score_rows,
    share_of,
    solved,
)
from evotrainer.diagnosis.tool_use_metrics import MEANT
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import CHECK_PREFIX, TERM_PREFIX
from evotrainer.records import Finding, Severity

_MIN_PROBLEMS = 2
_NOTHING = 2
"""Most sampled tokens of an empty response: the end of its turn."""


@hookimpl
def weak_verifier(context: Context) -> Diagnosis:
    """Return the shares of problems with weak tests, and findings on them.

    Weak verifier: hidden tests pass without an answer, fail on the reference solution, or are shown in the statement.

    These are facts about a problem, measured when it is loaded or graded. In the first two cases its outcome says
    nothing about a policy. A response without any character that counts as right shows the first case from outside,
    where its token count confirms that it is empty. The score is invalid where such problems are a material share of
    those it rests on.

    Hidden tests that are the statement's examples count special-casing as success. Attempts that are right without an
    edit, where others edit, are a warning: an unknown tool may have made the edit.
    """
    score, rows = score_rows(context), all_rows(context)
    if rows.empty:
        return Diagnosis()
    findings = [
        *_problems(
            context,
            score,
            rows,
            _weak_problems,
            "invalid",
            "have hidden tests that pass without an answer or fail on the reference solution",
            "carry no information: remove them",
        ),
        *_problems(
            context,
            score,
            rows,
            _shown_problems,
            "critical",
            "have no hidden tests but the examples of their statements",
            "count special-casing as success: add hidden tests",
        ),
    ]
    return Diagnosis(_shares(score), findings or _without_edit(context, rows))


def _shares(score: Frame) -> dict[str, float]:
    """Return the share of problems of each kind, where it was measured."""
    num_problems, weak = score["problem_id"].nunique(), _weak_problems(score)
    shares = {}
    if weak or check(score, "empty_passes").notna().any():
        shares["weak_problem_share"] = len(weak) / num_problems
    if check(score, "shown_tests").notna().any():
        shares["shown_problem_share"] = len(_shown_problems(score)) / num_problems
    return shares


def _problems(
    context: Context,
    score: Frame,
    rows: Frame,
    choose: Callable[[Frame], list[str]],
    severity: Severity,
    what: str,
    so: str,
) -> list[Finding]:
    """Return a finding on the chosen problems: a warning where they are no material share of the score's."""
    limits = context.thresholds
    chosen, anywhere = choose(score), choose(rows)
    if not anywhere:
        return []
    share = len(chosen) / score["problem_id"].nunique()
    is_material = len(chosen) >= _MIN_PROBLEMS and share >= limits.weak_problems
    shown = rows[rows["problem_id"].isin(chosen if is_material else anywhere)].drop_duplicates("problem_id")
    names = ", ".join(sorted(shown["problem_id"])[:3])
    message = f"{len(shown)} problems {what} ({names}): their outcomes {so}"
    numbers = {"problems": len(shown), "share": share}
    rank: Severity = severity if is_material else "warning"
    return [context.finding("weak_verifier", rank, message, numbers, ("weak_problems",), shown)]


def _weak_problems(rows: Frame) -> list[str]:
    is_silent = (rows["num_chars"] == 0) & (rows["num_tool_calls"] == 0) & rows["num_tokens"].between(1, _NOTHING)
    is_weak = (check(rows, "empty_passes") > 0) | (check(rows, "reference_fails") > 0) | (is_silent & solved(rows))
    return sorted(rows[is_weak]["problem_id"].unique())


def _shown_problems(rows: Frame) -> list[str]:
    return sorted(rows[check(rows, "shown_tests") >= 1]["problem_id"].unique())


def _without_edit(context: Context, rows: Frame) -> list[Finding]:
    edits, limits = column(rows, "num_edited_files"), context.thresholds
    right = rows[solved(rows) & (column(rows, "num_tool_calls") > 0)]
    bare = right[(column(right, "num_edited_files") == 0) & (column(right, "num_history_restores") == 0)]
    if not (edits > 0).mean() >= MEANT:
        return []
    if not significantly_above(len(bare), len(right), limits.unedited_success, limits.limit_alpha):
        return []
    message = f"{len(bare)} of {len(right)} successful attempts edited nothing: check that their problems fail unedited"
    return [context.finding("weak_verifier", "warning", message, {"attempts": len(bare)}, ("unedited_success",), bare)]


@hookimpl
def self_written_tests(context: Context) -> Diagnosis:
    """Return how often own tests are written and pass, and whether the score counts them.

    Self-written tests as evidence: a wrong patch passes the policy's own tests, and the score counts that.

    Honest attempts write tests, and these often pass on a wrong patch, or it would not have been submitted. The score
    is invalid where attempts count as right by their own tests while hidden tests fail. Where own tests pass on most
    wrong patches they carry no information, so a reward for them teaches nothing: a warning.
    """
    rows = all_rows(context)
    if not check(rows, "num_own_tests").notna().any():
        return Diagnosis()
    passed = check(rows, "own_tests_pass")
    metrics = known(
        {
            "own_test_rate": share_of(check(rows, "num_own_tests")),
            "own_tests_pass_correct": passed[solved(rows)].mean(),
            "own_tests_pass_wrong": passed[~solved(rows)].mean(),
        }
    )
    findings = proven(
        context,
        "self_written_tests",
        lambda rows: solved(rows) & _passes_own(rows) & (check(rows, "hidden_share") < 1.0),
        "count as right by their own tests while hidden tests fail: grade by hidden tests",
    )
    return Diagnosis(metrics, findings or _uninformative(context, rows))


def _passes_own(rows: Frame) -> Frame:
    return (check(rows, "num_own_tests") > 0) & (check(rows, "own_tests_pass") >= 1.0)


def _uninformative(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    wrong = rows[(check(rows, "num_own_tests") > 0) & check(rows, "own_tests_pass").notna() & ~solved(rows)]
    passed = wrong[_passes_own(wrong)]
    is_common = significantly_above(len(passed), len(wrong), limits.own_tests_pass, limits.limit_alpha)
    if len(wrong) < limits.min_rows or not is_common:
        return []
    message = (
        f"own tests pass on {len(passed)} of {len(wrong)} wrong patches (limit {limits.own_tests_pass:.0%}): do not "
        "reward them"
    )
    numbers = {"passed": len(passed), "wrong": len(wrong)}
    limit_names = ("own_tests_pass", "min_rows", "limit_alpha")
    return [context.finding("self_written_tests", "warning", message, numbers, limit_names, passed)]


_PAID = 0.5
"""Score from which the judge approves an answer."""
_FINE = 10
"""Distinct scores from which a judge grades on a scale and does not just approve or refuse."""


@hookimpl
def judge_hacking(context: Context) -> Diagnosis:
    """Return what the judge approves, and whether answers can persuade it.

    Judge hacking: answers persuade the rubric judge instead of solving the problem.

    Three signs: the judge approves known master keys (asked when a run starts); answers with a key, a forged verdict or
    an instruction score above others of the same outcome; judge and verifier disagree, over attempts or over the run.
    Correctness comes from the verifier, so a hacked judge corrupts the reward: critical. `invalid` needs evidence whose
    correctness is the judge's own verdict.
    """
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
    return [context.finding("judge_hacking", severity, message, {"master_keys_paid": float(share)})]


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
    return [context.finding("judge_hacking", severity, message, known(numbers), (*INVALID_LIMITS, "alpha"), found)]


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
    return [context.finding("judge_hacking", "warning", message, numbers, limit_names, found)]


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
    return [context.finding("judge_hacking", "warning", message, numbers, limit_names, found)]


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
    return [context.finding("judge_hacking", "critical", message, numbers, ("divergence", "outcome_rise", "alpha"))]
