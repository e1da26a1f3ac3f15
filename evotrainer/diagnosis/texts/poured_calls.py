"""A turn of many tool calls side by side that repeat each other, and that nobody answers: the turn found no end."""

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key

_MIN_CALLS, _SHARE = 6, 0.3
"""Calls of such a turn, and the share of them that repeat another one of it exactly."""


def poured_calls(attempt: Transcript) -> float:
    """Return the calls of an attempt's last turn where many repeat each other and none is answered; else 0."""
    last = attempt.since[-1]
    if last.role != "assistant" or len(last.tool_calls) < _MIN_CALLS:
        return 0.0
    keys = [call_key(call) for call in last.tool_calls]
    return float(len(keys)) if len(keys) - len(set(keys)) >= _SHARE * len(keys) else 0.0
