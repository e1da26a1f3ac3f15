"""Tasks, replies and attempts, and a learning policy that plays them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import NamedTuple


@dataclass
class Task:
    """One problem of a data set."""

    family: str
    prompt: str
    gold: str
    ease: float = 0.0
    system: str = ""
    extra: dict = field(default_factory=dict)
    id: str = ""


@dataclass
class Reply:
    """What a policy and its tools wrote, and the answer that is meant."""

    messages: list[dict]
    answer: str
    extra: dict = field(default_factory=dict)


class World(NamedTuple):
    """How tasks are made and how a policy of progress t in 0..1 replies to them, rightly or not."""

    task: Callable[[Random], Task]
    reply: Callable[[Random, Task, bool, float], Reply]


class Plan(NamedTuple):
    """Size of a run and how its policy learns, in logits."""

    steps: int
    per_step: int
    size: int
    start: float
    gain: float


@dataclass
class Attempt:
    """One reply with its grade."""

    task: Task
    step: int
    attempt: int
    progress: float
    reply: Reply
    right: bool
    reward: float | None
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the policy wrote, over all turns."""
        return "\n".join(m["content"] for m in self.reply.messages if m["role"] == "assistant")

    @property
    def group(self) -> tuple[int, str, str]:
        """Attempts at one problem in one step share it."""
        return self.step, self.split, self.task.id

    @property
    def tokens(self) -> int:
        """Roughly the sampled tokens, calls included."""
        calls = sum(len(str(m.get("tool_calls", ""))) for m in self.reply.messages)
        return max(1, (len(self.text) + calls) * 10 // 37)

    def grade(self, right: bool) -> None:
        """A binary grade that is also the reward."""
        self.right, self.reward = right, float(right)


def distinct(rng: Random, make: Callable[[Random], Task], number: int, prefix: str = "p") -> list[Task]:
    """Tasks of different prompts, numbered with gaps as in a filtered data set."""
    tasks: dict[str, Task] = {}
    while len(tasks) < number:
        task = make(rng)
        tasks.setdefault(task.prompt, task)
    last = rng.randint(100, 4000)
    for task in tasks.values():
        last += rng.randint(1, 9)
        task.id = f"{prefix}-{last:05d}"
        task.ease += rng.gauss(0, 0.9)
    return list(tasks.values())


def chance(logit: float) -> float:
    """A logit as a probability."""
    return 1 / (1 + exp(-logit))


def play(
    rng: Random,
    world: World,
    plan: Plan,
    tasks: list[Task] | None = None,
    prefix: str = "p",
    pace: list[float] | None = None,
) -> list[Attempt]:
    """Attempts of all steps; a pool smaller than the run is gone through again. Pace: progress by step."""
    pool = tasks or distinct(rng, world.task, plan.steps * plan.per_step, prefix)
    attempts = []
    for step in range(plan.steps):
        progress = pace[step] if pace else step / (plan.steps - 1)
        for number in range(plan.per_step):
            task = pool[(step * plan.per_step + number) % len(pool)]
            right_share = chance(plan.start + plan.gain * progress + task.ease + rng.gauss(0, 0.25))
            for k in range(plan.size):
                right = rng.random() < right_share
                reply = world.reply(rng, task, right, progress)
                attempts.append(Attempt(task, step + 1, k, progress, reply, right, float(right)))
    return attempts


def evaluate(rng: Random, world: World, tasks: list[Task], steps: list[int], plan: Plan) -> list[Attempt]:
    """One validation attempt at each task at some steps, by the policy of that step."""
    rows = []
    for step in steps:
        progress = (step - 1) / (plan.steps - 1)
        for task in tasks:
            right = rng.random() < chance(plan.start + plan.gain * progress + task.ease)
            reply = world.reply(rng, task, right, progress)
            rows.append(Attempt(task, step, 0, progress, reply, right, float(right), split="validation"))
    return rows


def wear(rng: Random, attempts: list[Attempt], cut: float = 0.012, lost: float = 0.004) -> list[Attempt]:
    """What any run has: a few replies cut by the budget, a few attempts lost on the way."""
    kept = [a for a in attempts if rng.random() >= lost]
    for a in kept:
        if rng.random() < cut and len(a.reply.messages[-1]["content"]) > 60:
            truncate(rng, a)
    return kept


def truncate(rng: Random, a: Attempt) -> None:
    """Let the last message begin again and again, and cut it before its answer."""
    message = dict(a.reply.messages[-1])
    head = message["content"][: int(len(message["content"]) * rng.uniform(0.45, 0.6))]
    message["content"] = "\n".join([head] * rng.randint(4, 8)) + head[: len(head) // 3]
    a.reply.messages[-1] = message
    a.reply.answer, a.stop = "", "max_tokens"
    lost = {
        "tests_passed": 0,
        "exit_code": 1,
        "resolved": 0.0,
        "result": "error: incomplete query",
        "fields_right": 0.0,
    }
    a.reply.extra |= {k: v for k, v in lost.items() if k in a.reply.extra}
    a.grade(False)
