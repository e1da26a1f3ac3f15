"""The budget of a campaign in its flow: the clock of a run, and the end.

tasks/plan plans as many versions as fit, tasks/running/budget_watch.py stops a stage at a limit.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from conf.compose import load_campaign
from evotrainer.campaign.allowance import (
    BudgetSummary,
    budget_line,
    budget_summary,
    clock_path,
    is_over,
    read_allowance,
    summarise_budget,
)
from evotrainer.campaign.documents import read_numbers, write_json_atomic
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.ledger import SECONDS_AN_HOUR, WHOLE, read_ledger, spent
from evotrainer.campaign.repository import read_records
from evotrainer.config.campaign import end_of_run
from evotrainer.errors import BudgetError
from evotrainer.search.base import num_trained
from flows.workspace.git import commit
from flows.workspace.worktree import Workspace
from tasks.running.notify import send_notice
from tasks.running.progress import progress

RUNNING = "running"
"""In the clock of a run that has not ended."""


@contextmanager
def run_clock(workspace: Workspace) -> Iterator[None]:
    """Write the clock of this run for its stages, and add its seconds to those of earlier runs."""
    total, path = load_campaign(workspace.files).budget.total, clock_path(workspace.files)
    if not total.is_limited:
        path.unlink(missing_ok=True)
        yield
        return
    started, earlier = time.monotonic(), read_numbers(path).get("seconds", 0.0) + _seconds_of_a_killed_run(path)
    clock = {"seconds": earlier, RUNNING: 1.0}
    if total.hours:
        clock["ends_after"] = started + total.hours * SECONDS_AN_HOUR - earlier
    if total.until:
        clock["ends_at"] = end_of_run(total.until, datetime.now()).timestamp()
    write_json_atomic(path, clock)
    try:
        yield
    finally:
        write_json_atomic(path, {"seconds": earlier + time.monotonic() - started})


def _seconds_of_a_killed_run(clock: Path) -> float:
    """Return how long a run went on that left its clock running: until its stages last wrote to their logs."""
    if RUNNING not in read_numbers(clock):
        return 0.0
    logs = (clock.parents[1] / "logs").glob("*/*.log")
    return max([0.0, *(log.stat().st_mtime - clock.stat().st_mtime for log in logs)])


def charge_version(workspace: Workspace, version: str, started: float) -> None:
    """Note the wall clock of a whole version: what its stages do not see is storing and committing."""
    if load_campaign(workspace.files).budget.total.is_limited:
        path = workspace.files.version(version).costs / f"{WHOLE}.json"
        write_json_atomic(path, {"wall_seconds": round(time.monotonic() - started, 3)}, indent=2)


def ended_before(workspace: Workspace, is_closed: bool) -> bool:
    """Tell whether how the campaign ended is written and stands, and say it; `is_closed` by its certificate."""
    config, found = load_campaign(workspace.files), budget_summary(workspace.files).find()
    if found is None or not (is_closed or is_over(workspace.files, config)):
        return False
    if found.reason:
        progress().line(budget_line(found, workspace.files.config, is_closed))
    return True


def can_certify(workspace: Workspace) -> bool:
    """Tell whether the certificate fits into what is left."""
    config = load_campaign(workspace.files)
    if not config.budget.total.is_limited:
        return True
    found = read_allowance(workspace.files, config)
    return not found.certificate.beyond(found.limits.minus(found.spent))


def judge_end(workspace: Workspace, stopped: str) -> BudgetSummary | None:
    """Return how the campaign ends, before its certificate is made; None without a budget.

    `stopped` is the error of a stage that a limit stopped, empty where none was.
    """
    config, files = load_campaign(workspace.files), workspace.files
    if not config.budget.total.is_limited:
        return None
    allowance = read_allowance(files, config)
    missing = min(config.num_versions, config.num_versions - num_trained(read_records(files)))
    is_short = missing > 0 and (bool(stopped) or allowance.versions(1) < 1)
    left_out = [f"{missing} of {config.num_versions} versions"] if is_short else []
    return summarise_budget(config, allowance, stopped, left_out)


async def write_summary(workspace: Workspace, found: BudgetSummary | None) -> None:
    """Write and commit how a campaign with a budget ended, print what it left out, and send notice of that."""
    if found is None:
        return
    files = workspace.files
    price = load_campaign(files).budget.total.accelerator_price
    lost = [] if files.certified.exists() else ["the certificate on the sealed test split"]
    found = found.model_copy(
        update={
            "left_out": [*found.left_out, *lost],
            "spent": spent(read_ledger(files, price)).as_dict(),
            "ended_at": datetime.now().isoformat(timespec="seconds"),
        }
    )
    budget_summary(files).write(found)
    commit(workspace.root, "How the campaign ended", ["budget.json"])
    if found.reason:
        line = budget_line(found, files.config, not lost)
        progress().line(line)
        await send_notice(files, "budget", "budget", line, "warning")


def check_room(workspace: Workspace) -> None:
    """Raise BudgetError where the campaign ended at its budget before any version but the base policy was closed."""
    found = budget_summary(workspace.files).find()
    if found is not None and found.reason and set(workspace.closed_versions()) <= {BASE_VERSION}:
        raise BudgetError(f"the budget of {workspace.name} has no room for a single version: {found.reason}")
