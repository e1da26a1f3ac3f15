"""`faults`: what ends a night, done to a short campaign."""

from pathlib import Path
from typing import Annotated

import typer


def faults(
    names: Annotated[list[str] | None, typer.Argument(help="Names of faults; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Of the moments that are drawn.")] = 0,
    suspended: Annotated[float, typer.Option(min=1, help="Seconds of the suspension.")] = 90.0,
    folder: Annotated[Path, typer.Option(help="A folder, for clones and their campaigns.")] = Path("build/faults"),
) -> None:
    """Kills, full disks, lost servers and the like: how a campaign goes on, and whether its end is the same."""
    from benchmarks.faults.bench import run_faults
    from benchmarks.faults.rows import FAULTS
    from evotrainer.errors import ConfigError
    from flows.workspace.worktree import project_root

    if unknown := [name for name in names or () if name not in FAULTS]:
        raise ConfigError(f"no fault is called {', '.join(unknown)}: choose of {', '.join(FAULTS)}")
    raise typer.Exit(0 if run_faults(project_root(), folder.resolve(), names or (), seed, suspended) else 1)
