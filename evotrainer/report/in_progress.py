"""What a campaign does now, read from its files alone: the stages that run, with their last lines.

Nothing is asked of Prefect or of the process that runs the campaign, so that a view works for a campaign that was
interrupted too.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.campaign.allowance import budget_summary
from evotrainer.campaign.gates import waiting_lines
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.ledger import WHOLE
from evotrainer.campaign.running import MARK, last_line, lock_holder, running_since
from evotrainer.config import load_config
from evotrainer.report.data import settings_data

MAX_LINE_CHARACTERS = 200
NOT_PLANNED = f"the base policy {BASE_VERSION} is not evaluated yet, and nothing of it has started"


@dataclass(frozen=True)
class RunningStage:
    """A stage of a version, or of the campaign itself, that runs."""

    subject: str
    stage: str
    seconds: float
    """Since its start."""
    line: str
    """The last line of its log."""


@dataclass(frozen=True)
class LiveState:
    """A campaign at one moment."""

    campaign: str
    is_running: bool
    is_certified: bool
    stages: list[RunningStage]
    waiting: list[str]
    """Of each question that waits for a person, what to do."""

    @property
    def words(self) -> str:
        """Return in a few words where the campaign stands."""
        if self.is_running:
            return "; ".join(self.waiting) or "running"
        return (
            "finished"
            if self.is_certified
            else f"not running: `evotrainer campaign run {self.campaign}` goes on with it"
        )


def live_state(files: CampaignFiles) -> LiveState:
    """Return what the campaign does now."""
    main = files.root.parents[1]
    holder = lock_holder(main / "scratch" / "locks" / f"{files.root.name}.lock")
    is_running = holder is not None
    marks = sorted(files.root.glob(f"scratch/logs/*/*{MARK}")) if holder else []
    stages = [stage for mark in marks if (stage := _stage(files, mark.with_suffix(".log"), holder or 0))]
    waiting = waiting_lines(files) if is_running else []
    is_certified = files.certified.exists()
    return LiveState(files.root.name, is_running, is_certified, stages, waiting)


def _stage(files: CampaignFiles, log: Path, holder: int) -> RunningStage | None:
    """Return the stage of a log; None where it does not run."""
    started = running_since(log, holder)
    if started is None:
        return None
    subject, stage = log.parent.name, log.stem
    return RunningStage(subject, stage, time.monotonic() - started, last_line(log)[:MAX_LINE_CHARACTERS])


def in_progress_data(files: CampaignFiles) -> dict[str, Any]:
    """Return plain values of a campaign without a closed version, under the names of report_data."""
    state, stopped = live_state(files), budget_summary(files).find()
    standing = [_standing(files.version(name), state.stages) for name in files.version_names()]
    return {
        "campaign": files.root.name,
        "settings": settings_data(load_config(files.config)),
        "versions": [],
        "standing": standing or [NOT_PLANNED],
        "state": f"ended at its budget: {stopped.reason}" if stopped and stopped.reason else state.words,
    }


def _standing(own: VersionFiles, running: list[RunningStage]) -> str:
    """Return in a line what is done of an open version and what runs."""
    name = own.root.name
    ended = sorted(path.stem for path in own.costs.glob("*.json") if path.stem != WHOLE)
    now = [f"{one.stage} for {one.seconds:.0f} s: {one.line}" for one in running if one.subject == name]
    what = "the base policy, " if name == BASE_VERSION else ""
    done = f"ended stages {', '.join(ended)}" if ended else "no stage has ended"
    return f"{name}, {what}is not closed yet: {done}{'; now ' + ', '.join(now) if now else ''}"
