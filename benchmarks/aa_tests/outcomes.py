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


def aa_table(campaigns: Sequence[AACampaign]) -> str:
    """Return one row a rule: campaigns with any promotion, its exact upper limit, and the fresh attempts it took."""
    rows = []
    for rule in dict.fromkeys(campaign.rule for campaign in campaigns):
        own = [campaign for campaign in campaigns if campaign.rule == rule]
        tried = [version.attempts for campaign in own for version in campaign.versions if version.attempts]
        with_any = sum(campaign.promotions > 0 for campaign in own)
        cells = [
            rule,
            str(len(own)),
            str(len(own[0].versions)),
            f"{with_any} ({100 * with_any / len(own):.1f}%)",
            f"{100 * exact_interval(with_any, len(own), 0.90)[1]:.1f}",
            str(sum(campaign.promotions for campaign in own)),
            str(len(tried)) if tried else "none: screening only",
            f"{sum(tried) / len(tried):.1f}" if tried else "",
        ]
        rows.append(cells)
    columns = (
        "rule | campaigns | versions each | with any promotion | upper 95% limit, % | promotions | "
        "versions tried afresh | attempts an arm for each"
    )
    return markdown_table(columns, rows)
