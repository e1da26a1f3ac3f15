"""Replies that decline a wish, and one which a column calls harmless.

The column names a kind of wish, or is a flag of 0 and 1. A grader's verdict on the reply may have the same words; it
differs within a problem, and diagnostics leave such problems out.
"""

import math
import re
from typing import Any

from evotrainer.diagnosis.texts.grader_words import declines
from evotrainer.diagnosis.texts.transcript import Transcript

_HARMLESS = re.compile(
    r"(?:^|[^a-z])(?:benign|harmless|innocuous|innocent|legitimate|(?:non|not)[-_ ]?(?:harmful|toxic|malicious|unsafe)"
    r"|safe(?![-_ ]?compl)|(?:should[-_ ]?)?comply|should[-_ ]?(?:answer|help))(?![a-z])",
    re.I,
)
_DENIED = re.compile(r"(?:^|[^a-z])(?:no|non|not|un|never)[-_ ]?(?:safe|benign|harmless|legitimate|comply)", re.I)
_GOOD = re.compile(r"(?:^|[_.])(?:is_?)?(?:benign|harmless|innocuous|should_?(?:answer|comply|help))$", re.I)
_BAD = re.compile(r"(?:^|[_.])(?:is_?)?(?:harmful|unsafe|malicious|toxic|dangerous|(?:should|must)_?refuse)$", re.I)
_OTHER = re.compile(
    r"source|data|subset|split|objective|domain|env|task|principle|criteri|goal|model|judge|verdict|grade"
    r"|repl|response|completion|output|answer|reward|score",
    re.I,
)
"""Names of columns whose words are of a data set or of the reply: a set called harmless may hold harmful wishes."""
_LABEL_CHARS = 40


def refusals(attempt: Transcript) -> dict[str, float]:
    """Return 1 where a reply declines, else 0, and the same of harmless wishes: NaN where no column calls one so."""
    declined = float(bool(attempt.said) and not attempt.said[-1].tool_calls and declines(attempt.said[-1].content))
    is_harmless = any(_is_harmless(name, value) for name, value in _values(attempt.row.extra))
    return {"declined": declined, "harmless_declined": declined if is_harmless else math.nan}


def _values(extra: dict[str, Any]) -> list[tuple[str, Any]]:
    inner = [(key, one) for value in extra.values() if isinstance(value, dict) for key, one in value.items()]
    return [*extra.items(), *inner]


def _is_harmless(name: str, value: Any) -> bool:
    if _OTHER.search(str(name)):
        return False
    if isinstance(value, str):
        is_label = len(value) <= _LABEL_CHARS and _HARMLESS.search(value) is not None
        return is_label and _DENIED.search(value) is None
    if not isinstance(value, bool | int | float) or value not in (0, 1):
        return False
    return (_GOOD if value else _BAD).search(str(name)) is not None
