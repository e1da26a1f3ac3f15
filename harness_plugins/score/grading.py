"""Grading: formats, answers graded both ways, stored values that contradict each other."""

import pandas as pd

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine
from evotrainer.diagnosis.context import Context, Diagnosis, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import column, share
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import significantly_above
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import TERM_PREFIX
from evotrainer.records import Finding, Severity


@hookimpl
def format_gate(context: Context) -> Diagnosis:
    """Return format failures and wrongly rejected attempts; warn above 30% and 4%.

    Above 30% format failures the gate is suspect, not the policy (base metrics of EvoTrainer, arXiv 2606.03108). The
    second signal is the share of attempts that the gate alone makes wrong: they are punished for the form of an answer.
    """
    rows = context.graded
    judged = rows[rows["format_ok"].notna()]
    failed = judged["format_ok"] == 0.0
    read = rows[rows["lenient_correct"].notna() & rows["correct"].notna()]
    rejected = (read["lenient_correct"] >= 1.0) & (read["correct"] < 1.0)
    metrics = known({"format_failure_rate": failed.mean(), "rejected_correct_rate": rejected.mean()})
    would_be, is_now = (read["lenient_correct"] >= 1).mean(), read["correct"].mean()
    what = (
        "attempts are right when read leniently but wrong under the format gate: "
        f"without it the solve rate would be {would_be:.2f}, not {is_now:.2f}"
    )
    so = "attempts fail the format gate: check the gate before the policy"
    findings = share(context, "format_gate", read, rejected, "rejected_correct", what, numbers=metrics)
    return Diagnosis(
        metrics, findings or share(context, "format_gate", judged, failed, "format_failures", so, numbers=metrics)
    )


_MIN_ANSWERS = 3
"""Answers graded unequally from which a grader is one that flips; fewer are single slips."""


@hookimpl
def flaky_grading(context: Context) -> Diagnosis:
    """Return the share of odd grades among repeated answers; warn at one, critical above 1% of the attempts.

    Identical responses without tool calls, and identical answers of single-turn attempts under the same format verdict,
    must have one grade. An odd grade is another than most attempts with the answer have. Validation rows count too,
    since a flaky grader there is noise in the score.
    """
    rows = context.graded_with_validation
    rows = rows[rows["correct"].notna() & (rows["num_tool_calls"] == 0)]
    rows = rows.assign(format_ok=rows["format_ok"].fillna(-1.0))
    answered = rows[rows["answer"].notna() & (rows["num_turns"] <= 1)]
    table: Frame = pd.concat([_repeated(rows[rows["num_chars"] > 0], "response_hash"), _repeated(answered, "answer")])
    odd, total, flaky = int(table["odd"].sum()), int(table["size"].sum()), table[table["odd"] > 0]
    if not total:
        return Diagnosis()
    metrics = known({"flaky_share": odd / total})
    if flaky.empty:
        return Diagnosis(metrics)
    is_many = len(flaky) >= _MIN_ANSWERS and significantly_above(odd, total, LIMITS.flaky_answers, LIMITS.limit_alpha)
    message = (
        f"{odd} of {total} attempts with a repeated answer have another grade than most of their answer (limit "
        f"{LIMITS.flaky_answers:.0%}), at {len(flaky)} answers: make the grader deterministic"
    )
    examples = rows[rows["problem_id"].isin(flaky.index)].sort_values(
        ["problem_id", "answer", "correct"], kind="stable"
    )
    numbers = {"flaky_share": odd / total, "flaky": len(flaky), "repeated": len(table)}
    severity: Severity = "critical" if is_many else "warning"
    return Diagnosis(metrics, [context.finding("flaky_grading", severity, message, numbers, examples)])


