"""How much a step samples, and problems for a model that solves none."""

from dataclasses import dataclass

from evotrainer.records import Problem


@dataclass(frozen=True)
class Scale:
    """A model's size, how much a step samples and how many steps are taken."""

    model: str
    problems: int
    group: int
    tokens: int
    steps: int
    device: str = "cuda"


def questions(count: int) -> list[Problem]:
    """Return problems whose answers do not matter: what counts is how long they are."""
    return [
        Problem(
            problem_id=f"p{number}",
            domain="math",
            family="add",
            split="train",
            prompt=f"What is {number} plus 12?",
            answer=str(number + 12),
        )
        for number in range(count)
    ]
