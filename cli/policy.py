"""`evotrainer policy`: get a base policy, and warm it up."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.opening import checkout, version_of
from cli.output import Json, Settings, print_json
from cli.program import Listing

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
    check_free_space(main, MIN_FREE_BYTES + bytes_needed(name))
    fetch_policy(name, revision, folder)
    _print_made(name, folder, policy_hash(folder), json)


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
    check_free_space(main, MIN_FREE_BYTES + version_bytes(start))
    warmed = warm_up(start.config, policy, shown, out)
    _print_made(f"{len(shown.problems)} worked answers", out, warmed.policy_hash, json)


def _rows_of(attempts: str) -> "Rows":
    """Return the training attempts of a version, or the attempts of a file."""
    if Path(attempts).exists():
        from evotrainer.evidence.foreign.reading import read_foreign_rows

        return read_foreign_rows(Path(attempts)).rows
    from evotrainer.evidence.rows import Rows

    name, _, version = attempts.partition("/")
    return Rows.read(version_of(name, version)[1].training)


def _print_made(what: str, folder: Path, policy: str, json: bool) -> None:
    if json:
        print_json({"from": what, "policy": policy, "folder": str(folder)})
    else:
        print(f"{what}, policy {policy}: {folder}")
