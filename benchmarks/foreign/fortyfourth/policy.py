"""A simulated policy that learns: problems, attempts at them, and runs of steps, groups and attempts."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """One task as the data set holds it."""

    id: str
    prompt: str
    gold: str
    family: str = ""
    hardness: float = 0.0
    system: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Draft:
    """What the policy wrote in one attempt, and whether that is truly right."""

    messages: list[dict]
    answer: str
    right: bool


@dataclass
class Sample:
    """One attempt as a trainer holds it before it is logged."""

    problem: Problem
    step: int
    attempt: int
    messages: list[dict]
    answer: str
    right: bool
    seed: int
    reward: float = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    stop: str = "stop"
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The last thing the policy said."""
        return said(self.messages)[-1]

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        total = 0
        for message in self.messages:
            if message["role"] == "assistant":
                total += count(message.get("content") or "")
                total += sum(count(str(call)) for call in message.get("tool_calls", ()))
        return total

    @property
    def group(self) -> tuple[str, int, str]:
        """What attempts that are compared share."""
        return self.split, self.step, self.problem.id


Attempt = Callable[[random.Random, Problem, bool, float], Draft]


def said(messages: Sequence[dict]) -> list[str]:
    """The texts of the policy's messages."""
    return [m.get("content") or "" for m in messages if m["role"] == "assistant"]


def count(text: str) -> int:
    """Tokens of a text, as a common vocabulary of 150 thousand splits it on average."""
    return max(1, round(len(text) / 3.7)) if text else 0


@dataclass(frozen=True)
class Learner:
    """The chance of a right attempt rises over a run, and falls with a problem's hardness."""

    start: float = -0.6
    gain: float = 1.8

    def chance(self, hardness: float, progress: float) -> float:
        """The chance of a right attempt when this share of the run is done."""
        level = self.start + self.gain * (1 - math.exp(-2.2 * progress)) / (1 - math.exp(-2.2))
        return 1 / (1 + math.exp(hardness - level))


@dataclass(frozen=True)
class Plan:
    """How many steps a run has, problems a step, and attempts a problem."""

    steps: int = 12
    width: int = 8
    group: int = 8
    fresh: bool = True


def schedule(rng: random.Random, problems: Sequence[Problem], plan: Plan) -> list[list[Problem]]:
    """Problems of each step: shuffled passes over the data, less what fills no step."""
    order: list[Problem] = []
    whole = max(len(problems) // plan.width, 1) * plan.width
    while len(order) < plan.steps * plan.width:
        order += rng.sample(list(problems), min(whole, len(problems)))
    return [order[i * plan.width : (i + 1) * plan.width] for i in range(plan.steps)]


def attempts(
    rng: random.Random, problem: Problem, attempt: Attempt, learner: Learner, step: int, progress: float, group: int
) -> list[Sample]:
    """One group: attempts at one problem in one step, rewarded 1 where they are right."""
    out = []
    for number in range(group):
        right = rng.random() < learner.chance(problem.hardness, progress)
        draft = attempt(rng, problem, right, progress)
        sample = Sample(problem, step, number, draft.messages, draft.answer, draft.right, rng.randrange(2**31))
        sample.reward = float(draft.right)
        out.append(sample)
    return out


def train(
    rng: random.Random, weeks: Sequence[Sequence[Problem]], attempt: Attempt, learner: Learner, group: int
) -> list[Sample]:
    """All attempts of a run whose steps are given."""
    out = []
    for step, problems in enumerate(weeks):
        progress = step / max(1, len(weeks) - 1)
        for problem in problems:
            out += attempts(rng, problem, attempt, learner, step, progress, group)
    return out


def run(
    rng: random.Random, problems: Sequence[Problem], attempt: Attempt, plan: Plan, learner: Learner | None = None
) -> list[Sample]:
    """A run over shuffled passes of the problems."""
    return train(rng, schedule(rng, problems, plan), attempt, learner or Learner(), plan.group)


def talk(text: str) -> list[dict]:
    """A reply of one message."""
    return [{"role": "assistant", "content": text}]


def cut(sample: Sample, limit: int) -> bool:
    """Cut a reply of one message at a limit of tokens; says whether it was longer."""
    if count(sample.text) <= limit:
        return False
    sample.messages = talk(sample.text[: int(limit * 3.7)])
    sample.stop = "length"
    sample.answer = ""
    return True
