"""How a training run goes, what its optimiser makes of the rewards, and the forms in which its rows are written."""

import json
import math
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One problem."""

    prompt: str
    answer: str
    facts: Any = None


@dataclass(frozen=True)
class Try:
    """One attempt, before it is written down."""

    step: int
    at: float
    """0 at the first step, 1 at the last."""
    index: int
    """Number of the problem in the data."""
    number: int
    """Number of the attempt at the problem."""
    task: Task
    right: bool


def run(
    rng: random.Random,
    make: Callable[[random.Random], Task],
    steps: int = 12,
    problems: int = 5,
    size: int = 8,
    skill: tuple[float, float] = (-0.7, 1.0),
    spread: float = 1.0,
    cycle: int = 0,
) -> Iterator[Try]:
    """Draw attempts in training's order, no prompt twice in a step; a cycle is how many problems the data hold."""
    seen: list[tuple[Task, float]] = []
    for step in range(steps):
        at = step / max(1, steps - 1)
        ability = skill[0] + (skill[1] - skill[0]) * (1 - (1 - at) ** 1.6) + rng.gauss(0, 0.08)
        asked: set[str] = set()
        for place in range(problems):
            count = step * problems + place
            index = count % cycle if cycle else count
            if index == len(seen):
                task = make(rng)
                while task.prompt in asked:
                    task = make(rng)
                seen.append((task, rng.gauss(0, spread)))
            task, level = seen[index]
            asked.add(task.prompt)
            chance = 1 / (1 + math.exp(1.5 * (level - ability)))
            for number in range(size):
                yield Try(step, at, index, number, task, rng.random() < chance)


def words(text: str) -> list[str]:
    """Split what stands between commas."""
    return text.split(",")


def rise(at: float, low: float, high: float, begin: float = 0.15) -> float:
    """Move from one value to another after a quiet beginning."""
    return low + (high - low) * max(0.0, (at - begin) / (1 - begin)) ** 0.8


def grouped(rows: list[Row], *columns: str, reward: str = "reward", scale: bool = True) -> list[Row]:
    """Fill in group-relative advantages; rows that agree in the columns are a group, rows without a reward in none."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        row["advantage"] = None
        if row[reward] is not None:
            groups[tuple(str(row[column]) for column in columns)].append(row)
    for members in groups.values():
        centred([row[reward] for row in members], members, scale)
    return rows


def centred(values: list[float], members: list[Row], scale: bool = True, epsilon: float = 1e-4) -> None:
    """Write values less their mean, over their deviation, as the advantages of the rows."""
    mean = statistics.fmean(values)
    width = statistics.stdev(values) + epsilon if scale and len(values) > 1 else 1.0
    for row, value in zip(members, values, strict=True):
        row["advantage"] = round((value - mean) / width, 5)


def tokens(text: str) -> int:
    """A rough count of tokens."""
    return max(1, round(len(text) / 3.8))


def flat(t: Try, text: str, reward: float | None, **more: Any) -> Row:
    """A flat row; its advantage is filled in later."""
    start = {"step": t.step, "prompt": t.task.prompt, "completion": text, "reward": reward, "advantage": None}
    return {**start, "num_tokens": tokens(text), **more}


def plain(t: Try, text: str, score: float, **more: Any) -> Row:
    """Another flat row, of a trainer that writes inputs, outputs and a score."""
    return {"step": t.step, "input": t.task.prompt, "output": text, "score": score, **more}


def trl(t: Try, text: str, terms: dict[str, float]) -> Row:
    """A row of TRL's logged completions, its prompt in the chat template; steps count from 1."""
    prompt = f"<|im_start|>user\n{t.task.prompt}<|im_end|>\n<|im_start|>assistant\n"
    return {"step": t.step + 1, "prompt": prompt, "completion": text, **terms, "advantage": 0.0}


def verl(t: Try, text: str, score: float, **more: Any) -> Row:
    """A row of verl's rollout folder, decoded without special tokens; steps count from 1."""
    start = f"user\n{t.task.prompt}\nassistant\n"
    return {"input": start, "output": text, "gts": t.task.answer, "score": score, "step": t.step + 1, **more}


def verifiers(t: Try, messages: list[Row], reward: float, **more: Any) -> Row:
    """A row of verifiers' results."""
    cut = next(place for place, message in enumerate(messages) if message["role"] == "assistant")
    ends = {"prompt": messages[:cut], "completion": messages[cut:], "answer": t.task.answer}
    return {"example_id": t.index, "task": "default", **ends, "reward": reward, "step": t.step, **more}


def chat(t: Try, messages: list[Row], reward: float | None, **more: Any) -> Row:
    """A row of an agent's trainer: messages in OpenAI's form, and what was measured beside them."""
    return {"step": t.step, "problem": t.index, "messages": messages, "reward": reward, **more}


class Talk:
    """A conversation in OpenAI's form, built turn by turn."""

    def __init__(self, prompt: str, system: str = "") -> None:
        self.messages: list[Row] = [{"role": "system", "content": system}] if system else []
        self.ask(prompt)

    def ask(self, text: str) -> None:
        """Let the user speak."""
        self.messages.append({"role": "user", "content": text})

    def say(self, text: str) -> None:
        """Let the policy speak."""
        self.messages.append({"role": "assistant", "content": text})

    def use(self, thought: str, tool: str, answer: str, **arguments: Any) -> None:
        """Let the policy call a tool, which answers."""
        name = f"call_{len(self.messages):02d}"
        call = {"name": tool, "arguments": json.dumps(arguments)}
        calls = [{"id": name, "type": "function", "function": call}]
        self.messages.append({"role": "assistant", "content": thought, "tool_calls": calls})
        self.messages.append({"role": "tool", "tool_call_id": name, "name": tool, "content": answer})
