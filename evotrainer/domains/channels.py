"""Channels: ways by which an episode learns or does something, named the same in every domain that has tools.

    tool:NAME            calls of a tool
    argument:NAME=WORD   calls of it whose first text argument begins with a word (its class)
    answer:NAME=WORD     what it shows, where that begins with a word

A word is letters, `#` for digits, or one other sign. `domain.withheld_channels` names channels that no episode has: a
call is answered as one that is not offered, an answer is not shown. The grader then sees the calls that were carried
out, and no others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from evotrainer.domains.base import Environment, Grade, Grader
from evotrainer.errors import ConfigError
from evotrainer.records import Message, Problem, ToolCall

Kind = Literal["tool", "argument", "answer"]
NOT_OFFERED = "this tool is not offered for that here"
NOT_SHOWN = "not shown"
_WORD = re.compile(r"[^\W\d]+|\d+|[^\w\s]")
_MAX_WORD = 24


@dataclass(frozen=True, order=True)
class Channel:
    """One channel; `word` is empty for a whole tool."""

    kind: Kind
    tool: str
    word: str = ""

    def __str__(self) -> str:
        """The channel as a person names it."""
        return f"{self.kind}:{self.tool}{f'={self.word}' if self.kind != 'tool' else ''}"

    @classmethod
    def parse(cls, text: str) -> "Channel":
        """Return a channel by name; raises ConfigError that says how one is written."""
        kind, colon, rest = text.partition(":")
        tool, sign, word = rest.partition("=")
        if not colon or kind not in get_args(Kind) or not tool or bool(sign) == (kind == "tool"):
            raise ConfigError(f"'{text}' is no channel: write tool:NAME, argument:NAME=WORD or answer:NAME=WORD")
        return cls(kind, tool, word)  # type: ignore[arg-type]


def leading_word(value: Any) -> str:
    """Return the class of a text: its first word."""
    found = _WORD.search(str(value))
    if found is None:
        return ""
    return "#" if found.group().isdigit() else found.group()[:_MAX_WORD]


def of_call(call: ToolCall) -> list[Channel]:
    """Return the channels of a call: its tool, and the class of its first argument, if it has any."""
    first = next(iter(call.arguments.values()), None)
    own = [Channel("tool", call.name)]
    return own if first is None else [*own, Channel("argument", call.name, leading_word(first))]


def of_answer(message: Message) -> Channel:
    """Return the channel of what a tool showed."""
    return Channel("answer", message.tool_name or "", leading_word(message.content))


def uses(messages: Sequence[Message]) -> Iterator[Channel]:
    """Yield the channels of all calls and answers of an episode."""
    for message in messages:
        if message.role == "tool":
            yield of_answer(message)
        for call in message.tool_calls:
            yield from of_call(call)


class WithholdingEnvironment:
    """An environment without some channels."""

    def __init__(self, environment: Environment, channels: Sequence[Channel]) -> None:
        self._environment, self._channels = environment, frozenset(channels)
        self.waits_for_sandbox = environment.waits_for_sandbox

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the messages that open the episode."""
        return self._environment.reset(problem, seed)

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Answer what is offered by the environment, and all else by a refusal, in the order of the calls."""
        offered = [call for call in message.tool_calls if not self._channels.intersection(of_call(call))]
        if message.tool_calls and not offered:
            return [_refusal(call) for call in message.tool_calls], False
        answers, is_done = self._environment.step(message.model_copy(update={"tool_calls": offered}))
        left = [self._shown(answer) for answer in answers]
        said: list[Message] = []
        for call in message.tool_calls:
            if call not in offered:
                said.append(_refusal(call))
            elif left:
                said.append(left.pop(0))
        return [*said, *left], is_done

    def _shown(self, answer: Message) -> Message:
        is_hidden = answer.role == "tool" and of_answer(answer) in self._channels
        return answer.model_copy(update={"content": NOT_SHOWN}) if is_hidden else answer


class WithholdingGrader:
    """Grades an episode by the calls that were carried out."""

    def __init__(self, grader: Grader, channels: Sequence[Channel]) -> None:
        self._grader, self._channels = grader, frozenset(channels)
        self.waits_for_sandbox = grader.waits_for_sandbox

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade; raises GraderError where the domain's grader does."""
        return self._grader.grade(problem, [*self._carried_out(messages)], stop_reason)

    def _carried_out(self, messages: Sequence[Message]) -> Iterator[Message]:
        for message in messages:
            if message.role == "tool" and message.content == NOT_OFFERED:
                continue
            kept = [call for call in message.tool_calls if not self._channels.intersection(of_call(call))]
            yield message if len(kept) == len(message.tool_calls) else message.model_copy(update={"tool_calls": kept})


def check_channels(names: Sequence[str], tools: Sequence[str], domain: str) -> list[Channel]:
    """Return these channels; raises ConfigError for one of a tool that the domain lacks."""
    channels = [Channel.parse(name) for name in names]
    for channel in channels:
        if channel.tool not in tools:
            known = f"it has {', '.join(tools)}" if tools else "it has no tools"
            raise ConfigError(f"domain.withheld_channels names {channel}: domain {domain} lacks that tool; {known}")
    return channels


def _refusal(call: ToolCall) -> Message:
    return Message(role="tool", content=NOT_OFFERED, tool_name=call.name, ok=False)
