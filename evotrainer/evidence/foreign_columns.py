"""Rows of other systems as columns, part by part: what was said, and every other value under its name in the file.

An object is a column for each of its keys, two levels deep; what lies deeper, and lists of anything but numbers, is
JSON text. A list of one value is that value. Values of several kinds in one column are text, where not all are numbers.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import orjson
import pyarrow as pa

from evotrainer.evidence.formats.names import names
from evotrainer.evidence.formats.turns import Turn, has_turns, turns_of

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
_MAX_KEYS = 60
"""Keys of an object beyond which they are values themselves, and the object is JSON text."""
_MAX_DEPTH = 2
_PLAIN = frozenset(
    {"role", "content", "tool_calls", "tool_name", "tool_call_id", "name", "ok", "num_tokens", "mean_logprob"}
)
_MASKS = ("loss_mask", "loss_weight", "in_loss", "weight", "trainable", "train", "training")
"""Names under which messages say whether they are trained on."""


class Voice(NamedTuple):
    """Where a row holds what was said: a prompt and a reply, or messages, perhaps with the prompt apart."""

    asked: str = ""
    said: str = ""
    messages: str = ""


@dataclass
class Columns:
    """Columns that grow by parts."""

    mapped: frozenset[str] = frozenset()
    """Columns that a person named: they are never taken for what was said."""
    voice: Voice | None = None
    """Where a person says that it stands."""
    chunks: dict[str, list[tuple[int, pa.Array]]] = field(default_factory=dict)
    """By name the arrays of parts, each with its first row."""
    messages: list[pa.Table] = field(default_factory=list)
    """Messages of rows that are more than a prompt and a reply."""
    shapes: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = field(default_factory=dict)
    """Roles and lengths of the prompt's messages, of rows whose prompt is another than one message of a user."""
    prompt_codes: dict[int, int] = field(default_factory=dict)
    """By hash of a prompt its code: texts of all prompts are held once, in their column."""
    prompt_names: list[str] = field(default_factory=list)
    """By code a name of the prompt: a short hash that is the same in every process."""
    num_rows: int = 0
    voices: dict[tuple[Any, ...], Voice] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    """Columns that what was said was read from, with numbers of rows."""

    def add(self, rows: Sequence[Row], lines: Sequence[int], file: str) -> None:
        """Add the rows of a part."""
        columns = _by_name(rows)
        spoken = self._spoken(rows)
        taken = spoken.pop("taken")
        found = {"file": [file] * len(rows), "line": list(lines), **spoken}
        for name, values in columns.items():
            if name not in taken:
                self._flatten(name, values, found, 0, taken)
        arrays: dict[int, pa.Array] = {}
        for name, values in found.items():
            array = arrays[id(values)] = arrays.get(id(values)) or typed(values)
            if array.null_count < len(array):
                self.chunks.setdefault(name, []).append((self.num_rows, array))
        self.num_rows += len(rows)

    def table(self) -> dict[str, pa.ChunkedArray]:
        """Return all columns, parts joined under one type, and let go of the parts."""
        made = {}
        for name in list(self.chunks):
            made[name] = _joined(self.chunks.pop(name), self.num_rows)
        return made

    def _flatten(
        self, name: str, values: list[Any], found: dict[str, list[Any]], depth: int = 0, taken: Collection[str] = ()
    ) -> None:
        """Add the column of these values, or one for each key where they are objects; without those in `taken`."""
        if dict in set(map(type, values)):
            objects = [value if type(value) is dict else {} for value in values]
            keys = dict.fromkeys(key for one in objects for key in one)
            is_record = len(keys) <= _MAX_KEYS or sum(map(len, objects)) * 2 > len(keys) * len(objects)
            if depth < _MAX_DEPTH and is_record:
                for key in keys:
                    inner = f"{name}.{key}"
                    if inner not in taken:
                        self._flatten(inner, [one.get(key) for one in objects], found, depth + 1, taken)
                if any(value is not None and type(value) is not dict for value in values):
                    found[name] = [None if type(value) is dict else value for value in values]
                return
        found[name] = values

    def _spoken(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the columns of what was said in rows."""
        prompts, replies, lasts, counts, masks, means, taken = [], [], [], [], [], [], set()
        said: dict[str, list[Any]] = {name: [] for name in MESSAGES.names}
        known: tuple[str, ...] | None = None
        names_of: list[str] = []
        calls: list[int | None] = []
        answers: list[int | None] = []
        for place, row in enumerate(rows, start=self.num_rows):
            keys = tuple(row) if self.voice is None else ()
            if keys != known:
                known, names_of = keys, self._names_of(keys)
            kind = (known, *[type(row[name]) for name in names_of])
            if (voice := self.voices.get(kind)) is None:
                voice = self.voices[kind] = self.voice or voice_of(row, self.mapped)
            asked, reply, spoken = (_value(row, name) for name in (voice.asked, voice.said, voice.messages))
            taken.add(voice)
            if (pair := simple_talk(asked, reply, spoken)) is not None:
                texts, shape, text, mean = pair
                if shape != ("user",):
                    self.shapes[place] = (shape, tuple(map(len, texts)))
                prompts.append("\n".join(texts) if texts else None)
                replies.append(text)
                lasts.append(text)
                counts.append(1)
                calls.append(0)
                answers.append(0)
                masks.append(None)
                means.append(mean)
                continue
            turns = _turns(asked, reply, spoken)
            first = next((i for i, turn in enumerate(turns) if turn.is_policy), len(turns))
            by_policy = [turn for turn in turns if turn.is_policy]
            prompts.append("\n".join(turn.text for turn in turns[:first]) if first else asked if spoken else None)
            means.append(_mean_logprob(by_policy))
            is_heard = bool(by_policy) or spoken is not None or reply is not None
            replies.append("\n".join(turn.text for turn in by_policy) if is_heard else None)
            lasts.append(by_policy[-1].text if by_policy else "" if is_heard else None)
            counts.append(len(by_policy) if is_heard else None)
            calls.append(sum(len(turn.calls) for turn in by_policy) if is_heard else None)
            answers.append(sum(turn.role == "tool" for turn in turns) if is_heard else None)
            masks.append(loss_by_role(spoken if spoken is not None else reply))
            _add_turns(said, place, turns)
        if said["place"]:
            self.messages.append(pa.Table.from_pydict(said, schema=MESSAGES))
        for name in (names_used := {name for voice in taken for name in voice if name}):
            self.used[name] = self.used.get(name, 0) + len(rows)
        made: dict[str, Any] = {"prompt": prompts, "response": replies, "num_turns": counts, "mean_logprob": means}
        made |= {"num_calls": calls, "num_answers": answers}
        made["prompt_code"] = [-1 if one is None else self._code(one) for one in prompts]
        made["last"] = replies if lasts == replies else lasts
        if any(masks):
            self._flatten("messages_in_loss", masks, made)
        return {**{f"@{name}": values for name, values in made.items()}, "taken": names_used}

    def _code(self, prompt: str) -> int:
        """Return the code of a prompt."""
        code = self.prompt_codes.setdefault(hash(prompt), len(self.prompt_names))
        if code == len(self.prompt_names):
            self.prompt_names.append(hashlib.sha256(prompt.encode(errors="replace")).hexdigest()[:16])
        return code

    def _names_of(self, keys: tuple[str, ...]) -> list[str]:
        """Return those of a row's keys that may hold what was said."""
        return [key for key in keys if key.lower() in _spoken_names()]


@cache
def _spoken_names() -> frozenset[str]:
    table = names()
    return frozenset(name.partition(".")[0] for role in ("asked", "said", "messages") for name in table[role])


def _by_name(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return the values of rows by name, null where a row lacks one."""
    first = tuple(rows[0])
    if all(tuple(row) == first for row in rows):
        return dict(zip(first, map(list, zip(*map(dict.values, rows), strict=True)), strict=True))
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(key for row in rows for key in row)}


def _mean_logprob(turns: list[Turn]) -> float | None:
    """Return the mean over sampled tokens of all turns; turns of unknown length weigh one token."""
    known = [(turn.mean_logprob, turn.num_tokens or 1) for turn in turns if turn.mean_logprob is not None]
    total = sum(weight for _, weight in known)
    return sum(logprob * weight for logprob, weight in known) / total if total else None


def simple_talk(asked: Any, reply: Any, spoken: Any) -> tuple[list[str], tuple[str, ...], str, float | None] | None:
    """Return texts and roles of a prompt, and one reply with its mean logprob; None for anything more than that."""
    if spoken is not None:
        if asked is not None or type(spoken) is not list or not spoken:
            return None
        asked, reply = spoken[:-1], spoken[-1:]
    mean = None
    if type(reply) is list:
        if len(reply) != 1 or not _is_simple(reply[0], ("assistant",)):
            return None
        mean, reply = reply[0].get("mean_logprob"), reply[0]["content"]
        mean = mean if type(mean) is float else None
    if type(reply) is not str or has_turns(reply):
        return None
    if asked is None or type(asked) is str:
        return None if asked and has_turns(asked) else ([asked] if asked else [], ("user",), reply, mean)
    if type(asked) is not list or not all(_is_simple(one, ("user", "system")) for one in asked):
        return None
    return [one["content"] for one in asked], tuple(one["role"] for one in asked), reply, mean


def _is_simple(message: Any, roles: tuple[str, ...]) -> bool:
    """Tell whether a message is plain text of one of these roles."""
    if type(message) is not dict or message.get("role") not in roles or message.get("tool_calls"):
        return False
    return (
        _PLAIN.issuperset(message)
        and type(message.get("content")) is str
        and "<tool_response>" not in message["content"]
    )


def voice_of(row: Row, mapped: frozenset[str] = frozenset()) -> Voice:
    """Return where a row holds what was said, by the names of names.yaml and the kinds of its values."""
    table, keys = names(), {key.lower(): key for key in row}
    asked = _first(row, keys, table["asked"], mapped, lambda value: isinstance(value, str | list | dict))
    talks = _first(row, keys, table["messages"], mapped, _is_talk)
    said = _first(row, keys, table["said"], mapped | {asked}, lambda value: isinstance(value, str | list | dict))
    if talks and asked != talks and _is_talk(_within(row, talks)) and not (said and _is_reply(row, said, asked)):
        return Voice(asked=asked if isinstance(_within(row, asked) if asked else None, str) else "", messages=talks)
    if not said and talks:
        return Voice(asked=asked if asked != talks else "", messages=talks)
    return Voice(asked=asked, said=said)


def _is_reply(row: Row, said: str, asked: str) -> bool:
    """Tell whether a column beside messages is the reply to a prompt that stands apart too."""
    if not asked:
        return False
    is_first_choice = said in ("completion", "completions", "response", "responses", "output")
    return is_first_choice and isinstance(_within(row, said), str | list) and bool(_within(row, said))


def _first(row: Row, keys: dict[str, str], known: list[str], mapped: frozenset[str] | set[str], fits: Any) -> str:
    for name in known:
        key = keys.get(name, name)
        if key in mapped:
            continue
        value = _within(row, key)
        if value is not None and fits(value):
            return key
    return ""


def _within(row: Row, name: str) -> Any:
    """Return the value of a column, which may lie in objects."""
    if name in row:
        return row[name]
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def _value(row: Row, name: str) -> Any:
    return _within(row, name) if name else None


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


def _turns(asked: Any, reply: Any, spoken: Any) -> list[Turn]:
    if spoken is not None:
        turns = turns_of(spoken)
        is_asked = bool(turns) and not turns[0].is_policy
        return turns if is_asked or not isinstance(asked, str) else [Turn("user", asked), *turns]
    shown = [turn._replace(is_policy=False) for turn in turns_of(asked)]
    return [*shown, *turns_of(reply, "assistant")]


def _add_turns(said: dict[str, list[Any]], place: int, turns: list[Turn]) -> None:
    for number, turn in enumerate(turns):
        values = (place, number, turn.role, turn.text, turn.tool, None, turn.is_policy, turn.ok, turn.num_tokens)
        for name, value in zip(MESSAGES.names, (*values, turn.mean_logprob), strict=True):
            said[name].append(value)
        for tool, arguments in turn.calls:
            call = (place, number, "call", None, tool, arguments, turn.is_policy, None, None, None)
            for name, value in zip(MESSAGES.names, call, strict=True):
                said[name].append(value)


def loss_by_role(messages: Any) -> dict[str, float] | None:
    """Return which share of messages the loss holds, by who wrote them; None where no message has a mask of it."""
    known = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    name = next((key for key in _MASKS for one in known if _is_mask(one.get(key))), None)
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


def typed(values: list[Any]) -> pa.Array:
    """Return values as one column: of their kind, of numbers by token, or as text."""
    kinds = set(map(type, values))
    if list in kinds:
        values = [value[0] if type(value) is list and len(value) == 1 else value for value in values]
        if any(type(value) is list for value in values) and not all(map(_is_of_numbers, values)):
            values = [as_text(value) for value in values]
    try:
        array = pa.array(values)
        if array.type.id not in _OTHER_TYPES:
            return array
    except (pa.ArrowException, OverflowError, UnicodeEncodeError, TypeError, ValueError):
        pass
    kinds = set(map(type, values))
    if kinds <= {int, float, bool, type(None)}:
        return pa.array([None if value is None else _as_float(value) for value in values], pa.float64())
    return pa.array([as_text(value) for value in values], pa.string())


_OTHER_TYPES = frozenset(pa.type_for_alias(name).id for name in ("binary", "timestamp[ns]", "date32", "time64[ns]")) | {
    pa.struct([]).id,
    pa.map_(pa.string(), pa.string()).id,
}


def _as_float(value: float) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None


def _is_of_numbers(value: Any) -> bool:
    return value is None or (type(value) is list and all(type(one) in (int, float, bool, type(None)) for one in value))


def as_text(value: Any) -> str | None:
    """Return a value as text: JSON where it is none, and half surrogates replaced."""
    if value is None:
        return None
    if not isinstance(value, str):
        try:
            return orjson.dumps(value).decode()
        except (TypeError, ValueError):
            value = json.dumps(value, ensure_ascii=False, default=str)
    return value.encode(errors="replace").decode()


def _joined(parts: list[tuple[int, pa.Array]], num_rows: int) -> pa.ChunkedArray:
    """Return a column of parts; nulls where a part of the rows lacks it."""
    kinds = {array.type for _, array in parts} - {pa.null()}
    kind = next(iter(kinds)) if len(kinds) == 1 else _common(kinds)
    found, place = [], 0
    for start, array in parts:
        if start > place:
            found.append(pa.nulls(start - place, kind))
        found.append(_as_kind(array, kind))
        place = start + len(array)
    if place < num_rows:
        found.append(pa.nulls(num_rows - place, kind))
    return pa.chunked_array(found, kind)


def _common(kinds: set[pa.DataType]) -> pa.DataType:
    if all(pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind) for kind in kinds):
        return pa.float64()
    if kinds and all(pa.types.is_list(kind) for kind in kinds):
        return pa.list_(pa.float64())
    return pa.string()


def _as_kind(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if pa.types.is_string(kind):
        return pa.array([as_text(value) for value in array.to_pylist()], kind)
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    return array.cast(kind, safe=False)
