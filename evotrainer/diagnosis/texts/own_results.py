"""A call in tags with its result in tags behind it, both within one message of the policy.

Some trainers store a whole attempt as one text, results of tools included. Others let the policy go on where it should
have stopped, and it writes the results itself. Which of the two it is shows where the same query is met again.
"""

import re
import zlib

from evotrainer.diagnosis.texts.transcript import Transcript

_PAIR = re.compile(r"<(\w+)>([^<>]{3,400})</\1>\s*(?=<(\w+)>([\s\S]{20,6000}?)</\3>\s*\S)")
_RESULT = re.compile(
    r"info|result|observ|document|docs|passage|context|snippet|evidence|output|response|retriev|return|stdout|feedback"
    r"|environment|tool",
    re.I,
)
_OWN = re.compile(r"think|reason|plan|thought|reflect", re.I)


def own_result(attempt: Transcript) -> dict[str, str]:
    """Return numbers of the first call in tags and of its result, where the prompt names the tag; else empty texts."""
    for message in attempt.said:
        for found in _PAIR.finditer(message.content) if "</" in message.content else ():
            tag, query, other, result = found.groups()
            if _RESULT.search(other) and not _OWN.search(tag) and f"<{other}>" in attempt.prompt:
                return {"own_query": _number(query), "own_result": _number(result)}
    return {"own_query": "", "own_result": ""}


def _number(text: str) -> str:
    return str(zlib.crc32(" ".join(text.lower().split()).encode(errors="replace")))
