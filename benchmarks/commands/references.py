"""`references`: five reference algorithms beside searches, on equal data and tokens of training."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

ALL_DOMAINS = "math,code,swe"
ALL_REFERENCES = "grpo_ch,gspo_ch,ragen_v1,ragen_v2,group_variance"
ONE_VERSION_EACH = ",".join(f"{name}-version" for name in ALL_REFERENCES.split(","))
ALL_ARMS = f"{ALL_REFERENCES},{ONE_VERSION_EACH},schedule,hillclimb,random,evotrainer,continued,unchanged"


def references(
    domains: Annotated[str, typer.Option(help="Separated by commas.")] = ALL_DOMAINS,
    arms: Annotated[str, typer.Option(help="NAME-version has the tokens of one version.")] = ALL_ARMS,
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2,3,4",
    versions: Annotated[int, typer.Option(min=2, max=999, help="Trained versions of each search.")] = 8,
    tokens: Annotated[int, typer.Option(min=1, max=10**12, help="Tokens that a version trains on.")] = 100_000,
    problems: Annotated[int, typer.Option(min=1, help="Validation problems, by which searches choose.")] = 120,
    test_problems: Annotated[int, typer.Option(min=1, help="Test problems, by which arms are compared.")] = 300,
    out: Annotated[Path | None, typer.Option(help="Folder of campaigns and tables.")] = None,
) -> None:
    """GRPO-CH, GSPO-CH, RAGEN v1 and v2, group variance, a human schedule and searches at equal data and tokens."""
    from benchmarks.lopo.worlds import choose
    from benchmarks.references.arms import ARMS, ORDER, Size
    from benchmarks.references.bench import ReferencePlan, run_references
    from benchmarks.reports.references import references_report, references_values
    from evotrainer.config.validation import RANGES
    from flows.workspace.worktree import project_root

    chosen = tuple(whole_numbers("--seeds", seeds, RANGES["seed"]))
    names, letters = choose("domain", domains.split(","), list(ORDER)), choose("arm", arms.split(","), list(ARMS))
    folder = output_folder(out or Path("scratch/benchmarks/references")).resolve()
    size = Size(versions, tokens, problems)
    plan = ReferencePlan(folder, tuple(names), tuple(letters), chosen, size, test_problems)
    runs = []
    for run in run_references(project_root(), plan):
        runs.append(run)
        (folder / "results.json").write_text(json.dumps(references_values(runs), indent=1) + "\n", encoding="utf-8")
        (folder / "table.md").write_text(references_report(runs), encoding="utf-8")
    print(references_report(runs))
    print(f"written to {folder}")
