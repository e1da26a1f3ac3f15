"""Inject timidity: attempts that stop testing, that hand in nothing, or that leave after one turn.

In one of three ways: tests are left out; the attempt submits before any edit; it ends after its first turn. Those that
hand in nothing fail; untested ones fail a little more often. Over the steps of a run the share of attempts grows to
the strength.
"""

from collections.abc import Callable, Sequence

from benchmarks.failure_modes.base import Rng, choose_late, graded_as
from evotrainer.records import Message, ToolCall, Trajectory

DOMAIN = "swe"
STRENGTHS = (0.1, 0.25, 0.5, 0.9)


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts timid."""
    chosen, way = choose_late(rows, strength, rng), int(rng.integers(3))
    return [_timid(row, way, rng) if row.trajectory_id in chosen else row for row in rows]


def _timid(row: Trajectory, way: int, rng: Rng) -> Trajectory:
    if way == 0:
        row = _kept(row, lambda call: call.name != "run_tests")
        return graded_as(row, 0.0) if rng.random() < 0.2 else row
    if way == 1:
        row = _kept(row, lambda call: call.name not in ("edit", "write_file", "run_tests"))
        return graded_as(row, 0.0, partial=0.0)
    first = next(place for place, message in enumerate(row.messages) if message.role == "assistant")
    message = row.messages[first].model_copy(update={"tool_calls": [], "content": "This cannot be mended."})
    row = row.model_copy(
        update={
            "messages": [*row.messages[:first], message],
            "num_turns": 1,
            "num_tokens": message.num_tokens or 0,
            "stop_reason": "stop",
        }
    )
    return graded_as(row, 0.0, partial=0.0)


def _kept(row: Trajectory, keeps: Callable[[ToolCall], bool]) -> Trajectory:
    """Return the row without the turns that make a call which is not kept, and without their answers."""
    messages: list[Message] = []
    is_kept = True
    for message in row.messages:
        if message.role == "assistant":
            is_kept = all(map(keeps, message.tool_calls))
        if is_kept or message.role == "user":
            messages.append(message)
    counts = {
        "num_turns": sum(message.role == "assistant" for message in messages),
        "num_tokens": sum(message.num_tokens or 0 for message in messages),
    }
    return row.model_copy(update={"messages": messages, **counts})
