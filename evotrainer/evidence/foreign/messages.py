"""Where rows of other systems hold what was said, and the messages of all rows."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pyarrow as pa

from evotrainer.evidence.features import mean_logprob
from evotrainer.evidence.foreign.names import names
from evotrainer.evidence.foreign.turns import Turn, has_turns, turns_of

Row = dict[str, Any]

MESSAGES = pa.schema(
    [
        ("place", pa.int64()),
        ("turn", pa.int64()),
        ("role", pa.string()),
        ("text", pa.string()),
        ("tool", pa.string()),
        ("arguments", pa.string()),
        ("is_policy", pa.bool_()),
        ("ok", pa.bool_()),
        ("num_tokens", pa.int64()),
        ("mean_logprob", pa.float64()),
    ]
)
"""`place`: of the attempt. `role`: system, user, assistant, tool, or call for each call of the assistant's message
before, whose `tool` and `arguments` (JSON) it has. `ok`: whether the call that a tool answers succeeded, if known."""


class Voice(NamedTuple):
    """Where a row holds what was said: a prompt and a reply, or messages, perhaps with the prompt apart."""

    asked: str = ""
    said: str = ""
    messages: str = ""


class Said(NamedTuple):
    """What was said in a row: texts, and what is counted of its turns."""

    prompt: str | None
    response: str | None
    last: str | None
    mean_logprob: float | None
    num_turns: int | None
    messages_in_loss: dict[str, float] | None


@cache
def spoken_names() -> frozenset[str]:
    """Return the names of columns that may hold what was said."""
    table = names()
    return frozenset(name.partition(".")[0] for role in ("asked", "said", "messages") for name in table[role])


def voice_of(row: Row, mapped: frozenset[str] = frozenset()) -> Voice:
    """Return where a row holds what was said, by the names of names.yaml and the kinds of its values."""
    table, keys = names(), {key.lower(): key for key in row}
    asked = _first(row, keys, table["asked"], mapped, _is_said)
    talks = _first(row, keys, table["messages"], mapped, _is_talk)
    said = _first(row, keys, table["said"], mapped | {asked}, _is_said)
    if talks and asked != talks and _is_talk(value_of(row, talks)) and not (said and _is_reply(row, said, asked)):
        return Voice(asked=asked if isinstance(value_of(row, asked), str) else "", messages=talks)
    if not said and talks:
        return Voice(asked=asked if asked != talks else "", messages=talks)
    return Voice(asked=asked, said=said)


def _is_said(value: Any) -> bool:
    """Tell whether a value can be what somebody said: a text, or objects with a text or a call."""
    if isinstance(value, list):
        return not value or any(map(_is_said, value))
    if not isinstance(value, dict):
        return isinstance(value, str)
    turns = turns_of(value, "assistant")
    return not value.keys().isdisjoint(names()["message_texts"]) or any(turn.text or turn.calls for turn in turns)


def _is_reply(row: Row, said: str, asked: str) -> bool:
    """Tell whether a column beside messages is the reply to a prompt that stands apart too."""
    if not asked:
        return False
    is_first_choice = said in ("completion", "completions", "response", "responses", "output")
    return is_first_choice and isinstance(value_of(row, said), str | list) and bool(value_of(row, said))


def _first(row: Row, keys: dict[str, str], known: list[str], mapped: frozenset[str] | set[str], fits: Any) -> str:
    for name in known:
        key = keys.get(name, name)
        if key in mapped:
            continue
        value = value_of(row, key)
        if value is not None and fits(value):
            return key
    return ""


def value_of(row: Row, name: str) -> Any:
    """Return the value of a column, which may lie in objects; None where there is none, or no name."""
    if name in row:
        return row[name]
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def _is_talk(value: Any) -> bool:
    """Tell whether a value is messages, steps, questions with replies, or a text of several turns."""
    if isinstance(value, str):
        return has_turns(value)
    if isinstance(value, dict):
        return "actions" in value and "observations" in value
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    keys = value[0].keys()
    is_said = not keys.isdisjoint(("role", "from", "speaker")) and not keys.isdisjoint(
        ("content", "value", "text", "tool_calls")
    )
    return is_said or {"action", "observation"} <= keys or {"question", "response"} <= keys


def turns_in(asked: Any, reply: Any, spoken: Any) -> list[Turn]:
    """Return what was said in a row, in order."""
    if spoken is not None:
        turns = turns_of(spoken)
        is_asked = bool(turns) and not turns[0].is_policy
        return turns if is_asked or not isinstance(asked, str) else [Turn("user", asked), *turns]
    shown = [turn._replace(is_policy=False) for turn in turns_of(asked)]
    return [*shown, *turns_of(reply, "assistant")]


def said_in(turns: list[Turn], asked: Any, reply: Any, spoken: Any) -> Said:
    """Return what was said in turns, which were read from these values."""
    first = next((place for place, turn in enumerate(turns) if turn.is_policy), len(turns))
    by_policy = [turn for turn in turns if turn.is_policy]
    is_heard = bool(by_policy) or spoken is not None or reply is not None
    return Said(
        "\n".join(turn.text for turn in turns[:first]) if first else asked if spoken else None,
        "\n".join(turn.text for turn in by_policy) if is_heard else None,
        by_policy[-1].text if by_policy else "" if is_heard else None,
        mean_logprob(by_policy),
        len(by_policy) if is_heard else None,
        _loss_by_role(spoken if spoken is not None else reply),
    )


def message_rows(place: int, turns: list[Turn]) -> Iterator[tuple[Any, ...]]:
    """Yield the messages of a row, and a row for each call, as MESSAGES has them."""
    for number, turn in enumerate(turns):
        counts = turn.ok, turn.num_tokens, turn.mean_logprob
        yield place, number, turn.role, turn.text, turn.tool, None, turn.is_policy, *counts
        for tool, arguments in turn.calls:
            yield place, number, "call", None, tool, arguments, turn.is_policy, None, None, None


def messages_table(rows: list[tuple[Any, ...]]) -> pa.Table:
    """Return messages as a table."""
    columns = zip(*rows, strict=True) if rows else [()] * len(MESSAGES)
    return pa.table([pa.array(one, kind) for one, kind in zip(columns, MESSAGES.types, strict=True)], schema=MESSAGES)


def _loss_by_role(messages: Any) -> dict[str, float] | None:
    """Return which share of messages the loss holds, by who wrote them; None where no message has a mask of it."""
    known = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    name = next((key for key in names()["message_masks"] for one in known if _is_mask(one.get(key))), None)
    if name is None:
        return None
    roles = [turns[0].role if (turns := turns_of([one])) else "user" for one in known]
    first = roles.index("assistant") if "assistant" in roles else len(roles)
    parts: dict[str, list[bool]] = {"policy": [], "tools": [], "prompt": [], "users": []}
    for place, (one, role) in enumerate(zip(known, roles, strict=True)):
        part = {"assistant": "policy", "tool": "tools"}.get(role, "prompt" if place < first else "users")
        value = one.get(name)
        values = value if isinstance(value, list) else [value]
        parts[part].append(any(one for one in values if one) if _is_mask(value) else part == "policy")
    return {part: sum(values) / max(len(values), 1) for part, values in parts.items()}


def _is_mask(value: Any) -> bool:
    values = value if isinstance(value, list) and value else [value]
    return all(isinstance(one, int | float) and 0 <= one <= 1 for one in values)
