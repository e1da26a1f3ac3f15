"""Success criteria, side-effect limits and negative controls: whether a condition holds on measured numbers."""

import math
from collections.abc import Mapping
from typing import Literal

from evotrainer.records import Condition, Intervention

ConditionKind = Literal["success", "limits", "negative_controls"]
CONDITION_KINDS: tuple[ConditionKind, ...] = ("success", "limits", "negative_controls")

_NAMES = {"success": "success criterion", "limits": "side-effect limit", "negative_controls": "negative control"}
_OPERATORS = {
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: math.isclose(value, bound, abs_tol=1e-9),
}


def holds(condition: Condition, metrics: Mapping[str, float]) -> bool | None:
    """Return whether a condition holds; None where its metric was not measured or is no number."""
    value = metrics.get(condition.metric)
    if value is None or math.isnan(value):
        return None
    return _OPERATORS[condition.operator](value, condition.value)


def spell(condition: Condition) -> str:
    """Return a condition as a person reads it."""
    return f"{condition.metric} {condition.operator} {condition.value:.4g}"


def conditions_of(intervention: Intervention | None, kind: ConditionKind) -> list[Condition]:
    """Return an intervention's conditions of one kind; none without an intervention."""
    return getattr(intervention, kind) if intervention else []


def broken(intervention: Intervention | None, kind: ConditionKind, metrics: Mapping[str, float]) -> list[str]:
    """Return one sentence for each condition that does not hold."""
    return [
        f"{_NAMES[kind]} {spell(condition)} is broken: it is {metrics[condition.metric]:.4g}"
        for condition in conditions_of(intervention, kind)
        if holds(condition, metrics) is False
    ]


def unmeasured(intervention: Intervention | None, kind: ConditionKind, metrics: Mapping[str, float]) -> list[str]:
    """Return one sentence for each condition whose metric was not measured."""
    return [
        f"{_NAMES[kind]} {spell(condition)} is not judged: the metric was not measured"
        for condition in conditions_of(intervention, kind)
        if holds(condition, metrics) is None
    ]
