"""`evotrainer serve`: start campaigns from the Prefect UI, or on a schedule."""

from typing import Annotated

import typer


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(serve)


def serve(
    cron: Annotated[str | None, typer.Option("--cron", help="Schedule of new campaigns, like '0 22 * * *'.")] = None,
    name: Annotated[
        str, typer.Option("--name", help="Name of a scheduled campaign; %Y%m%d... are filled in.")
    ] = "night-%Y%m%d-%H%M",
    override: Annotated[list[str] | None, typer.Option("--set", help="Setting of such campaigns, KEY=VALUE.")] = None,
    port: Annotated[int, typer.Option("--port", help="Port of the server, if one is started.")] = 4200,
) -> None:
    """Offer the campaign and version flows as deployments, on the configured Prefect server or one started here."""
    from flows.serving.server import announce, check_reachable, configure, is_port_free, own_server, running_server
    from flows.workspace.worktree import project_root

    main = project_root()
    configure(main)
    url = running_server(main)
    if url is not None:
        import os

        check_reachable(url)
        os.environ["PREFECT_API_URL"] = url
        _serve(url, cron, name, override)
        return
    if not is_port_free(port):
        from evotrainer.errors import LineageError

        raise LineageError(f"port {port} is taken: choose another with --port, or set PREFECT_API_URL")
    from flows.serving.database import prefect_home

    with own_server(main, port, prefect_home(main) / "serve.db") as url:
        note = announce(main, url)
        try:
            _serve(url, cron, name, override)
        finally:
            note.unlink(missing_ok=True)


def _serve(url: str, cron: str | None, name: str, overrides: list[str] | None) -> None:
    from flows.serving.deployments import serve_flows

    print(f"deployments campaign/campaign and version/version: {url.removesuffix('/api')}/deployments", flush=True)
    serve_flows(cron, name, overrides or [])
