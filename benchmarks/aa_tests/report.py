"""A/A campaigns as a table in Markdown: how often the gates promote what is no better."""

from collections.abc import Sequence

from benchmarks.aa_tests.outcomes import AACampaign, AACount, count

NAMES = {"policy": "same policy", "recipe": "other seeds of one recipe"}


def counts_of(campaigns: Sequence[AACampaign]) -> list[AACount]:
    """Return the counts by kind and rule, in the order in which they come."""
    groups: dict[tuple[str, str], list[AACampaign]] = {}
    for campaign in campaigns:
        groups.setdefault((campaign.kind, campaign.rule), []).append(campaign)
    return [count(group) for group in groups.values()]


def aa_table(campaigns: Sequence[AACampaign]) -> str:
    """Return one row a kind and rule: campaigns with any promotion, its exact limit, and what was paid."""
    lines = [
        "| nothing is better | rule | campaigns | versions each | with any promotion | upper 95% limit, % | promotions "
        "| versions tried afresh | paid for each of them |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in counts_of(campaigns):
        lines.append(
            f"| {NAMES[row.kind]} | {row.rule} | {row.campaigns} | {row.num_versions} | {row.with_any} "
            f"({100 * row.with_any / row.campaigns:.1f}%) | {100 * row.upper_limit:.1f} | {row.promotions} | "
            f"{_tried(row)} | {_paid(row)} |"
        )
    return "\n".join(lines) + "\n"


def _tried(row: AACount) -> str:
    return str(row.tried) if row.tried else "none: screening only"


def _paid(row: AACount) -> str:
    if not row.tried:
        return ""
    return f"{row.attempts:.1f} attempts an arm" if row.kind == "policy" else f"{row.runs:.1f} training runs"
