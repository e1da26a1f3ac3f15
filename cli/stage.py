"""`evotrainer stage`: run one stage of a version by hand, through DVC, and see its whole output."""

from typing import Annotated

import typer

from cli.output import Name, Version


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(stage)


def stage(
    name: Name,
    version: Version,
    stage: Annotated[str, typer.Argument(help="rollout, diagnose, propose, backtest, train or evaluate.")],
    force: Annotated[bool, typer.Option("--force", help="Run it even if nothing changed.")] = False,
) -> None:
    """Run one stage of a version with the campaign's code; exit with 1 where it failed."""
    import subprocess
    import sys
    from pathlib import Path

    from evotrainer.campaign.layout import parse_version
    from evotrainer.campaign.subjects import Subject
    from flows.workspace.lock import campaign_lock
    from flows.workspace.worktree import find_campaign, find_version, project_root
    from tasks.running.dvc import stage_target
    from tasks.running.stage_process import stage_environment

    workspace = find_campaign(project_root(), name)
    target = stage_target(Subject.version(find_version(workspace, parse_version(version))), stage)
    options = ["--single-item", "--force"] if force else ["--single-item"]
    command = [str(Path(sys.executable).parent / "dvc"), "repro", *options, target]
    with campaign_lock(workspace.main, name):
        done = subprocess.run(command, cwd=workspace.root, env=stage_environment(workspace.root, stage), check=False)
    raise typer.Exit(1 if done.returncode else 0)
