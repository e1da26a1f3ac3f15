"""`evotrainer export | export-trajectories`: a policy for other programs, attempts for other systems."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.opening import read_campaign, version_of
from cli.output import Json, Name, RowsPath, print_json


class Stage(StrEnum):
    """Whose attempts of a version."""

    rollout = "rollout"
    training = "training"
    validation = "validation"


def export(
    name: Name,
    out: Annotated[Path, typer.Argument(help="A new folder for the model.")],
    version: Annotated[str | None, typer.Option("--version", help="Like v003; without it, the incumbent.")] = None,
    json: Json = False,
) -> None:
    """Write a version's policy as a plain Hugging Face directory, its adapter merged, with a model card."""
    from evotrainer.campaign.lineage import find, incumbent
    from evotrainer.campaign.repository import read_records
    from evotrainer.config import load_config
    from evotrainer.engines import policy_path
    from evotrainer.engines.checkpoint import export_policy
    from evotrainer.errors import LineageError
    from evotrainer.report.model_card import model_card

    files = read_campaign(name).files
    records, config = read_records(files), load_config(files.config)
    if version is None and any(record.spec.version == str(out) for record in records):
        raise LineageError(f"{out} is a version, and a folder is wanted: evotrainer export {name} DIR --version {out}")
    chosen = find(records, version or incumbent(records)).spec.version
    found = export_policy(policy_path(files, config, chosen), config.policy.path, out)
    (out / "README.md").write_text(model_card(files, chosen), encoding="utf-8")
    if json:
        print_json({"campaign": name, "version": chosen, "policy": found, "folder": str(out)})
    else:
        print(f"{chosen} of {name}, policy {found[:16]}: {out}")


def export_trajectories(
    out: Annotated[Path, typer.Argument(help="File to write: .jsonl or .parquet.")],
    name: Annotated[str | None, typer.Argument(help="The campaign's name.")] = None,
    version: Annotated[str | None, typer.Argument(help="A version, like v003.")] = None,
    target: Annotated[str, typer.Option("--to", help="evotrainer, verl, trl or verifiers.")] = "evotrainer",
    stage: Annotated[Stage, typer.Option(help="Which attempts of the version.")] = Stage.training,
    trajectories: RowsPath = None,
    source: Annotated[str, typer.Option("--from", help="The format of --trajectories; else it is recognised.")] = "",
) -> None:
    """Write attempts of a version, or of another system's file, in a format of your choice."""
    from evotrainer.errors import EvidenceError
    from evotrainer.evidence.export import export_rows
    from evotrainer.evidence.foreign.reading import read_foreign_rows

    if out.suffix not in (".jsonl", ".parquet"):
        raise EvidenceError(f"{out}: name a file that ends in .jsonl or .parquet")
    _check_folder(out)
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


def _check_folder(out: Path) -> None:
    """Raise EvidenceError for a file whose folder is not there, before rows are read."""
    from evotrainer.errors import EvidenceError

    try:
        is_there = out.parent.is_dir()
    except OSError as error:
        raise EvidenceError(f"{str(out)[:80]} cannot be written ({error.strerror}): name another file") from None
    if not is_there:
        raise EvidenceError(f"{out}: there is no folder {out.parent}: make it first")


def _stored_rows(name: str, version: str, stage: str) -> list[Any]:
    from evotrainer.errors import LineageError
    from evotrainer.evidence.rows import Rows

    folder = getattr(version_of(name, version)[1], stage)
    if not folder.is_dir():
        found = folder.parent.name
        raise LineageError(f"{found} has no {stage} attempts: choose another --stage, or go on with the campaign")
    return list(Rows.read(folder))
