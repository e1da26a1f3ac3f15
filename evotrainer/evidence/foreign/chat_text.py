"""Text that a chat template made, taken apart into its turns: ChatML, Llama 3 and Gemma.

    <|im_start|>role ... <|im_end|>        <|start_header_id|>role<|end_header_id|> ... <|eot_id|>
    <start_of_turn>role ... <end_of_turn>

Trainers that decode prompts and answers with special tokens write them so. Only whole turns are taken apart: a text
that begins or ends within one, or holds a mark where none can stand, says that something went wrong and stays as it is.
In an answer only tools may speak between the policy's turns: a policy that writes the turn of a user makes it up.

Decoded without special tokens (verl) a turn of tools still stands between the names of roles, which no policy writes:

    \\nuser\\n<tool_response>\\n ... \\n</tool_response>\\nassistant\\n
"""

import re
from typing import NamedTuple

from evotrainer.evidence.foreign.names import role_named

Turn = dict[str, str]


class _Template(NamedTuple):
    """How a template writes turns."""

    turn: re.Pattern[str]
    """One whole turn: its role and its text."""
    opened: re.Pattern[str]
    """The begin of a turn, with its role, and all text behind."""
    first: re.Pattern[str]
    """What stands before the first end."""
    mark: re.Pattern[str]
    """Part of every begin and end."""


def _template(begin: str, end: str, mark: str) -> _Template:
    parts = (rf"\s*(?:{begin})(.*?)(?:{end})\s*", rf"\s*(?:{begin})(.*)\Z", rf"(.*?)(?:{end})\s*", mark)
    return _Template(*(re.compile(part, re.DOTALL) for part in parts))


_TEMPLATES = (
    _template(r"<\|im_start\|>(system|user|assistant|tool)\n", r"<\|im_end\|>", r"<\|im_(?:start|end)\|>"),
    _template(
        r"(?:<\|begin_of_text\|>)?<\|start_header_id\|>(system|user|assistant|ipython|tool)<\|end_header_id\|>\n\n",
        r"<\|eot_id\|>|<\|eom_id\|>",
        r"<\|(?:(?:start|end)_header|eot|eom)_id\|>",
    ),
    _template(r"(?:<bos>)?<start_of_turn>(system|user|model|tool)\n", r"<end_of_turn>", r"<(?:start|end)_of_turn>"),
)
_PREFILLED = re.compile(r"\s*(?:<think>\s*(?:</think>\s*)?)?\Z")
"""What a template may write into the policy's turn: an opened thought, or an empty one."""
_WITHIN = r"[^<]*(?:<(?!/?tool_response>)[^<]*)*"
"""Text without a tag of a response, so that texts of many tags are read in linear time."""
_RESPONSES = rf"(?:\s*<tool_response>{_WITHIN}</tool_response>)+\s*"
_RESPONSE = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>", re.DOTALL)
_TOLD = re.compile(rf"{_RESPONSES}\Z")
_BARE = re.compile(rf"\n(?:user|tool)\n({_RESPONSES})(?:assistant\n|\Z)")


def asked_turns(text: str) -> list[Turn] | None:
    """Return the turns of a prompt, which may end with an empty one of the policy; None where it is no whole ones."""
    for template in _TEMPLATES:
        turns, place = _turns(template, text, 0)
        rest = text[place:]
        last = template.opened.match(rest)
        is_open = last is not None and role_named(last.group(1)) == "assistant" and _PREFILLED.match(last.group(2))
        if turns and (is_open or not rest.strip()):
            return turns
    return None


def said_turns(text: str) -> list[Turn] | None:
    """Return the turns of an answer, of the policy and of tools alone; None where it is no series of whole ones."""
    return next(filter(None, (_said(template, text) for template in _TEMPLATES)), None) or _bare_turns(text)


def told_by_tools(text: str) -> list[str]:
    """Return what tools answered in a turn that holds their responses alone; nothing for any other turn."""
    return _RESPONSE.findall(text) if _TOLD.match(text) else []


def _said(template: _Template, text: str) -> list[Turn] | None:
    first = template.first.match(text)
    if first is None or template.mark.search(first.group(1)):
        return None
    turns, place = _turns(template, text, first.end())
    last = template.opened.match(text[place:])
    if last is not None and role_named(last.group(1)) == "assistant" and not template.mark.search(last.group(2)):
        turns, place = [*turns, {"role": "assistant", "content": last.group(2)}], len(text)
    if text[place:].strip() or any(turn["role"] not in ("assistant", "tool") for turn in turns):
        return None
    return [{"role": "assistant", "content": first.group(1)}, *turns]


def _bare_turns(text: str) -> list[Turn] | None:
    parts = _BARE.split(text)
    if len(parts) == 1:
        return None
    turns: list[Turn] = []
    for place, part in enumerate(parts):
        told = told_by_tools(part) if place % 2 else []
        turns += [{"role": "tool", "content": one} for one in told] or [{"role": "assistant", "content": part}]
    return turns if turns[-1]["content"] or turns[-1]["role"] == "tool" else turns[:-1]


def _turns(template: _Template, text: str, place: int) -> tuple[list[Turn], int]:
    """Return the whole turns from a place on, and where they end."""
    turns: list[Turn] = []
    while (match := template.turn.match(text, place)) is not None and not template.mark.search(match.group(2)):
        role, content = role_named(match.group(1)), match.group(2)
        told = told_by_tools(content) if role in ("user", "tool") else []
        turns += [{"role": "tool", "content": one} for one in told] or [{"role": role, "content": content}]
        place = match.end()
    return turns, place
