"""A prompt, a reply and a mark beside each other, under the names that scripts of one's own use.

Prompt and reply are texts or lists of messages. The mark is `reward`, else `score`; each column that ends in `_reward`
or `_score` is a term. Names that two columns could bear are taken in the order below.
"""

from collections.abc import Collection

from evotrainer.evidence.formats.base import (
    RolloutFormat,
    Values,
    correctness,
    messages_of,
    named_by,
    numbers,
    openai_messages,
    own_columns,
    split_turns,
    text_of,
)
from evotrainer.records import Trajectory

_ASKED = ("prompt", "question", "instruction", "query", "input")
_SAID = ("completion", "response", "output", "generation", "generated_text")
_MARKS = ("reward", "score", "correct")


def _name(values: Values, names: tuple[str, ...]) -> str:
    return next((name for name in names if isinstance(values.get(name), (str, list))), "")


def _is_plain(values: Values) -> bool:
    has_texts = all(_name(values, names) for names in (_ASKED, _SAID))
    return has_texts and any(name in values for name in _MARKS)


def _read(values: Values, graded: Collection[str]) -> Values:
    asked, said = (_name(values, names) for names in (_ASKED, _SAID))
    mark = next(name for name in _MARKS if name in values)
    rest = {key: value for key, value in values.items() if key not in (asked, said, mark) and value is not None}
    terms = {key: value for key, value in numbers(rest).items() if key.endswith(("_reward", "_score"))}
    return {
        "problem_id": named_by(text_of(values[asked])),
        "messages": messages_of(values[asked], values[said]),
        "step": values.get("step") or 0,
        **({} if mark == "correct" else {"reward": values[mark], "correct": correctness(rest, graded)}),
        **({"correct": values["correct"]} if values.get("correct") is not None else {}),
        **({"reward_terms": terms} if terms else {}),
        **{key: value for key, value in rest.items() if key not in terms},
    }


def _write(row: Trajectory) -> Values:
    asked, said = split_turns(row)
    values: Values = {"prompt": openai_messages(asked), "response": openai_messages(said)}
    values |= {"reward": row.reward, "correct": row.correct, "stop_reason": row.stop_reason, "error": row.error}
    return {**values, **own_columns(row)}


PLAIN = RolloutFormat(
    "a prompt (or question, instruction, query, input), a response (or completion, output, generation), and reward, "
    "score or correct",
    _is_plain,
    _read,
    _write,
)
