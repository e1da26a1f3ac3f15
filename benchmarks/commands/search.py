"""`search`: all searches at equal budget, on a fast landscape fitted to stored settings or in real campaigns."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

if TYPE_CHECKING:
    from benchmarks.search.measure import SearchRun


def search(
    overrides: Annotated[list[str] | None, typer.Argument(help="With --domain: settings of all campaigns.")] = None,
    domain: Annotated[str, typer.Option(help="math, code or swe: real campaigns; else the landscape.")] = "",
    versions: Annotated[
        int | None, typer.Option(min=2, max=999, help="Trained versions of each campaign; 100, or 6 of a domain.")
    ] = None,
    seeds: Annotated[str, typer.Option(help="Worlds, or campaign seeds, separated by commas.")] = "0,1,2,3,4",
    trainer: Annotated[str, typer.Option(help="random or rules: who proposes; else rules in a domain.")] = "",
    arms: Annotated[str, typer.Option(help="Separated by commas; else all.")] = "",
    workers: Annotated[int, typer.Option(min=1, help="Processes, on the landscape.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of table and figure.")] = None,
) -> None:
    """All searches at equal budget: on a fast landscape fitted to stored settings, or in real campaigns."""
    from benchmarks.search.domains import DOMAINS, DomainPlan, run_domain
    from benchmarks.search.measure import ARMS
    from evotrainer.config.validation import RANGES
    from evotrainer.errors import ConfigError
    from flows.workspace.worktree import project_root

    chosen = arms.split(",") if arms else list(ARMS)
    if unknown := [arm for arm in chosen if arm not in ARMS]:
        raise ConfigError(f"--arms {unknown[0]!r} is unknown: choose from {', '.join(ARMS)}")
    proposer = trainer or ("rules" if domain else "random")
    if proposer not in ("random", "rules"):
        raise ConfigError(f"--trainer {proposer!r} is unknown: choose from random, rules")
    if domain not in ("", *DOMAINS):
        raise ConfigError(f"--domain {domain!r} is unknown: choose from {', '.join(DOMAINS)}")
    if overrides and not domain:
        raise ConfigError("settings are of real campaigns: name their domain with --domain")
    numbers = whole_numbers("--seeds", seeds, RANGES["seed"])
    folder = output_folder(out or Path("scratch/benchmarks") / "-".join(filter(None, ("search", domain)))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not domain:
        _write(folder, list(_on_landscape(chosen, numbers, proposer, versions or 100, workers)), chosen[0])
    else:
        settings = tuple(overrides or [])
        plan = DomainPlan(folder, domain, tuple(chosen), tuple(numbers), proposer, versions or 6, settings)
        runs: list[SearchRun] = []
        for run in run_domain(project_root(), plan):
            runs.append(run)
            _write(folder, runs, chosen[0])
    print((folder / "table.md").read_text(encoding="utf-8"))
    print(f"written to {folder}")


def _on_landscape(
    arms: list[str], seeds: list[int], trainer: str, versions: int, workers: int
) -> Iterator["SearchRun"]:
    from concurrent.futures import ProcessPoolExecutor

    from benchmarks.search.measure import measure

    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(measure, arm, seed, trainer, versions) for arm, seed in product(arms, seeds)]
        yield from (one.result() for one in waiting)


def _write(folder: Path, runs: list["SearchRun"], against: str) -> None:
    from benchmarks.reports.search import difference_report, search_figure, search_report

    values = json.dumps([run.model_dump() for run in runs], indent=1) + "\n"
    (folder / "results.json").write_text(values, encoding="utf-8")
    text = f"{search_report(runs)}\n{difference_report(runs, against)}"
    (folder / "table.md").write_text(text, encoding="utf-8")
    (folder / "figure.png").write_bytes(search_figure(runs))
