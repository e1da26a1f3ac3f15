"""`evotrainer campaign`: check, run, stop, schedule, list, status, push, gc, delete."""

import sys
from datetime import datetime
from typing import Annotated, Any

import typer

from cli.common import (
    Json,
    Name,
    Settings,
    campaign_names,
    checkout,
    output_width,
    print_json,
    print_line,
    print_rows,
    print_table,
    read_campaign,
    tell,
)
from cli.program import Listing, one_line, resumes
from cli.serving import print_checks
from evotrainer.errors import BudgetError, ConfigError, EvoTrainerError, LineageError

TERMINATED_STATUS = 143
app = typer.Typer(cls=Listing, no_args_is_help=True, help="Run campaigns and look after them.")


@app.command()
def run(
    name: Name,
    overrides: Settings = None,
    require_clean: Annotated[bool, typer.Option("--require-clean", help="Refuse uncommitted changes.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Start a campaign without settings: the defaults.")] = False,
) -> None:
    """Run a campaign, or go on with one that was interrupted."""
    import asyncio

    from flows.serving.server import SERVED, run_with_server
    from flows.workspace.start_campaign import known_settings, start_campaign
    from flows.workspace.worktree import campaign_lock, check_name, project_root

    def go_on(url: str) -> BudgetError | None:
        """Run the flow; return the error of a budget without room for a version."""
        from prefect import tags
        from prefect.exceptions import TerminationSignal

        from flows.campaign import campaign
        from flows.serving.runs import TAG

        print(f"campaign {name}: {workspace.root} · Prefect: {url.removesuffix('/api')}", flush=True)
        try:
            with tags(TAG):
                asyncio.run(campaign(name=name))
        except BudgetError as error:
            return error
        except TerminationSignal:
            print("ended by SIGTERM: the same command goes on where it stood", file=sys.stderr, flush=True)
            raise SystemExit(TERMINATED_STATUS) from None  # no error: a lost server is not looked for
        return None

    main = project_root()
    resumes()
    with campaign_lock(main, check_name(name)):
        settings = overrides or ([] if new else known_settings(main, name))
        workspace = start_campaign(main, name, settings, require_clean, _go_on_without_signal)
        no_room = run_with_server(main, workspace.root / SERVED, go_on)
    _print_end(workspace)
    if no_room is not None:
        raise no_room


def _go_on_without_signal() -> bool:
    return sys.stdin.isatty() and typer.confirm("Start all the same?", err=True)


@app.command()
def stop(name: Name, json: Json = False) -> None:
    """End a campaign that runs in another terminal, with its stage; `campaign run` goes on where it stood."""
    from flows.workspace.worktree import find_campaign, project_root, stop_holder

    pid = stop_holder(find_campaign(project_root(), name).main, name)
    stopped = f"campaign {name} is stopped; it goes on where it stood with: evotrainer campaign run {name}"
    tell(json, {"campaign": name, "pid": pid}, stopped)


@app.command()
def check(name: Name, overrides: Settings = None, json: Json = False) -> None:
    """Say what a campaign would run on and what is wrong with it, before anything starts; 1 where it cannot start."""
    from flows.workspace.start_campaign import examine_campaign
    from flows.workspace.worktree import check_name, project_root

    print_checks(examine_campaign(project_root(), check_name(name), overrides or []), json)


@app.command()
def schedule(
    name: Annotated[
        str | None, typer.Argument(help="Name of the campaigns; %Y%m%d... are filled in, else the date is added.")
    ] = None,
    overrides: Settings = None,
    cron: Annotated[str | None, typer.Option("--cron", help="When they start, like '0 22 * * *'.")] = None,
    until: Annotated[str, typer.Option("--until", help="Local time at which each must have ended, like 07:00.")] = "",
    timezone: Annotated[str, typer.Option("--timezone", help="Of --cron; this machine's where it is left out.")] = "",
    json: Json = False,
) -> None:
    """Start campaigns by the clock, which end by an hour, and list what is scheduled; `evotrainer serve` must run."""
    import asyncio

    from flows.serving.server import check_reachable, running_server, use_server
    from flows.workspace.worktree import check_name, project_root

    if name is not None and not cron:
        raise ConfigError(f"say when {name} starts, like --cron '0 22 * * *'; the Prefect UI removes a schedule")
    if name is None and (cron or until or timezone):
        raise ConfigError("name the campaigns that these options are for, before them")
    check_name(datetime.now().strftime(name or "x"))
    from flows.serving.deployments import make_schedule, put_schedule, read_schedules

    main = project_root()
    made = make_schedule(main, name, cron or "", until, timezone, overrides or []) if name else None
    url = running_server(main)
    if url is None:
        raise LineageError("no server keeps schedules: start `evotrainer serve`, then repeat")
    check_reachable(url)
    use_server(url)
    if made is not None:
        asyncio.run(put_schedule(made))
    _print_schedules(asyncio.run(read_schedules()), json)


