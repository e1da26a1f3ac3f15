"""Text that a chat template made, taken apart into its turns: `<|im_start|>role ... <|im_end|>`.

Trainers that decode prompts and answers with special tokens write them so. Only whole turns are taken apart: a text
that begins or ends within one, or holds a mark where none can stand, says that something went wrong and stays as it is.
In an answer only tools may speak between the policy's turns: a policy that writes the turn of a user makes it up.
"""

import re

_TURN = re.compile(r"\s*<\|im_start\|>(system|user|assistant|tool)\n(.*?)<\|im_end\|>\s*", re.DOTALL)
_OPEN = re.compile(r"\s*<\|im_start\|>assistant\n?\Z")
_FIRST = re.compile(r"(.*?)<\|im_end\|>\s*", re.DOTALL)
_LAST = re.compile(r"\s*<\|im_start\|>assistant\n(.*)\Z", re.DOTALL)
_MARK = "<|im_"
_TOLD = re.compile(r"\s*<tool_response>\s*(.*?)\s*</tool_response>\s*\Z", re.DOTALL)

Turn = dict[str, str]


def asked_turns(text: str) -> list[Turn] | None:
    """Return the turns of a prompt, which may end with an empty one of the policy; None where it is no whole ones."""
    turns, place = _turns(text, 0)
    rest = text[place:]
    is_whole = not rest.strip() or _OPEN.match(rest) is not None
    return turns if turns and is_whole else None


def said_turns(text: str) -> list[Turn] | None:
    """Return the turns of an answer, of the policy and of tools alone; None where it is no series of whole ones."""
    first = _FIRST.match(text)
    if first is None or _MARK in first.group(1):
        return None
    turns, place = _turns(text, first.end())
    last = _LAST.match(text[place:])
    if last is not None and _MARK not in last.group(1):
        turns, place = [*turns, {"role": "assistant", "content": last.group(1)}], len(text)
    if text[place:].strip() or any(turn["role"] not in ("assistant", "tool") for turn in turns):
        return None
    return [{"role": "assistant", "content": first.group(1)}, *turns]


def _turns(text: str, place: int) -> tuple[list[Turn], int]:
    """Return the whole turns from a place on, and where they end."""
    turns: list[Turn] = []
    while (match := _TURN.match(text, place)) is not None and _MARK not in match.group(2):
        role, content = match.groups()
        told = _TOLD.match(content) if role == "user" else None
        turns.append({"role": "tool" if told else role, "content": told.group(1) if told else content})
        place = match.end()
    return turns, place
