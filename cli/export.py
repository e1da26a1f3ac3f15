"""`evotrainer export`: a policy for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from cli.opening import read_campaign
from cli.output import Json, Name, print_json


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
