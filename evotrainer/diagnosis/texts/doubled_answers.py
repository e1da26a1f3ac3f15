"""The policy's answer once more, at the beginning of what the user says next: a sequence was cut at the wrong place."""

import math
import re
from collections.abc import Sequence

from evotrainer.diagnosis.texts.thoughts import behind_thoughts
from evotrainer.records import Message

_MARK = re.compile(r"\s*(?:<\|[^|>\s]{1,40}\|>|<｜[^｜>]{1,40}｜>|<(?:start|end)_of_turn>|</?s>|\[/?INST\])")
"""A mark of a chat template."""
_MIN_CHARS, _LONG_CHARS = 12, 40
"""Signs of an answer that a mark follows, and of one that stands there without a mark."""


def doubled_answers(messages: Sequence[Message]) -> dict[str, float | bool]:
    """Return how often users begin with the whole answer before, and whether a mark of a template follows it once.

    doubled_share: of what users say after a long answer, NaN for none. doubled_mark: after an answer of any length.
    """
    num_long = num_doubled = 0
    is_marked = False
    for before, message in zip(messages, messages[1:], strict=False):
        if before.role != "assistant" or message.role != "user":
            continue
        answer, said = behind_thoughts(before.content).strip(), message.content.strip()
        is_doubled = len(answer) >= _MIN_CHARS and len(said) > len(answer) and said.startswith(answer)
        is_marked |= is_doubled and _MARK.match(said, len(answer)) is not None
        num_long += len(answer) >= _LONG_CHARS
        num_doubled += is_doubled and len(answer) >= _LONG_CHARS
    return {"doubled_share": num_doubled / num_long if num_long else math.nan, "doubled_mark": is_marked}
