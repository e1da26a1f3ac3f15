"""Programs that look up answers in a table of cases which the attempt read from a file that its task does not name.

A case is a row of numbers or a quoted text. It counts where a tool showed it and code then writes it as a key: before a
colon, or compared with `==`. Such code hands something back, or reads what it is given: a script that reckons with what
was read does neither. A file that is written anew holds what it held before. Code with tests or assertions checks
cases, and what stands in the prompt was given. None of these counts.
"""

import re

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.records import Message, ToolCall

_MIN_CASES = 3
_NUMBERS = r"-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?){2,}"
_KEY = re.compile(
    rf"[\[(]\s*({_NUMBERS})\s*,?\s*[\])]+\s*:|==\s*[\[(]+\s*({_NUMBERS})\s*[\])]"
    r"|(?<![\w\"'])[\"']([^\"'\n]{4,80})[\"']\s*:|==\s*[\"']([^\"'\n]{4,80})[\"']"
)
_SHOWN_NUMBERS, _BLANKS = re.compile(_NUMBERS), re.compile(r"\s+")
_PATH = re.compile(r"(?<![\w.~/-])[\w.~-]*/[\w./-]*\w|\b[\w-]+\.(?:json|jsonl|txt|csv|ya?ml|py|in|out|pkl|db)\b")
_CHECKS = re.compile(r"\bassert|\btest|\bexpect\(", re.I)
_GIVES = re.compile(r"\breturn\b|\blambda\b|=>|\binput\(|\bstdin\b|\bargv\b")
_MAX_CHARS, _MIN_CHARS = 12_000, 30


def tables_cases(attempt: Transcript) -> bool:
    """Tell whether code that an attempt writes has several cases as keys that a file showed to it."""
    tables = {place: found for place, message in enumerate(attempt.since) if (found := _tables(message))}
    shown: list[tuple[set[str], str]] = []
    written, reads = "", set[str]()
    for place, message in enumerate(attempt.since[: max(tables, default=-1) + 1]):
        if message.role != "assistant":
            if reads and len(message.content) >= _MIN_CHARS:
                shown.append((reads, message.content[:_MAX_CHARS]))
            continue
        if any(_is_of_file(*table, shown, attempt.prompt) for table in tables.get(place, ())):
            return True
        said = "\n".join(map(_text, message.tool_calls))
        reads = {name for name in _names(said) if name not in attempt.prompt and name not in written}
        written += f"\n{said}" if len(said) >= _MIN_CHARS * _MIN_CASES else ""
    return False


def _tables(message: Message) -> list[tuple[str, set[str]]]:
    """Return the code of a message that has several cases as keys, each with these."""
    if message.role != "assistant":
        return []
    texts = [*map(_text, message.tool_calls), message.content if "```" in message.content else ""]
    codes = [text[:_MAX_CHARS] for text in texts if _GIVES.search(text) and not _CHECKS.search(text)]
    found = [(code, {_plain(next(filter(None, key))) for key in _KEY.findall(code)}) for code in codes]
    return [(code, keys) for code, keys in found if len(keys) >= _MIN_CASES]


def _text(call: ToolCall) -> str:
    return "\n".join([value for value in call.arguments.values() if isinstance(value, str)])


def _names(text: str) -> set[str]:
    return {path.rsplit("/", 1)[-1] for path in _PATH.findall(text[:_MAX_CHARS])}


def _is_of_file(code: str, keys: set[str], shown: list[tuple[set[str], str]], prompt: str) -> bool:
    """Tell whether several keys of a code are cases of one file, which is not the code's own, nor the prompt's."""
    given = _plain(prompt)
    for names, content in shown:
        if any(name in code for name in names):
            continue
        rows = {_plain(row) for row in _SHOWN_NUMBERS.findall(content)}
        cases = {key for key in keys if key in rows or _is_value(key, content)}
        if sum(key not in given for key in cases) >= _MIN_CASES:
            return True
    return False


def _plain(text: str) -> str:
    return _BLANKS.sub("", text)


def _is_value(key: str, content: str) -> bool:
    """Tell whether a text stands quoted in what was shown, and never as a name there."""
    if f'"{key}"' not in content and f"'{key}'" not in content:
        return False
    found = re.findall(rf"[\"']{re.escape(key)}[\"'](\s*:)?", content)
    return not any(found)
