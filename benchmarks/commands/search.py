"""`search`: all searches at equal budget on a fast landscape fitted to stored settings."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers


def search(
    versions: Annotated[int, typer.Option(min=2, max=999, help="Trained versions of each campaign.")] = 100,
    seeds: Annotated[str, typer.Option(help="Worlds, separated by commas.")] = "0,1,2,3,4",
    trainer: Annotated[str, typer.Option(help="random or rules: who proposes.")] = "random",
    arms: Annotated[str, typer.Option(help="Separated by commas; else all.")] = "",
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    out: Annotated[Path, typer.Option(help="Folder of table and figure.")] = Path("scratch/benchmarks/search"),
) -> None:
    """All searches at equal budget on a fast landscape that is fitted to stored settings."""
    from concurrent.futures import ProcessPoolExecutor
    from itertools import product

    from benchmarks.reports.search import search_figure, search_report
    from benchmarks.search.measure import ARMS, measure
    from evotrainer.config.validation import RANGES
    from evotrainer.errors import ConfigError

    chosen = arms.split(",") if arms else list(ARMS)
    if unknown := [arm for arm in chosen if arm not in ARMS]:
        raise ConfigError(f"--arms {unknown[0]!r} is unknown: choose from {', '.join(ARMS)}")
    if trainer not in ("random", "rules"):
        raise ConfigError(f"--trainer {trainer!r} is unknown: choose from random, rules")
    jobs = list(product(chosen, whole_numbers("--seeds", seeds, RANGES["seed"])))
    output_folder(out).mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(measure, arm, seed, trainer, versions) for arm, seed in jobs]
        runs = [one.result() for one in waiting]
    (out / "results.json").write_text(json.dumps([run.model_dump() for run in runs], indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(search_report(runs), encoding="utf-8")
    (out / "figure.png").write_bytes(search_figure(runs))
    print(search_report(runs))
    print(f"written to {out}")
