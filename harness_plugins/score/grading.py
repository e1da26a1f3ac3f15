"""Grading: formats, answers graded both ways, stored values that contradict each other."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine
from evotrainer.config import FilterConfig
from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import TERM_PREFIX
from evotrainer.records import Finding, Severity


@hookimpl
def format_gate(context: Context) -> Diagnosis:
    """Return format failures and wrongly rejected attempts; warn above 30% and 4%.

    Format gate: answers that are right when read leniently and wrong under the gate.

    Above 30% format failures the gate is suspect, not the policy (base metrics of EvoTrainer, arXiv 2606.03108). The
    second signal is the share of attempts that the gate alone makes wrong: they punish the form of an answer, not its
    content. Reads `format_ok`, and `lenient_correct` of `extra`.
    """
    rows, limits = context.graded, context.thresholds
    judged = rows[rows["format_ok"].notna()]
    failed = judged[judged["format_ok"] == 0.0]
    read = rows[rows["lenient_correct"].notna() & rows["correct"].notna()]
    rejected = read[(read["lenient_correct"] >= 1.0) & (read["correct"] < 1.0)]
    metrics = known(
        {
            "format_failure_rate": len(failed) / len(judged) if len(judged) else None,
            "rejected_correct_rate": len(rejected) / len(read) if len(read) else None,
        }
    )
    findings = []
    if len(read) >= limits.min_rows and significantly_above(
        len(rejected), len(read), limits.rejected_correct, limits.limit_alpha
    ):
        message = (
            f"{len(rejected)} of {len(read)} attempts (limit {limits.rejected_correct:.0%}) are right when read "
            "leniently but wrong under the format gate; "
            f"the solve rate would be {(read['lenient_correct'] >= 1).mean():.2f}, not {read['correct'].mean():.2f}"
        )
        findings.append(
            context.finding("format_gate", "warning", message, metrics, ("rejected_correct", "limit_alpha"), rejected)
        )
    elif len(judged) >= limits.min_rows and significantly_above(
        len(failed), len(judged), limits.format_failures, limits.limit_alpha
    ):
        message = (
            f"{len(failed)} of {len(judged)} attempts fail the format gate (limit {limits.format_failures:.0%}): check "
            "the gate before the policy"
        )
        findings.append(
            context.finding("format_gate", "warning", message, metrics, ("format_failures", "limit_alpha"), failed)
        )
    return Diagnosis(metrics, findings)


@hookimpl
def flaky_grading(context: Context) -> Diagnosis:
    """Return the share of odd grades among repeated answers; warn at one, critical above 1% of the attempts.

    Flaky grading: the same answer to the same problem, graded both right and wrong.

    Stored rows repeat answers: within a group, and where a problem is met again. Identical responses without tool
    calls, and identical answers of single-turn attempts under the same format verdict, must have one grade. Two grades
    are a fault of the grader. Validation rows count too, since a flaky grader there is noise in the score.
    """
    rows = context.graded_with_validation
    rows = rows[rows["correct"].notna() & (rows["num_tool_calls"] == 0)]
    rows = rows.assign(format_ok=rows["format_ok"].fillna(-1.0))
    kept = ["format_ok", "is_truncated"]
    answered = rows[rows["answer"].notna() & (rows["num_turns"] <= 1)]
    found = repeated_answers(
        (rows[rows["num_chars"] > 0], ["problem_id", "response_hash", *kept], "correct"),
        (answered, ["problem_id", "answer", *kept], "correct"),
    )
    if not found.attempts:
        return Diagnosis()
    share, limits, flaky = found.odd / found.attempts, context.thresholds, found.flaky
    findings = []
    if len(flaky):
        message = (
            f"{found.odd} of {found.attempts} attempts with a repeated answer have another grade than most of their "
            f"answer (limit {limits.flaky_answers:.0%}), at {len(flaky)} answers: make the grader deterministic"
        )
        examples = rows[rows["problem_id"].isin(flaky.index)].sort_values(
            ["problem_id", "answer", "correct"], kind="stable"
        )
        numbers = {"flaky_share": share, "flaky": len(flaky), "repeated": len(found.table)}
        limit_names = ("flaky_answers", "limit_alpha")
        severity = "critical" if found.is_many(limits) else "warning"
        findings.append(context.finding("flaky_grading", severity, message, numbers, limit_names, examples))
    return Diagnosis(known({"flaky_share": share}), findings)


_TOLERANCE = 1e-6


@hookimpl
def metric_defect(context: Context) -> Diagnosis:
    """Return one finding for each identity that does not hold.

    Metric defects: stored values that differ from a recomputation from the raw rows.

    These identities are exact, so one broken row is enough:

    1. Correctness lies in [0, 1] and equals its own reward term. A violation falsifies the score: `invalid`. All others
       are critical. Without a recipe a term may have a weight, or its own value for a wrong answer: there the values
       at most right and most wrong attempts count, and it is critical.
    2. With a recipe, the reward is the weighted sum of its terms.
    3. An attempt that ran out of tokens is marked as cut.
    4. A group holds attempts at one problem, each once. Only training and rollout rows are checked.
    5. The signals' dead-group ratio equals that of the step's rows.
    """
    rows = context.graded_with_validation
    is_outside = (rows["correct"] < 0) | (rows["correct"] > 1)
    is_other = ~is_outside & ((rows["correct"] - _told_by_term(context, rows)).abs() > _TOLERANCE)
    return Diagnosis(
        findings=[
            *_broken(context, rows[is_outside], "invalid", "correct", "have a correctness outside [0, 1]"),
            *_broken(
                context,
                rows[is_other],
                "critical" if context.recipe is None else "invalid",
                "correct",
                "have a correctness that differs from their reward term",
            ),
            *_broken(
                context,
                _wrong_rewards(context),
                "critical",
                "reward",
                "have a reward that is not the weighted sum of their terms",
            ),
            *_broken(
                context,
                rows[(rows["stop_reason"] == "max_tokens") & ~rows["is_truncated"]],
                "critical",
                "is_truncated",
                "ran out of tokens and are not marked as cut",
            ),
            *_broken(
                context,
                _mixed_groups(context),
                "critical",
                "group_id",
                "share a group with another problem, or repeat an attempt",
            ),
            *_dead_ratio(context),
        ]
    )


def _told_by_term(context: Context, rows: Frame) -> Frame:
    """Return the correctness that its term tells; NaN where there is no term, or where it tells none."""
    term = rows.get(f"{TERM_PREFIX}correct", pd.Series(np.nan, index=rows.index)).astype(float)
    if context.recipe is not None or term.isna().all():
        return term
    right, wrong = (term[rows["correct"] == outcome].mode() for outcome in (1.0, 0.0))
    best, least = (
        float(values.iloc[0]) if len(values) else default for values, default in ((right, 1.0), (wrong, 0.0))
    )
    return (term - least) / (best - least) if best > least else term * np.nan


def _broken(context: Context, rows: Frame, severity: Severity, column: str, what: str) -> list[Finding]:
    if rows.empty:
        return []
    message = f"`{column}` is defective: {len(rows)} attempts {what}"
    return [context.finding("metric_defect", severity, message, {"rows": len(rows)}, (), rows)]


def _wrong_rewards(context: Context) -> Frame:
    """Return rows whose reward is not the recipe's weighted sum of their terms."""
    rows = graded(context.rows)
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX)]
    if context.recipe is None or not terms:
        return rows.head(0)
    weights = {term: combine({term.removeprefix(TERM_PREFIX): 1.0}, context.recipe.reward) for term in terms}
    recomputed = sum(
        (rows[term].fillna(0.0) * weight for term, weight in weights.items()), start=pd.Series(0.0, rows.index)
    )
    return rows[(rows["reward"] - recomputed).abs() > _TOLERANCE]


