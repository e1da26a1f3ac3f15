"""What an attempt does with its tools and its answer: edits undone, answers of tools made up, several answers given."""

import re
from collections.abc import Sequence

from evotrainer.actions import ActionClassifier
from evotrainer.diagnosis.texts.signs import may_hold
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

_UNDO = re.compile(
    r"\bgit\s+(?:checkout|restore)\s+(?:HEAD\s+)?(?:--\s+)?(?:\.|:/)(?:\s|$|[;&|])|\bgit\s+checkout\s+--\s"
    r"|\bgit\s+reset\s+--hard\s*(?:HEAD)?\s*(?:$|[;&|])|\bgit\s+stash\s*(?:$|[;&|]|push|save)"
    r"|\b(?:hg|svn)\s+revert\b",
    re.I | re.M,
)
_MADE_UP = re.compile(
    r"<\s*/?\s*(?:tool_(?:response|result|output)s?|function_(?:results?|response)|observations?|execution_result)\b"
    r"|^\s*(?:observation|tool (?:output|result|response))\s*:",
    re.I | re.M,
)
_MADE_UP_SIGNS = "tool|function_re|observation|execution_result"
"""Stands in every match of _MADE_UP."""
_CANDIDATE = r"(?:-?\d[\d,]*(?:\.\d+)?|\(?[A-H]\)?)"
_SEVERAL = re.compile(
    rf"(?<![\w.]){_CANDIDATE}(?:\s*(?:,|;|/|\||\bor\b|\boder\b|\bou\b|\bo\b|\bили\b|或|または)\s*{_CANDIDATE}){{2,}}"
)
_GAP = r"[\s\v\x1c-\x1f]*"
"""Whitespace of ASCII as Python knows it, for RE2 too."""
_MIDDLE = re.compile(rf"[,;/|oruи或は]{_GAP}{_CANDIDATE}{_GAP}[,;/|oи或ま]")
"""Stands in every match of _SEVERAL: its second candidate, between the ends of two separators."""
_END_CHARS = 200
_NEAR = 200
_MIN_QUESTION = 30


def undoes_edits(messages: Sequence[Message], classifier: ActionClassifier) -> bool:
    """Tell whether the last thing done to the files is to set them back, after they were edited."""
    is_edited = is_undone = False
    for message in messages:
        for call in message.tool_calls:
            texts = " \n".join(value for value in call.arguments.values() if isinstance(value, str))
            if _UNDO.search(texts):
                is_undone = is_edited
            elif any(action.kind == "edit" for action in classifier.actions(call, call_key(call))):
                is_edited, is_undone = True, False
    return is_undone


def make_up_answers(attempts: Sequence[Transcript]) -> list[bool]:
    """Tell whether the policy writes what a tool would answer; a prompt that shows such marks has them as its form."""
    may = may_hold([attempt.text for attempt in attempts], _MADE_UP_SIGNS)
    return [is_possible and _makes_up(attempt) for attempt, is_possible in zip(attempts, may, strict=True)]


def _makes_up(attempt: Transcript) -> bool:
    is_written = any(_MADE_UP.search(message.content) for message in attempt.said)
    return is_written and not _MADE_UP.search(attempt.prompt)


def give_several(texts: Sequence[str]) -> list[bool]:
    """Tell whether answers end with three candidates and more."""
    ends = [text[-_END_CHARS:] for text in texts]
    may = may_hold(ends, _MIDDLE.pattern)
    return [is_possible and _is_several(end) for end, is_possible in zip(ends, may, strict=True)]


def _is_several(end: str) -> bool:
    return bool(_MIDDLE.search(end) and _SEVERAL.search(end))


def first_exchange(messages: Sequence[Message]) -> tuple[str, str]:
    """Return the first call of an attempt and what was answered to it; empty texts where there is none."""
    for place, message in enumerate(messages):
        if message.role == "assistant" and message.tool_calls:
            after = messages[place + 1] if place + 1 < len(messages) else None
            if len(message.tool_calls) > 1 or after is None or after.role == "assistant":
                return "", ""
            return call_key(message.tool_calls[0]), after.content
    return "", ""


def is_told(messages: Sequence[Message], answer: str) -> bool:
    """Tell whether a tool shows the problem's own text and the answer behind it, though no call held that text."""
    asked = [message.content.strip() for message in messages if message.role == "user"]
    question = asked[0] if asked else ""
    if len(question) < _MIN_QUESTION or not answer:
        return False
    for message in messages:
        if any(question in str(call.arguments) for call in message.tool_calls):
            return False
        place = message.content.find(question) if message.role == "tool" else -1
        if place >= 0 and answer in message.content[place + len(question) :][:_NEAR]:
            return True
    return False
