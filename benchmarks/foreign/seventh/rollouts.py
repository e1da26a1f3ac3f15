"""Episodes of a run: which problems at which step, how often tried, and with what outcome."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.foreign.seventh.prose import token

Message = dict


@dataclass
class Reply:
    """What the policy and its environment wrote."""

    messages: list[Message]
    answer: str
    extra: dict = field(default_factory=dict)


@dataclass
class Task:
    """A problem and the way it is answered, rightly or wrongly."""

    problem_id: str
    family: str
    domain: str
    prompt: str
    gold: str
    reply: Callable[[random.Random, bool], Reply]
    system: str = ""
    level: float = 0.0
    extra: dict = field(default_factory=dict)
    identity: str = ""
    """What makes it the same problem in other words; the prompt where empty."""


@dataclass
class Episode:
    """One attempt."""

    step: int
    task: Task
    attempt: int
    reply: Reply
    right: bool
    policy: str
    split: str = "train"
    reward: float | None = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = True
    error: str | None = None
    stop: str = "stop"
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Name of the group."""
        part = self.extra.get("run_part")
        return f"{self.split}-{self.step:03d}-{self.task.problem_id}" + (f"-r{part}" if part else "")

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] for m in self.reply.messages if m["role"] == "assistant")


def said(content: str) -> Message:
    """A message of the policy."""
    return {"role": "assistant", "content": content}


def call(content: str, name: str, **arguments: object) -> Message:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": content, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> Message:
    """A tool's answer."""
    return {"role": "tool", "content": content, "tool_name": name, "ok": ok}


def tokens_of(message: Message) -> int:
    """About how many tokens a message has."""
    size = len(message["content"]) + sum(len(str(c)) for c in message.get("tool_calls", ()))
    return max(1, round(size / 3.7))


def distinct(rng: random.Random, make: Callable[[random.Random, str], Task], count: int, prefix: str) -> list[Task]:
    """Tasks with different prompts."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = make(rng, f"{prefix}{len(tasks):04d}")
        tasks.setdefault(task.identity or task.prompt, task)
    return list(tasks.values())


def schedule(tasks: list[Task], steps: int) -> list[list[Task]]:
    """The tasks in order, the same number in each step."""
    size = len(tasks) // steps
    return [tasks[i * size : (i + 1) * size] for i in range(steps)]


def chance(skill: float, level: float) -> float:
    """Probability of a right answer."""
    return 1 / (1 + math.exp(level - skill))


def climb(start: float, gain: float, steps: int) -> Callable[[int], float]:
    """A skill that grows fast at first."""
    return lambda step: start + gain * (1 - math.exp(-2.2 * step / max(1, steps - 1)))


def play(
    rng: random.Random,
    plan: list[list[Task]],
    size: int,
    skill: Callable[[int], float],
    split: str = "train",
    first_step: int = 0,
) -> list[Episode]:
    """Each task of each step tried `size` times; reward and outcome are 1 or 0."""
    episodes = []
    for step, tasks in enumerate(plan, first_step):
        policy = token(rng, 12)
        today = skill(step) + rng.gauss(0, 0.12)
        for task in tasks:
            odds = chance(today, task.level + rng.gauss(0, 0.3))
            for attempt in range(size):
                right = rng.random() < odds
                reply = task.reply(rng, right)
                reward = 1.0 if right else 0.0
                episodes.append(Episode(step, task, attempt, reply, right, policy, split, reward, {"correct": reward}))
    return episodes


def train(
    rng: random.Random,
    make: Callable[[random.Random, str], Task],
    shape: tuple[int, int, int],
    start: float = -0.5,
    gain: float = 1.5,
    prefix: str = "p",
) -> list[Episode]:
    """A run over so many steps, with so many tasks a step and attempts a task."""
    steps, tasks, size = shape
    return play(rng, schedule(distinct(rng, make, steps * tasks, prefix), steps), size, climb(start, gain, steps))
