"""What A/A campaigns came to: records, counts with exact limits, and their table."""

from collections.abc import Sequence

from pydantic import Field

from benchmarks.intervals import exact_interval
from benchmarks.markdown import markdown_table
from evotrainer.records import Record


class AAVersion(Record):
    """One version, which is the incumbent under fresh draws."""

    outcome: str = Field(description="of the verdict")
    difference: float = Field(description="screening score minus the incumbent's, in [-1, 1]")
    fresh: float | None = Field(default=None, description="difference on fresh attempts")
    attempts: int = Field(default=0, description="fresh attempts a problem on each arm")


class AACampaign(Record):
    """One campaign under one rule."""

    number: int
    rule: str
    floor: float = Field(description="noise floor of the campaign")
    versions: tuple[AAVersion, ...]

    @property
    def promotions(self) -> int:
        """Promotions, every one of them false."""
        return sum(version.outcome == "promoted" for version in self.versions)


class AACount(Record):
    """All campaigns under one rule."""

    rule: str
    campaigns: int
    num_versions: int
    with_any: int = Field(description="campaigns with any promotion")
    promotions: int
    tried: int = Field(description="versions that passed the screen and were tried on fresh attempts")
    attempts: float = Field(description="fresh attempts a problem and arm, mean over the versions that were tried")

    @property
    def upper_limit(self) -> float:
        """Exact one-sided upper 95% limit (Clopper-Pearson) of the share of campaigns with any promotion."""
        return exact_interval(self.with_any, self.campaigns, 0.90)[1]


def count(campaigns: Sequence[AACampaign]) -> AACount:
    """Return the counts of campaigns under one rule."""
    tried = [version for campaign in campaigns for version in campaign.versions if version.attempts]
    return AACount(
        rule=campaigns[0].rule,
        campaigns=len(campaigns),
        num_versions=len(campaigns[0].versions),
        with_any=sum(campaign.promotions > 0 for campaign in campaigns),
        promotions=sum(campaign.promotions for campaign in campaigns),
        tried=len(tried),
        attempts=sum(version.attempts for version in tried) / max(len(tried), 1),
    )


def aa_table(campaigns: Sequence[AACampaign]) -> str:
    """Return one row a rule: campaigns with any promotion, its exact limit, and the fresh attempts it took."""
    rows = []
    for rule in dict.fromkeys(campaign.rule for campaign in campaigns):
        row = count([campaign for campaign in campaigns if campaign.rule == rule])
        cells = [
            row.rule,
            str(row.campaigns),
            str(row.num_versions),
            f"{row.with_any} ({100 * row.with_any / row.campaigns:.1f}%)",
            f"{100 * row.upper_limit:.1f}",
            str(row.promotions),
            str(row.tried) if row.tried else "none: screening only",
            f"{row.attempts:.1f}" if row.tried else "",
        ]
        rows.append(cells)
    columns = (
        "rule | campaigns | versions each | with any promotion | upper 95% limit, % | promotions | "
        "versions tried afresh | attempts an arm for each"
    )
    return markdown_table(columns, rows)
