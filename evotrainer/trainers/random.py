"""The control: a proposer that knows nothing.

Uniform over the factors, then over each factor's settings, in an order drawn from campaign seed and generation. It
reads neither findings nor outcomes; that it tries no recipe twice is the law of interventions.py, not its merit. What
`rules` is worth is its lead over this one.
"""

from random import Random

from evotrainer.errors import InterventionError
from evotrainer.factors import FACTORS
from evotrainer.interventions import build, check
from evotrainer.records import Condition, Intervention, Prediction
from evotrainer.seeds import derive_seed
from evotrainer.trainers.base import ProposalContext


class RandomAgent:
    """Uniform over factors and settings."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return every lawful setting once, factors in random order, one setting of each factor before the second."""
        rng = Random(derive_seed(context.config.seed, "random_trainer", context.generation))
        choices = [factor.choices(context.config) for factor in FACTORS.values()]
        decks = [rng.sample(settings, len(settings)) for settings in choices]
        rng.shuffle(decks)
        proposals: list[Intervention] = []
        for turn in range(max(map(len, decks))):
            for deck in decks:
                if turn < len(deck):
                    proposals += _lawful(context, deck[turn])
        return proposals


def _lawful(context: ProposalContext, setting: dict) -> list[Intervention]:
    score = context.score(context.incumbent)
    success = [] if score is None else [Condition(metric="score", operator=">", value=score)]
    try:
        intervention = build(
            context.config,
            setting,
            author="random",
            hypothesis="none: a draw from the table of factors",
            prediction=Prediction(metric="score", direction="up", size=0.0, low=-1.0, high=1.0, probability=0.5),
            success=success,
            limits=[],
            parents=[context.incumbent],
        )
        check(intervention, context.config, context.taken)
    except InterventionError:
        return []
    return [intervention]
