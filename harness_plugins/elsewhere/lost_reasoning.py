"""Reasoning that vanishes over a run, or ends as one template, also where success rises.

A policy may learn to guess, or to be right without showing why. Both are warnings: reasoning, or what stands between
tags of thought, falls below a quarter of its length; or reasoning identifies its problem in the first third of steps
and no longer in the last.
"""

import math

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded, t_limit, thirds, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.reasoning_specificity import reasoning_specificity
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"template_collapse": ("num_chars", "step")}

_MODE = "template_collapse"
_LEFT = 0.25
_LONG_CHARS = 40.0
_PARTS = {"reasoning_chars": "reasoning", "thought_chars": "thought between tags"}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where reasoning vanishes or becomes a template."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    found = [finding for column in _PARTS for finding in _vanishes(context, rows, column)]
    return Diagnosis(findings=found[:1] or _ends_as_template(context, rows))


def _vanishes(context: Context, rows: Frame, column: str) -> list[Finding]:
    limits = context.thresholds
    found = trend(rows, column, limits.min_groups)
    if found is None or found.early < _LONG_CHARS or found.late > _LEFT * found.early:
        return []
    if found.z > -z_limit(limits.alpha):
        return []
    message = (
        f"{_PARTS[column]} fell from {found.early:.0f} to {found.late:.0f} characters an attempt over the run: the "
        "policy answers without it; see what the reward pays for length"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = rows.sort_values(["step", column], ascending=[False, True], kind="stable")
    return [context.finding(_MODE, "warning", message, numbers, ("alpha", "min_groups"), examples)]


def _ends_as_template(context: Context, rows: Frame) -> list[Finding]:
    limits, parts = context.thresholds, thirds(rows)
    if parts is None:
        return []
    early, late = (_areas(part) for part in parts)
    if min(len(early), len(late)) < limits.min_groups:
        return []
    error = float(late.std()) / math.sqrt(len(late))
    is_lost = late.mean() + t_limit(limits.limit_alpha, len(late)) * error < limits.reasoning_specificity
    if not is_lost or early.mean() < limits.reasoning_specificity + limits.specificity_fall:
        return []
    message = (
        f"reasoning identified its problem in the first steps (area {early.mean():.2f}) and hardly does in the last "
        f"(area {late.mean():.2f}, limit {limits.reasoning_specificity:g}, chance 0.50): it ends as one template"
    )
    numbers = {"early": float(early.mean()), "late": float(late.mean()), "num_groups": len(late)}
    limit_names = ("reasoning_specificity", "specificity_fall", "min_groups", "limit_alpha")
    return [context.finding(_MODE, "warning", message, numbers, limit_names, parts[1].drop_duplicates("group"))]


def _areas(rows: Frame) -> Frame:
    return pd.Series(reasoning_specificity(rows), dtype="float64")
