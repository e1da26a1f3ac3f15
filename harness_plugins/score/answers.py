"""Answers, programs and patches: what attempts give, by outcome and by domain."""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_below
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame, behaviour_columns
from evotrainer.evidence.schema import CHECK_PREFIX, TERM_PREFIX

_PREFIXES = (CHECK_PREFIX, "num_", "is_", "mean_")


@hookimpl
def outcomes(context: Context) -> Diagnosis:
    """Return the mean of each behaviour column by outcome.

    Behaviour by outcome: means of right, partly right and wrong attempts, as <metric>_<outcome>.

    Outcomes are correct, wrong (all others) and, where the grader gives partial credit, partial (some of it). Every
    behaviour column of the rows is shown, those of a domain's own grader too. No column is named here, so that columns
    that no diagnostic judges still count as gaps. No findings.
    """
    rows = context.graded
    wrong = rows[rows["correct"] < 1.0]
    parts = {"correct": rows[rows["correct"] >= 1.0], "wrong": wrong, "partial": wrong[_is_partial(wrong)]}
    means = {
        f"{_short(column)}_{outcome}": part[column].mean()
        for column in behaviour_columns(rows)
        for outcome, part in parts.items()
    }
    return Diagnosis(known(means))


def _short(column: str) -> str:
    for prefix in _PREFIXES:
        column = column.removeprefix(prefix)
    return column


def _is_partial(wrong: Frame) -> Frame:
    credit = wrong.get(f"{TERM_PREFIX}partial", pd.Series(0.0, index=wrong.index)).fillna(0.0)
    return (wrong["correct"] > 0) | ((credit > 0) & (credit < 1))


@hookimpl
def answers(context: Context) -> Diagnosis:
    """Return answer metrics.

    Answers: how often one is given, and how much the attempts at a problem agree.

    answer_rate is the share of attempts with an answer; answer_agreement the mean share of the most frequent answer in
    a group. A group that agrees on a wrong answer is systematically wrong, so more samples will not help
    (agreed_wrong). No findings.
    """
    rows = context.graded
    rows = rows[~rows["domain"].isin(["code", "swe"])]  # their answers are programs and patches
    answered = rows[rows["answer"].notna()]
    if answered.empty:
        return Diagnosis()
    outcomes = answered.groupby(["group", "answer"])["correct"]
    size = outcomes.size()
    counts: Frame = pd.DataFrame({"share": size / size.groupby("group").transform("sum"), "correct": outcomes.mean()})
    first = counts.sort_values("share", ascending=False, kind="stable").groupby("group").head(1)
    return Diagnosis(
        known(
            {
                "answer_rate": rows["answer"].notna().mean(),
                "answer_agreement": first["share"].mean(),
                "agreed_wrong": ((first["share"] > 0.5) & (first["correct"] <= 0)).mean(),
            }
        )
    )


@hookimpl
def programs(context: Context) -> Diagnosis:
    """Return shares of attempts by how they failed.

    Programs: how attempts fail, and how much the attempts at a problem differ.

    Shares of all attempts: no_program_rate (none passes the format gate, though the response was not cut),
    compile_error_rate, timeout_rate, crash_rate (no answer on some hidden test), wrong_answer_rate (an answer on each,
    some wrong). program_diversity is the mean share of distinct programs in a group: 1 / group size when all are equal.
    Cut responses are counted by `truncation`. No findings.
    """
    rows = context.graded
    if "check_wrong_share" not in rows:
        return Diagnosis()
    has_ended = rows["check_wrong_share"].notna()
    answered = rows["check_hidden_share"] + rows["check_wrong_share"]
    is_compiled, is_late = rows["check_compile_error"] == 0, rows["check_timeout_share"] > 0
    return Diagnosis(
        known(
            {
                "no_program_rate": (~has_ended & ~rows["is_truncated"]).mean(),
                "compile_error_rate": (rows["check_compile_error"] > 0).mean(),
                "timeout_rate": is_late.mean(),
                "crash_rate": (has_ended & is_compiled & ~is_late & (answered < 1)).mean(),
                "wrong_answer_rate": ((answered >= 1) & (rows["check_wrong_share"] > 0)).mean(),
                "program_diversity": _diversity(rows),
            }
        )
    )


