"""Messages to token ids and back, by the policy's own chat template and tokenizer.

The template is rendered as transformers renders it (a test compares), without importing transformers where the
directory has a tokenizer.json. Sampled ids are never re-tokenised: the prompt of a next turn is the earlier ids as
they were, plus the ids of the new messages. Assistant tool calls are read in the Hermes form
(`evotrainer/actions/tool_call_format.py`); text that is no such JSON stays text. One deviation: a template that asks
for today's date gets a fixed one, else no rollout could be reproduced.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer

from evotrainer.actions.tool_call_format import TOOL_CALL
from evotrainer.errors import DataError, PolicyError
from evotrainer.records import Message, ToolCall

FIXED_DATE = "2025-01-01"
_MARK = "\N{SYMBOL FOR NULL}"  # content of the stand-in answer that finds what a template writes after one


class HfChatCodec:
    """Codec over a `tokenizers` tokenizer and a chat template. `stop_ids` end an assistant turn."""

    def __init__(self, tokenizer: Tokenizer, template: str, special: dict[str, str], stop_ids: Sequence[int]) -> None:
        self.tokenizer, self.special, self.stop_ids = tokenizer, special, tuple(stop_ids)
        self._template = _template_environment().from_string(template)
        unknown = special.get("unk_token")
        self._unknown_id = tokenizer.token_to_id(unknown) if unknown else None

    @classmethod
    def from_directory(cls, path: Path) -> "HfChatCodec":
        """Read the tokenizer of a Hugging Face directory; raises PolicyError if it has none, or no chat template."""
        config = _read_json(path / "tokenizer_config.json")
        if (path / "tokenizer.json").is_file():
            tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
        else:
            tokenizer = _convert_slow_tokenizer(path)
        tokenizer.no_padding()
        tokenizer.no_truncation()
        special = {key: _token_text(value) for key, value in config.items() if key.endswith("_token") and value}
        return cls(tokenizer, _find_template(path, config), special, _stop_ids(path, tokenizer, special))

    @property
    def pad_id(self) -> int:
        """The id that fills unused places; any will do, since they are masked."""
        return self.tokenizer.token_to_id(self.special.get("pad_token", "")) or 0

    def encode(self, messages: Sequence[Message]) -> list[int]:
        """Return prompt ids that end where the assistant's turn begins; raises DataError for an unknown character."""
        return self._tokenize(self._render(messages, open_turn=True))

    def extend(self, context: Sequence[int], sampled: Sequence[int], messages: Sequence[Message]) -> list[int]:
        """Return the next turn's prompt: both id lists as they are, then the ids of the new messages."""
        answer = [Message(role="user", content=_MARK), Message(role="assistant", content=_MARK)]
        before = self._render(answer, open_turn=False)
        after = self._render([*answer, *messages], open_turn=True)
        if not after.startswith(before):
            raise PolicyError("the chat template rewrites earlier turns: it cannot be used in multi-turn episodes")
        new = self._tokenize(after[len(before) :])
        end = self._end_of_turn
        closed = bool(sampled) and sampled[-1] in self.stop_ids
        return [*context, *sampled, *(end[1:] if closed else end), *new]

    def response_ids(self, text: str) -> list[int]:
        """Return the ids that a policy samples to say `text` and end its turn: what a demonstration teaches."""
        return [*self._tokenize(text), self._end_of_turn[0]]

    def decode(self, token_ids: Sequence[int]) -> Message:
        """Return the assistant message, tool calls parsed; a closing stop token is not part of its text."""
        ids = list(token_ids)
        if ids and ids[-1] in self.stop_ids:
            ids.pop()
        text = self.tokenizer.decode(ids, skip_special_tokens=False)
        calls: list[ToolCall] = []

        def take(match: Any) -> str:
            call = _parse_call(match.group(1))
            if call is None:
                return match.group(0)
            calls.append(call)
            return ""

        content = TOOL_CALL.sub(take, text)
        return Message(role="assistant", content=content, tool_calls=calls, num_tokens=len(token_ids))

    @cached_property
    def _end_of_turn(self) -> list[int]:
        answer = [Message(role="user", content=_MARK), Message(role="assistant", content=_MARK)]
        text = self._render(answer, open_turn=False)
        return self._tokenize(text[text.rindex(_MARK) + len(_MARK) :])

    def _render(self, messages: Sequence[Message], *, open_turn: bool) -> str:
        values = [_as_dict(message) for message in messages]
        try:
            return self._template.render(messages=values, add_generation_prompt=open_turn, tools=None, **self.special)
        except jinja2.TemplateError as error:
            raise PolicyError(f"the chat template refuses these messages: {error}") from None

    def _tokenize(self, text: str) -> list[int]:
        try:
            encoding = self.tokenizer.encode(text, add_special_tokens=False)
        except Exception as error:  # tokenizers raises the bare class
            raise DataError(f"the policy's tokenizer refuses the prompt {text[:80]!r}: {error}") from None
        covered = [False] * len(text)
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            if token != self._unknown_id:
                covered[start:end] = [True] * (end - start)
        for place, character in enumerate(text):
            if not covered[place] and (self._unknown_id in encoding.ids or not character.isspace()):
                raise DataError(_unknown_character(text, place))
        return encoding.ids


