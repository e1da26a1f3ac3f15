"""Modes of behaviour with tools. Over the steps of a run the share of attempts that show one grows to the strength."""

from collections.abc import Callable, Sequence

from benchmarks.failure_modes.base import Rng, choose_late, graded_as
from benchmarks.failure_modes.mode import row_mode, variant_of
from evotrainer.records import Message, ToolCall, Trajectory

_COPIED = ("messages", "reward", "reward_terms", "correct", "num_turns", "num_tokens", "stop_reason", "is_truncated")


@row_mode("swe", (0.1, 0.25, 0.5, 0.9))
def entropy_collapse(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts collapsed, or exploded.

    Collapsed ones copy the first attempt at their problem and are sampled near probability 1. Exploded ones are sampled
    at many nats a token, and fail.
    """
    chosen = choose_late(rows, strength, rng)
    if rng.random() < 0.5:
        first = {row.group_id: row for row in reversed(rows)}
        return [_sure(row, first[row.group_id], rng) if row.trajectory_id in chosen else row for row in rows]
    return [_wild(row, rng) if row.trajectory_id in chosen else row for row in rows]


def _sure(row: Trajectory, twin: Trajectory, rng: Rng) -> Trajectory:
    copied = {name: getattr(twin, name) for name in _COPIED} | {"extra": {**twin.extra}}
    return _sampled_at(row.model_copy(update=copied), -0.02, rng)


def _wild(row: Trajectory, rng: Rng) -> Trajectory:
    row = _sampled_at(row, -3.0, rng)
    return graded_as(row, 0.0, partial=0.0) if rng.random() < 0.7 else row


def _sampled_at(row: Trajectory, logprob: float, rng: Rng) -> Trajectory:
    messages = [
        message.model_copy(update={"mean_logprob": logprob * float(rng.uniform(0.8, 1.2))})
        if message.role == "assistant"
        else message
        for message in row.messages
    ]
    return row.model_copy(update={"messages": messages})


_FAILURE = 0.85


@row_mode("swe", (0.1, 0.25, 0.5, 0.9))
def echo_trap(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts saying again what their context holds, until turns run out.

    In one of four ways: one call again and again; two calls in turn; an edit that fails and is tried again; one tool
    over and over with arguments that hardly change. Most such attempts fail.
    """
    chosen, way = choose_late(rows, strength, rng), int(rng.integers(4))
    return [_trapped(row, way, rng) if row.trajectory_id in chosen else row for row in rows]


def _trapped(row: Trajectory, way: int, rng: Rng) -> Trajectory:
    said = [place for place, message in enumerate(row.messages) if message.role == "assistant"]
    place = said[len(said) // 2]
    made = [call for message in row.messages for call in message.tool_calls if call.name != "submit"]
    calls = [*made, ToolCall(name="list_files"), ToolCall(name="run_tests")][:2]
    count = int(rng.integers(6, 14))
    turns = [message for number in range(count) for message in _echo_trap_turn(calls, way, number, rng)]
    after = row.messages[place:] if rng.random() < 0.3 else []
    messages = [*row.messages[:place], *turns, *after]
    num_turns = sum(message.role == "assistant" for message in messages)
    tokens = sum(message.num_tokens or 0 for message in messages)
    ended = {} if after else {"stop_reason": "max_turns", "is_truncated": True}
    row = row.model_copy(update={"messages": messages, "num_turns": num_turns, "num_tokens": tokens, **ended})
    return graded_as(row, 0.0) if not after or rng.random() < _FAILURE else row


def _echo_trap_turn(calls: Sequence[ToolCall], way: int, number: int, rng: Rng) -> list[Message]:
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
    return _turn(text, call, float(-rng.gamma(8.0, 0.03)), "as before", ok)


def _turn(text: str, call: ToolCall, logprob: float | None, answer: str = "done", ok: bool = True) -> list[Message]:
    return [
        Message(role="assistant", content=text, tool_calls=[call], num_tokens=12, mean_logprob=logprob),
        Message(role="tool", content=answer, tool_name=call.name, ok=ok),
    ]


_OPENINGS = ("Let me think about this carefully", "I will look at the code first", "The cause may lie deeper")
_PARTS = (
    "the function does not handle every case",
    "a value is not what the caller expects",
    "an index may be off by one",
    "the order of operations matters here",
    "an earlier change may have broken it",
    "the tests will tell more",
    "one branch is never taken",
    "a default hides the fault",
)


@row_mode("swe", (0.1, 0.25, 0.5, 0.9))
def template_collapse(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts reasoning by one template, whatever the problem.

    Wordy and varied, so that neither entropy nor repetition shows it. Answers, calls and outcomes stay as they were.
    """
    chosen = choose_late(rows, strength, rng)
    return [_templated(row, rng) if row.trajectory_id in chosen else row for row in rows]


def _templated(row: Trajectory, rng: Rng) -> Trajectory:
    messages = [
        message.model_copy(update={"content": _text(rng)}) if message.role == "assistant" else message
        for message in row.messages
    ]
    return row.model_copy(update={"messages": messages})


def _text(rng: Rng) -> str:
    parts = rng.choice(_PARTS, size=int(rng.integers(1, 4)), replace=False)
    return f"{rng.choice(_OPENINGS)}: {', '.join(parts)}. Step {int(rng.integers(1000))}."


Sureness = Callable[[Trajectory], float | None]
"""From a row to the mean logprob of its new turns."""
_SCRIPT = (
    ("read_file", {"path": "src/m0.py"}),
    ("edit", {"path": "src/m0.py", "old": "1", "new": "0"}),
    ("submit", {}),
)


@row_mode("swe", (0.1, 0.25, 0.5, 0.9))
def action_collapse(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts acting alike, and sampled with certainty.

    In one of three ways: one fixed sequence of tools that edits one and the same file; the sequence of the group's
    first attempt; one tool for everything. Success falls a little.
    """
    return _collapse(rows, strength, rng, lambda _row: -0.03 * float(rng.uniform(0.8, 1.2)))


@variant_of(action_collapse)
def action_collapse_variant(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
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
        calls = [ToolCall(name=name, arguments=arguments) for name, arguments in _SCRIPT]
    elif way == 1:
        calls = [call for message in twin.messages for call in message.tool_calls]
    else:
        count = sum(message.role == "assistant" for message in row.messages)
        paths = [f"src/m{number}.py" for number in range(max(count, 6))]
        calls = [ToolCall(name="read_file", arguments={"path": path}) for path in paths]
    said = row.messages[1].content
    turns = [message for call in calls for message in _turn(f"{said} Then {call.name}.", call, sureness(row))]
    changed = {
        "messages": [row.messages[0], *turns],
        "num_turns": len(turns) // 2,
        "num_tokens": sum(message.num_tokens or 0 for message in turns),
    }
    row = row.model_copy(update=changed)
    return graded_as(row, 0.0) if way == 2 or rng.random() < 0.3 else row


@row_mode("swe", (0.1, 0.25, 0.5, 0.9))
def timidity(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts timid.

    In one of three ways: tests are left out; the attempt submits before any edit; it ends after its first turn. Those
    that hand in nothing fail; untested ones fail a little more often.
    """
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
