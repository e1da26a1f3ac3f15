"""Training runs of a recipe by their scores."""

from collections.abc import Sequence

from evotrainer.records import SeedRun


def seed_runs(scores: Sequence[float]) -> list[SeedRun]:
    return [SeedRun(replicate=n, score=score, policy_hash="p", num_tokens=1) for n, score in enumerate(scores)]
