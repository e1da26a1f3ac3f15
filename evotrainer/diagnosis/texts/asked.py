"""What was asked of an attempt: its system prompt, the language of its question, an unfilled or twofold template."""

import re
import zlib
from collections.abc import Sequence
from typing import Any

from evotrainer.diagnosis.texts.languages import language
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.records import Message

_DIGITS = re.compile(r"\d+")
_MAX_CHARS = 6000
_TEMPLATE = re.compile(
    r"<\|im_start\|>\w+\s+<\|im_start\|>|<start_of_turn>\w+\s+<start_of_turn>|\[INST\]\s*(?:<s>)?\s*\[INST\]"
    r"|<\|start_header_id\|>\w+<\|end_header_id\|>\s+(?:<\|begin_of_text\|>)?<\|start_header_id\|>"
)
"""A turn that begins with the mark of another turn."""
_SLOT = re.compile(
    r"(?<![\w}\\^_$`'\"])\{\{?\s*[A-Za-z_][\w.]*\s*\}?\}(?![\w`'\"])|\$\{\w+\}|%\(\w+\)s"
    r"|<\|?(?:[A-Z]{2,}_)*(?:PROBLEM|QUESTION|INPUT|TASK|TEXT|CONTEXT|PASSAGE)\|?>"
    r"|\[(?:INSERT|YOUR|THE)?\s?(?:PROBLEM|QUESTION|INPUT|TASK|TEXT|CONTEXT|PASSAGE)(?:\sHERE)?\]"
    r"|(?<=[:：])\s*(?:None|NaN|nan|null|undefined)\s*(?=\n|\Z)"
)
"""A place of a template that nothing was filled into."""
_OPTION = re.compile(r"(?:^|[\s(\[*])([A-J])\s?[)\].:．、]\W{0,4}(?=\w|[$\\-])")
"""The letter of an option."""
_HISTORY = re.compile(
    r"\b(?:which|what|first bad|offending|breaking|name the|find the|identify the|hash of the)\b[^.\n]{0,40}\bcommit\b"
    r"|\bgit (?:log|blame|bisect|history)\b|\bbisect|\brelease notes\b|\bchange ?log\b|\b(?:read|search) the history\b"
    r"|\bcommits? (?:broke|introduced|since|between)\b|\bwho (?:last )?changed\b",
    re.I,
)
"""A task that is about the history of a repository."""
_ACCEPTS_ANY = re.compile(
    r"\b(?:print|output|return|give|find|report|name|choose|write)\b[^.\n]{0,20}"
    r"\bany(?: (?:one )?of (?:them|these|the)\b| (?:valid|such|correct|possible|one)\b)"
    r"|\bany (?:valid|correct|such) (?:answer|solution|output|one|order)"
    r"|\b(?:several|multiple|more than one)\b[^.\n]{0,40}\b(?:any|accepted)\b|\bin any order\b"
    r"|输出任意|任意一[个种组]|任意输出|(?:выведите|напечатайте)[^.\n]{0,20}люб|cualquiera de (?:ellas|ellos|las)"
    r"|n'importe laquelle|eine beliebige|いずれかを出力",
    re.I,
)
"""A statement that accepts several answers."""


_SOLVED = re.compile(r"\s*(?:\*\*)?(?:answer|solution|response|output|assistant|a|r)(?:\*\*)?\s*[:=]\s*\S", re.I)
_MIN_QUESTION = 40
"""Signs of a line from which it is no phrase of a template."""


def asked_columns(attempts: Sequence[Transcript]) -> dict[str, list[Any]]:
    """Return the columns of what was asked, a value an attempt."""
    return {
        "system_prompt": [_system(attempt.asked) for attempt in attempts],
        "asked_language": [language(_question(attempt.asked)) for attempt in attempts],
        "asks_history": [bool(_HISTORY.search(_question(attempt.asked)[:_MAX_CHARS])) for attempt in attempts],
        "empty_slot": [_slot(attempt.asked) for attempt in attempts],
        "shown_solved": [_is_shown_solved(_question(attempt.asked)[-_MAX_CHARS:]) for attempt in attempts],
        "num_options": [_num_options(_question(attempt.asked)[-_MAX_CHARS:]) for attempt in attempts],
        "nests_template": [_nests_template(attempt.asked) for attempt in attempts],
        "accepts_any": [_ACCEPTS_ANY.search(_question(attempt.asked)[:_MAX_CHARS]) is not None for attempt in attempts],
    }


def _num_options(question: str) -> float:
    """Return how many options a question lists, by letters from A on."""
    letters = set(_OPTION.findall(question))
    return float(next(place for place, letter in enumerate("ABCDEFGHIJK") if letter not in letters))


def _is_shown_solved(question: str) -> bool:
    """Tell whether the last long line of a question stands before, with an answer behind it."""
    line = next((one.strip() for one in reversed(question.split("\n")) if len(one.strip()) >= _MIN_QUESTION), "")
    before, _, _ = question.rpartition(line) if line else ("", "", "")
    place = before.find(line) if line else -1
    return place >= 0 and _SOLVED.match(before, place + len(line)) is not None


def _nests_template(asked: Sequence[Message]) -> bool:
    """Tell whether a chat template was applied to what it had been applied to."""
    return any(_TEMPLATE.search(message.content) for message in asked)


def _slot(asked: Sequence[Message]) -> str:
    """Return the first place of what users asked that nothing was filled into; empty for none."""
    found = _SLOT.search(_question(asked)[:_MAX_CHARS])
    return found.group().strip() if found else ""


def _question(asked: Sequence[Message]) -> str:
    """Return what users asked before the policy's first message."""
    return "\n".join([message.content for message in asked if message.role == "user"])


def _system(asked: Sequence[Message]) -> str:
    """Return a number of the system prompt, without its numbers; empty where there is none."""
    text = "\n".join([message.content for message in asked if message.role == "system"])[:_MAX_CHARS]
    return str(zlib.crc32(_DIGITS.sub("0", text).encode(errors="replace"))) if text else ""
