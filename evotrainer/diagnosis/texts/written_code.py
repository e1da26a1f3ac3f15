"""The code that an attempt hands in: blocks of its texts, and what its calls write into files that are no tests."""

import re
from collections.abc import Iterator

from evotrainer.actions import ActionClassifier
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import ToolCall

_BLOCK = re.compile(r"```[\w+#-]*[ \t]*\n(.*?)```", re.DOTALL)
_HEREDOC = re.compile(r"<<-?[ \t]*[\"']?(\w+)[\"']?[^\n]*\n(.*?)\n[ \t]*\1\b", re.DOTALL)
_OLD = re.compile(r"old|search|find|before|from|orig|target|remove", re.I)
_PATCH = re.compile(r"^(?:@@|--- |\*\*\* )", re.MULTILINE)
_MAX_CHARS = 12_000


def written_code(attempt: Transcript, classifier: ActionClassifier, signs: re.Pattern[str]) -> list[str]:
    """Return the pieces of code of an attempt that hold one of the signs."""
    found = [text[:_MAX_CHARS] for text in _of_texts(attempt) if signs.search(text)]
    if attempt.has_calls:
        calls = (call for message in attempt.said for call in message.tool_calls)
        found += [text[:_MAX_CHARS] for call in calls for text in _of_call(call, classifier, signs)]
    return found


def _of_texts(attempt: Transcript) -> list[str]:
    if "```" in attempt.text:
        return _BLOCK.findall(attempt.text)
    return [] if attempt.has_calls or "\n" not in attempt.text else [attempt.text]


def _of_call(call: ToolCall, classifier: ActionClassifier, signs: re.Pattern[str]) -> Iterator[str]:
    texts = {name: value for name, value in call.arguments.items() if isinstance(value, str) and signs.search(value)}
    if not texts:
        return
    edits = [action for action in classifier.actions(call, call_key(call)) if action.kind == "edit"]
    if not edits or any(action.writes_tests for action in edits):
        return
    for name, text in texts.items():
        if heredocs := _HEREDOC.findall(text):
            yield from (body for _, body in heredocs)
        elif _PATCH.search(text):
            yield "\n".join(line[1:] for line in text.split("\n") if line.startswith("+") and line[:3] != "+++")
        elif not _OLD.search(name):
            yield text
