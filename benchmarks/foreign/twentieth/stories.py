"""Word problems: a story with numbers, and the steps that solve it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.twentieth.episodes import MakeTask, Task

Numbers = dict[str, float]
Step = tuple[str, Callable[[Numbers], float]]


@dataclass(frozen=True)
class Story:
    """A text with places for numbers and a name, and its solution line by line."""

    text: str
    ranges: dict[str, tuple[int, int]]
    steps: tuple[Step, ...]
    family: str
    other: tuple[str, ...] = ()
    """The lines in another language."""


def written(value: float, comma: bool = False) -> str:
    """Write a number without needless zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if comma else text


def worked(rng: Random, task: Task, right: bool, comma: bool = False, other: bool = False) -> tuple[list[str], str]:
    """Solve line by line; a wrong solution slips at one step and goes on with what it found."""
    story: Story = task.data["story"]
    numbers: Numbers = dict(task.data["numbers"])
    slip = -1 if right else rng.randrange(len(story.steps))
    lines, text = [], ""
    for place, (line, compute) in enumerate(story.steps):
        value = compute(numbers)
        if place == slip:
            off = rng.choice((-10, -4, -2, -1, 1, 2, 3, 5, 10))
            value += off if value + off > 0 else abs(off)
        numbers[f"r{place}"] = value
        text = written(value, comma)
        shown = {k: written(v, comma) for k, v in numbers.items()}
        lines.append((story.other[place] if other else line).format(v=text, **shown))
    if not right and text == task.gold:
        text = written(value + 1, comma)
        lines[-1] = f"{lines[-1].rsplit(' ', 1)[0]} {text}"
    return lines, text


def tasks_of(stories: tuple[Story, ...], names: tuple[str, ...], ask: str = "", comma: bool = False) -> MakeTask:
    """Make word problems of these stories."""

    def make(rng: Random) -> Task:
        story = rng.choice(stories)
        numbers = {key: float(rng.randint(*limits)) for key, limits in story.ranges.items()}
        shown = {key: written(value) for key, value in numbers.items()}
        found = dict(numbers)
        for place, (_, compute) in enumerate(story.steps):
            found[f"r{place}"] = compute(found)
        gold = written(found[f"r{len(story.steps) - 1}"], comma)
        text = story.text.format(name=rng.choice(names), **shown) + (f"\n{ask}" if ask else "")
        return Task(text, gold, story.family, data={"story": story, "numbers": numbers})

    return make
