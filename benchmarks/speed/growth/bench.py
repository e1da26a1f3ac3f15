"""All kinds of work, each at growing sizes: `python -m benchmarks speed --scale`.

Attempts and versions are simulated. Of each size the median of three turns is taken; of storing, diagnosis and rollout
one turn. Where memory is measured, each size has a process of its own, in which the same is done once at a small size.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.speed.growth.compared import measure_compared
from benchmarks.speed.growth.diagnosed import measure_diagnosed
from benchmarks.speed.growth.graded import measure_graded
from benchmarks.speed.growth.prompts import measure_prompts
from benchmarks.speed.growth.record import Growth
from benchmarks.speed.growth.sampled import measure_sampled
from benchmarks.speed.growth.stored import measure_stored
from benchmarks.speed.growth.unchanged import measure_unchanged


@dataclass(frozen=True)
class Sizes:
    """How much of each."""

    stored: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    diagnosed: tuple[int, ...] = (5_000, 20_000, 100_000)
    sampled: tuple[int, ...] = (256, 1024, 4096, 16_384)
    graded: tuple[int, ...] = (64, 256, 1024)
    unchanged: tuple[int, ...] = (1_000, 10_000, 100_000)
    versions: tuple[int, ...] = (10, 30, 100, 300)


def measure_growth(sizes: Sizes) -> Iterator[Growth]:
    """Yield the growth of each kind of work."""
    yield from measure_stored(sizes.stored)
    yield measure_diagnosed(sizes.diagnosed)
    yield measure_sampled(sizes.sampled)
    yield measure_graded(sizes.graded)
    yield from measure_unchanged(sizes.unchanged)
    yield from measure_compared(sizes.versions)
    yield from measure_prompts(sizes.versions)