def _print_schedules(schedules: list[Any], json: bool) -> None:
    rows = [
        {"cron": one.schedule.cron, "timezone": one.schedule.timezone, "active": one.active, **one.parameters}
        for one in schedules
        if hasattr(one.schedule, "cron")
    ]
    columns = ["name", "cron", "timezone", "until", "overrides"]
    cells = [[_words(row.get(column)) for column in columns] for row in rows]
    print_json(rows) if json else print_rows(columns, cells)


@app.command("list")
def list_campaigns(json: Json = False) -> None:
    """List all campaigns of this checkout."""
    from flows.workspace.worktree import Workspace

    rows = [listed(Workspace(checkout(), name)) for name in campaign_names()]
    columns = ["campaign", "versions", "open", "incumbent", "score", "running_pid", "disk"]
    cells = [[_words(row[name]) for name in columns] for row in rows]
    print_json(rows) if json else print_rows([name.removesuffix("_pid") for name in columns], cells)


@app.command()
def status(name: Name, json: Json = False) -> None:
    """Show where a campaign stands, and how it goes on."""
    from evotrainer.campaign.gates import waiting_lines
    from evotrainer.campaign.ledger import read_ledger, spent
    from evotrainer.campaign.repository import read_records
    from evotrainer.config import load_config
    from evotrainer.promotion.verdict_text import recipe_label
    from evotrainer.report.words import ending

    workspace = read_campaign(name)
    summary = _summary(workspace)
    records = read_records(workspace.files)
    summary["outcomes"] = {record.spec.version: record.verdict.outcome for record in records}
    summary["waiting"] = waiting_lines(workspace.files) if summary["running_pid"] else []
    summary["ended_by_gate"] = {record.spec.version: text for record in records if (text := ending(record))}
    price = load_config(workspace.files.config).budget.total.accelerator_price
    summary["spent"] = spent(read_ledger(workspace.files, price)).shown()
    summary["recipes"] = {record.spec.version: label for record in records if (label := recipe_label(record))}
    print_json(summary) if json else _print_summary(workspace, summary)


@app.command()
def push(
    name: Name,
    git_remote: Annotated[str | None, typer.Option("--git", help="Also push branch and tags to this remote.")] = None,
    json: Json = False,
) -> None:
    """Copy all closed versions, and the certificate, to the DVC remote."""
    pushed = _push(name, git_remote)
    tell(
        json,
        {"campaign": name, "pushed": pushed, "git": git_remote},
        f"{len(pushed)} versions of {name} are on the remote",
    )


def _push(name: str, git_remote: str | None = None) -> list[str]:
    import asyncio

    from flows.workspace.finish_version import push as push_versions
    from flows.workspace.git import git
    from flows.workspace.worktree import find_campaign, project_root

    workspace = find_campaign(project_root(), name)
    versions = workspace.closed_versions()
    if versions:
        asyncio.run(push_versions(workspace, versions))
    if git_remote:
        git(workspace.main, "push", git_remote, workspace.branch, *[workspace.tag(version) for version in versions])
    return versions


@app.command()
def gc(name: Name, json: Json = False) -> None:
    """Push a campaign, then free what neither this checkout nor any campaign refers to in the shared cache."""
    from flows.workspace.storage import collect_garbage
    from flows.workspace.worktree import find_campaign, project_root

    main = project_root()
    find_campaign(main, name)
    pushed = _push(name)
    freed = collect_garbage(main)
    said = f"{len(pushed)} versions of {name} are on the remote; {freed / 1e6:.1f} MB freed"
    tell(json, {"campaign": name, "pushed": pushed, "freed_bytes": freed}, said)


@app.command()
def delete(
    name: Name, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, json: Json = False
) -> None:
    """Delete a campaign's worktree, branch and tags; what was pushed to the remote stays there."""
    from evotrainer.records.base import count_of
    from flows.workspace.worktree import campaign_lock, find_campaign, project_root
    from flows.workspace.worktree import delete as delete_campaign

    workspace = find_campaign(project_root(), name)
    versions = workspace.closed_versions()
    if not yes:
        typer.confirm(f"Delete campaign {name} with {count_of(len(versions), 'version')}?", abort=True, err=True)
    with campaign_lock(workspace.main, name):
        delete_campaign(workspace)
    tell(json, {"campaign": name, "deleted": versions}, f"campaign {name} is deleted")


