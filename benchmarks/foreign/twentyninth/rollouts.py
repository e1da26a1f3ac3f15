"""Tasks, replies and the attempts of a policy that learns over the steps."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp
from random import Random

Message = dict


@dataclass
class Task:
    """One problem with the answer that its data hold."""

    pid: str
    prompt: str
    gold: str
    hardness: float = 0.0
    family: str = ""
    system: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Reply:
    """What the policy wrote after the prompt, tools' messages between."""

    messages: list[Message]
    answer: str = ""
    stop: str = "stop"
    extra: dict = field(default_factory=dict)


@dataclass
class Episode:
    """One attempt. `right` is the truth, `correct` what the grader recorded."""

    task: Task
    step: int
    group: str
    attempt: int
    progress: float
    right: bool
    reply: Reply
    reward: float | None = 0.0
    correct: float | None = 0.0
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    tokens: int = 0
    logprob: float = 0.0
    seconds: float = 0.0
    split: str = "train"
    error: str | None = None
    extra: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Shape:
    """Steps, groups a step, attempts a group, and the policy's ability at first and what it gains."""

    steps: int
    groups: int
    size: int
    start: float = -0.6
    gain: float = 1.8


Author = Callable[[Random, Task, bool, float], Reply]
Maker = Callable[[Random, str], Task]


def say(text: str) -> Message:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def call(text: str, name: str, arguments: dict) -> Message:
    """A message of the policy that calls one tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> Message:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def chance(ability: float) -> float:
    """The logistic function."""
    return 1 / (1 + exp(-ability))


def distinct(rng: Random, maker: Maker, count: int, prefix: str) -> list[Task]:
    """So many tasks with different prompts."""
    tasks: list[Task] = []
    seen: set[str] = set()
    for _ in range(count * 60):
        task = maker(rng, f"{prefix}-{rng.randrange(16**6):06x}")
        if task.prompt not in seen:
            seen.add(task.prompt)
            tasks.append(task)
        if len(tasks) == count:
            break
    return tasks


def policy_tokens(rng: Random, reply: Reply) -> int:
    """About how many tokens the policy sampled; letters beyond Latin take more of them."""
    texts = [m["content"] + str(m.get("tool_calls", "")) for m in reply.messages if m["role"] == "assistant"]
    signs = "".join(texts)
    wide, other = sum(c > "\u3000" for c in signs), sum("\u0370" < c <= "\u3000" for c in signs)
    return max(3, round((len(signs) + 2.6 * wide + 0.8 * other) / rng.uniform(3.3, 4.3)))


def attempt(rng: Random, task: Task, author: Author, shape: Shape, step: int, number: int) -> Episode:
    """One attempt at a step; its reward is the truth until a kind says otherwise."""
    progress = step / max(1, shape.steps - 1)
    ability = shape.start + shape.gain * progress - task.hardness
    right = rng.random() < chance(ability)
    reply = author(rng, task, right, progress)
    e = Episode(task, step, f"{task.pid}@{step}", number, progress, right, reply)
    e.reward = e.correct = float(right)
    e.tokens = policy_tokens(rng, reply)
    e.seconds = round(len(reply.messages) * rng.lognormvariate(0.4, 0.5) + e.tokens / rng.uniform(25, 60), 2)
    e.logprob = round(-0.62 + 0.22 * progress + rng.gauss(0, 0.06), 4)
    return e


def train(rng: Random, tasks: list[Task], shape: Shape, author: Author) -> list[Episode]:
    """The attempts of a run that goes through its tasks in order, again from the start where they run out."""
    episodes = []
    for step in range(shape.steps):
        for slot in range(shape.groups):
            task = tasks[(step * shape.groups + slot) % len(tasks)]
            drift = rng.gauss(0, 0.25)
            task.hardness += drift
            episodes += [attempt(rng, task, author, shape, step, n) for n in range(shape.size)]
            task.hardness -= drift
    return episodes


def briefed(maker: Maker, system: str) -> Maker:
    """The same tasks under a system prompt."""

    def make(rng: Random, pid: str) -> Task:
        task = maker(rng, pid)
        task.system = system
        return task

    return make


def fresh(rng: Random, maker: Maker, shape: Shape, author: Author, prefix: str) -> list[Episode]:
    """A run in which every group has a task of its own."""
    return train(rng, distinct(rng, maker, shape.steps * shape.groups, prefix), shape, author)
