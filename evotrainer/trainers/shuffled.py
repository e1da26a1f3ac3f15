"""The control for diagnosis: the rule engine on findings that are dealt out anew.

Same table, same number of findings and of measurements, but each mode stands for another one and each metric has
another one's value, by a permutation drawn from campaign seed and generation. What the rules say is then worth their
priors and nothing more. Only what makes a rule fire is shuffled: side-effect limits and success criteria are set from
the true readings, so that the verdict on a candidate is the same whoever proposed it. What `rules` is worth beside its
priors is its lead over this one.
"""

from random import Random

from evotrainer.seeds import derive_seed
from evotrainer.trainers.base import ProposalContext
from evotrainer.trainers.rule_table import RULES
from evotrainer.trainers.rules import RulesAgent

LINEAGE = {"trained", "score", "gain"}
"""Numbers of a reading that no harness measures."""


class ShuffledAgent(RulesAgent):
    """Rules whose conditions are read off a shuffled report."""

    def observed(self, context: ProposalContext) -> tuple[dict[str, float], set[str]]:
        """Return the numbers and modes that rules are held against: those of the report, dealt to other names."""
        rng = Random(derive_seed(context.config.seed, "shuffled_findings", context.generation))
        reading, modes = super().observed(context)
        names = sorted(context.report.metrics.keys() - LINEAGE)
        values = rng.sample(names, len(names))
        known = sorted({mode for rule in RULES for mode in rule.modes} | modes)
        other = dict(zip(known, rng.sample(known, len(known)), strict=True))
        dealt = {name: context.report.metrics[value] for name, value in zip(names, values, strict=True)}
        return reading | dealt, {other[mode] for mode in modes}
