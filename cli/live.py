"""`evotrainer watch`: a campaign while it runs, in the terminal."""

import sys

import typer

from cli.output import Json, Name, print_json
from cli.visible import styled


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(watch)


def watch(name: Name, json: Json = False) -> None:
    """Show a campaign in the terminal until it ends: stages, tokens/s, curves, findings, verdicts."""
    from dataclasses import asdict
    from functools import partial

    from rich.console import Console

    from evotrainer.report.running import live_state
    from evotrainer.report.watch import watch as watch_campaign
    from flows.workspace.closed_versions import check_results, readable_campaign
    from flows.workspace.worktree import project_root

    workspace = readable_campaign(project_root(), name)
    if json:
        print_json(asdict(live_state(workspace.files)))
        return
    console = Console(file=styled(sys.stdout), highlight=False)
    watch_campaign(workspace.files, console, partial(check_results, workspace))
