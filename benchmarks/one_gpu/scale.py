"""How much a step samples."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """A model's size, and how much a step samples and how many steps are taken."""

    model: str
    problems: int
    group: int
    tokens: int
    steps: int
    device: str = "cuda"
