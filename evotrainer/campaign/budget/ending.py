"""How a campaign with a budget ended: budget.json in its root, with what was spent and what was left out.

A campaign that ended at its budget is over. Its certificate closes it for good; one that could not afford a certificate
goes on once a limit is raised.
"""

from dataclasses import asdict
from pathlib import Path

from pydantic import Field

from evotrainer.campaign.budget.allowance import Allowance
from evotrainer.campaign.budget.amounts import amount_text
from evotrainer.campaign.documents import Document, in_declared_order
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.records.base import Record


class Ending(Record):
    """The end of a campaign that has a budget."""

    reason: str = Field(description="why it ended; empty: it tried all its versions")
    left_out: list[str] = Field(description="what it would have done with a larger budget")
    limits: dict[str, float | str] = Field(description="budget.total as it was, limits that are set")
    spent: dict[str, float] = Field(
        default={}, description="by resource; hours are those of stages, side by side or not"
    )
    next_version: dict[str, float] = Field(description="estimate of one more version; empty where none was measured")
    ended_at: str = Field(default="", description="local time")


def ending(files: CampaignFiles) -> Document[Ending]:
    """Return how the campaign ended."""
    return Document(files.root / "budget.json", Ending, in_declared_order(2))


def set_limits(config: Config) -> dict[str, float | str]:
    """Return the limits that are set, by name."""
    return {name: value for name, value in asdict(config.budget.total).items() if value}


def is_over(files: CampaignFiles, config: Config) -> bool:
    """Tell whether the campaign ended at the budget that it still has."""
    found = ending(files).find()
    return found is not None and bool(found.reason) and found.limits == set_limits(config)


def describe_ending(config: Config, allowance: Allowance, stopped: str, left_out: list[str]) -> Ending:
    """Return the ending of a campaign; `stopped` is the error of a stage that a limit stopped."""
    reason = stopped or (_reason(config, allowance) if left_out else "")
    return Ending(
        reason=reason,
        left_out=left_out,
        limits=set_limits(config),
        next_version=allowance.version.as_dict() if allowance.version else {},
    )


def ending_line(found: Ending, config_path: Path, is_certified: bool) -> str:
    """Return in one line why a campaign ended, what it left out, and how it goes on."""
    left = f"; left out: {', '.join(found.left_out)}" if found.left_out else ""
    how = f"To go on, raise budget.total in {config_path}, commit that there, and run the campaign again"
    closed = "Its certificate closes it: what was left out needs a new campaign"
    return f"ended at its budget: {found.reason}{left}. {closed if is_certified else how}"


def _reason(config: Config, allowance: Allowance) -> str:
    names = [name for name in allowance.exhausted if name != "hours"]
    if "hours" in allowance.exhausted:
        names.insert(0, "until" if config.budget.total.until else "hours")
    limits = ", ".join(f"budget.total.{name}={getattr(config.budget.total, name)}" for name in names)
    version = allowance.version
    taken = [
        amount_text(name, amount) for name in allowance.exhausted if version and (amount := getattr(version, name))
    ]
    needed = f": one more version takes {', '.join(taken)}" if taken else ""
    return f"{limits}{needed}"
