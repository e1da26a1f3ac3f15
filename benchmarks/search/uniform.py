"""trainer=random without its thoroughness: uniform over factors and settings, but only as many as a pool holds.

The agent of the product builds every lawful setting in each generation, which costs more than all else of a surrogate
campaign. Numbers are multiplied or divided by two, so that a direction can be gone on with.
"""

from random import Random
from typing import Any

from evotrainer.agents.base import ProposalContext
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import config_to_dict, flatten
from evotrainer.config.interventions import build
from evotrainer.config.validation import RANGES, multiplied
from evotrainer.errors import ConfigError
from evotrainer.records import Intervention, Prediction

ATTEMPTS = 3
"""Draws for each place of the pool: some are no lawful change of this recipe."""


class Uniform:
    """Draws a few lawful settings."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return settings of factors drawn with replacement, no diff twice."""
        rng = Random(derive_seed(context.config.seed, "uniform", context.generation, context.incumbent))
        places, flat = context.config.trainer.pool_size, flatten(config_to_dict(context.config))
        factors = list(context.factors.values())
        found: dict[str, Intervention] = {}
        for _ in range(ATTEMPTS * places):
            factor = rng.choice(factors)
            key = factor.keys[0]
            choices: list[dict[str, Any]] = factor.choices(context.config)
            if key in RANGES and len(factor.keys) == 1 and flat[key]:
                choices = [{key: multiplied(key, flat[key], ratio)} for ratio in (0.5, 2.0)]
            if not choices:  # a factor of code alone
                continue
            try:
                made = build(
                    context.config,
                    rng.choice(choices),
                    author="uniform",
                    hypothesis="a draw",
                    prediction=Prediction(
                        metric="score", direction="up", size=0.01, low=-0.1, high=0.1, probability=0.5
                    ),
                    success=[],
                    limits=[],
                    parents=[context.incumbent],
                    table=context.factors,
                )
            except ConfigError:
                continue
            found.setdefault(made.intervention_id, made)
            if len(found) == places:
                break
        return list(found.values())
