"""`crashes`: a campaign that is killed at every kill point, beside one that is left alone."""

from pathlib import Path
from typing import Annotated

import typer


def crashes(
    settings: Annotated[list[str] | None, typer.Argument(help="Settings of the campaign, KEY=VALUE.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the two clones and the marks lie.")] = Path("build/crashes"),
    at: Annotated[list[str] | None, typer.Option(help="Only points whose name contains this; may be repeated.")] = None,
    points: Annotated[int, typer.Option(min=1, help="Kill at so many points, spread over their kinds.")] = 10_000,
    full: Annotated[bool, typer.Option("--full", help="A full disk, from a write on, in place of each kill.")] = False,
) -> None:
    """Kill a campaign at each git command, stage and rename, and compare its end with an undisturbed one."""
    from benchmarks.crashes.walk import walk
    from flows.workspace.worktree import project_root

    chosen = settings or ["num_versions=2", "budget=short", "memory=none"]
    action = "full" if full else "kill"
    found = walk(
        project_root(), folder.resolve(), chosen, at or [], points, lambda line: print(line, flush=True), action
    )
    repeated = [len(kill.repeated) for kill in found.kills]
    print(f"points: {found.points} of {found.kinds} kinds")
    print(f"kills: {len(found.kills) - 1}")
    print(f"repeated stages: {sum(repeated)}, at most {max(repeated)} after one kill")
    orphans = sum(len(kill.orphans) for kill in found.kills)
    print(f"orphans: {orphans}")
    print(f"seconds: {found.seconds:.0f}")
    for title, lines in (("differs", found.differences), ("left", found.leftovers)):
        for line in lines:
            print(f"{title}: {line}")
    print(f"same_end: {not found.differences and not found.leftovers}")
    raise typer.Exit(1 if found.differences or found.leftovers or orphans else 0)


def resumed(
    settings: Annotated[list[str] | None, typer.Argument(help="Settings of the campaign, KEY=VALUE.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the two clones lie.")] = Path("build/resumed"),
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of all kill points behind which it is killed.")
    ] = 0.5,
) -> None:
    """CPU seconds of a campaign that is killed once and run again, over those of an undisturbed one."""
    from benchmarks.crashes.resumed import kill_once
    from flows.workspace.worktree import project_root

    chosen = settings or ["num_versions=2", "budget=short", "memory=none"]
    found = kill_once(project_root(), folder.resolve(), chosen, share, lambda line: print(line, flush=True))
    print(f"killed: {found.killed:.1f}")
    print(f"resumed: {found.resumed:.1f}")
    print(f"ratio: {found.ratio:.2f}")
    print(f"same_end: {found.is_same}")
    raise typer.Exit(0 if found.is_same else 1)