def _diversity(rows: Frame) -> float:
    """Return the mean share of distinct programs in a group; attempts without one count as one program."""
    groups = rows.assign(program=rows["answer"].fillna("")).groupby("group")["program"]
    return float((groups.nunique() / groups.size()).mean())


_COLUMN = "check_num_fail_to_pass"
_BUCKETS = {"1": (1, 1), "2": (2, 2), "3_to_5": (3, 5), "6_up": (6, 10**9)}


@hookimpl
def fail_to_pass(context: Context) -> Diagnosis:
    """Return solve rates by bucket; info for a bucket that is stuck at 0 while another is not.

    Solve rate by the number of tests that a problem's fix must turn from failing to passing.

    solve_rate_f2p_N for N of 1, 2, 3_to_5 and 6_up. A bucket whose solve rate is significantly below 1% uses budget and
    teaches nothing (base metrics of EvoTrainer, arXiv 2606.03108: stuck at 0, lower its budget).
    """
    rows, limits = context.graded, context.thresholds
    if _COLUMN not in rows:
        return Diagnosis()
    rows = rows[rows[_COLUMN].notna() & rows["correct"].notna()]
    parts = {name: rows[rows[_COLUMN].between(low, high)] for name, (low, high) in _BUCKETS.items()}
    metrics = {f"solve_rate_f2p_{name}": part["correct"].mean() for name, part in parts.items()}
    findings = []
    for name, part in parts.items():
        solved = int((part["correct"] >= 1.0).sum())
        is_stuck = significantly_below(solved, len(part), limits.stuck_problems, limits.limit_alpha)
        if is_stuck and part["problem_id"].nunique() >= limits.min_groups and rows["correct"].any():
            message = (
                f"{solved} of {len(part)} attempts succeed at problems with {name.replace('_', ' ')} failing tests "
                f"(limit {limits.stuck_problems:.0%}): sample them less"
            )
            numbers = {"solved": solved, "attempts": len(part), "share_of_attempts": len(part) / len(rows)}
            limit_names = ("stuck_problems", "min_groups", "limit_alpha")
            examples = part.drop_duplicates("problem_id")
            findings.append(context.finding("stuck_problems", "info", message, numbers, limit_names, examples))
    return Diagnosis(known(metrics), findings)


@hookimpl
def patches(context: Context) -> Diagnosis:
    """Return patch metrics.

    Patches: how often there is one, how similar it is to the reference, how much the attempts at a problem agree.

    patch_rate is the share of attempts that end with a change. patch_agreement is the mean share of the most frequent
    patch of a group. agreed_wrong_patch is the share of groups whose most frequent patch has the majority and is wrong:
    more samples will not help them. gold_similarity is the mean similarity to the reference patch. No findings.
    """
    rows = context.graded
    rows = rows[rows["domain"] == "swe"]
    patched = rows[rows["answer"].notna()]
    if patched.empty:
        return Diagnosis()
    counts = patched.groupby(["group", "answer"]).agg(size=("correct", "size"), correct=("correct", "mean"))
    share = counts["size"] / counts.groupby("group")["size"].transform("sum")
    first = counts.assign(share=share).sort_values("share", ascending=False, kind="stable").groupby("group").head(1)
    likeness = patched.get("check_gold_similarity")
    return Diagnosis(
        known(
            {
                "patch_rate": rows["answer"].notna().mean(),
                "patch_agreement": first["share"].mean(),
                "agreed_wrong_patch": ((first["share"] > 0.5) & (first["correct"] <= 0)).mean(),
                "gold_similarity": None if likeness is None else likeness.mean(),
            }
        )
    )
