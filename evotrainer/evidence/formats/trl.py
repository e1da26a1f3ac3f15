"""Completions as TRL logs them: trl/trainer/grpo_trainer.py, `GRPOTrainer.log` with `log_completions=True`.

One Parquet file a step, output_dir/completions/completions_00010.parquet: step, prompt, completion (texts or lists of
messages), one column for each reward function under its name, further logged columns, advantage. The total reward is
not logged: it is taken as the sum of the columns whose names hold the word `reward`, `func` or `fn`, or end so, which
is right for weights of 1. A reward function may have any name: without such a column and without a `reward`, every
column of decimal numbers is one. A function that does not judge a row leaves its column empty there.
"""

from collections.abc import Collection

from evotrainer.evidence.formats.base import (
    RolloutFormat,
    Values,
    correctness,
    is_number,
    messages_of,
    named_by,
    numbers,
    openai_messages,
    own_columns,
    split_turns,
    text_of,
)
from evotrainer.evidence.formats.shapes import Shape, Text
from evotrainer.records import Trajectory

_KEYS = ("step", "prompt", "completion", "advantage")
_FUNCTION_ENDS = ("reward", "func", "rewards", "_fn")
_FUNCTION_WORDS = frozenset({"reward", "rewards", "func", "fn"})


class _Row(Shape):
    prompt: Text
    completion: Text


def _is_trl(values: Values) -> bool:
    return {"prompt", "completion", "advantage"} <= values.keys() and "example_id" not in values


def _is_function(name: str) -> bool:
    """Tell whether a column bears the name of a reward function."""
    is_named = name.endswith(_FUNCTION_ENDS) or not _FUNCTION_WORDS.isdisjoint(name.lower().split("_"))
    return is_named and name not in Trajectory.model_fields


def _read(values: Values, graded: Collection[str]) -> Values:
    _Row.model_validate(values)
    rest = {key: value for key, value in values.items() if key not in _KEYS and value is not None}
    functions = [key for key in values if _is_function(key) and (values[key] is None or is_number(values[key]))]
    terms = {key: value for key, value in numbers(rest).items() if key in functions}
    is_judged = bool(functions) and "reward" not in values
    if not functions and "reward" not in rest:
        terms = {k: value for k, value in rest.items() if isinstance(value, float) and k not in Trajectory.model_fields}
    reward = rest.get("reward", sum(terms.values()) if terms or is_judged else None)
    return {
        "problem_id": named_by(text_of(values["prompt"])),
        "messages": messages_of(values["prompt"], values["completion"]),
        "step": values.get("step") or 0,
        "advantage": values.get("advantage"),
        "correct": correctness(terms, graded),
        "reward_terms": terms,
        **{key: value for key, value in rest.items() if key not in terms},
        "reward": reward,
    }


def _write(row: Trajectory) -> Values:
    asked, said = split_turns(row)
    terms = {name if _is_function(name) else f"{name}_reward": value for name, value in row.reward_terms.items()}
    values: Values = {"step": row.step, "prompt": openai_messages(asked), "completion": openai_messages(said), **terms}
    values |= {"advantage": row.advantage, "reward": row.reward, "correct": row.correct}
    return {**values, **own_columns(row), "stop_reason": row.stop_reason, "error": row.error}


TRL = RolloutFormat("prompt, completion, advantage", _is_trl, _read, _write)
