"""Held-out attempts beside training."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Episode, Task, play


def held(
    rng: Random, domain: Domain, tasks: list[Task], steps: int, every: int, skill: tuple[float, float]
) -> list[Episode]:
    """Two attempts at each held task, every so many steps, with a skill that goes from the first to the second."""
    out = []
    for step in range(0, steps, every):
        t = step / max(1, steps - 1)
        batch = play(rng, domain, [tasks], 2, skill[0] + (skill[1] - skill[0]) * t, 0.0)
        for e in batch:
            e.step, e.t, e.split = step, t, "validation"
        out += batch
    return out
