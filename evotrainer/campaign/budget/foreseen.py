"""What a campaign takes before anything was measured: attempts follow from settings and the sizes of problem sets.

Tokens, hours and dollars do not. Every attempt samples a token at least.
"""

from dataclasses import dataclass

from evotrainer.campaign.budget.amounts import Amounts
from evotrainer.campaign.budget.estimate import held_for_certificate
from evotrainer.config import Config


@dataclass(frozen=True)
class Foreseen:
    """Attempts that come before a version is closed, or are held for the certificate."""

    base: float
    """The two evaluations of the base policy, the first with a greedy attempt."""
    certificate: float
    """As it is held once the base policy is evaluated."""
    version: float
    """Of one version its first evaluation alone: rollout, training and gate come on top."""

    @property
    def total(self) -> float:
        """The least with which a version can be closed."""
        return self.base + self.certificate + self.version

    @property
    def shown(self) -> str:
        """Return the parts, for a person."""
        return (
            f"{self.base:,.0f} attempts for the base policy, {self.certificate:,.0f} held for the certificate, "
            f"{self.version:,.0f} at least for one version"
        )


def foreseen_attempts(config: Config, num_judged: int, sealed_share: float) -> Foreseen:
    """Return the attempts of a campaign that evaluates on `num_judged` problems.

    `sealed_share` are the problems of the sealed split for each of them.
    """
    sampled, greedy = num_judged * config.evaluate.attempts, num_judged
    base = Amounts(trajectories=2 * sampled + greedy)
    return Foreseen(base.trajectories, held_for_certificate(base, sealed_share).trajectories, sampled + greedy)
