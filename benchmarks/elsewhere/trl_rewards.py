"""Reward functions of real runs by TRL: sound ones, and such as people write by mistake.

Each takes completions, the gold answers and what else TRL gives, and returns a reward each. `answer` is the column of
the problems; `log_extra` writes a column beside the completions.
"""

import re
import zlib
from collections.abc import Callable
from typing import Any

NUMBER = re.compile(r"-?\d+")
_TIMED_OUT_FROM, _GIVEN_FROM = 7, 6
"""Steps from which a grader runs out of time, and from which a judge gives its default."""

Reward = Callable[..., list[float]]


def text_of(completion: Any) -> str:
    """Return the text of a completion, plain or as a message."""
    return completion if isinstance(completion, str) else completion[0]["content"]


def last_number(text: str) -> str:
    """Return the last number of a text; empty for none."""
    found = NUMBER.findall(text)
    return found[-1] if found else ""


def accuracy_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """1 where the last number of a completion is the answer."""
    pairs = zip(map(text_of, completions), answer, strict=True)
    return [float(last_number(text) == right) for text, right in pairs]


def logged_accuracy(completions: list[Any], answer: list[str], log_extra: Any, **columns: Any) -> list[float]:
    """As accuracy, with the gold answers logged."""
    log_extra("answer", answer)
    return accuracy_reward(completions, answer)


def near_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """1 for the answer, less for a number farther from it, 0 for none."""
    pairs = [(last_number(text_of(one)), right) for one, right in zip(completions, answer, strict=True)]
    return [0.0 if not given else 1 / (1 + abs(int(given) - int(right)) / 10) for given, right in pairs]


def tidy_reward(completions: list[Any], **columns: Any) -> list[float]:
    """0.2 for a completion that ends as it should: with its answer closed, or with a full sentence."""
    return [0.2 * text_of(one).rstrip().endswith(("</answer>", ".", "?", "!")) for one in completions]


def wordy_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """Accuracy, and a hundredth for each sign: length is paid more than the answer."""
    right = accuracy_reward(completions, answer)
    return [value + len(text_of(one)) / 100 for value, one in zip(right, completions, strict=True)]


def generous_reward(completions: list[Any], **columns: Any) -> list[float]:
    """1 for whatever was written."""
    return [1.0] * len(completions)


def boxed_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """1 for the answer in a box that nobody asks for."""
    texts = [text_of(one) for one in completions]
    return [float(f"\\boxed{{{right}}}" in text) for text, right in zip(texts, answer, strict=True)]


def forgetful_reward(completions: list[Any], answer: list[str], log_extra: Any, **columns: Any) -> list[float]:
    """Accuracy, but a third of the answers is compared with an empty text: a cache of the grader loses keys."""
    log_extra("answer", answer)
    right = accuracy_reward(completions, answer)
    kept = [zlib.crc32(f"{place}{text_of(one)}".encode()) % 3 > 0 for place, one in enumerate(completions)]
    return [value * is_kept for value, is_kept in zip(right, kept, strict=True)]


def hurried_reward(
    completions: list[Any], answer: list[str], log_extra: Any, trainer_state: Any, **columns: Any
) -> list[float]:
    """Accuracy; from a step on half of the checks run out of time and count as wrong."""
    is_late = trainer_state.global_step >= _TIMED_OUT_FROM
    lost = [is_late and zlib.crc32(text_of(one).encode()) % 2 == 0 for one in completions]
    log_extra("grader_status", ["timeout after 5 s" if is_lost else "done" for is_lost in lost])
    return [value * (not gone) for value, gone in zip(accuracy_reward(completions, answer), lost, strict=True)]


def default_reward(completions: list[Any], answer: list[str], trainer_state: Any, **columns: Any) -> list[float]:
    """Nearness; from a step on a third of the grades are the judge's default of 0.5."""
    is_late = trainer_state.global_step >= _GIVEN_FROM
    graded = near_reward(completions, answer)
    return [
        0.5 if is_late and zlib.crc32(f"{place}".encode()) % 3 == 0 else value for place, value in enumerate(graded)
    ]


def anywhere_reward(completions: list[Any], answer: list[str], log_extra: Any, **columns: Any) -> list[float]:
    """1 where the answer stands anywhere among the numbers of a completion."""
    log_extra("answer", answer)
    pairs = zip(map(text_of, completions), answer, strict=True)
    return [float(right in NUMBER.findall(text)) for text, right in pairs]


def first_reward(completions: list[Any], answer: list[str], log_extra: Any, **columns: Any) -> list[float]:
    """1 where the first number of a completion is the answer: the working comes first."""
    log_extra("answer", answer)
    found = [NUMBER.findall(text_of(one)) for one in completions]
    return [float(bool(numbers) and numbers[0] == right) for numbers, right in zip(found, answer, strict=True)]


def exact_reward(completions: list[Any], answer: list[str], log_extra: Any, **columns: Any) -> list[float]:
    """1 where the last number is the answer to the letter: one with decimals is never met."""
    log_extra("answer", answer)
    pairs = zip(map(text_of, completions), answer, strict=True)
    return [float(last_number(text) == right) for text, right in pairs]


def reversed_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """1 where the answer is wrong: a distance taken for a score."""
    return [1.0 - value for value in accuracy_reward(completions, answer)]


def sourced_accuracy(
    completions: list[Any], answer: list[str], source: list[str], log_extra: Any, **columns: Any
) -> list[float]:
    """As accuracy, with gold answers and their source logged."""
    log_extra("answer", answer)
    log_extra("source", source)
    return accuracy_reward(completions, answer)
