"""`evotrainer gate`: what a campaign asks a person, and the answer."""

from enum import StrEnum
from typing import Annotated

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
    from evotrainer.campaign.gate_requests import give_answer, open_requests
    from evotrainer.campaign.layout import parse_version
    from evotrainer.report.gates import for_terminal
    from flows.workspace.lock import holder
    from flows.workspace.recorded import readable_campaign
    from flows.workspace.worktree import project_root

    workspace = readable_campaign(project_root(), name)
    chosen = parse_version(version) if version else None
    runs = "" if holder(workspace.main, name) else f"; the campaign does not run: evotrainer campaign run {name}"
    if chosen and decision:
        answered = give_answer(workspace.files, chosen, decision.value, text)
        if json:
            print_json({"version": chosen, "gate": answered, "decision": decision.value, "text": text})
        else:
            print(f"{chosen} {answered}: {decision.value}{runs}")
        return
    waiting = [one for one in open_requests(workspace.files) if chosen in (None, one["version"])]
    if json:
        print_json(waiting)
        return
    for one in waiting:
        print(for_terminal(one["question"]))
        print(f"\nanswer: evotrainer gate {name} {one['version']} approve|revise|abort\n")
    print(f"{len(waiting)} of {name} wait{runs}")
