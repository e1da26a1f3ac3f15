"""The control for diagnosis: the rule engine on findings that are dealt out anew.

Same table, same number of findings and of measurements, but each mode stands for another one and each metric has
another one's value, by a permutation drawn from campaign seed and generation: wrong findings, which mislead where they
make a rule fire. What a rule fires by and how far it steps is shuffled; recipe, score and gain stay true, as every
author knows them, and what a candidate promises (promises.py) is set from the true readings, so that the verdict on it
is the same whoever proposed it. The lead of `rules` over this one is what true findings are worth against wrong ones.
"""

from random import Random

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.rule_table import RULES
from evotrainer.agents.rules import RulesAgent
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import config_to_dict, flatten

LINEAGE = {"trained", "score", "gain"}
"""Numbers of a reading that neither a harness measures nor a recipe holds."""


class ShuffledAgent(RulesAgent):
    """Rules whose conditions are read off a shuffled report."""

    def observed(self, context: ProposalContext) -> tuple[dict[str, float], set[str]]:
        """Return the numbers and modes that rules are held against: those that were measured, dealt to other names."""
        rng = Random(derive_seed(context.config.seed, "shuffled_findings", context.generation))
        reading, modes = super().observed(context)
        names = sorted(reading.keys() - flatten(config_to_dict(context.config)).keys() - LINEAGE)
        values = rng.sample(names, len(names))
        known = sorted({mode for rule in RULES for mode in rule.modes} | modes)
        other = dict(zip(known, rng.sample(known, len(known)), strict=True))
        dealt = {name: reading[value] for name, value in zip(names, values, strict=True)}
        return reading | dealt, {other[mode] for mode in modes}
