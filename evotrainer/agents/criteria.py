"""The conditions of an intervention beside its prediction: success, side-effect limits, negative controls.

All are computed from the incumbent's measurements in the same way for every agent, so that the gate treats all alike.
"""

from collections.abc import Mapping, Sequence

from evotrainer.config.criteria import holds
from evotrainer.records import Condition

SIDE_EFFECTS = (("truncation_rate", 0.15), ("format_failure_rate", 0.15))
"""(metric, allowed rise) of every intervention that does not aim at that metric."""


def success_of(reading: Mapping[str, float]) -> list[Condition]:
    """Return what must come true: a higher score. A better policy has other groups: harness metrics decide nothing."""
    return [Condition(metric="score", operator=">", value=reading["score"])] if "score" in reading else []


def limits_of(metric: str, reading: Mapping[str, float], guards: Sequence[Condition]) -> list[Condition]:
    """Return what must not be exceeded: a rise of the usual side effects, and what evolved diagnostics guard."""
    others = [guard for guard in guards if guard.metric != metric and holds(guard, reading)]
    return [*_rises([(name, rise) for name, rise in SIDE_EFFECTS if name != metric], reading), *others]


def controls_of(allowed: Sequence[tuple[str, float]], metric: str, reading: Mapping[str, float]) -> list[Condition]:
    """Return what the hypothesis says does not move; its own metric does."""
    return _rises([(name, rise) for name, rise in allowed if name != metric], reading)


def _rises(allowed: Sequence[tuple[str, float]], reading: Mapping[str, float]) -> list[Condition]:
    return [
        Condition(metric=name, operator="<=", value=round(reading[name] + rise, 6))
        for name, rise in allowed
        if name in reading
    ]
