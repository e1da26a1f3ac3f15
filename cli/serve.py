"""`evotrainer serve`: start campaigns from the Prefect UI, or on a schedule."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathlib import Path


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(serve)


def serve(
    cron: Annotated[str | None, typer.Option("--cron", help="Schedule of new campaigns, like '0 22 * * *'.")] = None,
    name: Annotated[
        str, typer.Option("--name", help="Name of a scheduled campaign; %Y%m%d... are filled in.")
    ] = "night-%Y%m%d-%H%M",
    override: Annotated[list[str] | None, typer.Option("--set", help="Setting of such campaigns, KEY=VALUE.")] = None,
    campaigns: Annotated[int, typer.Option("--campaigns", min=1, help="Campaigns at a time.")] = 2,
    trainings: Annotated[int, typer.Option("--trainings", min=1, help="Trainings at a time, of all campaigns.")] = 2,
    port: Annotated[int, typer.Option("--port", help="Port of the server, if one is started.")] = 4200,
) -> None:
    """Offer campaigns, versions, reproduction, evaluation and diagnosis in the Prefect UI, and start scheduled ones."""
    from functools import partial

    from flows.serving.server import announce, check_reachable, configure, is_port_free, own_server, running_server
    from flows.workspace.worktree import project_root

    main = project_root()
    run = partial(_serve, main, cron, name, override or [], (campaigns, trainings))
    configure(main)
    url = running_server(main)
    if url is not None:
        import os

        check_reachable(url)
        os.environ["PREFECT_API_URL"] = url
        run(url)
        return
    if not is_port_free(port):
        from evotrainer.errors import LineageError

        raise LineageError(f"port {port} is taken: choose another with --port, or set PREFECT_API_URL")
    from flows.serving.database import prefect_home

    with own_server(main, port, prefect_home(main) / "serve.db") as url:
        note = announce(main, url)
        try:
            run(url)
        finally:
            note.unlink(missing_ok=True)


def _serve(main: "Path", cron: str | None, name: str, overrides: list[str], limits: tuple[int, int], url: str) -> None:
    from flows.serving.deployments import Limits, serve_flows

    offered = "campaign, version, reproduce, evaluate, diagnose"
    print(f"deployments {offered}: {url.removesuffix('/api')}/deployments", flush=True)
    serve_flows(main, cron, name, overrides, Limits(*limits))
