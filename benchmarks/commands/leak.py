"""`leak` and `certificates`: whole campaigns of the product side by side, with their certificates."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers


def leak(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of both campaigns, KEY=VALUE.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Campaign seed.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder of the table and the figure.")] = Path("scratch/benchmarks/leak"),
) -> None:
    """A guarded and a score-only campaign on repositories whose history holds the fix."""
    from benchmarks.leak import run_leak
    from benchmarks.reports.leak import leak_figures, leak_table, read_leak_campaign
    from flows.workspace.worktree import project_root

    output_folder(out)
    campaigns = [read_leak_campaign(arm, files) for arm, files in run_leak(project_root(), seed, overrides or [])]
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(leak_table(campaigns), encoding="utf-8")
    for name, picture in leak_figures(campaigns).items():
        (out / name).write_bytes(picture)
    print(leak_table(campaigns))
    print(f"written to {out}")


def certificates(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2,3,4",
    arms: Annotated[str, typer.Option(help="evotrainer, random, hillclimb.")] = "evotrainer,random,hillclimb",
    out: Annotated[Path, typer.Option(help="Folder of the table and the figure.")] = Path(
        "scratch/benchmarks/certificates"
    ),
) -> None:
    """Certificates of the search, the random proposer and hill climbing on the same seeds."""
    from benchmarks.leak import run_certificates
    from benchmarks.reports.certificates import certificates_figure, certificates_table
    from evotrainer.config.validation import RANGES
    from flows.workspace.worktree import project_root

    chosen, runs = whole_numbers("--seeds", seeds, RANGES["seed"]), []
    output_folder(out)
    for run in run_certificates(project_root(), chosen, arms.split(","), overrides or []):
        runs.append(run)
        out.mkdir(parents=True, exist_ok=True)
        (out / "runs.jsonl").write_text("".join(f"{run.model_dump_json()}\n" for run in runs))
        (out / "table.md").write_text(certificates_table(runs))
        (out / "figure.png").write_bytes(certificates_figure(runs))
    print(certificates_table(runs))
    print(f"written to {out}")
