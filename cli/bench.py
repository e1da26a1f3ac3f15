"""`evotrainer bench`: long measurements that the documentation quotes; each is resumed by the same command."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Measure what the documentation claims.")


@app.callback()
def group() -> None:
    """Keep the name of the measurement a word of its own."""


@app.command()
def certificate(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2,3,4",
    arms: Annotated[str, typer.Option(help="evotrainer, random, hillclimb.")] = "evotrainer,random,hillclimb",
    out: Annotated[Path, typer.Option(help="Folder of the table and the figure.")] = Path("scratch/bench/certificate"),
) -> None:
    """Certificates of the search, the random proposer and hill climbing on the same seeds."""
    from evotrainer.report.certificates import certificates_figure, certificates_table
    from flows.bench import run_certificates
    from flows.workspace import project_root

    chosen = [int(seed) for seed in seeds.split(",")]
    runs = []
    out.mkdir(parents=True, exist_ok=True)
    for run in run_certificates(project_root(), chosen, arms.split(","), overrides or []):
        runs.append(run)
        (out / "runs.jsonl").write_text("".join(f"{run.model_dump_json()}\n" for run in runs))
        (out / "table.md").write_text(certificates_table(runs))
        (out / "figure.png").write_bytes(certificates_figure(runs))
    print(certificates_table(runs))
    print(f"written to {out}")
