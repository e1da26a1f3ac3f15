"""`evotrainer serve | gate | doctor`: campaigns from the Prefect UI, answers to what waits, and this machine."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from cli.common import Json, Name, checkout, print_json, print_line, read_campaign, tell
from evotrainer.errors import LineageError

MOST = 1000
UNREAD = "; this agent reads no text: it is recorded, and the next candidate is taken"


def serve(
    campaigns: Annotated[int, typer.Option("--campaigns", min=1, max=MOST, help="Campaigns at a time.")] = 2,
    trainings: Annotated[int, typer.Option("--trainings", min=1, max=MOST, help="Trainings at a time, of all.")] = 2,
    port: Annotated[
        int, typer.Option("--port", min=1, max=65535, help="Port of the server, if one is started.")
    ] = 4200,
) -> None:
    """Offer campaigns, versions and reproduction in the Prefect UI, and start scheduled ones."""
    from flows.serving.server import SERVED, check_reachable, is_port_free, own_server, running_server, use_server

    main = checkout()
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

    print(f"deployments campaign, version, reproduce: {url.removesuffix('/api')}/deployments", flush=True)
    serve_flows(Limits(campaigns, trainings))


class Answer(StrEnum):
    """The answers of a gate."""

    APPROVE = "approve"
    REVISE = "revise"
    ABORT = "abort"


def gate(
    name: Name,
    version: Annotated[str | None, typer.Argument(help="The version that waits, like v003.")] = None,
    decision: Annotated[
        Answer | None,
        typer.Argument(help="The answer, in either case; without one the question is shown.", case_sensitive=False),
    ] = None,
    text: Annotated[str, typer.Option("--text", help="For revise: what the agent is told. For abort: why.")] = "",
    json: Json = False,
) -> None:
    """Show what a campaign asks at its gates, or answer."""
    from evotrainer.campaign.gates import open_requests, reads_text
    from evotrainer.campaign.layout import parse_version
    from evotrainer.campaign.running import live_state
    from evotrainer.report.gates import for_terminal

    workspace = read_campaign(name)
    chosen = parse_version(version) if version else None
    state = live_state(workspace.files)
    runs = "" if state.is_running else f"; the campaign is {state.words.replace('`', '')}"
    waiting = [one for one in open_requests(workspace.files) if chosen in (None, one["version"])]
    if chosen and decision:
        if not waiting or runs:
            raise LineageError(f"{chosen} does not wait at a gate{runs}")
        _answer(waiting[0], decision.value, text)
        given = {"version": chosen, "gate": waiting[0]["gate"], "decision": decision.value, "text": text}
        note = "" if not text or decision != Answer.REVISE or reads_text(waiting[0]["agent"]) else UNREAD
        tell(json, given, f"{chosen} {given['gate']}: {decision.value}{note}")
        return
    if json:
        print_json(waiting)
        return
    for one in waiting:
        print(for_terminal(one["question"]))
        print(f"\nanswer: evotrainer gate {name} {one['version']} approve|revise|abort\n")
    print(f"{len(waiting)} of {name} wait{runs}")


def _answer(request: dict[str, Any], decision: str, text: str) -> None:
    """Resume the run that waits, on the server that it reports to."""
    import asyncio

    from flows.serving.server import use_server

    use_server(request["url"])
    from flows.serving.gates import answer

    asyncio.run(answer(request, decision, text))


def doctor(json: Json = False) -> None:
    """Check disk, memory, cores, sandbox, data and remote."""
    from flows.workspace.health import examine

    print_checks(examine(checkout()), json)


def print_checks(checks: list[Any], json: bool) -> None:
    """Print what was looked at, and end the command: with 1 where something is wrong."""
    if json:
        print_json([vars(found) for found in checks])
    else:
        for found in checks:
            print_line(f"{found.state:<8}{found.name}: {found.message}")
    raise typer.Exit(1 if any(found.state == "error" for found in checks) else 0)
