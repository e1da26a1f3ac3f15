"""The error budget of a campaign: the chance of any false promotion, spent in equal shares declared up front.

By Bonferroni's inequality the shares add up to `alpha` however the claims depend on each other. Equal shares rather
than 6 alpha / (pi^2 i^2): the latter falls below them from the eighth claim of twenty on, and late versions are
promoted as seldom as early ones should be.

Versions of one generation run side by side and share no state. Each counts the claims before its own from what it
knows when it starts: the closed versions, and the slots before its own. Shares are equal, so that no order matters.
"""

from collections.abc import Callable, Sequence

from pydantic import Field, model_validator

from evotrainer.campaign.layout import version_name
from evotrainer.errors import EvidenceError
from evotrainer.records import Record, VersionRecord, VersionSpec


class ErrorBudget(Record):
    """What may be claimed in one campaign, fixed before its first version."""

    alpha: float = Field(default=0.05, gt=0, lt=1, description="chance of any false claim over the campaign")
    max_claims: int = Field(gt=0, description="number of claims that may ever be tested, declared before the first")
    claims: tuple[str, ...] = Field(default=(), description="names of the claims that have their share, in order")

    @model_validator(mode="after")
    def _within(self) -> "ErrorBudget":
        if len(self.claims) > self.max_claims or len(set(self.claims)) < len(self.claims):
            raise ValueError(f"{len(self.claims)} claims of at most {self.max_claims}: names must differ and fit")
        return self

    @property
    def share(self) -> float:
        """The error level of each claim."""
        return self.alpha / self.max_claims


def spend(budget: ErrorBudget, claim: str) -> ErrorBudget:
    """Return the budget with a share for `claim`; the same budget where the claim has one already.

    Raises EvidenceError when all shares are spent: what was not declared cannot be tested.
    """
    if claim in budget.claims:
        return budget
    if len(budget.claims) == budget.max_claims:
        raise EvidenceError(
            f"all {budget.max_claims} declared claims are spent: '{claim}' cannot be tested in this "
            "campaign; declare more before the next one"
        )
    return budget.model_copy(update={"claims": (*budget.claims, claim)})


def drew_fresh_rows(record: VersionRecord) -> bool:
    """Tell whether a version tested that its checkpoint is better."""
    return record.verdict.gate is not None


def trained_fresh_seeds(record: VersionRecord) -> bool:
    """Tell whether a version tested that its recipe is better."""
    claim = record.confirmation.recipe if record.confirmation else None
    return claim is not None and bool(claim.candidate)


def share_of(
    spec: VersionSpec,
    records: Sequence[VersionRecord],
    alpha: float,
    max_claims: int,
    has_claimed: Callable[[VersionRecord], bool] = drew_fresh_rows,
) -> float:
    """Return the error level of one version's claim; raises EvidenceError beyond the declared number of claims.

    `records` are the versions closed before this one started. A version that was refused, screened out or invalid spent
    nothing, as `has_claimed` tells; of those beside it each version supposes that they do. Claims about checkpoints and
    claims about recipes have a budget each.
    """
    budget = ErrorBudget(alpha=alpha, max_claims=max_claims)
    closed = [record.spec.version for record in records if has_claimed(record)]
    index = int(spec.version[1:])
    beside = [version_name(place) for place in range(index - spec.slot, index)]
    for version in [*closed, *beside, spec.version]:
        budget = spend(budget, version)
    return budget.share