def _has_other_masks(masks: FilterConfig) -> bool:
    """Return whether a recipe masks attempts by what no column of the evidence tells."""
    return bool(masks.mask_abandon or masks.mask_idle or masks.mask_echo or masks.mask_code)


def _mixed_groups(context: Context) -> Frame:
    rows = context.rows
    is_mixed = rows.groupby("group")["problem_id"].transform("nunique") > 1
    return rows[is_mixed | rows.duplicated(["group", "attempt"], keep=False)]


def _dead_ratio(context: Context) -> list[Finding]:
    """Compare each step's stored dead-group ratio with its rows."""
    rows = graded(context.training)
    if context.training_recipe is not None and _has_other_masks(context.training_recipe.filter):
        return []
    if context.training_recipe is not None and context.training_recipe.filter.mask_truncated:
        rows = rows[~rows["is_truncated"]]
    spread = rows.groupby(["step", "group"])["reward"].std().fillna(0.0)
    measured = (spread < DEAD_SPREAD).groupby("step").mean()
    stored = context.signals.groupby("step")["dead_group_ratio"].mean()
    both = pd.concat([measured, stored], axis=1, join="inner")
    gaps = (both.iloc[:, 0] - both.iloc[:, 1]).abs() if len(both) else pd.Series(dtype=float)
    if not (gaps > _TOLERANCE).any():
        return []
    wrong = int((gaps > _TOLERANCE).sum())
    message = f"the signals' dead-group ratio is not that of the rows in {wrong} of {len(gaps)} steps"
    return [context.finding("metric_defect", "critical", message, {"largest_gap": float(gaps.max())})]


_MIN_ANSWERS = 3
"""Answers graded unequally from which a grader is one that flips; fewer are single slips."""


@dataclass(frozen=True)
class Repeated:
    """Repeated answers, an entry each: `size` attempts, of which `odd` have another grade than most."""

    table: Frame

    @property
    def flaky(self) -> Frame:
        """Answers with more than one grade."""
        return self.table[self.table["odd"] > 0]

    @property
    def odd(self) -> int:
        """Attempts whose grade is not the one that most with their answer have."""
        return int(self.table["odd"].sum())

    @property
    def attempts(self) -> int:
        """Attempts with a repeated answer."""
        return int(self.table["size"].sum())

    def is_many(self, limits: Thresholds) -> bool:
        """Tell whether odd grades are more than a slip: several answers, and significantly above the limit."""
        return len(self.flaky) >= _MIN_ANSWERS and significantly_above(
            self.odd, self.attempts, limits.flaky_answers, limits.limit_alpha
        )


def repeated_answers(*parts: tuple[Frame, list[str], str]) -> Repeated:
    """Return the answers met more than once.

    Args:
        parts: rows, the columns that say what one answer is (problem first), and the column of
            the grade; each part counts by itself.
    """
    return Repeated(pd.concat([_table(*part) for part in parts]))


def _table(rows: Frame, keys: list[str], grade: str) -> Frame:
    by_grade = rows.groupby([*keys, grade]).size().groupby(level=keys)
    size, usual = by_grade.sum(), by_grade.max()
    table: Frame = pd.DataFrame({"size": size, "odd": size - usual})
    return table[table["size"] >= 2].droplevel(list(range(1, len(keys))))
