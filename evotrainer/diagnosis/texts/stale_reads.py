"""Reads that come again behind a write to what they read: whether the answer is the old one."""

import re
from collections.abc import Sequence

from evotrainer.diagnosis.texts.answered_calls import answered_calls
from evotrainer.diagnosis.texts.machine_words import machine_share
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message, ToolCall

_MIN_CHARS, _MAX_CALLS = 3, 60
_WORD, _NUMBER = re.compile(r"\w+"), re.compile(r"\d+(?:\.\d+)?")


def stale_reads(messages: Sequence[Message]) -> dict[str, float]:
    """Return how many reads that come again behind a write have the old answer, and how many a new one.

    A write is another call whose arguments hold all of the read's, and something more; its answer names no failure. An
    answer is the old one where all numbers are the same, and all words but one, which may name a cache.
    """
    calls = [(call, call_key(call), answer) for call, answer in answered_calls(messages)][:_MAX_CALLS]
    same = new = 0
    for place, (call, key, answer) in enumerate(calls):
        before = next((old for old in range(place - 1, -1, -1) if calls[old][1] == key), None)
        if before is None or not any(len(value) >= _MIN_CHARS for value in _texts(call)):
            continue
        if any(_writes(write, told, call) for write, _, told in calls[before + 1 : place]):
            is_same = _is_same(calls[before][2], answer)
            same, new = same + is_same, new + (not is_same)
    return {"num_stale_reads": float(same), "num_new_reads": float(new)}


def _writes(call: ToolCall, answer: str, read: ToolCall) -> bool:
    written, wanted = _texts(call), _texts(read)
    return call.name != read.name and wanted < written and machine_share([answer]) == 0.0


def _is_same(before: str, after: str) -> bool:
    if before == after:
        return True
    words = [_WORD.findall(text) for text in (before, after)]
    if len(words[0]) != len(words[1]) or _NUMBER.findall(before) != _NUMBER.findall(after):
        return False
    return sum(one != other for one, other in zip(*words, strict=True)) <= 1


def _texts(call: ToolCall) -> set[str]:
    """Return the values of a call's arguments as texts."""
    return set(map(str, call.arguments.values()))
