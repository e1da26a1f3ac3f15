"""The control: a proposer that knows nothing.

Uniform over the factors, then over each factor's settings, in an order drawn from campaign seed and generation. It
reads neither findings nor outcomes; that it tries no recipe twice is the law of interventions.py, not its merit, and
what must hold of its candidates is what must hold of anybody's (promises.py). What `rules` is worth is its lead over
this one.
"""

from collections.abc import Mapping
from random import Random

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.promises import limits_of, success_of
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config.interventions import build, check
from evotrainer.errors import InterventionError
from evotrainer.records import Intervention, Prediction


class RandomAgent:
    """Uniform over factors and settings."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return every lawful setting once, factors in random order, one setting of each factor before the second."""
        rng = Random(derive_seed(context.config.seed, "random_trainer", context.generation))
        choices = [factor.choices(context.config) for factor in context.factors.values()]
        choices = [settings for settings in choices if settings]
        decks = [rng.sample(settings, len(settings)) for settings in choices]
        rng.shuffle(decks)
        reading = context.reading()
        proposals: list[Intervention] = []
        for turn in range(max(map(len, decks))):
            for deck in decks:
                if turn < len(deck):
                    proposals += _lawful(context, deck[turn], reading)
        return proposals


def _lawful(context: ProposalContext, setting: dict, reading: Mapping[str, float]) -> list[Intervention]:
    try:
        intervention = build(
            context.config,
            setting,
            author="random",
            hypothesis="none: a draw from the table of factors",
            prediction=Prediction(metric="score", direction="up", size=0.0, low=-1.0, high=1.0, probability=0.5),
            success=success_of(reading),
            limits=limits_of("score", reading, context.report.guards),
            parents=[context.incumbent],
            table=context.factors,
        )
        check(intervention, context.config, context.taken, table=context.factors)
    except InterventionError:
        return []
    return [intervention]
