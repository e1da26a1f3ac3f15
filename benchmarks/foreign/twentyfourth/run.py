"""A run: tasks, tries at them in groups, a policy that learns."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


@dataclass
class Reply:
    """What the policy did: its turns with those of tools, and the answer that it ended with."""

    turns: list[dict]
    answer: str


@dataclass
class Task:
    """A problem, its reference, and how a right or a wrong reply to it reads."""

    key: str
    question: str
    gold: str
    write: Callable[[Random, bool], Reply]
    system: str = ""
    family: str = ""
    ease: float = 0.0
    extra: dict = field(default_factory=dict)

    @property
    def prompt(self) -> list[dict]:
        """The messages before the policy speaks."""
        head = [{"role": "system", "content": self.system}] if self.system else []
        return [*head, {"role": "user", "content": self.question}]


Maker = Callable[[Random, str], Task]


@dataclass
class Try:
    """One attempt at a task, as it was graded and used."""

    task: Task
    step: int
    attempt: int
    done: float
    right: bool
    turns: list[dict]
    answer: str
    reward: float | None = 0.0
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    split: str = "train"
    error: str | None = None
    length: int | None = None
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> tuple[int, str, str]:
        """Attempts at one task in one step share it."""
        return self.step, self.split, self.task.key

    @property
    def said(self) -> str:
        """All that the policy wrote."""
        return "\n".join(t["content"] or "" for t in self.turns if t["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, about."""
        calls = sum(len(str(c)) for t in self.turns for c in t.get("tool_calls", ()))
        if self.length is not None:
            return self.length
        wide = sum(ord(sign) > 0x2E80 for sign in self.said)
        return round((len(self.said) - wide + calls) / 3.4 + 0.75 * wide)

    def say(self, text: str) -> None:
        """Replace what the last message of the policy says."""
        self.turns = [*self.turns[:-1], {**self.turns[-1], "content": text}]


@dataclass(frozen=True)
class Plan:
    """Size of a run, and how its policy learns: log-odds at first, and gained."""

    steps: int
    groups: int
    size: int
    start: float = -0.6
    gain: float = 1.6
    first: int = 1


def chance(plan: Plan, task: Task, done: float) -> float:
    """That an attempt is right."""
    return 1 / (1 + math.exp(-(plan.start + plan.gain * done**0.8 + task.ease)))


def attempt(rng: Random, task: Task, step: int, number: int, done: float, p: float) -> Try:
    """One reply, graded 1 or 0 by whether it is right."""
    right = rng.random() < p
    reply = task.write(rng, right)
    return Try(task, step, number, done, right, reply.turns, reply.answer, float(right), {"correct": float(right)})


def make(rng: Random, maker: Maker, count: int, prefix: str) -> list[Task]:
    """Tasks of different questions."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = maker(rng, f"{prefix}{rng.randrange(16**6):06x}")
        task.ease = rng.gauss(0, 0.9)
        tasks.setdefault(task.question, task)
    return list(tasks.values())


def play(rng: Random, maker: Maker, plan: Plan, prefix: str = "t") -> list[Try]:
    """A run on fresh tasks; now and then a step or a group is one short."""
    sizes = [plan.groups - (rng.random() < 0.15) for _ in range(plan.steps)]
    tasks = iter(make(rng, maker, sum(sizes), prefix))
    return play_tasks(rng, [[next(tasks) for _ in range(size)] for size in sizes], plan)


def play_tasks(rng: Random, by_step: list[list[Task]], plan: Plan) -> list[Try]:
    """A run on given tasks, by step."""
    tries = []
    for index, tasks in enumerate(by_step):
        done = index / max(1, len(by_step) - 1)
        for task in tasks:
            p = chance(plan, task, done)
            count = plan.size - (rng.random() < 0.03)
            tries += [attempt(rng, task, plan.first + index, n, done, p) for n in range(count)]
    return tries


def validate(rng: Random, tasks: list[Task], plan: Plan, every: int) -> list[Try]:
    """One attempt at each held task, every few steps."""
    tries = []
    for index in range(0, plan.steps, every):
        done = index / max(1, plan.steps - 1)
        for task in tasks:
            t = attempt(rng, task, plan.first + index, 0, done, chance(plan, task, done))
            t.split = "validation"
            tries.append(t)
    return tries


def by_group(tries: list[Try]) -> list[list[Try]]:
    """The groups, in order."""
    groups: dict[tuple, list[Try]] = {}
    for t in tries:
        groups.setdefault(t.group, []).append(t)
    return list(groups.values())
