"""What A/A campaigns came to: records, and the exact limits of what they show."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from benchmarks.intervals import exact_interval
from evotrainer.records import Record

AAKind = Literal["policy", "recipe"]


class AAVersion(Record):
    """One version, which is no better than its incumbent."""

    outcome: str = Field(description="of the verdict, or of the recipe gate; screened: it was not tried further")
    difference: float = Field(description="screening score minus the incumbent's, in [-1, 1]")
    fresh: float | None = Field(default=None, description="difference on fresh attempts, or of fresh training seeds")
    attempts: int = Field(default=0, description="fresh attempts a problem on each arm")
    runs: int = Field(default=0, description="fresh training seeds")


class AACampaign(Record):
    """One campaign under one rule."""

    kind: AAKind
    number: int
    rule: str
    floor: float = Field(description="noise floor of the campaign; of recipes the SD between the incumbent's seeds")
    versions: tuple[AAVersion, ...]

    @property
    def promotions(self) -> int:
        """Promotions, every one of them false."""
        return sum(version.outcome in ("promoted", "proven") for version in self.versions)


class AACount(Record):
    """All campaigns of one kind under one rule."""

    kind: AAKind
    rule: str
    campaigns: int
    num_versions: int
    with_any: int = Field(description="campaigns with any promotion")
    promotions: int
    tried: int = Field(description="versions that passed the screen and were tried on fresh attempts or seeds")
    attempts: float = Field(description="fresh attempts a problem and arm, mean over the versions that were tried")
    runs: float = Field(description="fresh training runs, mean over the versions that were tried")

    @property
    def upper_limit(self) -> float:
        """Exact one-sided upper 95% limit (Clopper-Pearson) of the share of campaigns with any promotion."""
        return exact_interval(self.with_any, self.campaigns, 0.90)[1]


def count(campaigns: Sequence[AACampaign]) -> AACount:
    """Return the counts of campaigns of one kind under one rule."""
    versions = [version for campaign in campaigns for version in campaign.versions]
    tried = [version for version in versions if version.attempts or version.runs]
    return AACount(
        kind=campaigns[0].kind,
        rule=campaigns[0].rule,
        campaigns=len(campaigns),
        num_versions=len(campaigns[0].versions),
        with_any=sum(campaign.promotions > 0 for campaign in campaigns),
        promotions=sum(campaign.promotions for campaign in campaigns),
        tried=len(tried),
        attempts=sum(version.attempts for version in tried) / max(len(tried), 1),
        runs=sum(version.runs for version in tried) / max(len(tried), 1),
    )
