"""`regret`: what choosing by backtest costs, against training every candidate of each pool."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers


def regret(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    domain: Annotated[str, typer.Option(help="math, code or swe.")] = "math",
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2,3,4,5,6,7,8,9",
    versions: Annotated[int, typer.Option(min=2, max=999, help="Trained versions of each campaign.")] = 8,
    out: Annotated[Path | None, typer.Option(help="Folder of campaigns, pools, table and figure.")] = None,
) -> None:
    """Selection regret of the backtest's ranking against an oracle that trains every candidate of each pool."""
    from benchmarks.regret.measured.bench import DOMAINS, RegretPlan, run_regret
    from benchmarks.reports.regret import regret_report, regret_values
    from benchmarks.reports.regret_figure import regret_figure
    from evotrainer.config.validation import RANGES
    from evotrainer.errors import ConfigError
    from flows.workspace.worktree import project_root

    if domain not in DOMAINS:
        raise ConfigError(f"--domain {domain!r} is unknown: choose from {', '.join(DOMAINS)}")
    numbers = whole_numbers("--seeds", seeds, RANGES["seed"])
    name = "regret" if domain == "math" else f"regret-{domain}"
    folder = output_folder(out or Path("scratch/benchmarks") / name).resolve()
    plan = RegretPlan(folder, domain, tuple(numbers), versions, tuple(overrides or []))
    campaigns, report = [], ""
    for campaign in run_regret(project_root(), plan):
        campaigns.append(campaign)
        (folder / "results.json").write_text(json.dumps(regret_values(campaigns), indent=1) + "\n", encoding="utf-8")
        report = regret_report(campaigns)
        (folder / "table.md").write_text(report, encoding="utf-8")
        (folder / "figure.png").write_bytes(regret_figure(campaigns))
    print(report)
    print(f"written to {folder}")
