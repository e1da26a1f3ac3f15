"""Inject an echo trap: attempts say again what their context holds, call after call, until the turns run out.

In one of four ways: one call again and again; two calls in turn; an edit that fails and is tried again; one tool over
and over with arguments that hardly change. Most such attempts fail. Over the steps of a run the share of attempts, and
how long they go on, grow to the strength.
"""

from collections.abc import Sequence

from benchmarks.failure_modes.base import Rng, choose_late, graded_as
from evotrainer.records import Message, ToolCall, Trajectory

DOMAIN = "swe"
STRENGTHS = (0.1, 0.25, 0.5, 0.9)
_FAILURE = 0.85


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts going in circles."""
    chosen, way = choose_late(rows, strength, rng), int(rng.integers(4))
    return [_trapped(row, way, rng) if row.trajectory_id in chosen else row for row in rows]


def _trapped(row: Trajectory, way: int, rng: Rng) -> Trajectory:
    said = [place for place, message in enumerate(row.messages) if message.role == "assistant"]
    place = said[len(said) // 2]
    made = [call for message in row.messages for call in message.tool_calls if call.name != "submit"]
    calls = [*made, ToolCall(name="list_files"), ToolCall(name="run_tests")][:2]
    count = int(rng.integers(6, 14))
    turns = [message for number in range(count) for message in _turn(calls, way, number, rng)]
    after = row.messages[place:] if rng.random() < 0.3 else []
    messages = [*row.messages[:place], *turns, *after]
    num_turns = sum(message.role == "assistant" for message in messages)
    tokens = sum(message.num_tokens or 0 for message in messages)
    ended = {} if after else {"stop_reason": "max_turns", "is_truncated": True}
    row = row.model_copy(update={"messages": messages, "num_turns": num_turns, "num_tokens": tokens, **ended})
    return graded_as(row, 0.0) if not after or rng.random() < _FAILURE else row


def _turn(calls: Sequence[ToolCall], way: int, number: int, rng: Rng) -> list[Message]:
    path = "src/m1.py"
    if way == 0:
        call, ok = calls[0], True
    elif way == 1:
        call, ok = calls[number % 2], True
    elif way == 2:
        call, ok = ToolCall(name="edit", arguments={"path": path, "old": "nothing", "new": "x"}), False
    else:
        call, ok = ToolCall(name="read_file", arguments={"path": path, "start": number}), True
    text = f"I should look at {path} again, step {int(rng.integers(1000))}."
    return [
        Message(
            role="assistant", content=text, tool_calls=[call], num_tokens=12, mean_logprob=float(-rng.gamma(8.0, 0.03))
        ),
        Message(role="tool", content="as before", tool_name=call.name, ok=ok),
    ]
