"""Messages to token ids and back, by the policy's own chat template and tokenizer.

The template is rendered as transformers renders it (a test compares), without importing transformers where the
directory has a tokenizer.json. Sampled ids are never re-tokenised: the prompt of a next turn is the earlier ids as
they were, plus the ids of the new messages. Assistant tool calls are read in the format that the template writes them
in (actions/tool_call_formats.py), or in the one that `policy.tool_call_format` names; other text stays text.

Deviations: a template that asks for today's date gets a fixed one, and ids of tool calls are numbers, else no rollout
could be reproduced.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from evotrainer.actions.tool_call_formats import DEFAULT_FORMAT, FORMATS, ToolSchemas
from evotrainer.engines.chat_template import ChatTemplate, find_template
from evotrainer.engines.checkpoint import read_settings
from evotrainer.errors import DataError, PolicyError
from evotrainer.records import Message

TOKENIZER_FILE = "tokenizer.json"
"""What a tokenizer is read from without transformers."""
_STOP_FILES = ("generation_config.json", "config.json")
"""What may name the ids that end a turn."""

_TOOL_ANSWER = "answer-of-a-tool"


class HfChatCodec:
    """Codec over a `tokenizers` tokenizer and a chat template. `stop_ids` end an assistant turn."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        template: str,
        special: dict[str, str],
        stop_ids: Sequence[int],
        tool_call_format: str = "",
    ) -> None:
        self.tokenizer, self.special, self.stop_ids = tokenizer, special, tuple(stop_ids)
        self.given_format = tool_call_format
        """A name of FORMATS; empty: what the template writes."""
        self.template = ChatTemplate(template, special)
        unknown = special.get("unk_token")
        self._unknown_id = tokenizer.token_to_id(unknown) if unknown else None

    @classmethod
    def from_directory(cls, path: Path, tool_call_format: str = "") -> "HfChatCodec":
        """Read the tokenizer of a Hugging Face directory; raises PolicyError if it has none, or no chat template."""
        config = _read_json(path / "tokenizer_config.json")
        tokenizer = read_tokenizer(path)
        tokenizer.no_padding()
        tokenizer.no_truncation()
        special = {key: _token_text(value) for key, value in config.items() if key.endswith("_token") and value}
        for key in ("eos_token", "pad_token", "unk_token"):
            if not isinstance(special.get(key, ""), str):
                raise PolicyError(f"{path / 'tokenizer_config.json'}: {key} is no text: restore the file")
        stops = _stop_ids(path, tokenizer, special)
        return cls(tokenizer, find_template(path, config), special, stops, tool_call_format)

    @cached_property
    def detected_format(self) -> str | None:
        """The format in which the chat template writes tool calls; None where it writes them in none that is known."""
        return self.template.tool_call_format(self._stop_texts)

    @property
    def tool_call_format(self) -> str:
        """The name of the format in which the policy's tool calls are read."""
        return self.given_format or self.detected_format or DEFAULT_FORMAT

    @property
    def pad_id(self) -> int:
        """The id that fills unused places; any will do, since they are masked."""
        return self.tokenizer.token_to_id(self.special.get("pad_token", "")) or 0

    def encode(self, messages: Sequence[Message], tools: ToolSchemas = ()) -> list[int]:
        """Return prompt ids that end where the assistant's turn begins; raises DataError for an unknown character."""
        return self._tokenize(self.template.render(messages, tools, open_turn=True))

    def extend(self, context: Sequence[int], sampled: Sequence[int], messages: Sequence[Message]) -> list[int]:
        """Return the next turn's prompt: both id lists as they are, then the ids of the new messages."""
        new = self._tokenize(self.template.continuation(messages, len(context) + len(sampled)))
        end = self._end_of_turn
        if sampled and sampled[-1] in self.stop_ids:  # what the template writes up to its own stop token is said
            stops = [place for place, token in enumerate(end) if token in self.stop_ids]
            end = end[stops[0] + 1 :] if stops else end
        return [*context, *sampled, *end, *new]

    def response_ids(self, text: str) -> list[int]:
        """Return the ids that a policy samples to say `text` and end its turn: what a demonstration teaches."""
        return [*self._tokenize(text), self._end_of_turn[0]]

    def decode(self, token_ids: Sequence[int], tools: ToolSchemas = ()) -> Message:
        """Return the assistant message, tool calls parsed; a closing stop token is not part of its text."""
        ids = list(token_ids)
        if ids and ids[-1] in self.stop_ids:
            ids.pop()
        content, calls = FORMATS[self.tool_call_format](self.tokenizer.decode(ids, skip_special_tokens=False), tools)
        return Message(role="assistant", content=content, tool_calls=calls, num_tokens=len(token_ids))

    def written(self, message: Message, tools: ToolSchemas = ()) -> str:
        """Return the text that the chat template writes for an assistant turn, without what ends it."""
        return self.template.turn_text(message, tools, self._stop_texts)

    @cached_property
    def _stop_texts(self) -> list[str]:
        return [text for token in self.stop_ids if (text := self.tokenizer.id_to_token(token))]

    @cached_property
    def _end_of_turn(self) -> list[int]:
        return self._tokenize(self.template.end_of_turn())

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


