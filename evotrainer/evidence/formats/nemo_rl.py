"""Training data of NeMo-RL: nemo_rl/algorithms/grpo.py, `log_data`, written by `Logger.log_batched_dict_as_jsonl`.

One file a step, train_data_step12.jsonl, one row an attempt: content (the texts of its messages), rewards,
generation_logprobs and prev_logprobs (of the sampler and of the trainer, by token, 0 in the prompt), input_lengths,
idx; with dynamic sampling filtered_rewards. Each value stands in a list of one, as batches of one are written. The step
stands in the name of the file. Roles are not written: messages are those of user and assistant in turn. Newer versions
add token_loss_mask, sample_loss_mask and advantages by token. Validation writes val_data_step12.jsonl beside: content
(its messages with roles) and rewards alone.
"""

from collections.abc import Collection
from statistics import fmean
from typing import Any

from evotrainer.evidence.formats.base import RolloutFormat, Values, correctness, named_by, own_columns
from evotrainer.evidence.formats.shapes import Number, One, Shape
from evotrainer.records import Trajectory

_KEYS = ("content", "rewards", "input_lengths", "idx", "advantages", "token_loss_mask", "sample_loss_mask", "token_ids")
_LOGPROBS = ("generation_logprobs", "prev_logprobs")
_ROLES = ("user", "assistant")


class _Row(Shape):
    content: str | dict[str, Any] | list[str | dict[str, Any] | list[Any] | None] | None
    advantages: Number | list[Number] | One[list[Number]] | None = None
    extra: dict[str, Any] | One[dict[str, Any]] | None = None


def _is_nemo_rl(values: Values) -> bool:
    return {"content", "rewards"} <= values.keys()


def _read(values: Values, graded: Collection[str]) -> Values:
    _Row.model_validate(values)
    rest = {key: _one(value) for key, value in values.items() if key not in _KEYS}
    texts = _one(values["content"])
    texts = [texts] if isinstance(texts, str | dict) else list(texts or [])
    messages = [_message(text, place) for place, text in enumerate(texts)]
    extra = _sampled({key: rest.pop(key) for key in _LOGPROBS if isinstance(rest.get(key), list)})
    extra |= rest.pop("extra", None) or {}
    return {
        "problem_id": named_by(str(messages[0].get("content")) if messages else ""),
        "messages": messages,
        "reward": _one(values["rewards"]),
        "correct": correctness(rest, graded),
        "split": "train" if "input_lengths" in values else "validation",
        "advantage": _advantage(_one(values.get("advantages")), _one(values.get("token_loss_mask"))),
        "in_loss": None if (kept := _one(values.get("sample_loss_mask"))) is None else bool(kept),
        **{key: value for key, value in rest.items() if value is not None},
        "extra": extra,
    }


def _message(text: Any, place: int) -> Values:
    """Return a message that is written with its role, or the text of user and assistant in turn."""
    return text if isinstance(text, dict) else {"role": _ROLES[place % 2], "content": text}


def _advantage(by_token: Any, mask: Any) -> float | None:
    """Return the mean advantage of the tokens in the loss; group-relative ones are equal at all of them."""
    if not isinstance(by_token, list):
        return by_token
    is_in_loss = mask if isinstance(mask, list) and mask else [1] * len(by_token)
    kept = [value for value, is_in in zip(by_token, is_in_loss, strict=False) if is_in]
    return fmean(kept) if kept else None


def _one(value: Any) -> Any:
    """Return what stands in a list of one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _sampled(logprobs: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the logprobs of tokens that were sampled: those of the prompt and of padding are written as 0.

    A token that was certain has 0 as well, in one of the lists perhaps, so what the sampler has goes for both.
    """
    by_sampler = logprobs.get(_LOGPROBS[0])
    return {
        key: [value for value, mark in zip(values, by_sampler, strict=True) if mark != 0.0]
        if by_sampler is not None and len(by_sampler) == len(values)
        else [value for value in values if value != 0.0]
        for key, values in logprobs.items()
    }


def _write(row: Trajectory) -> Values:
    values: dict[str, Any] = {
        "content": [[message.content for message in row.messages]],
        "rewards": [row.reward],
        "input_lengths": [row.num_tokens],
        "idx": row.attempt,
        "step": row.step,
        "correct": row.correct,
    }
    return {**values, **own_columns(row), "stop_reason": row.stop_reason, "error": row.error}


NEMO_RL = RolloutFormat("content, rewards", _is_nemo_rl, _read, _write, is_step_in_name=True)
