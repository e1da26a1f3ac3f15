"""`evotrainer doctor`: what this machine and checkout have, and what to do about what they lack."""

import typer

from cli.output import Json, print_json


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(doctor)


def doctor(json: Json = False) -> None:
    """Check Python, git, DVC, Prefect, disk, cores, memory, cache, remote, and campaigns that were interrupted."""
    from flows.workspace.health import examine
    from flows.workspace.worktree import project_root

    checks = examine(project_root())
    if json:
        print_json([check.__dict__ for check in checks])
    else:
        for check in checks:
            print(f"{check.state:<8}{check.name}: {check.message}")
    raise typer.Exit(1 if any(check.state == "error" for check in checks) else 0)
