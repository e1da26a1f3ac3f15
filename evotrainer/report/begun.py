"""The report of a campaign of which no version is closed yet: where it stands, and why it ended, if it did."""

from typing import Any

from evotrainer.campaign.budget.ending import ending
from evotrainer.campaign.budget.ledger import WHOLE
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.config import load_config
from evotrainer.report.data import settings_data
from evotrainer.report.live.live import RunningStage, live_state

NOT_PLANNED = f"the base policy {BASE_VERSION} is not evaluated yet, and nothing of it has started"


def begun_data(files: CampaignFiles) -> dict[str, Any]:
    """Return plain values of a campaign without a closed version, under the names of report_data."""
    state, stopped = live_state(files), ending(files).find()
    standing = [_standing(files.version(name), state.stages) for name in files.version_names()]
    return {
        "campaign": files.root.name,
        "settings": settings_data(load_config(files.config)),
        "versions": [],
        "standing": standing or [NOT_PLANNED],
        "state": f"ended at its budget: {stopped.reason}" if stopped and stopped.reason else state.told,
    }


def _standing(own: VersionFiles, running: list[RunningStage]) -> str:
    """Return in a line what is done of an open version and what runs."""
    name = own.root.name
    ended = sorted(path.stem for path in own.costs.glob("*.json") if path.stem != WHOLE)
    now = [f"{one.stage} for {one.seconds:.0f} s: {one.line}" for one in running if one.subject == name]
    what = "the base policy, " if name == BASE_VERSION else ""
    done = f"ended stages {', '.join(ended)}" if ended else "no stage has ended"
    return f"{name}, {what}is not closed yet: {done}{'; now ' + ', '.join(now) if now else ''}"
