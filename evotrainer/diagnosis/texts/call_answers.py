"""What tools answer to calls: that the thing is done already, that the call cannot be read, or something else.

Only the first call of each tool in an attempt is looked at for what is done already: before it the attempt itself has
done nothing of the kind. A call whose arguments are recorded could be read, by somebody at least. An answer belongs to
its call where it holds half of the call's words and numbers.
"""

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

from evotrainer.diagnosis.texts.answered_calls import answered_calls
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

_ALREADY = re.compile(
    r"\balready\s+(?:been\s+)?(?:\w+\s+){0,2}?(?:book|exist|tak|reserv|regist|in use|cancel|clos|delet|remov|merg|appl|"
    r"sold|assign|submit|creat|done|paid|plac|chang|mov|open|check|us|complet|finish|resolv|archiv|deliver|sent)\w*"
    r"|\balready (?:holds|has|have|owns|contains)\b"
    r"|\bduplicate (?:key|entry)|\bunique constraint|\bfile exists\b|\bconflicts? with (?:an )?(?:existing|earlier)",
    re.I,
)
_UNREAD = re.compile(
    r"\b(?:could not|cannot|can't|failed to|unable to) (?:decode|parse|read) (?:the )?(?:tool )?(?:call|arguments?)\b"
    r"|\b(?:call|arguments?) (?:could|can) ?not be (?:decoded|parsed|read)\b"
    r"|\b(?:tool ?call|arguments?) ?(?:parse|parsing|decode|decoding) ?error\b"
    r"|\b(?:invalid|malformed) (?:tool call|arguments)\b",
    re.I,
)
_NO_JSON = re.compile(
    r"Expecting (?:',' delimiter|':' delimiter|property name|value)|Unterminated string|Extra data: line \d"
    r"|Invalid (?:control character|\\escape)|JSONDecodeError|Unexpected (?:token|end of JSON)|not valid JSON"
)
"""What parsers of JSON say of a text that is none."""
_CALL_ENDS, _SHORT = (">", "}", "]", "`"), 400
"""Signs that a written call ends with, and of an answer that says nothing but what is wrong with it."""
_WORD = re.compile(r"[^\W\d_]{4,}|\d{2,}")
_CHARS, _MIN_ANSWER, _MIN_WORDS = 2000, 40, 2
_COMMON = frozenset(
    ("this", "that", "with", "from", "what", "when", "where", "which", "true", "false", "null", "none", "name", "query")
)


def call_answers(messages: Sequence[Message]) -> dict[str, str | float]:
    """Return the calls that met what was done already, those that did not, and how many answers are of other things.

    done_before, not_done_before: numbers of first calls of a tool, parted by spaces. num_unread: calls with arguments
    that the tool could not read. num_unparsed: calls in the text, or without arguments, that nobody could read.
    num_answered, num_strange: calls
    with words to compare, and those of them whose answers hold less than half of them.
    """
    met: dict[str, set[str]] = {"done_before": set(), "not_done_before": set()}
    named: set[str] = set()
    answered = strange = unread = 0
    unparsed = sum(_is_unparsed(*pair) for pair in pairwise(messages))
    for call, answer in answered_calls(messages):
        if call.name not in named:
            named.add(call.name)
            key = str(zlib.crc32(call_key(call).encode(errors="replace")))
            met["done_before" if _ALREADY.search(answer[:_CHARS]) else "not_done_before"].add(key)
        is_unread = _UNREAD.search(answer[:_CHARS]) is not None
        unread += is_unread and bool(call.arguments)
        unparsed += is_unread and not call.arguments
        words = _words(" ".join(value for value in call.arguments.values() if isinstance(value, str)))
        if len(words) >= _MIN_WORDS and len(answer) >= _MIN_ANSWER:
            answered += 1
            strange += 2 * len(words.intersection(_WORD.findall(answer[:_CHARS].lower()))) < len(words)
    return {
        **{name: " ".join(sorted(keys)) for name, keys in met.items()},
        "num_unread": float(unread),
        "num_unparsed": float(unparsed),
        "num_answered": float(answered),
        "num_strange": float(strange),
    }


def _is_unparsed(message: Message, after: Message) -> bool:
    """Tell whether a message ends with what may be a call, holds none beside it, and is answered that it is bad."""
    if message.role != "assistant" or message.tool_calls or after.role == "assistant":
        return False
    if not message.content.rstrip().endswith(_CALL_ENDS):
        return False
    answer = after.content[:_CHARS]
    return _UNREAD.search(answer) is not None or (len(answer) < _SHORT and _NO_JSON.search(answer) is not None)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text[:_CHARS].lower())) - _COMMON
