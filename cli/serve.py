"""`evotrainer serve`: start campaigns from the Prefect UI, or on a schedule."""

from typing import Annotated

import typer


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(serve)


def serve(
    campaigns: Annotated[int, typer.Option("--campaigns", min=1, help="Campaigns at a time.")] = 2,
    trainings: Annotated[int, typer.Option("--trainings", min=1, help="Trainings at a time, of all campaigns.")] = 2,
    port: Annotated[int, typer.Option("--port", help="Port of the server, if one is started.")] = 4200,
) -> None:
    """Offer campaigns, versions, reproduction, evaluation and diagnosis in the Prefect UI, and start scheduled ones."""
    from evotrainer.errors import LineageError
    from flows.serving.server import SERVED, check_reachable, is_port_free, own_server, running_server, use_server
    from flows.workspace.worktree import project_root

    main = project_root()
    url = running_server(main)
    if url is not None:
        check_reachable(url)
        use_server(url)
        _serve(url, campaigns, trainings)
        return
    if not is_port_free(port):
        raise LineageError(f"port {port} is taken: choose another with --port, or set PREFECT_API_URL")
    with own_server(port, main / SERVED) as url:
        _serve(url, campaigns, trainings)


def _serve(url: str, campaigns: int, trainings: int) -> None:
    from flows.serving.deployments import Limits, serve_flows

    offered = "campaign, version, reproduce, evaluate, diagnose"
    print(f"deployments {offered}: {url.removesuffix('/api')}/deployments", flush=True)
    serve_flows(Limits(campaigns, trainings))
