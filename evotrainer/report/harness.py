"""What became of the harness: its revisions, the gap that each answered, what it separated; the cards in force."""

from typing import TYPE_CHECKING, Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import open_gaps
from evotrainer.config import Config
from evotrainer.records import Decision, Revision

if TYPE_CHECKING:
    from evotrainer.diagnosis.evolved.cards import Card


def read_revisions(files: CampaignFiles) -> list[Revision]:
    """Return the finished revisions of a campaign's harness, in order."""
    return [files.revision(name).revision.read() for name in files.revision_names()]


def evolved_cards(files: CampaignFiles, config: Config) -> "list[Card]":
    """Return the cards of the evolved diagnostics, expired ones among them; none where the harness has none."""
    if not (config.harness.evolve and files.evolved_plugins.is_dir()):
        return []
    from evotrainer.diagnosis.evolved.cards import load_cards  # pandas, which a static harness does without

    return load_cards(files.evolved_plugins)


def harness_data(files: CampaignFiles, config: Config) -> dict[str, Any]:
    """Return what the report says of the harness, as plain values."""
    revisions = read_revisions(files)
    return {
        "name": "evolving" if config.harness.evolve else "static",
        "line": harness_line(files, config),
        "revisions": [one.model_dump(mode="json") | {"summary": one.summary} for one in revisions],
        "decisions": [row for one in revisions for row in decision_rows(one)],
        "cards": [card.model_dump(mode="json") for card in evolved_cards(files, config)],
        "gaps": [gap.model_dump(mode="json") for gap in open_gaps(files, files.version_names())],
    }


def harness_line(files: CampaignFiles, config: Config) -> str:
    """Return the state of the harness in one line: its last revision, and how many cards are in force."""
    cards = evolved_cards(files, config)
    if not config.harness.evolve:
        return "static"
    counts = {name: sum(card.status == name for card in cards) for name in ("accepted", "provisional", "expired")}
    held = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"evolving, {(files.revision_names() or ['not revised'])[-1]}{f': {held}' if held else ''}"


REVISION_COLUMNS = ("revision", "outcome", "diagnostic", "from the gap", "separation", "false alarms", "reason")


def decision_rows(revision: Revision) -> list[list[str]]:
    """Return one row a decision of a revision: what it is about, from which gap, what it separated, and why."""
    return [
        [
            revision.revision,
            one.outcome,
            f"{one.plugin} ({one.formula})" if one.plugin else "none",
            one.gap,
            _separated(one),
            _alarms(one),
            one.reason,
        ]
        for one in revision.decisions
    ]


def _separated(decision: Decision) -> str:
    found = decision.separation
    if found is None:
        return "-"
    return f"{found.num_good} good, {found.num_bad} bad, area {found.area:.2f}, {found.caught:.0%} caught"


def _alarms(decision: Decision) -> str:
    found = decision.false_alarms
    return "-" if found is None else f"{found.num_alarms} of {found.num_healthy}, at most {found.high:.0%}"
