"""`evotrainer data`: build and check the built-in problem sets."""

import typer

from cli.output import Json, print_json

app = typer.Typer(no_args_is_help=True, help="Build and check the problem sets.")


@app.command()
def build() -> None:
    """Build the problem sets in data/, the same bytes on every machine, and record their hash in data.dvc."""
    from flows.data import build_data
    from flows.workspace import project_root

    print(build_data(project_root()))


@app.command()
def check(json: Json = False) -> None:
    """Check the hash of data/ against data.dvc, and that no near-duplicate crosses splits."""
    from evotrainer.layout import CampaignFiles
    from evotrainer.problem_sets.check import check as check_data
    from flows.data import recorded_hash
    from flows.workspace import project_root

    files = CampaignFiles(project_root())
    counts = check_data(files.data, recorded_hash(files))
    if json:
        print_json(counts)
        return
    for split, count in counts.items():
        print(f"{split}: {count} problems")
    print("data is as recorded, and no problem crosses splits")
