"""`evotrainer policy`: get a base policy and warm it up; `evotrainer export`: a version's for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from cli.output import Json, Name, Settings, print_json
from cli.program import Listing

app = typer.Typer(cls=Listing, no_args_is_help=True, help="Get a base policy, and warm it up.")
New = Annotated[Path, typer.Argument(help="A new folder for the policy.")]


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="smollm2-135m, a GGUF file, or OWNER/NAME of a Hugging Face hub.")],
    out: Annotated[Path | None, typer.Argument(help="A new folder for the policy; else policies/NAME.")] = None,
    revision: Annotated[str, typer.Option(help="Commit, branch or tag on the hub; its newest commit otherwise.")] = "",
    json: Json = False,
) -> None:
    """Download a language model as a directory for policy.path; nothing that is downloaded is run."""
    from evotrainer.engines.checkpoint import policy_hash
    from evotrainer.engines.fetch import PACKAGES, fetch_policy
    from flows.workspace.storage import MIN_FREE_BYTES, check_free_space
    from flows.workspace.worktree import project_root

    main = project_root()
    folder = out or main / "policies" / Path(name).name.removesuffix(".gguf")
    check_free_space(main, MIN_FREE_BYTES + (PACKAGES[name].num_bytes if name in PACKAGES else 0))
    fetch_policy(name, revision, folder)
    _print_made(name, folder, policy_hash(folder), json)


@app.command()
def sft(
    policy: Annotated[Path, typer.Argument(help="The folder of a policy.")],
    data: Annotated[Path, typer.Argument(help="Problems with worked answers: a file, or a folder of splits.")],
    out: New,
    settings: Settings = None,
    against: Annotated[
        Path | None, typer.Option(help="Problems judged on, where DATA is demonstrations alone.")
    ] = None,
    rows: Annotated[int, typer.Option(min=1, help="Worked answers that are shown, at most.")] = 640,
    passes: Annotated[int, typer.Option(min=1, help="How often each is shown.")] = 1,
    batch: Annotated[int, typer.Option(min=1, help="Worked answers a step.")] = 16,
    rate: Annotated[float, typer.Option(min=0, help="Learning rate at its highest.")] = 3e-5,
    seed: Annotated[int, typer.Option(help="Chooses and orders the rows.")] = 0,
    json: Json = False,
) -> None:
    """Train a policy on worked answers before a campaign, whose base policy is then OUT, under the same SETTINGS."""
    from evotrainer.engines.memory import check_memory
    from evotrainer.training.warm_up import WarmUp, read_demonstrations, warm_up
    from flows.workspace.checks import start_of
    from flows.workspace.policy_checks import look_at_policy, version_bytes
    from flows.workspace.storage import MIN_FREE_BYTES, check_free_space
    from flows.workspace.worktree import project_root

    main = project_root()
    start = start_of(main, [*(settings or []), f"policy.path={policy.resolve()}"], None)
    look_at_policy(start)
    how = WarmUp(rows, passes, batch, rate, seed)
    shown = read_demonstrations(data, against, start.config, how)
    check_memory(start.config, policy, [problem.prompt for problem in shown.problems])
    check_free_space(main, MIN_FREE_BYTES + version_bytes(start))
    _print_made(f"{len(shown.problems)} worked answers", out, warm_up(start.config, policy, shown, out, how), json)


def _print_made(what: str, folder: Path, policy: str, json: bool) -> None:
    if json:
        print_json({"from": what, "policy": policy, "folder": str(folder)})
    else:
        print(f"{what}, policy {policy}: {folder}")


def add_commands(app: typer.Typer) -> None:
    """Register the command that stands outside of the group."""
    app.command()(export)


def export(
    name: Name,
    out: New,
    version: Annotated[str | None, typer.Option("--version", help="Like v003; without it, the incumbent.")] = None,
    json: Json = False,
) -> None:
    """Write a version's policy as a plain Hugging Face directory, its adapter merged, with a model card."""
    from evotrainer.campaign.lineage import find, incumbent
    from evotrainer.campaign.repository import read_records
    from evotrainer.config import load_config
    from evotrainer.engines import policy_path
    from evotrainer.engines.export import export_policy
    from evotrainer.errors import LineageError
    from evotrainer.report.model_card import model_card
    from flows.workspace.closed_versions import readable_campaign
    from flows.workspace.worktree import project_root

    files = readable_campaign(project_root(), name).files
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
