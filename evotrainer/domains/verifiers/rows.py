"""A row of an environment's dataset, which is also a line of a problem file.

    {"prompt": [{"role": "user", "content": "6*12?"}], "answer": "72", "info": {}, "task": "gsm8k", "example_id": 3}

`question` may stand in place of `prompt`. What is shown to the policy is the whole prompt; `problem` is its user text.
"""

import json
from typing import Any

from evotrainer.domains.problem_sets.columns import unknown_columns
from evotrainer.domains.problem_sets.rows import Row, difficulty_of, id_of
from evotrainer.errors import DataError

_READ = ("prompt", "question", "answer", "id", "difficulty")


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError for a missing or mistyped prompt."""
    prompt = values.get("prompt", values.get("question"))
    if prompt is None:
        raise unknown_columns(values, "prompt or question, and answer", "prompt=KEY,answer=KEY", place)
    messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
    if not (isinstance(messages, list) and messages and all(_is_message(message) for message in messages)):
        raise DataError(f"{place}: 'prompt' must be text or a list of messages with role and content")
    problem = "\n\n".join(message["content"] for message in messages if message["role"] == "user")
    answer = values.get("answer")
    text = answer if isinstance(answer, str) else "" if answer is None else json.dumps(answer)
    return Row(
        row_id=id_of(values, ("id",), json.dumps([messages, answer], sort_keys=True, default=str), place),
        problem=problem,
        answer=text,
        family=str(values.get("task") or "own"),
        difficulty=difficulty_of(values, place),
        data={"messages": messages, **{key: value for key, value in values.items() if key not in _READ}},
        identity=problem,
    )


def _is_message(message: Any) -> bool:
    return isinstance(message, dict) and isinstance(message.get("content"), str) and bool(message.get("role"))
