"""A chat template: messages and tools to text, what it writes after an assistant turn, and how it writes tool calls.

Templates are jinja, rendered in its sandbox as transformers renders them. One that never ends is found by the check
before a campaign, which renders in a process that has limits. A stand-in answer finds what a template writes after one,
so that the earlier text of an episode need not be rendered again.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from evotrainer.actions.tool_call_formats import FORMATS, ToolSchemas
from evotrainer.errors import PolicyError
from evotrainer.records import Message, ToolCall

FIXED_DATE = "2025-01-01"
ID_DIGITS = 9
"""Of a tool call's id: Mistral's templates refuse any other length."""

_MARK = "\N{SYMBOL FOR NULL}"  # content of the stand-in answer
_QUESTION, _ANSWER = Message(role="user", content=_MARK), Message(role="assistant", content=_MARK)

_PROBED_TOOL = {
    "type": "function",
    "function": {
        "name": "read_lines",
        "description": "Reads lines of a file.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "count": {"type": "integer"}},
            "required": ["count"],
        },
    },
}
_PROBES = ({"path": "a.py", "count": 3}, {"count": 3})  # some templates for pythonic calls write text without quotes


class ChatTemplate:
    """A template with the special tokens that it may name; raises PolicyError for what it refuses."""

    def __init__(self, source: str, special: dict[str, str]) -> None:
        self._special = special
        try:
            self._template = _environment().from_string(source)
        except Exception as error:  # what is constant is computed here, by code of somebody else
            raise PolicyError(f"the chat template is not one that jinja reads: {_said(error)}") from None

    def render(
        self, messages: Sequence[Message], tools: ToolSchemas = (), *, open_turn: bool, first_id: int = 0
    ) -> str:
        """Return the text of messages; with `open_turn` up to where the assistant speaks."""
        values = _as_dicts(messages, first_id)
        try:
            return self._template.render(
                messages=values, add_generation_prompt=open_turn, tools=list(tools) or None, **self._special
            )
        except Exception as error:  # a template is code of somebody else, and may end in any way
            raise PolicyError(f"the chat template refuses these messages: {_said(error)}") from None

    def end_of_turn(self) -> str:
        """Return what is written after an assistant's words."""
        _, mark, end = self.render([Message(role="user", content="?"), _ANSWER], open_turn=False).rpartition(_MARK)
        if not mark:
            raise PolicyError("the chat template leaves out what the assistant says: take another policy")
        return end

    def continuation(self, messages: Sequence[Message], first_id: int) -> str:
        """Return what is written after an assistant turn: these messages, and the opening of the next turn.

        Answers to tool calls follow a turn without calls where the template allows it, and one with calls otherwise.
        """
        calls = [ToolCall(name=message.tool_name or "tool") for message in messages if message.role == "tool"]
        try:
            return self._after(_ANSWER, messages, first_id)
        except PolicyError:
            if not calls:
                raise
        return self._after(_ANSWER.model_copy(update={"tool_calls": calls}), messages, first_id)

    def turn_text(self, message: Message, tools: ToolSchemas, stops: Sequence[str]) -> str:
        """Return what is written for an assistant turn, without what ends it."""
        opening = self.render([_QUESTION], tools, open_turn=True)
        text = self.render([_QUESTION, message], tools, open_turn=False)
        said = text[len(opening) :] if text.startswith(opening) else text.rpartition(_MARK)[2]
        return said[: min((said.index(stop) for stop in stops if stop in said), default=len(said))]

    def tool_call_format(self, stops: Sequence[str]) -> str | None:
        """Return the first format that reads back a call which the template wrote; None where none does."""
        for arguments in _PROBES:
            call = ToolCall(name="read_lines", arguments=arguments)
            try:
                text = self.turn_text(Message(role="assistant", tool_calls=[call]), [_PROBED_TOOL], stops)
            except PolicyError:
                continue
            for name, parse in FORMATS.items():
                if parse(text, [_PROBED_TOOL]).calls == [call]:
                    return name
        return None

    def _after(self, answer: Message, messages: Sequence[Message], first_id: int) -> str:
        before = self.render([_QUESTION, answer], open_turn=False, first_id=first_id)
        after = self.render([_QUESTION, answer, *messages], open_turn=True, first_id=first_id)
        if not after.startswith(before):
            raise PolicyError("the chat template rewrites earlier turns: it cannot be used in multi-turn episodes")
        return after[len(before) :]


PLAIN_TEMPLATE = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}{{ eos_token }} {% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
"""For a model that knows no roles."""


def find_template(path: Path, config: dict[str, Any]) -> str:
    """Return the template of a Hugging Face directory, whose tokenizer_config.json is `config`."""
    file = path / "chat_template.jinja"
    if file.is_file():
        try:
            return file.read_text(encoding="utf-8")
        except ValueError as error:
            raise PolicyError(f"{file} is no text ({error}): restore it") from None
    template = config.get("chat_template")
    if isinstance(template, list):  # several named templates
        named = [entry for entry in template if isinstance(entry, dict)]
        template = next((entry.get("template") for entry in named if entry.get("name") == "default"), None)
    if not isinstance(template, str) or not template:
        raise PolicyError(
            f"{path} has no chat template: add the one that the model was trained with as chat_template.jinja; a model "
            f"that was trained with none takes any, like {PLAIN_TEMPLATE}"
        )
    return template


def _as_dicts(messages: Sequence[Message], first_id: int) -> list[dict[str, Any]]:
    """Return messages as templates read them; calls are numbered, and answers name them in order."""
    rows: list[dict[str, Any]] = []
    num_calls = num_answers = first_id
    for message in messages:
        row: dict[str, Any] = {"role": message.role, "content": message.content}
        if message.tool_calls:
            row["tool_calls"] = [
                {"id": _call_id(num_calls + place), "type": "function", "function": call.model_dump()}
                for place, call in enumerate(message.tool_calls)
            ]
            num_calls += len(message.tool_calls)
        if message.tool_name:
            row["name"] = message.tool_name
        if message.role == "tool":
            row["tool_call_id"] = _call_id(num_answers)
            num_answers += 1
        rows.append(row)
    return rows


def _call_id(number: int) -> str:
    return f"{number % 10**ID_DIGITS:0{ID_DIGITS}d}"


def _environment() -> ImmutableSandboxedEnvironment:
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


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


class _GenerationBlock(jinja2.ext.Extension):
    """Accepts `{% generation %}`, which marks assistant text for other programs, and renders what is inside."""

    tags = {"generation"}

    def parse(self, parser: Any) -> Any:
        """Return the nodes between the two tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)