def _unknown_character(text: str, place: int) -> str:
    line = text.count("\n", 0, place) + 1
    near = text[max(0, place - 20) : place + 20]
    return (
        f"the policy's vocabulary has no character {text[place]!r} (U+{ord(text[place]):04X}), line {line} of the "
        f"prompt, near {near!r}: remove it from the problem or use another policy"
    )


def _parse_call(text: str) -> ToolCall | None:
    try:
        value = json.loads(text)
        return ToolCall(name=value["name"], arguments=value.get("arguments") or {})
    except (ValueError, KeyError, TypeError, RecursionError):  # the last of what is nested too deep
        return None


def _as_dict(message: Message) -> dict[str, Any]:
    values: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        values["tool_calls"] = [{"type": "function", "function": call.model_dump()} for call in message.tool_calls]
    if message.tool_name:
        values["name"] = message.tool_name
    return values


def _template_environment() -> ImmutableSandboxedEnvironment:
    def refuse(message: str) -> None:
        raise jinja2.TemplateError(message)

    def tojson(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, **options)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationBlock, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals |= {"raise_exception": refuse, "strftime_now": lambda _format: FIXED_DATE}
    return environment


class _GenerationBlock(jinja2.ext.Extension):
    """Accepts `{% generation %}`, which marks assistant text for other programs, and renders what is inside."""

    tags = {"generation"}

    def parse(self, parser: Any) -> Any:
        """Return the nodes between the two tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _find_template(path: Path, config: dict[str, Any]) -> str:
    if (path / "chat_template.jinja").is_file():
        return (path / "chat_template.jinja").read_text()
    template = config.get("chat_template")
    if isinstance(template, list):  # several named templates
        template = {entry["name"]: entry["template"] for entry in template}.get("default")
    if not template:
        raise PolicyError(f"{path} has no chat template: add one as chat_template.jinja")
    return template


def _stop_ids(path: Path, tokenizer: Tokenizer, special: dict[str, str]) -> list[int]:
    stops: list[int | None] = []
    for name in ("generation_config.json", "config.json"):
        value = _read_json(path / name).get("eos_token_id")
        stops += value if isinstance(value, list) else [value]
    stops.append(tokenizer.token_to_id(special.get("eos_token", "")))
    found = sorted({token for token in stops if token is not None})
    if not found:
        raise PolicyError(f"{path} names no end-of-turn token: set eos_token in tokenizer_config.json")
    return found


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text()) if path.is_file() else {}
    except json.JSONDecodeError as error:
        raise PolicyError(f"{path} is not JSON ({error}): restore the directory") from None


def _token_text(value: str | dict[str, Any]) -> str:
    return value["content"] if isinstance(value, dict) else value


def _convert_slow_tokenizer(path: Path) -> Tokenizer:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False).backend_tokenizer
    except Exception as error:  # each tokenizer format raises its own type
        reason = str(error).strip().splitlines()[0]
        raise PolicyError(f"{path} has no tokenizer that can be read: {reason}") from None
