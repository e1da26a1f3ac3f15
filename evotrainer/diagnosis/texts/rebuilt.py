"""What a trainer built of an attempt, beside what was sampled: ids and texts in columns of a person's own rows."""

import re
from collections.abc import Iterator
from typing import Any

from evotrainer.diagnosis.texts.transcript import Transcript

_IDS = re.compile(r"(?:prompt|input|context|query|token)(?:_\w+)?_?ids", re.I)
"""A list of a prompt's token ids; other lists of numbers count turns or name documents."""
_MARK = re.compile(
    r"\s*(<\|[^|>\s]{1,40}\|>|<｜[^｜>]{1,40}｜>|</?s>|<bos>|<begin_of_\w{1,20}>|<start_of_turn>|\[(?:CLS|BOS|INST)\])\s*(?=\S)"
)
"""A mark of a tokenizer or a chat template."""
_EMPTY_PAIR = re.compile(r"<(\w[\w-]*)>\s*</\1>\s*$")
_MIN_CHARS, _MIN_IDS = 20, 3
"""Signs of an answer that is looked for in other texts, and ids of a list that has a beginning."""


def rebuilt_columns(attempt: Transcript) -> dict[str, Any]:
    """Return what such columns show of one attempt.

    begun: how often the first id of a list of ids, or the first mark of a text that is no answer, stands there in a
    row, at most; 0 where no column has one. empty_pair: the tag of an empty pair that stands directly before the answer
    in another column, where the answer closes that tag itself and does not open it.
    """
    answer = attempt.said[-1].content.strip() if attempt.said else ""
    begun, pair = 0, ""
    for name, value in _values(attempt.row.extra):
        if isinstance(value, list):
            begun = max(begun, _repeats(value) if _IDS.search(name) else 0)
        elif not answer.startswith(value.strip()[:_MIN_CHARS]):
            begun = max(begun, _marks(value))
        if isinstance(value, str) and len(answer) >= _MIN_CHARS and not pair:
            place = value.find(answer)
            found = _EMPTY_PAIR.search(value, 0, place) if place > 0 else None
            tag = found.group(1) if found else ""
            pair = tag if tag and f"</{tag}>" in answer and f"<{tag}>" not in answer else ""
    return {"begun": float(begun), "empty_pair": pair}


def _values(extra: dict[str, Any]) -> Iterator[tuple[str, str | list[Any]]]:
    for name, value in extra.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        yield from ((f"{name}.{key}", one) for key, one in inner if isinstance(one, str | list))


def _repeats(ids: list[Any]) -> int:
    """Return how often a list of ids repeats its first one at its beginning; 0 for a list of anything else."""
    while len(ids) == 1 and isinstance(ids[0], list):
        ids = ids[0]
    if len(ids) < _MIN_IDS or not all(isinstance(one, int) and not isinstance(one, bool) for one in ids[:_MIN_IDS]):
        return 0
    return next((place for place, one in enumerate(ids) if one != ids[0]), len(ids))


def _marks(text: str) -> int:
    """Return how often the mark at the beginning of a text stands there in a row; 0 for none."""
    first, count, place = "", 0, 0
    while (found := _MARK.match(text, place)) and (not first or found.group(1) == first):
        first, count, place = found.group(1), count + 1, found.end()
    return count
