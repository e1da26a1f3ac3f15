"""The controls of `rules`: an agent that knows nothing, and the rules on findings that are dealt anew.

What `rules` is worth is its lead over the first; what true findings are worth is its lead over the second. What must
hold of their candidates is what must hold of anybody's (agents/base.py).
"""

from random import Random

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.rule_table import RULES
from evotrainer.agents.rules import RulesAgent
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import config_to_dict, flatten
from evotrainer.errors import InterventionError
from evotrainer.records import Intervention, Prediction

LINEAGE = {"trained", "score", "gain"}
"""Numbers of a reading that neither a harness measures nor a recipe holds."""


class RandomAgent:
    """Uniform over factors, then over each factor's settings, in an order drawn from campaign seed and generation."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return every lawful setting once, factors in random order, one setting of each factor before the second."""
        rng = Random(derive_seed(context.config.seed, "random_trainer", context.generation))
        choices = [factor.choices(context.config) for factor in context.factors.values()]
        choices = [settings for settings in choices if settings]
        decks = [rng.sample(settings, len(settings)) for settings in choices]
        rng.shuffle(decks)
        proposals: list[Intervention] = []
        for turn in range(max(map(len, decks))):
            for deck in decks:
                if turn < len(deck):
                    proposals += _lawful(context, deck[turn])
        return proposals


def _lawful(context: ProposalContext, setting: dict) -> list[Intervention]:
    try:
        intervention = context.change(
            setting,
            author="random",
            hypothesis="none: a draw from the table of factors",
            prediction=Prediction(metric="score", direction="up", size=0.0, low=-1.0, high=1.0, probability=0.5),
        )
        context.check(intervention)
    except InterventionError:
        return []
    return [intervention]


class ShuffledAgent(RulesAgent):
    """Rules whose conditions are tested on a shuffled report.

    Each mode stands for another mode and each metric has another one's value. Recipe, score and gain stay true, and the
    criteria of a candidate are set from the true readings, so that its verdict does not depend on its author.
    """

    def observed(self, context: ProposalContext) -> tuple[dict[str, float], set[str]]:
        """Return the numbers and modes that rules are held against: the measured ones, under other names."""
        rng = Random(derive_seed(context.config.seed, "shuffled_findings", context.generation))
        reading, modes = super().observed(context)
        names = sorted(reading.keys() - flatten(config_to_dict(context.config)).keys() - LINEAGE)
        values = rng.sample(names, len(names))
        known = sorted({mode for rule in RULES for mode in rule.modes} | modes)
        other = dict(zip(known, rng.sample(known, len(known)), strict=True))
        dealt = {name: reading[value] for name, value in zip(names, values, strict=True)}
        return reading | dealt, {other[mode] for mode in modes}
