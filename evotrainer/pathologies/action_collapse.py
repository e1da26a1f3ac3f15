"""Plant a collapse of action patterns: attempts run one script, or one tool, whatever the problem asks.

In one of three ways: one fixed sequence of tools that edits one and the same file, sampled with certainty; the
sequence of the group's first attempt, sampled with certainty; one tool for everything. Success falls a little. Over
the steps of a run the share of attempts grows to the strength.
"""

from collections.abc import Sequence

from evotrainer.pathologies.base import Rng, choose_late, graded_as
from evotrainer.records import Message, ToolCall, Trajectory

DOMAIN = "swe"
STRENGTHS = (0.1, 0.25, 0.5, 0.9)
_SCRIPT = (
    ("read_file", {"path": "src/m0.py"}), ("edit", {"path": "src/m0.py", "old": "1", "new": "0"}), ("submit", {}),
)  # fmt: skip


def plant(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts acting alike."""
    chosen, way = choose_late(rows, strength, rng), int(rng.integers(3))
    first = {row.group_id: row for row in reversed(rows)}
    return [_alike(row, first[row.group_id], way, rng) if row.trajectory_id in chosen else row for row in rows]


def _alike(row: Trajectory, twin: Trajectory, way: int, rng: Rng) -> Trajectory:
    if way == 0:
        turns = [
            message
            for name, arguments in _SCRIPT
            for message in _turn(row, ToolCall(name=name, arguments=arguments), rng)
        ]
    elif way == 1:
        calls = [call for message in twin.messages for call in message.tool_calls]
        turns = [message for call in calls for message in _turn(row, call, rng)]
    else:
        count = sum(message.role == "assistant" for message in row.messages)
        turns = [
            message for number in range(max(count, 6))
            for message in _turn(row, ToolCall(name="read_file", arguments={"path": f"src/m{number}.py"}), rng)
        ]  # fmt: skip
    changed = {
        "messages": [row.messages[0], *turns], "num_turns": len(turns) // 2,
        "num_tokens": sum(message.num_tokens or 0 for message in turns),
    }  # fmt: skip
    row = row.model_copy(update=changed)
    return graded_as(row, 0.0) if way == 2 or rng.random() < 0.3 else row


def _turn(row: Trajectory, call: ToolCall, rng: Rng) -> list[Message]:
    text = f"{row.messages[1].content} Then {call.name}."
    return [
        Message(role="assistant", content=text, tool_calls=[call], num_tokens=12,
                mean_logprob=-0.03 * float(rng.uniform(0.8, 1.2))),
        Message(role="tool", content="done", tool_name=call.name, ok=True),
    ]  # fmt: skip
