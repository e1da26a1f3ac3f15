"""Commands that an attempt words anew at once, and whether the world answers them alike.

A command is a call, or the last line of a message, that somebody answers. Two in a row say the same in other words
where they differ in one place, by two words at most, none of them a number. The form of an answer is that of its words
that neither command holds.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

TOLD = "+"
"""Behind words that stood before in the prompt, or in what was answered."""
_TAG = re.compile(r"<(\w+)>\s*([^<>]+?)\s*</\1>\s*\Z")
_EDGES = " \t.,;:!?*`'\"()[]{}<>"
_LINE_CHARS, _MAX_WORDS, _MIN_REST, _MAX_OTHER, _MAX_PAIRS = 200, 16, 2, 2, 12
_ANSWER_CHARS = 400


class _Command(NamedTuple):
    words: tuple[str, ...]
    place: int
    """Of the message that answers it."""


def reworded(attempt: Transcript) -> str:
    """Return `words:answer>words:answer` for commands that were worded anew, parted by blanks.

    Words within are joined by `_`; answers are numbers of their forms. TOLD stands behind words
    that were named before.
    """
    if len(attempt.answers) < 2:
        return ""
    made = list(_commands(attempt.since))
    found: list[str] = []
    for one, after in zip(made, made[1:], strict=False):
        parts = _other_words(one.words, after.words)
        if parts is None or len(found) == _MAX_PAIRS:
            continue
        both = {*one.words, *after.words}
        sides = zip(parts, (one, after), strict=True)
        found.append(">".join([_side(words, command, attempt, both) for words, command in sides]))
    return " ".join(found)


def _side(words: Sequence[str], made: _Command, attempt: Transcript, both: set[str]) -> str:
    said = " ".join(words)
    before = (message.content for message in attempt.since[: made.place] if message.role != "assistant")
    told = TOLD if any(_stands_in(said, text.lower()) for text in (attempt.prompt, *before)) else ""
    return f"{said.replace(' ', '_')}{told}:{_form(attempt.since[made.place].content, both)}"


def _commands(messages: Sequence[Message]) -> Iterator[_Command]:
    for place, (message, after) in enumerate(zip(messages, messages[1:], strict=False), start=1):
        if message.role != "assistant" or after.role == "assistant" or len(message.tool_calls) > 1:
            continue
        text = call_key(message.tool_calls[0]) if message.tool_calls else _last_line(message.content)
        words = tuple([word.strip(_EDGES) for word in text.lower().split()])
        if len(text) <= _LINE_CHARS and _MIN_REST < len(words) <= _MAX_WORDS:
            yield _Command(words, place)


def _last_line(text: str) -> str:
    tagged = _TAG.search(text[-2 * _LINE_CHARS :])
    return (tagged[2] if tagged else text.rstrip().rpartition("\n")[2]).strip(_EDGES)


def _other_words(one: tuple[str, ...], after: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the words at the one place where two commands differ; None where they differ otherwise, or not at all."""
    if one == after or abs(len(one) - len(after)) > _MAX_OTHER:
        return None
    least = min(len(one), len(after))
    start = next((i for i in range(least) if one[i] != after[i]), least)
    end = next((i for i in range(least - start) if one[-1 - i] != after[-1 - i]), least - start)
    parts = one[start : len(one) - end], after[start : len(after) - end]
    is_short = all(len(part) <= _MAX_OTHER for part in parts) and start + end >= _MIN_REST
    is_plain = all(not letter.isdigit() and letter not in ">:" for part in parts for word in part for letter in word)
    return parts if is_short and is_plain else None


def _stands_in(words: str, text: str) -> bool:
    return bool(words) and words in text and re.search(rf"(?<![\w/-]){re.escape(words)}(?![\w/-])", text) is not None


def _form(answer: str, words: set[str]) -> int:
    kept = [word for word in answer[:_ANSWER_CHARS].lower().split() if word.strip(_EDGES) not in words]
    return zlib.crc32(re.sub(r"\d+", "0", " ".join(kept)).encode(errors="replace"))
