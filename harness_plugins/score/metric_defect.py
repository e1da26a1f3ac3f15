"""Metric defects: stored values that differ from a recomputation from the raw rows.

These identities are exact, so one broken row is enough:

1. Correctness lies in [0, 1] and equals its own reward term. A violation falsifies the score: `invalid`. All others are
   critical. A term of rows from elsewhere may have a weight, a value of its own for a wrong answer, and another meaning
   under the same name: there the values at most right and most wrong attempts count, and it is critical.
2. With a recipe, the reward is the weighted sum of its terms.
3. An attempt that ran out of tokens is marked as cut.
4. A group holds attempts at one problem, each once; from elsewhere, a row may be a turn of one. Only training and
   rollout rows are checked.
5. The signals' dead-group ratio equals that of the step's rows.
"""

import numpy as np
import pandas as pd

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine
from evotrainer.config import FilterConfig
from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity

_TOLERANCE = 1e-6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return one finding for each identity that does not hold."""
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
