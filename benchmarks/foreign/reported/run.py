"""The course of a training run and the forms in which a trainer writes its rollouts down."""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.foreign import estimators

Row = dict[str, Any]
Draw = random.Random


@dataclass(frozen=True)
class Task:
    """One problem."""

    name: str
    prompt: str
    answer: str
    family: str = ""
    solve: Callable[[int], tuple[list[str], str]] | None = None
    """Steps and result; 0 is the right way, 1 to 3 are slips."""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Try:
    """One attempt at a task, before it is written down."""

    step: int
    at: float
    """0 at the first step, 1 at the last."""
    task: Task
    number: int
    group: int
    right: bool


def course(
    rng: Draw,
    draw: Callable[[Draw, str], Task],
    steps: int = 12,
    problems: int = 4,
    group: int = 8,
    skill: tuple[float, float] = (-0.6, 0.9),
    pool: int = 0,
    spread: float = 1.2,
) -> Iterator[Try]:
    """Draw attempts in the order of training; a pool of problems is shuffled anew in each epoch."""
    levels: dict[str, float] = defaultdict(lambda: rng.gauss(0, spread))
    queue: list[Task] = []
    tasks = [draw(rng, f"p{number:04d}") for number in range(pool or steps * problems)]
    for step in range(steps):
        at = step / max(1, steps - 1)
        for place in range(problems):
            if not queue:
                queue = rng.sample(tasks, len(tasks)) if pool else tasks[:]
            task = queue.pop(0)
            odds = skill[0] + (skill[1] - skill[0]) * at - levels[task.name]
            for number in range(group):
                right = rng.random() < 1 / (1 + math.exp(-1.4 * odds))
                yield Try(step, at, task, number, step * problems + place, right)


def advise(
    rows: list[Row],
    how: estimators.Estimator = estimators.grpo,
    reward: str = "reward",
    group: str = "group_id",
    into: str = "advantage",
) -> list[Row]:
    """Fill in advantages step by step; rows without a reward get none."""
    steps: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        row[into] = None
        if row[reward] is not None:
            steps[row["step"]].append(row)
    for step, members in steps.items():
        codes = {name: code for code, name in enumerate(dict.fromkeys(row[group] for row in members))}
        values = how(
            np.array([float(row[reward]) for row in members]),
            np.array([codes[row[group]] for row in members]),
            np.array([float(row.get("num_tokens", 100)) for row in members]),
            np.random.default_rng(int(step) + len(members)),
        )
        for row, value in zip(members, values, strict=True):
            row[into] = round(float(value), 5)
    return rows


def steady(text: str, low: float, high: float) -> float:
    """A number between two others that depends on the text alone, as a grader's does."""
    return low + (high - low) * random.Random(text).random()


def tokens(*texts: str) -> int:
    """A rough count of tokens."""
    return sum(max(1, round(len(text) / 3.7)) for text in texts)


def user(text: str) -> Row:
    """A message of the user."""
    return {"role": "user", "content": text}


def said(text: str, *calls: tuple[str, Row]) -> Row:
    """A message of the policy, with its calls of tools."""
    message: Row = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return message


def told(tool: str, text: str) -> Row:
    """What a tool answered."""
    return {"role": "tool", "tool_name": tool, "content": text}


def native(t: Try, messages: list[Row], reward: float | None, **more: Any) -> Row:
    """A row in the columns of our own format."""
    own = sum(tokens(m["content"]) + 14 * len(m.get("tool_calls", [])) for m in messages if m["role"] == "assistant")
    return {
        "problem_id": t.task.name,
        "group_id": f"s{t.step:03d}-{t.group}",
        "attempt": t.number,
        "step": t.step,
        "messages": messages,
        "reward": reward,
        "num_tokens": own,
        **more,
    }


def asked(t: Try, text: str, system: str = "") -> list[Row]:
    """A chat of one turn."""
    start = [{"role": "system", "content": system}] if system else []
    return [*start, user(t.task.prompt), said(text)]


def trl(t: Try, text: str, terms: dict[str, float], **more: Any) -> Row:
    """A row of TRL's logged completions."""
    prompt, completion = [user(t.task.prompt)], [{"role": "assistant", "content": text}]
    total = sum(terms.values())
    extra = {"group_id": f"{t.step}-{t.group}", "reward": total, "num_tokens": tokens(text)}
    return {"step": t.step + 1, "prompt": prompt, "completion": completion, **terms, **extra, **more}


def verl(t: Try, text: str, score: float, **more: Any) -> Row:
    """A row of verl's rollout folder."""
    start = f"<|im_start|>user\n{t.task.prompt}<|im_end|>\n<|im_start|>assistant\n"
    place = {"step": t.step + 1, "group_id": f"{t.step}-{t.group}", "num_tokens": tokens(text)}
    return {"input": start, "output": text, "gts": t.task.answer, "score": score, "reward": score, **place, **more}


def openrlhf(t: Try, text: str, reward: float, **more: Any) -> Row:
    """A row of OpenRLHF's batch inference with a reward."""
    place = {"step": t.step, "group_id": f"{t.step}-{t.group}", "num_tokens": tokens(text)}
    return {"input": t.task.prompt, "output": text, "reward": reward, **place, **more}


def verifiers(t: Try, messages: list[Row], reward: float, **more: Any) -> Row:
    """A row of verifiers' results."""
    cut = next(place for place, message in enumerate(messages) if message["role"] == "assistant")
    place = {"step": t.step, "group_id": f"{t.step}-{t.group}", "task": t.task.family or "train"}
    ends = {"prompt": messages[:cut], "completion": messages[cut:], "answer": t.task.answer}
    return {"example_id": int(t.task.name[1:]), **ends, **place, "reward": reward, **more}
