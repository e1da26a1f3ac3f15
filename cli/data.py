"""`evotrainer data`: build and check the built-in problem sets."""

from pathlib import Path
from typing import Annotated

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


@app.command()
def verify(
    path: Annotated[Path, typer.Argument(help="A JSONL file, or a directory of them.")] = Path("data/code"),
    domain: Annotated[str, typer.Option(help="Whose rows they are.")] = "code",
    json: Json = False,
) -> None:
    """Run the reference solution of each problem against its hidden tests, and see that an empty answer fails them."""
    from evotrainer.graders.verify import weak_problems
    from evotrainer.problems import split_rows

    rows = [row for members in split_rows(path, domain).values() for row in members]
    weak = list(weak_problems(rows, domain))
    if json:
        print_json({"problems": len(rows), "weak": [vars(problem) for problem in weak]})
    else:
        for problem in weak:
            print(f"{problem.row_id}: {problem.reason}")
        print(f"{len(rows)} problems, {len(weak)} of them weak")
    raise typer.Exit(1 if weak else 0)
