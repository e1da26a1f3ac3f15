"""Side-effect limits that fresh rows can judge: rates of attempts, each with a non-inferiority gate of its own.

A limit like `truncation_rate <= 0.21` allows a rise over the incumbent's reading at the time of the proposal. That rise
is the margin: the limit *holds* once it is shown, at the claim's own error level, that the candidate's rate exceeds the
incumbent's by less. Promotion needs the score's gate and every limit's; each is tested at the full level, because all
must pass (an intersection-union test needs no correction).

Metrics that are no rate of attempts, limits without room (already reached by the incumbent) and equalities are judged
from the harness metrics, as conditions are.
"""

from collections.abc import Callable, Mapping, Sequence

from evotrainer.evidence.score_table import tabulate
from evotrainer.promotion.gates.checkpoint import CheckpointState, open_limit
from evotrainer.records import Condition, Record, Trajectory

Value = Callable[[Trajectory], float | None]

RATES: dict[str, Value] = {
    "truncation_rate": lambda row: float(row.is_truncated),
    "format_failure_rate": lambda row: None if row.format_ok is None else float(not row.format_ok),
}
"""Harness metrics that are a mean over attempts; None where a row does not show it."""


class LimitGate(Record):
    """One limit and the state of its gate."""

    condition: Condition
    margin: float
    state: CheckpointState

    @property
    def goodness(self) -> Value:
        """What the gate counts: the rate, turned so that more is better."""
        return goodness(self.condition)


def open_limits(
    conditions: Sequence[Condition],
    readings: Mapping[str, float],
    screening: Sequence[Trajectory],
    alpha: float,
    max_attempts: int,
) -> tuple[LimitGate, ...]:
    """Return a gate for each limit that fresh rows can judge.

    `readings` are the incumbent's metrics that the limits were set from, `screening` its stored validation rows.
    """
    gates = []
    for condition in dict.fromkeys(conditions):
        margin = _margin(condition, readings)
        if not 0.0 < margin < 1.0 or not _is_shown(condition, screening):
            continue
        table = tabulate(screening, goodness(condition))
        gates.append(
            LimitGate(
                condition=condition, margin=margin, state=open_limit(table, alpha, margin, max_attempts=max_attempts)
            )
        )
    return tuple(gates)


def goodness(condition: Condition) -> Value:
    """Return the rate of a limit's metric, turned so that more is better."""
    rate, is_upper = RATES[condition.metric], condition.operator in ("<", "<=")

    def value(row: Trajectory) -> float | None:
        found = rate(row)
        return found if found is None or not is_upper else 1.0 - found

    return value


def _margin(condition: Condition, readings: Mapping[str, float]) -> float:
    """Return the change that the limit allows; 0 where none can be named."""
    before = readings.get(condition.metric)
    if condition.metric not in RATES or before is None or condition.operator == "==":
        return 0.0
    sign = 1.0 if condition.operator in ("<", "<=") else -1.0
    return round(sign * (condition.value - before), 6)


def _is_shown(condition: Condition, rows: Sequence[Trajectory]) -> bool:
    return all(RATES[condition.metric](row) is not None for row in rows if row.error is None)
