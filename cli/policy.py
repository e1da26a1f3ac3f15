"""`evotrainer policy | export`: get a base policy, warm it up, and write a trained one for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.common import Json, Name, Settings, checkout, read_campaign, tell, version_of
from cli.program import Listing
from evotrainer.errors import LineageError

if TYPE_CHECKING:
    from evotrainer.evidence.rows import Rows

ROWS = 640
"""Worked answers that are shown where the settings do not say."""
app = typer.Typer(cls=Listing, no_args_is_help=True, help="Get a base policy, and warm it up.")


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="smollm2-135m, a GGUF file, or OWNER/NAME of a Hugging Face hub.")],
    out: Annotated[Path | None, typer.Argument(help="A new folder for the policy; else policies/NAME.")] = None,
    revision: Annotated[str, typer.Option(help="Commit, branch or tag on the hub; its newest commit otherwise.")] = "",
    json: Json = False,
) -> None:
    """Download a language model as a directory for policy.path; nothing that is downloaded is run."""
    from evotrainer.engines.checkpoint import policy_hash
    from evotrainer.engines.fetch import bytes_needed, fetch_policy
    from flows.workspace.storage import MIN_FREE_BYTES, check_free_space

    main = checkout()
    folder = out or main / "policies" / Path(name).name.removesuffix(".gguf")
    check_free_space(folder.absolute(), MIN_FREE_BYTES + bytes_needed(name))
    fetch_policy(name, revision, folder)
    found = policy_hash(folder)
    tell(json, {"from": name, "policy": found, "folder": str(folder)}, f"{name}, policy {found}: {folder}")


@app.command()
def sft(
    policy: Annotated[Path, typer.Argument(help="The folder of a policy.")],
    data: Annotated[Path, typer.Argument(help="Problems with worked answers: a file, or a folder of splits.")],
    out: Annotated[Path, typer.Argument(help="A new folder for the policy.")],
    settings: Settings = None,
    against: Annotated[
        Path | None, typer.Option(help="Problems judged on, where DATA is demonstrations alone.")
    ] = None,
    attempts: Annotated[
        str, typer.Option(help="NAME/VERSION, or a file of graded rollouts: their right attempts are the answers.")
    ] = "",
    json: Json = False,
) -> None:
    """Train a policy on worked answers, 640 or warm_up.rows=N, under the SETTINGS of the campaign that follows."""
    from evotrainer.engines.memory import check_memory
    from evotrainer.training.warm_up import read_demonstrations, right_attempts, warm_up
    from flows.workspace.checks import start_of
    from flows.workspace.policy_checks import look_at_policy, version_bytes
    from flows.workspace.storage import MIN_FREE_BYTES, check_free_space

    main = checkout()
    start = start_of(main, [f"warm_up.rows={ROWS}", *(settings or []), f"policy.path={policy.resolve()}"], None)
    look_at_policy(start)
    own = right_attempts(_rows_of(attempts)) if attempts else None
    shown = read_demonstrations(data, against, start.config, attempts=own)
    check_memory(start.config, policy, [problem.prompt for problem in shown.problems])
    check_free_space(out.absolute(), MIN_FREE_BYTES + version_bytes(start))
    warmed = warm_up(start.config, policy, shown, out)
    made, found = f"{len(shown.problems)} worked answers", warmed.policy_hash
    tell(json, {"from": made, "policy": found, "folder": str(out)}, f"{made}, policy {found}: {out}")


def _rows_of(attempts: str) -> "Rows":
    """Return the training attempts of a version, or the attempts of a file."""
    if Path(attempts).exists():
        from evotrainer.evidence.foreign.reading import read_foreign_rows

        return read_foreign_rows(Path(attempts)).rows
    from evotrainer.evidence.rows import Rows

    name, _, version = attempts.partition("/")
    return Rows.read(version_of(name, version)[1].training)


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
    from evotrainer.report.decision import model_card

    files = read_campaign(name).files
    records, config = read_records(files), load_config(files.config)
    if version is None and any(record.spec.version == str(out) for record in records):
        raise LineageError(f"{out} is a version, and a folder is wanted: evotrainer export {name} DIR --version {out}")
    chosen = find(records, version or incumbent(records)).spec.version
    found = export_policy(policy_path(files, config, chosen), config.policy.path, out)
    (out / "README.md").write_text(model_card(files, chosen), encoding="utf-8")
    told = {"campaign": name, "version": chosen, "policy": found, "folder": str(out)}
    tell(json, told, f"{chosen} of {name}, policy {found[:16]}: {out}")
