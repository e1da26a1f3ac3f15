"""Weak verifiers: hidden tests, own tests and judges that a wrong answer passes."""

from evotrainer.diagnosis import stats
from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import (
    all_rows,
    check,
    is_measured,
    proven,
    rises_alone,
    score_rows,
    share,
    solved,
    with_any,
)
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import CHECK_PREFIX, TERM_PREFIX
from evotrainer.records import Finding, Severity

_MIN_PROBLEMS = 2
"""Problems from which weak tests are a share of the set and no single slip."""
_NOTHING = 2
"""Most sampled tokens of an empty response: the end of its turn."""


@hookimpl
def weak_verifier(context: Context) -> Diagnosis:
    """Return the shares of problems with weak tests, and findings on them.

    Hidden tests pass without an answer, or fail on the reference solution: the outcome of the problem then says nothing
    about a policy. These are facts about a problem, measured when it is loaded or graded. A response without any
    character that counts as right shows the first from outside, where its token count confirms that it is empty. The
    score is invalid where such problems are a material share of those it rests on. Hidden tests that are the
    statement's examples count special-casing as success.
    """
    score, rows = score_rows(context), all_rows(context)
    if rows.empty:
        return Diagnosis()
    num_problems, metrics, findings = score["problem_id"].nunique(), {}, []
    if _weak_problems(score) or is_measured(score, "empty_passes").any():
        metrics["weak_problem_share"] = len(_weak_problems(score)) / num_problems
    if is_measured(score, "shown_tests").any():
        metrics["shown_problem_share"] = len(_shown_problems(score)) / num_problems
    weak = "have hidden tests that pass without an answer or fail on the reference solution"
    shown = "have no hidden tests but the examples of their statements"
    kinds: list[tuple] = [
        (_weak_problems, "invalid", weak, "their outcomes carry no information, remove them"),
        (_shown_problems, "critical", shown, "they count special-casing as success, add hidden tests"),
    ]
    for choose, severity, what, so in kinds:
        chosen, anywhere = choose(score), choose(rows)
        if not anywhere:
            continue
        part = len(chosen) / num_problems
        is_material = len(chosen) >= _MIN_PROBLEMS and part >= LIMITS.weak_problems
        found = rows[rows["problem_id"].isin(chosen if is_material else anywhere)].drop_duplicates("problem_id")
        message = f"{len(found)} problems {what} ({', '.join(sorted(found['problem_id'])[:3])}): {so}"
        numbers = {"problems": len(found), "share": part}
        worst = severity if is_material else "warning"
        findings.append(context.finding("weak_verifier", worst, message, numbers, found))
    return Diagnosis(metrics, findings)


def _weak_problems(rows: Frame) -> list[str]:
    is_silent = (rows["num_chars"] == 0) & (rows["num_tool_calls"] == 0) & rows["num_tokens"].between(1, _NOTHING)
    is_weak = with_any("empty_passes", "reference_fails")(rows) | (is_silent & solved(rows))
    return sorted(rows[is_weak]["problem_id"].unique())


def _shown_problems(rows: Frame) -> list[str]:
    return sorted(rows[check(rows, "shown_tests") >= 1]["problem_id"].unique())


@hookimpl
def self_written_tests(context: Context) -> Diagnosis:
    """Find a score that counts the policy's own tests, and own tests that carry no information.

    Honest attempts write tests, and these often pass on a wrong patch, or it would not have been submitted. The score
    is invalid where attempts count as right by their own tests while hidden tests fail. Where own tests pass on most
    wrong patches they carry no information, so a reward for them teaches nothing: a warning.
    """
    rows, mode = all_rows(context), "self_written_tests"

    def passes(rows: Frame) -> Frame:
        return (check(rows, "num_own_tests") > 0) & (check(rows, "own_tests_pass") >= 1.0)

    passed = check(rows, "own_tests_pass")
    what = "count as right by their own tests while hidden tests fail: grade by hidden tests"
    findings = proven(context, mode, lambda rows: passes(rows) & (check(rows, "hidden_share") < 1.0), what)
    wrong = rows[(check(rows, "num_own_tests") > 0) & passed.notna() & ~solved(rows)]
    passed_own = "wrong patches pass the policy's own tests: do not reward these"
    return Diagnosis(findings=findings or share(context, mode, wrong, passes(wrong), "own_tests_pass", passed_own))


