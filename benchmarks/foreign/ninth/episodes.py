"""Tasks, attempts at them, and how a training plays them and gives them credit."""

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from benchmarks.foreign.ninth.wording import key

Message = dict


@dataclass
class Reply:
    """What the policy wrote, with what its tools answered."""

    messages: list[Message]
    answer: str = ""

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] for m in self.messages if m["role"] == "assistant")

    @property
    def last(self) -> Message:
        """The last message."""
        return self.messages[-1]


@dataclass
class Task:
    """A problem, and how it is solved rightly or wrongly."""

    prompt: str
    gold: str
    domain: str
    solve: Callable[[Random, bool], Reply]
    system: str = ""
    id: str = ""
    level: float = 0.0
    data: dict = field(default_factory=dict)


MakeTask = Callable[[Random], Task]


@dataclass
class Episode:
    """One attempt of a run."""

    task: Task
    step: int
    attempt: int
    right: bool
    reply: Reply
    reward: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    split: str = "train"
    stop: str = "stop"
    error: str | None = None
    in_loss: bool | None = None
    extra: dict = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """About how many tokens the policy sampled."""
        return max(4, round(len(self.reply.text) / 3.7) + 12 * sum("tool_calls" in m for m in self.reply.messages))

    def cut(self, tokens: int) -> None:
        """Cut the last message at a budget."""
        last = self.reply.last
        kept = max(40, int(len(last["content"]) - (self.tokens - tokens) * 3.7))
        self.reply = Reply([*self.reply.messages[:-1], {**last, "content": last["content"][:kept].rstrip()}])
        self.stop, self.right = "length", False


def tell(content: str) -> Message:
    """A message of the policy."""
    return {"role": "assistant", "content": content}


def call(name: str, arguments: dict, answer: str, thought: str = "", ok: bool = True) -> list[Message]:
    """A call with its answer."""
    asked = {"role": "assistant", "content": thought, "tool_calls": [{"name": name, "arguments": arguments}]}
    return [asked, {"role": "tool", "tool_name": name, "content": answer, "ok": ok}]


def pool(rng: Random, make: MakeTask, count: int, prefix: str = "q-") -> list[Task]:
    """So many problems with different prompts."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = make(rng)
        if task.prompt not in tasks:
            task.id, task.level = key(rng, prefix), rng.gauss(0, 1.1)
            tasks[task.prompt] = task
    return list(tasks.values())


def attempt(rng: Random, task: Task, step: int, number: int, ability: float, split: str = "train") -> Episode:
    """One attempt; its reward is whether it is right."""
    right = rng.random() < 1 / (1 + math.exp(task.level - ability))
    return Episode(task, step, number, right, task.solve(rng, right), float(right), split=split)


def play(
    rng: Random, batches: Sequence[Sequence[Task]], size: int, ability: Callable[[int], float], split: str = "train"
) -> list[Episode]:
    """A step for each batch, with so many attempts at each problem."""
    return [
        attempt(rng, task, step, number, ability(step), split)
        for step, batch in enumerate(batches)
        for task in batch
        for number in range(size)
    ]


def train(
    rng: Random, make: MakeTask, shape: tuple[int, int, int], start: float, gain: float, prefix: str = "q-"
) -> list[Episode]:
    """A training of steps, problems a step and attempts a problem, on fresh problems; ability rises by the gain."""
    steps, problems, size = shape
    tasks = pool(rng, make, steps * problems, prefix)
    batches = [tasks[i * problems : (i + 1) * problems] for i in range(steps)]
    return play(rng, batches, size, lambda step: start + gain * step / max(1, steps - 1))


def groups(episodes: Iterable[Episode]) -> list[list[Episode]]:
    """Attempts at one problem in one step."""
    found: dict[tuple, list[Episode]] = {}
    for e in episodes:
        found.setdefault((e.split, e.step, e.task.id), []).append(e)
    return list(found.values())


def grpo(rewards: list[float]) -> list[float]:
    """Less the mean, by the deviation."""
    mean, spread = statistics.fmean(rewards), statistics.pstdev(rewards)
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Less the mean of the others."""
    return [r - (sum(rewards) - r) / (len(rewards) - 1) for r in rewards]


def credit(episodes: list[Episode], how: Callable[[list[float]], list[float]] = grpo) -> list[Episode]:
    """Give every rewarded attempt of training its advantage in its group."""
    for members in groups(episodes):
        counted = [e for e in members if e.reward is not None and e.split == "train"]
        if len(counted) > 1:
            for e, value in zip(counted, how([e.reward or 0.0 for e in counted]), strict=True):
                e.advantage = round(value, 5)
    return episodes
