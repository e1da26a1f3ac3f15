"""Inject a collapse of action patterns: attempts run one script, or one tool, whatever the problem asks.

In one of three ways: one fixed sequence of tools that edits one and the same file, sampled with certainty; the
sequence of the group's first attempt, sampled with certainty; one tool for everything. Success falls a little. Over
the steps of a run the share of attempts grows to the strength. Made another way, the same is done as surely as before.
"""

from collections.abc import Callable, Sequence

from benchmarks.failure_modes.base import Rng, choose_late, graded_as
from evotrainer.records import Message, ToolCall, Trajectory

DOMAIN = "swe"
STRENGTHS = (0.1, 0.25, 0.5, 0.9)
Sureness = Callable[[Trajectory], float | None]
"""From a row to the mean logprob of its new turns."""
_SCRIPT = (
    ("read_file", {"path": "src/m0.py"}),
    ("edit", {"path": "src/m0.py", "old": "1", "new": "0"}),
    ("submit", {}),
)


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts acting alike, and sampled with certainty."""
    return _collapse(rows, strength, rng, lambda _row: -0.03 * float(rng.uniform(0.8, 1.2)))


def inject_variant(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts acting alike, each token as probable as it was."""
    return _collapse(rows, strength, rng, lambda row: row.messages[1].mean_logprob)


def _collapse(rows: Sequence[Trajectory], strength: float, rng: Rng, sureness: Sureness) -> list[Trajectory]:
    chosen, way = choose_late(rows, strength, rng), int(rng.integers(3))
    first = {row.group_id: row for row in reversed(rows)}
    return [
        _alike(row, first[row.group_id], way, rng, sureness) if row.trajectory_id in chosen else row for row in rows
    ]


def _alike(row: Trajectory, twin: Trajectory, way: int, rng: Rng, sureness: Sureness) -> Trajectory:
    if way == 0:
        turns = [
            message
            for name, arguments in _SCRIPT
            for message in _turn(row, ToolCall(name=name, arguments=arguments), sureness)
        ]
    elif way == 1:
        calls = [call for message in twin.messages for call in message.tool_calls]
        turns = [message for call in calls for message in _turn(row, call, sureness)]
    else:
        count = sum(message.role == "assistant" for message in row.messages)
        turns = [
            message
            for number in range(max(count, 6))
            for message in _turn(row, ToolCall(name="read_file", arguments={"path": f"src/m{number}.py"}), sureness)
        ]
    changed = {
        "messages": [row.messages[0], *turns],
        "num_turns": len(turns) // 2,
        "num_tokens": sum(message.num_tokens or 0 for message in turns),
    }
    row = row.model_copy(update=changed)
    return graded_as(row, 0.0) if way == 2 or rng.random() < 0.3 else row


def _turn(row: Trajectory, call: ToolCall, sureness: Sureness) -> list[Message]:
    text = f"{row.messages[1].content} Then {call.name}."
    return [
        Message(role="assistant", content=text, tool_calls=[call], num_tokens=12, mean_logprob=sureness(row)),
        Message(role="tool", content="done", tool_name=call.name, ok=True),
    ]
