"""Rows of a prompt and an answer as two texts: verl and OpenRLHF.

verl: verl/trainer/ppo/ray_trainer.py, `_dump_generations` (trainer.rollout_data_dir, validation_data_dir): input,
output, gts, score, step, and one column for each entry that the reward function returned, `acc` and `pred` among them.
Training uses the score; what such a function calls `reward` beside it is a measure of its own, kept in `extra`.
Inputs and outputs are decoded without special tokens, so the input is one message of the user, and an output is taken
apart at the answers of tools alone. Forks that keep special tokens have all their turns (chat_text.py).

OpenRLHF: openrlhf/cli/batch_inference.py, `batch_generate_vllm` and `batch_rm_inference`: input, output, reward.
"""

from collections.abc import Collection
from typing import Any

from evotrainer.evidence.formats.base import (
    RolloutFormat,
    Values,
    correctness,
    messages_of,
    named_by,
    numbers,
    own_columns,
    split_turns,
    text_of,
)
from evotrainer.evidence.formats.shapes import Shape, Text
from evotrainer.records import Message, Trajectory

_VERL = ("input", "output", "score", "step", "gts", "acc", "pred", "reward")
_OPENRLHF = ("input", "output", "reward")


class _Row(Shape):
    input: Text
    output: Text


def _is_verl(values: Values) -> bool:
    return {"input", "output", "score"} <= values.keys()


def _is_openrlhf(values: Values) -> bool:
    return {"input", "output", "reward"} <= values.keys() and "score" not in values


def _read_verl(values: Values, graded: Collection[str]) -> Values:
    _Row.model_validate(values)
    rest = {key: value for key, value in values.items() if key not in _VERL}
    measures = {key: value for key, value in values.items() if key == "acc" or key in rest}
    kept = {"ground_truth": values.get("gts"), "answer": values.get("pred"), "acc": values.get("acc")}
    reward = values.get("score")
    if reward is None:
        reward = values.get("reward")
    elif values.get("reward") != reward:
        kept["reward"] = values.get("reward")
    terms = {key: value for key, value in numbers(rest).items() if key.endswith(("_reward", "_score"))}
    made = {
        "problem_id": named_by(text_of(values["input"])),
        "messages": messages_of(text_of(values["input"]), text_of(values["output"])),
        "reward": reward,
        "correct": correctness(measures, graded),
        "step": values.get("step") or 0,
        **({"reward_terms": terms} if terms else {}),
    }
    return _with_kept(made, rest, kept)


def _read_openrlhf(values: Values, graded: Collection[str]) -> Values:
    _Row.model_validate(values)
    rest = {key: value for key, value in values.items() if key not in _OPENRLHF}
    made = {
        "problem_id": named_by(text_of(values["input"])),
        "messages": messages_of(text_of(values["input"]), text_of(values["output"])),
        "reward": values.get("reward"),
        "correct": correctness(rest, graded),
    }
    return _with_kept(made, rest, {})


def _with_kept(made: Values, rest: Values, kept: Values) -> Values:
    """Return the columns, with what the row has under our own names in front, and `kept` in extra."""
    extra = {name: value for name, value in kept.items() if value is not None}
    own = rest.pop("extra", None)
    extra |= own if isinstance(own, dict) else {}
    return {**made, **{key: value for key, value in rest.items() if value is not None}, "extra": extra}


def _write_verl(row: Trajectory) -> Values:
    asked, said = split_turns(row)
    values: Values = {"input": _text(asked), "output": _text(said), "gts": row.extra.get("ground_truth")}
    values |= {"score": row.reward, "step": row.step, "acc": row.correct, "pred": row.extra.get("answer")}
    return {**values, **_ours(row)}


def _write_openrlhf(row: Trajectory) -> Values:
    asked, said = split_turns(row)
    return {"input": _text(asked), "output": _text(said), "reward": row.reward, "correct": row.correct, **_ours(row)}


def _ours(row: Trajectory) -> Values:
    values: dict[str, Any] = own_columns(row) | {"stop_reason": row.stop_reason, "error": row.error}
    return {name: value for name, value in values.items() if value is not None}


def _text(messages: list[Message]) -> str:
    return "\n".join(message.content for message in messages)


VERL = RolloutFormat("input, output, score", _is_verl, _read_verl, _write_verl)
OPENRLHF = RolloutFormat("input, output, reward", _is_openrlhf, _read_openrlhf, _write_openrlhf)