@dataclass(frozen=True)
class ToolUse:
    """How a policy calls tools."""

    tool_call_format: str
    source: str
    """Where the format is known from, in a few words."""


def tool_use(codec: HfChatCodec, tools: ToolSchemas, system_prompt: str) -> ToolUse:
    """Return how the policy calls these tools; raises PolicyError that says what its template lacks.

    Three things are needed: the format in which calls are read, answers of tools in the prompt, and the tools
    themselves in the prompt, shown by the template or described in `system_prompt`.
    """
    if codec.given_format:
        found = ToolUse(codec.given_format, "policy.tool_call_format")
    elif codec.detected_format:
        found = ToolUse(codec.detected_format, "read from the chat template")
    else:
        raise PolicyError(
            "the chat template writes no tool calls in a known format: name the one that the policy was trained on, "
            f"policy.tool_call_format={'|'.join(FORMATS)}, or take a policy with tools"
        )
    name = tools[0]["function"]["name"]
    if _TOOL_ANSWER not in codec.template.continuation([Message(role="tool", content=_TOOL_ANSWER, tool_name=name)], 0):
        raise PolicyError("the chat template leaves out what tools answer: take a policy whose template has tools")
    prompt = codec.template.render([Message(role="user", content="What is there to do?")], tools, open_turn=True)
    hidden = [tool["function"]["name"] for tool in tools if tool["function"]["name"] not in prompt]
    if hidden and not system_prompt:
        raise PolicyError(
            f"the chat template does not show tools ({', '.join(hidden[:3])}): take a policy whose template has tools, "
            "or describe them in domain.system_prompt"
        )
    return found


def _unknown_character(text: str, place: int) -> str:
    line = text.count("\n", 0, place) + 1
    near = text[max(0, place - 20) : place + 20]
    return (
        f"the policy's vocabulary has no character {text[place]!r} (U+{ord(text[place]):04X}), line {line} of the "
        f"prompt, near {near!r}: remove it from the problem or use another policy"
    )


def read_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a Hugging Face directory; raises PolicyError where it has none that can be read."""
    file = path / TOKENIZER_FILE
    if not file.is_file():
        return _convert_slow_tokenizer(path)
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises the bare class
        raise PolicyError(f"{file} is no tokenizer ({error}): restore the directory") from None


def _stop_ids(path: Path, tokenizer: Tokenizer, special: dict[str, str]) -> list[int]:
    stops: list[int | None] = []
    for name in _STOP_FILES:
        stops += _stop_ids_in(path / name)
    stops.append(tokenizer.token_to_id(special.get("eos_token", "")))
    found = sorted({token for token in stops if token is not None})
    if not found:
        raise PolicyError(f"{path} names no end-of-turn token: set eos_token in tokenizer_config.json")
    if all(tokenizer.id_to_token(token) is None for token in found):
        raise PolicyError(f"{path} ends a turn by {found[0]}, which is no token of its tokenizer: correct eos_token_id")
    return found


def _stop_ids_in(file: Path) -> list[int]:
    """Return the ids that a file names as ends of a turn; raises PolicyError where they are none."""
    value = _read_json(file).get("eos_token_id")
    stops = [token for token in (value if isinstance(value, list) else [value]) if token is not None]
    if not all(type(token) is int for token in stops):
        raise PolicyError(f"{file}: eos_token_id is {str(value)[:40]!r} and no token's number: restore the file")
    return stops


def _read_json(path: Path) -> dict[str, Any]:
    return read_settings(path) if path.is_file() else {}


def _token_text(value: Any) -> Any:
    return value.get("content") if isinstance(value, dict) else value


def _convert_slow_tokenizer(path: Path) -> Tokenizer:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False).backend_tokenizer
    except Exception as error:  # each tokenizer format raises its own type
        reason = str(error).strip().splitlines()[0].rstrip(" :").removesuffix(" from one of")
        raise PolicyError(f"{path} has no tokenizer that can be read ({reason}): add its tokenizer.json") from None
