"""`evotrainer gate`: what a campaign asks a person, and the answer."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from cli.output import Json, Name, print_json


class Decision(StrEnum):
    """The answers of a gate."""

    APPROVE = "approve"
    REVISE = "revise"
    ABORT = "abort"


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(gate)


def gate(
    name: Name,
    version: Annotated[str | None, typer.Argument(help="The version that waits, like v003.")] = None,
    decision: Annotated[
        Decision | None,
        typer.Argument(help="The answer, in either case; without one the question is shown.", case_sensitive=False),
    ] = None,
    text: Annotated[str, typer.Option("--text", help="For revise: what the agent is told. For abort: why.")] = "",
    json: Json = False,
) -> None:
    """Show what a campaign asks at its gates, or answer."""
    from evotrainer.campaign.gates import open_requests
    from evotrainer.campaign.layout import parse_version
    from evotrainer.errors import LineageError
    from evotrainer.report.gates import for_terminal
    from flows.workspace.closed_versions import readable_campaign
    from flows.workspace.worktree import holder, project_root

    workspace = readable_campaign(project_root(), name)
    chosen = parse_version(version) if version else None
    runs = "" if holder(workspace.main, name) else f"; the campaign does not run: evotrainer campaign run {name}"
    waiting = [one for one in open_requests(workspace.files) if chosen in (None, one["version"])]
    if chosen and decision:
        if not waiting or runs:
            raise LineageError(f"{chosen} does not wait at a gate{runs}")
        _answer(waiting[0], decision.value, text)
        if json:
            print_json({"version": chosen, "gate": waiting[0]["gate"], "decision": decision.value, "text": text})
        else:
            print(f"{chosen} {waiting[0]['gate']}: {decision.value}")
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
