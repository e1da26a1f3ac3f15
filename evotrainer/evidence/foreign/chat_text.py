"""Text that a chat template made, taken apart into its turns: ChatML, Llama 3 and Gemma.

    <|im_start|>role ... <|im_end|>        <|start_header_id|>role<|end_header_id|> ... <|eot_id|>
    <start_of_turn>role ... <end_of_turn>

Trainers that decode prompts and answers with special tokens write them so. A prompt that was cut is taken apart as far
as marks go. In an answer only tools may speak between the policy's turns: a policy that writes the turn of a user makes
it up, and the answer stays as it is.

Decoded without special tokens (verl) a turn of tools still stands between the names of roles, which no policy writes:

    \\nuser\\n<tool_response>\\n ... \\n</tool_response>\\nassistant\\n
"""

import re

from evotrainer.evidence.foreign.names import role_named

Turn = dict[str, str]


_BEGIN = re.compile(
    r"(?:<\|begin_of_text\|>|<bos>)?<(?:\|im_start\||\|start_header_id\||start_of_turn)>"
    r"(system|user|assistant|model|ipython|tool)(?:<\|end_header_id\|>\n)?\n"
)
_END = re.compile(r"<(?:\|im_end\||\|eot_id\||\|eom_id\||end_of_turn)>\s*\Z")
_PREFILLED = re.compile(r"\s*(?:<think>\s*(?:</think>\s*)?)?\Z")
"""What a template may write into the policy's turn: an opened thought, or an empty one."""
_WITHIN = r"[^<]*(?:<(?!/?tool_response>)[^<]*)*"
"""Text without a tag of a response, so that texts of many tags are read in linear time."""
_RESPONSES = rf"(?:\s*<tool_response>{_WITHIN}</tool_response>)+\s*"
_RESPONSE = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>", re.DOTALL)
_TOLD = re.compile(rf"{_RESPONSES}\Z")
_BARE = re.compile(rf"\n(?:user|tool)\n({_RESPONSES})(?:assistant\n|\Z)")


def asked_turns(text: str) -> list[Turn] | None:
    """Return the turns of a prompt, without an empty last one of the policy; None where it has no marks of turns."""
    turns = _turns(text, "user")
    if len(turns) > 1 and turns[-1]["role"] == "assistant" and _PREFILLED.match(turns[-1]["content"]):
        del turns[-1]
    return turns if _BEGIN.search(text) else None


def said_turns(text: str) -> list[Turn] | None:
    """Return the turns of an answer, of the policy and of tools alone; None where it has no marks of any."""
    turns = _turns(text, "assistant")
    is_marked = len(turns) > 1 or _END.search(text) is not None
    if not is_marked or any(turn["role"] not in ("assistant", "tool") for turn in turns):
        return _bare_turns(text)
    return turns[:-1] if len(turns) > 1 and not turns[-1]["content"] else turns


def told_by_tools(text: str) -> list[str]:
    """Return what tools answered in a turn that holds their responses alone; nothing for any other turn."""
    return _RESPONSE.findall(text) if _TOLD.match(text) else []


def _bare_turns(text: str) -> list[Turn] | None:
    parts = _BARE.split(text)
    if len(parts) == 1:
        return None
    turns: list[Turn] = []
    for place, part in enumerate(parts):
        told = told_by_tools(part) if place % 2 else []
        turns += [{"role": "tool", "content": one} for one in told] or [{"role": "assistant", "content": part}]
    return turns if turns[-1]["content"] or turns[-1]["role"] == "tool" else turns[:-1]


def _turns(text: str, speaker: str) -> list[Turn]:
    """Return the turns of a text; `speaker` has said what stands before the first mark."""
    before, *parts = _BEGIN.split(text)
    turns: list[Turn] = [{"role": speaker, "content": _END.sub("", before)}] if before.strip() or not parts else []
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        role, content = role_named(name), _END.sub("", part)
        told = told_by_tools(content) if role in ("user", "tool") else []
        turns += [{"role": "tool", "content": one} for one in told] or [{"role": role, "content": content}]
    return turns