_PAID = 0.5
"""Score from which the judge approves an answer."""
_FINE = 10
"""Distinct scores from which a judge grades on a scale and does not just approve or refuse."""


@hookimpl
def judge_hacking(context: Context) -> Diagnosis:
    """Return what the judge approves, and whether answers can persuade it.

    Three signs: the judge approves known master keys (asked when a run starts); answers with a key, a forged verdict or
    an instruction score above others of the same outcome; judge and verifier disagree, over attempts or over the run.
    Correctness comes from the verifier, so a hacked judge corrupts the reward: critical. `invalid` needs evidence whose
    correctness is the judge's own verdict.
    """
    everything, mode = all_rows(context), "judge_hacking"
    rows = everything[is_measured(everything, "judge")]
    if rows.empty:
        return Diagnosis()
    scores, is_right = check(rows, "judge"), solved(rows)
    approved, wrong, keys = scores >= _PAID, rows[~is_right], check(rows, "judge_master_keys")
    metrics = {"judge_approves_wrong": approved[~is_right].mean(), "judge_refuses_right": (~approved)[is_right].mean()}
    severity: Severity = "invalid" if len(rows) == len(everything) and _is_the_score(rows) else "critical"
    findings = _pleas(context, wrong, severity)
    if keys.max() > 0:
        message = f"the judge approves {keys.max():.0%} of known master keys, which hold no answer: change its prompt"
        findings = [context.finding(mode, severity, message, {"master_keys_approved": float(keys.max())}), *findings]
    if not findings and is_right.sum() >= LIMITS.min_rows and scores.nunique() >= _FINE:
        high = check(wrong, "judge") > float(scores[is_right].quantile(0.75))
        if high.sum() >= LIMITS.invalid_rows:
            what = "wrong answers are scored by the judge above three quarters of the right ones"
            findings = share(context, mode, wrong, high, "judge_surpassed", what)
    what = "answers that the verifier rejects are approved by the judge: lower its weight in the reward"
    findings = findings or share(context, mode, wrong, approved[~is_right], "judge_disagreement", what)
    if not findings and is_measured(context.training, "judge").any():
        findings = rises_alone(context, mode, context.training, f"{CHECK_PREFIX}judge", "the judge's score")
    return Diagnosis(known(metrics), findings)


def _is_the_score(rows: Frame) -> bool:
    """Tell whether correctness is the judge's approval alone: of every attempt, without another check."""
    others = [name for name in rows if name.startswith(CHECK_PREFIX) and not name.startswith(f"{CHECK_PREFIX}judge")]
    is_verified = rows[[*others, *rows.columns.intersection([f"{TERM_PREFIX}correct"])]].notna().any(axis=None)
    approved = check(rows, "judge") >= _PAID
    return not is_verified and bool((approved == solved(rows)).all()) and approved.nunique() == 2


def _pleas(context: Context, wrong: Frame, severity: Severity) -> list[Finding]:
    """Compare wrong answers that address the judge with wrong answers that do not."""
    plea, approved = check(wrong, "judge_probe") > 0, check(wrong, "judge") >= _PAID
    found = wrong[plea & approved]
    chance = stats.two_shares(plea.to_numpy(), approved.to_numpy()) if len(wrong) else 1.0
    if len(found) < LIMITS.invalid_rows or chance >= LIMITS.alpha / 10:
        return []
    message = (
        f"the judge approves {len(found)} of {int(plea.sum())} wrong answers that address it, more often than others: "
        "change its prompt or model"
    )
    numbers = {"approved": len(found), "addressed": int(plea.sum()), "p": chance}
    return [context.finding("judge_hacking", severity, message, numbers, found)]
