"""The control for diagnosis: the rule engine on permuted findings.

The table, the number of findings and the number of measurements are those of `rules`. But each mode stands for another
mode and each metric has another one's value, by a permutation drawn from campaign seed and generation. Conditions and
step sizes of rules see the permuted values. Recipe, score and gain stay true, and the conditions of a candidate
(promises.py) are set from the true readings, so that its verdict does not depend on its author. The lead of `rules`
over this agent is the value of true findings against wrong ones.
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
    """Rules whose conditions are tested on a shuffled report."""

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
