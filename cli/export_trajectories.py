"""`evotrainer export-trajectories`: attempts in the form of another system."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.paths import named_path


class Stage(StrEnum):
    """Whose attempts of a version."""

    rollout = "rollout"
    training = "training"
    validation = "validation"


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command("export-trajectories")(export_trajectories)


def export_trajectories(
    out: Annotated[Path, typer.Argument(help="File to write: .jsonl or .parquet.")],
    name: Annotated[str | None, typer.Argument(help="The campaign's name.")] = None,
    version: Annotated[str | None, typer.Argument(help="A version, like v003.")] = None,
    target: Annotated[str, typer.Option("--to", help="evotrainer, verl, trl or verifiers.")] = "evotrainer",
    stage: Annotated[Stage, typer.Option(help="Which attempts of the version.")] = Stage.training,
    trajectories: Annotated[
        Path | None,
        typer.Option(
            "--trajectories",
            parser=named_path,
            metavar="<path>",
            help="Instead of a version: a file or folder of another system.",
        ),
    ] = None,
    source: Annotated[str, typer.Option("--from", help="The format of --trajectories; else it is recognised.")] = "",
) -> None:
    """Write attempts of a version, or of another system's file, in a format of your choice."""
    from evotrainer.errors import EvidenceError
    from evotrainer.evidence.export import export_rows
    from evotrainer.evidence.foreign.reading import read_foreign_rows

    if out.suffix not in (".jsonl", ".parquet"):
        raise EvidenceError(f"{out}: name a file that ends in .jsonl or .parquet")
    if reason := _why_unwritable(out):
        raise EvidenceError(reason)
    if trajectories is not None and name is not None:
        raise EvidenceError("say one thing to export: OUT NAME VERSION, or OUT --trajectories FILE")
    if trajectories is not None:
        rows = read_foreign_rows(trajectories, source).rows
    elif name is not None and version is not None:
        rows = _stored_rows(name, version, stage.value)
    else:
        raise EvidenceError("say what to export: OUT NAME VERSION, or OUT --trajectories FILE")
    try:
        export_rows(rows, out, target)
    except OSError as error:
        raise EvidenceError(f"{out} cannot be written ({error.strerror or error}): name another file") from None
    print(f"{len(rows)} trajectories as {target}: {out}")


def _why_unwritable(out: Path) -> str:
    """Return why a file cannot be written, before its rows are read; empty where nothing is seen to be in the way."""
    try:
        is_there = out.parent.is_dir()
    except OSError as error:
        return f"{str(out)[:80]} cannot be written ({error.strerror}): name another file"
    return "" if is_there else f"{out}: there is no folder {out.parent}: make it first"


def _stored_rows(name: str, version: str, stage: str) -> list[Any]:
    from evotrainer.campaign.layout import parse_version
    from evotrainer.errors import LineageError
    from evotrainer.evidence.rows import Rows
    from flows.workspace.worktree import find_campaign, find_version, project_root

    workspace = find_campaign(project_root(), name)
    found = find_version(workspace, parse_version(version))
    folder = getattr(workspace.files.version(found), stage)
    if not folder.is_dir():
        raise LineageError(f"{found} has no {stage} attempts: choose another --stage, or go on with the campaign")
    return list(Rows.read(folder))