def listed(workspace: Any) -> dict[str, Any]:
    """Return the summary of a campaign; one that cannot be read is said on the error stream, and has its name alone."""
    from flows.workspace.worktree import is_in_place

    try:
        if not is_in_place(workspace):
            raise LineageError(f"its folder is not here: evotrainer campaign status {workspace.name} brings it back")
        return _summary(workspace)
    except EvoTrainerError as error:
        print(f"note: {workspace.name}: {one_line(error)}", file=sys.stderr)
        closed = workspace.closed_versions()
        unknown = dict.fromkeys(["incumbent", "score", "running_pid", "disk", "disk_bytes"])
        return {"campaign": workspace.name, "versions": len(closed), "open": [], **unknown}


def _summary(workspace: Any) -> dict[str, Any]:
    from evotrainer.campaign.ledger import bytes_text, disk_used
    from evotrainer.campaign.lineage import campaign_floor, incumbent
    from evotrainer.campaign.repository import open_versions, read_records
    from evotrainer.config import load_config
    from evotrainer.engines import policy_path
    from evotrainer.promotion.verdict_text import describe_floor
    from evotrainer.report.data import harness_line
    from evotrainer.report.decision import certified
    from flows.workspace.worktree import holder

    records, config = read_records(workspace.files), load_config(workspace.files.config)
    certificate = workspace.files.certified.find()
    best = incumbent(records) if records else None
    verdict = next((record.verdict for record in records if record.spec.version == best), None)
    closed, used = workspace.closed_versions(), disk_used(workspace.root)
    return {
        "campaign": workspace.name,
        "versions": len(closed),
        "open": open_versions(workspace.files, closed),
        "incumbent": best,
        "score": verdict and verdict.score,
        "greedy_score": verdict and verdict.greedy_score,
        "policy": None if best is None else str(policy_path(workspace.files, config, best)),
        "running_pid": holder(workspace.main, workspace.name),
        "noise_floor": describe_floor(campaign_floor(records)),
        "harness": harness_line(workspace.files, config),
        "certificate": None if certificate is None else certified(certificate),
        "root": str(workspace.root),
        "disk": bytes_text(used),
        "disk_bytes": used,
    }


LABELS = {
    "versions": "closed versions",
    "open": "open versions",
    "incumbent": "incumbent",
    "score": "score",
    "greedy_score": "greedy",
    "certificate": "certificate",
    "waiting": "waits for you",
    "outcomes": "verdicts",
    "ended_by_gate": "ended at a gate",
    "recipes": "recipes",
    "noise_floor": "noise floor",
    "harness": "harness",
    "spent": "spent",
    "policy": "policy",
    "root": "folder",
    "disk": "disk",
}
"""{value of a summary: what a person reads before it}, in this order; what has no value is left out."""


def _print_summary(workspace: Any, summary: dict[str, Any]) -> None:
    """Print a summary as `what: value` lines, which a program can grep too."""
    from evotrainer.campaign.running import live_state
    from evotrainer.config import load_config
    from evotrainer.report.words import score_meaning

    state = live_state(workspace.files)
    attempts = load_config(workspace.files.config).evaluate.attempts
    print_line(f"{workspace.name}: {state.words}")
    for stage in state.stages:
        print_line(f"now: {stage.subject} {stage.stage} for {stage.seconds:.0f} s: {stage.line}")
    for key, label in LABELS.items():
        if text := _words(summary.get(key)):
            print_line(f"{label}: {text}{f', {score_meaning(attempts)}' if key == 'score' else ''}")


def _words(value: Any) -> str:
    """Return a value of a summary as a person reads it; empty where there is none."""
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    if isinstance(value, float):
        return f"{value:.4f}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _print_end(workspace: Any) -> None:
    """Print the lineage, then lines that a program can grep."""
    from evotrainer.campaign.repository import read_records
    from evotrainer.report.words import lineage_table

    print_table(lineage_table(read_records(workspace.files), output_width()))
    _print_summary(workspace, _summary(workspace))
    for path in sorted((workspace.root / "report").glob("*.*")):
        print(f"{path.stem}: {path}")
