"""`evotrainer watch | ui`: a campaign while it runs, in the terminal and as a local page."""

import sys
from typing import Annotated

import typer

from cli.output import Json, Name, print_json
from cli.visible import styled


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(watch)
    app.command()(ui)


def watch(name: Name, json: Json = False) -> None:
    """Show a campaign in the terminal until it ends: stages, tokens/s, curves, findings, verdicts."""
    from dataclasses import asdict
    from functools import partial

    from rich.console import Console

    from evotrainer.report.live.live import live_state
    from evotrainer.report.live.watch import watch as watch_campaign
    from flows.workspace.recorded import check_results, readable_campaign
    from flows.workspace.worktree import project_root

    workspace = readable_campaign(project_root(), name)
    if json:
        print_json(asdict(live_state(workspace.files)))
        return
    console = Console(file=styled(sys.stdout), highlight=False)
    watch_campaign(workspace.files, console, partial(check_results, workspace))


def ui(
    name: Name,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free port.")] = 0,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve a local page of a campaign that follows it while it runs; Ctrl-C ends it. It changes nothing."""
    from functools import partial

    from evotrainer.report.live.serve import serve
    from flows.workspace.recorded import check_results, readable_campaign
    from flows.workspace.worktree import project_root

    workspace = readable_campaign(project_root(), name)
    serve(workspace.files, port, show, partial(check_results, workspace))
