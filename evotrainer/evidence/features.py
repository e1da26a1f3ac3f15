"""Features of trajectories, computed once when they are written: the behaviour columns that diagnostics aggregate.

A feature is a pure function of its row and of the table of actions, so a stored feature always equals a recomputed one.
Nothing here reads other rows: comparisons within a group belong to diagnostics.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evotrainer.actions import ActionClassifier, standard_classifier
from evotrainer.evidence.sketch import reasoning_sketches
from evotrainer.evidence.tool_features import Call, tool_features
from evotrainer.records import Message, ToolCall, Trajectory
from evotrainer.records.evidence import CHECKS


def feature_columns(rows: Sequence[Trajectory], classifier: ActionClassifier | None = None) -> dict[str, list[Any]]:
    """Return the features of trajectories: the columns of the features table, a value a trajectory.

    Args:
        rows: the trajectories.
        classifier: classifies tool calls; the standard table by default.

    """
    classifier = classifier or standard_classifier()
    said = [[message for message in row.messages if message.role == "assistant"] for row in rows]
    texts = [[message.content for message in turns] for turns in said]
    calls = [calls_by_turn(row.messages) for row in rows]
    tools = [tool_features(row.messages, turns, classifier) for row, turns in zip(rows, calls, strict=True)]
    extras = [row.extra for row in rows]
    answers = [extra.get("answer") for extra in extras]
    return {
        "trajectory_id": [row.trajectory_id for row in rows],
        "family": [str(extra.get("family", "")) for extra in extras],
        "decoding": [str(extra.get("decoding", "sampled")) for extra in extras],
        "answer": [None if answer is None else str(answer) for answer in answers],
        "lenient_correct": [_share(extra.get("lenient_correct")) for extra in extras],
        "num_chars": [sum(map(len, turns)) for turns in texts],
        "response_hash": [_response_hash(*one) for one in zip(texts, calls, strict=True)],
        "mean_logprob": [mean_logprob(turns) for turns in said],
        **{name: [found[name] for found in tools] for name in tool_features([], [], classifier)},
        "logprob_change": [_logprob_change(turns) for turns in said],
        "reasoning_sketch": reasoning_sketches(texts),
        "checks": [_checks(extra[CHECKS]) if CHECKS in extra else [] for extra in extras],
    }


def _checks(value: Any) -> list[tuple[str, float]]:
    """Return what the grader measured beside the grade, by name; foreign rows keep anything in `extra`."""
    if not isinstance(value, Mapping):
        return []
    named = value.items()
    return sorted(
        (str(name), float(number))
        for name, number in named
        if isinstance(number, int | float) and math.isfinite(number)
    )


def _share(value: Any) -> float | None:
    """Return a correctness in [0, 1], else None: foreign rows keep anything in `extra`."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def _response_hash(texts: Sequence[str], calls: Sequence[Sequence[Call]]) -> str:
    """Return a short hash of what the policy said: equal hashes are equal responses."""
    turns = ["\x1f".join([text, *[call.key for call in made]]) for text, made in zip(texts, calls, strict=True)]
    return hashlib.blake2b("\x1e".join(turns).encode(errors="replace"), digest_size=8).hexdigest()


def _logprob_change(said: Sequence[Message]) -> float | None:
    """Return the mean logprob of the second half of the turns minus that of the first, in nats a token."""
    half = len(said) // 2
    if half == 0:
        return None
    early, late = mean_logprob(said[:half]), mean_logprob(said[-half:])
    return None if early is None or late is None else late - early


def mean_logprob(said: Iterable[Any]) -> float | None:
    """Return the mean over sampled tokens of all turns, in nats; turns of unknown length weigh one token."""
    known = [(message.mean_logprob, message.num_tokens or 1) for message in said if message.mean_logprob is not None]
    total = sum([weight for _, weight in known])
    return sum([logprob * weight for logprob, weight in known]) / total if total else None


def calls_by_turn(messages: Sequence[Message]) -> list[list[Call]]:
    """Return the calls of each assistant message, in order."""
    found: list[list[Call]] = []
    for place, message in enumerate(messages):
        if message.role == "assistant":
            answered = enumerate(message.tool_calls, start=place + 1)
            found.append([Call(call, call_key(call), _answer(messages, after)) for after, call in answered])
    return found


def call_key(call: ToolCall) -> str:
    """Return a text that is the same for equal calls."""
    return f"{call.name} {sorted(call.arguments.items())}"


def _answer(messages: Sequence[Message], place: int) -> Message | None:
    return messages[place] if place < len(messages) and messages[place].role != "assistant" else None
