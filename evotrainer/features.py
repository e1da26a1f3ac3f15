"""What is derived from one trajectory, once, when it is written: the behaviour columns that diagnostics aggregate.

A feature is a pure function of its row, so that a stored one never disagrees with a recomputed one. Nothing here looks
at other rows; what compares attempts of a group belongs to a diagnostic.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from evotrainer.graders.checks import CHECKS
from evotrainer.records import Message, Trajectory


def trajectory_features(row: Trajectory) -> dict[str, Any]:
    """Return the features of one trajectory: the columns of the features table, in its order."""
    said = [message for message in row.messages if message.role == "assistant"]
    lenient, answer = row.extra.get("lenient_correct"), row.extra.get("answer")
    return {
        "trajectory_id": row.trajectory_id,
        "family": str(row.extra.get("family", "")),
        "decoding": str(row.extra.get("decoding", "sampled")),
        "answer": None if answer is None else str(answer),
        "lenient_correct": _share(lenient),
        "num_chars": sum(len(message.content) for message in said),
        "response_hash": _response_hash(said),
        "mean_logprob": _mean_logprob(said),
        **_tool_features(row.messages),
        "checks": _checks(row.extra.get(CHECKS)),
    }


def _checks(value: Any) -> list[tuple[str, float]]:
    """Return what the grader measured beside the grade, by name; foreign rows keep anything in `extra`."""
    named = value.items() if isinstance(value, Mapping) else ()
    return sorted(
        (str(name), float(number))
        for name, number in named
        if isinstance(number, int | float) and math.isfinite(number)
    )


def _share(value: Any) -> float | None:
    """Return a correctness in [0, 1]; None for what is none: foreign rows keep anything in `extra`."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def _response_hash(said: Sequence[Message]) -> str:
    """Return a short hash of what the policy said: equal hashes are equal responses."""
    turns = [
        [message.content, *(f"{call.name} {sorted(call.arguments.items())}" for call in message.tool_calls)]
        for message in said
    ]
    text = "\x1e".join("\x1f".join(turn) for turn in turns)
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()


def _mean_logprob(said: Sequence[Message]) -> float | None:
    """Return the mean over sampled tokens of all turns, in nats; turns of unknown length weigh one token."""
    known = [(message.mean_logprob, message.num_tokens or 1) for message in said if message.mean_logprob is not None]
    total = sum(weight for _, weight in known)
    return sum(logprob * weight for logprob, weight in known) / total if total else None


def _tool_features(messages: Sequence[Message]) -> dict[str, Any]:
    names = [call.name for message in messages for call in message.tool_calls]
    bigrams = list(pairwise(names))
    return {
        "num_tool_calls": len(names),
        "num_failed_tool_calls": sum(message.role == "tool" and message.ok is False for message in messages),
        "tool_counts": sorted(Counter(names).items()),
        "num_tool_bigrams": len(bigrams),
        "num_unique_tool_bigrams": len(set(bigrams)),
        "longest_tool_run": max((len(list(run)) for _, run in groupby(names)), default=0),
    }
