"""Simulated recipe campaigns: training seeds of one spread, judged by recipe.py, many campaigns at once.

A score is a recipe's mean plus the deviation of its seed (between-seed SD 1 by definition, so that all sizes are in
between-seed SDs). Deviations are normal, heavy-tailed (t with 3 degrees of freedom) or normal with one seed in ten
collapsing by five SDs; all are brought to mean 0 and SD 1.

Shapes: A campaigns, S seeds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evotrainer.promotion.recipe import RECIPE_OUTCOMES, RecipeDesign, judge_recipes, recipe_floor

Deviations = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
COLLAPSE_SHARE, COLLAPSE_SIZE = 0.1, 5.0


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return normal deviations."""
    return rng.normal(size=shape)


def heavy_tailed(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return t deviations with 3 degrees of freedom, SD 1."""
    return rng.standard_t(3, size=shape) / math.sqrt(3.0)


def collapsing(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return deviations of which a tenth lie five SDs of the others lower, mean 0 and SD 1 together."""
    drawn = rng.normal(size=shape) - COLLAPSE_SIZE * (rng.random(shape) < COLLAPSE_SHARE)
    spread = math.sqrt(1.0 + COLLAPSE_SIZE**2 * COLLAPSE_SHARE * (1.0 - COLLAPSE_SHARE))
    return (drawn + COLLAPSE_SIZE * COLLAPSE_SHARE) / spread


DEVIATIONS: dict[str, Deviations] = {
    "normal": normal,
    "heavy tails (t3)": heavy_tailed,
    "one in ten collapses": collapsing,
}


@dataclass(frozen=True)
class RecipeRecord:
    """What A recipe campaigns came to."""

    promotions: np.ndarray
    runs: np.ndarray
    """Training runs a version, the screening run among them; the incumbent's seeds are not counted."""


def simulate_recipes(
    deviations: Deviations,
    num_versions: int,
    change: float,
    design: RecipeDesign,
    campaigns: int,
    rng: np.random.Generator,
) -> RecipeRecord:
    """Return the records of campaigns whose versions are all `change` (in recipe floors) better than their incumbent.

    A promoted version becomes the incumbent, with new seeds.
    """
    ahead = change * recipe_floor(1.0)
    incumbent_AS = deviations(rng, (campaigns, design.incumbent_seeds))
    promotions_A, runs_A = np.zeros((2, campaigns))
    for _ in range(num_versions):
        screen_A = ahead + deviations(rng, (campaigns, 1))[:, 0]
        spread_A = incumbent_AS.std(axis=1, ddof=1)
        tried_A = screen_A - incumbent_AS.mean(axis=1) > 0.5 * math.sqrt(2.0) * spread_A
        fresh_AS = ahead + deviations(rng, (campaigns, design.candidate_seeds))
        early_A = judge_recipes(fresh_AS[:, : design.futility_seeds], incumbent_AS, design)
        stopped_A = early_A == RECIPE_OUTCOMES.index("futile")
        proven_A = judge_recipes(fresh_AS, incumbent_AS, design) == RECIPE_OUTCOMES.index("proven")
        promoted_A = tried_A & ~stopped_A & proven_A
        fresh_runs_A = np.where(stopped_A, design.futility_seeds, design.candidate_seeds)
        runs_A += (1.0 + tried_A * fresh_runs_A) / num_versions
        promotions_A += promoted_A
        renewed_AS = deviations(rng, incumbent_AS.shape)
        incumbent_AS = np.where(promoted_A[:, None], renewed_AS, incumbent_AS)
    return RecipeRecord(promotions_A, runs_A)