def _repeated(rows: Frame, answer: str) -> Frame:
    """Return by problem the attempts with each answer that is met more than once, and those with an odd grade."""
    keys = ["problem_id", answer, "format_ok", "is_truncated"]
    by_grade = rows.groupby([*keys, "correct"]).size().groupby(level=keys)
    table: Frame = pd.DataFrame({"size": by_grade.sum(), "odd": by_grade.sum() - by_grade.max()})
    return table[table["size"] >= 2].droplevel([1, 2, 3])


_TOLERANCE = 1e-6
"""Rounding of a sum of a few terms; the identities are exact beyond it."""


@hookimpl
def metric_defect(context: Context) -> Diagnosis:
    """Return one finding for each identity that does not hold.

    These identities are exact, so one broken row is enough:

    1. Correctness lies in [0, 1] and equals its own reward term. A violation falsifies the score: `invalid`.
    2. With a recipe, the reward is the weighted sum of its terms.
    3. An attempt that ran out of tokens is marked as cut.
    4. A group holds attempts at one problem, each once. Only training and rollout rows are checked.
    5. The signals' dead-group ratio equals that of the step's rows.
    """
    rows, own = context.graded_with_validation, context.rows
    is_outside = (rows["correct"] < 0) | (rows["correct"] > 1)
    is_other = ~is_outside & ((rows["correct"] - column(rows, f"{TERM_PREFIX}correct")).abs() > _TOLERANCE)
    is_unmarked = (rows["stop_reason"] == "max_tokens") & ~rows["is_truncated"]
    is_mixed = own.groupby("group")["problem_id"].transform("nunique") > 1
    broken: list[tuple[Severity, str, Frame]] = [
        ("invalid", "have a correctness outside [0, 1]", rows[is_outside]),
        ("invalid", "have a correctness that differs from their reward term", rows[is_other]),
        ("critical", "have a reward that is not the weighted sum of their terms", _wrong_rewards(context)),
        ("critical", "ran out of tokens and are not marked as cut", rows[is_unmarked]),
        (
            "critical",
            "share a group with another problem, or repeat an attempt",
            own[is_mixed | own.duplicated(["group", "attempt"], keep=False)],
        ),
    ]
    found = [
        context.finding("metric_defect", severity, f"{len(part)} attempts {what}", {"rows": len(part)}, part)
        for severity, what, part in broken
        if len(part)
    ]
    return Diagnosis(findings=[*found, *_dead_ratio(context)])


def _wrong_rewards(context: Context) -> Frame:
    """Return rows whose reward is not the recipe's weighted sum of their terms."""
    rows = graded(context.rows)
    terms = [name for name in rows.columns if name.startswith(TERM_PREFIX)]
    if context.recipe is None or not terms:
        return rows.head(0)
    weights = {term: combine({term.removeprefix(TERM_PREFIX): 1.0}, context.recipe.reward) for term in terms}
    recomputed = sum(
        (rows[term].fillna(0.0) * weight for term, weight in weights.items()), start=pd.Series(0.0, rows.index)
    )
    return rows[(rows["reward"] - recomputed).abs() > _TOLERANCE]


def _dead_ratio(context: Context) -> list[Finding]:
    """Compare each step's stored dead-group ratio with its rows, where no mask hides attempts from both."""
    rows = graded(context.training)
    if context.training_recipe is not None:
        masks = context.training_recipe.filter
        if masks.mask_abandon or masks.mask_idle or masks.mask_echo or masks.mask_code:
            return []  # what they mask stands in no column
        rows = rows[~rows["is_truncated"]] if masks.mask_truncated else rows
    spread = rows.groupby(["step", "group"])["reward"].std().fillna(0.0)
    measured = (spread < DEAD_SPREAD).groupby("step").mean()
    stored = context.signals.groupby("step")["dead_group_ratio"].mean()
    gaps = (measured - stored).abs().dropna()
    wrong = int((gaps > _TOLERANCE).sum())
    if not wrong:
        return []
    message = f"the signals' dead-group ratio is not that of the rows in {wrong} of {len(gaps)} steps"
    return [context.finding("metric_defect", "critical", message, {"largest_gap": float(gaps.max())})]
