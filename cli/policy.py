"""`evotrainer policy`: a version's policy as other programs want it."""

from pathlib import Path
from typing import Annotated

import typer

from cli.output import Name

app = typer.Typer(no_args_is_help=True, help="Use the policies of a campaign elsewhere.")


@app.command()
def merge(
    name: Name,
    version: Annotated[str, typer.Argument(help="The version whose adapter is merged, like v003.")],
    out: Annotated[Path, typer.Argument(help="A new folder for the model.")],
) -> None:
    """Write a version that is an adapter as a plain Hugging Face model directory, and print its hash."""
    from evotrainer.config import load_config
    from evotrainer.engines import policy_path
    from evotrainer.engines.merging import merge_adapter
    from flows.workspace.worktree import find_campaign, project_root

    files = find_campaign(project_root(), name).files
    config = load_config(files.config)
    print(f"{out}: {merge_adapter(policy_path(files, config, version), config.policy.path, out)}")
