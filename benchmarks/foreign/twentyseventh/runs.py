"""A training run: tasks in a plan of steps, attempts at them by a policy that learns."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple


@dataclass
class Task:
    """One problem; `facts` serve the domain alone, `shown` become columns."""

    question: str
    gold: str
    uid: str = ""
    family: str = ""
    system: str = ""
    level: float = 0.0
    facts: dict = field(default_factory=dict)
    shown: dict = field(default_factory=dict)


@dataclass
class Reply:
    """What followed the prompt: messages of the policy, of tools and users."""

    turns: list[dict]
    answer: str
    shown: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One rollout and what the run made of it."""

    task: Task
    step: int
    number: int
    progress: float
    reply: Reply
    right: bool
    reward: float | None
    seconds: float
    logprob: float
    split: str = "train"
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    shown: dict = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Sampled tokens, about four characters each."""
        return sum(count(turn) for turn in self.reply.turns if turn["role"] == "assistant")

    @property
    def text(self) -> str:
        """The policy's last message."""
        return next((t["content"] for t in reversed(self.reply.turns) if t["role"] == "assistant"), "")


class Domain(NamedTuple):
    """How tasks are drawn and answered; the last argument of `reply` is the progress of the run, 0 to 1."""

    task: Callable[[Random], Task]
    reply: Callable[[Random, Task, bool, float], Reply]


class Pace(NamedTuple):
    """Where the policy starts, in log odds, and how much it gains."""

    start: float = -0.6
    gain: float = 1.6


def count(turn: dict) -> int:
    """Tokens of a message, calls included."""
    return max(1, round((len(turn["content"]) + len(str(turn.get("tool_calls") or ""))) / 3.9))


def speak(text: str, **more: object) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": text, **more}


def call(text: str, name: str, **arguments: object) -> dict:
    """A message of the policy that calls one tool."""
    return speak(text, tool_calls=[{"name": name, "arguments": arguments}])


def told(name: str, text: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def distinct(rng: Random, domain: Domain, number: int, prefix: str) -> list[Task]:
    """Tasks of different questions."""
    tasks: dict[str, Task] = {}
    rng = Random(f"{prefix} {rng.random()}")
    for _ in range(number * 60):
        task = domain.task(rng)
        tasks.setdefault(task.question, task)
        if len(tasks) == number:
            break
    for place, task in enumerate(tasks.values()):
        task.uid = f"{prefix}-{place:04d}"
        task.level += rng.gauss(0, 0.8)
    return list(tasks.values())


def plan_of(rng: Random, domain: Domain, steps: int, groups: int, prefix: str) -> list[list[Task]]:
    """Fresh tasks for each step."""
    tasks = distinct(rng, domain, steps * groups, prefix)
    return [tasks[place::steps] for place in range(steps)]


def odds(log_odds: float) -> float:
    """The probability of these log odds."""
    return 1 / (1 + math.exp(-log_odds))


def attempt(rng: Random, domain: Domain, task: Task, step: int, number: int, chance: float, progress: float) -> Attempt:
    """One attempt that is right with this chance."""
    right = rng.random() < chance
    reply = domain.reply(rng, task, right, progress)
    logprob = rng.gauss(-0.62 + 0.17 * progress - 0.07 * (not right), 0.06)
    made = Attempt(task, step, number, progress, reply, right, float(right), 0.0, min(-0.05, logprob))
    made.seconds = round(made.tokens * rng.uniform(0.016, 0.024) + rng.uniform(0.6, 2.4) * len(reply.turns), 2)
    made.terms = {"accuracy": float(right)}
    return made


def play(rng: Random, domain: Domain, plan: list[list[Task]], size: int, pace: Pace | None = None) -> list[Attempt]:
    """The run: groups of attempts at each task of each step."""
    pace = pace or Pace()
    made = []
    for step, tasks in enumerate(plan):
        progress = step / max(1, len(plan) - 1)
        for task in tasks:
            chance = odds(pace.start + pace.gain * progress - task.level + rng.gauss(0, 0.15))
            made += [attempt(rng, domain, task, step, n, chance, progress) for n in range(size)]
    return made


def examine(rng: Random, domain: Domain, tasks: list[Task], steps: list[int], last: int, pace: Pace) -> list[Attempt]:
    """Held-out tasks, each attempted twice at some steps."""
    made = []
    for step in steps:
        for task in tasks:
            chance = odds(pace.start + pace.gain * step / max(1, last) - task.level)
            made += [attempt(rng, domain, task, step, n, chance, step / max(1, last)) for n in range(2)]
    for a in made:
        a.split, a.in_loss = "validation", False
    return made


def cut_some(rng: Random, attempts: list[Attempt], share: float = 0.015) -> list[Attempt]:
    """A few attempts run into the token limit and fail, as in any run."""
    for a in attempts:
        if rng.random() < share and a.reply.turns[-1]["role"] == "assistant":
            last = a.reply.turns[-1]
            last["content"] = last["content"][: int(len(last["content"]) * rng.uniform(0.4, 0.7))]
            a.right, a.reward, a.stop, a.reply.answer = False, 0.0, "length", ""
            a.terms = dict.fromkeys(a.terms, 0.0)
    return attempts


def groups_of(attempts: list[Attempt]) -> list[list[Attempt]]:
    """Attempts at one task in one step, in the order of the file."""
    groups: dict[tuple[str, int, str], list[Attempt]] = {}
    for a in attempts:
        groups.setdefault((a.split, a.step, a.task.uid), []).append(a)
    return list(groups.values())
