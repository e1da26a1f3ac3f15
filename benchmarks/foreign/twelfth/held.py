"""Attempts at problems that are held out."""

from collections.abc import Sequence
from random import Random

from benchmarks.foreign.twelfth.rollouts import Episode, attempt, chance
from benchmarks.foreign.twelfth.tasks import Task


def held_out(
    rng: Random, tasks: Sequence[Task], when: tuple[int, float], skill: float, samples: int = 1
) -> list[Episode]:
    """An evaluation at a step, and at that progress of the run."""
    step, progress = when
    found = []
    for task in tasks:
        for number in range(samples):
            right = rng.random() < chance(skill - task.hard + rng.gauss(0, 0.2))
            e = attempt(rng, task, (step, number), right, progress)
            e.split, e.in_loss = "validation", False
            found.append(e)
    return found


def share(start: float, end: float, episode: Episode, steps: int) -> float:
    """A share that moves evenly from the first step to the last."""
    return start + (end - start) * episode.step / max(1, steps - 1)
