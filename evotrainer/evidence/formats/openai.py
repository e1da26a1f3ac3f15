"""Rows of OpenAI-style messages with a reward, correctness or score beside, without further identity.

The problem is named by a hash of what stands before the assistant's first message. `score` is taken for the reward.
"""

from collections.abc import Collection

from evotrainer.evidence.formats.base import (
    RolloutFormat,
    Values,
    correctness,
    is_number,
    named_by,
    numbers,
    openai_messages,
    own_columns,
    text_of,
)
from evotrainer.records import Trajectory

_CORRECT = ("is_correct", "success", "resolved", "passed")


def _is_openai(values: Values) -> bool:
    return isinstance(values.get("messages"), list)


def _read(values: Values, graded: Collection[str]) -> Values:
    messages = values["messages"]
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    asked = messages[: roles.index("assistant")] if "assistant" in roles else messages
    made = {"problem_id": named_by(text_of(asked)), "reward": values.get("score")}
    named = next((values[key] for key in _CORRECT if is_number(values.get(key))), None)
    found = correctness(numbers(values), graded) if named is None else float(named)
    rest = {key: value for key, value in values.items() if key != "score" and value is not None}
    return {**made, **({} if found is None else {"correct": found}), **rest}


def _write(row: Trajectory) -> Values:
    values = row.model_dump(exclude={"messages"}) | own_columns(row)
    return {"messages": openai_messages(row.messages), **values}


OPENAI = RolloutFormat("messages with reward, score or correct", _is_openai, _read, _write)
