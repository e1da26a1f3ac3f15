"""`coevolution`, `lopo` and `references`: whole campaigns beside each other, on the same seeds."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

if TYPE_CHECKING:
    from benchmarks.worlds.bench import Planned

QUICK_WORLDS, QUICK_SEEDS = "math,math-length_pay", "0,1,2"
ALL_WORLDS, ALL_SEEDS = "math,math-length_pay,math-hot_rate,code,code-weak_tests,swe,swe-open_history", "0,1,2,3,4"
ALL_ARMS = "evolving,static,hillclimb,shuffled,random"
LOPO_WORLDS = (
    "math-lottery,math-paid_length,math-paid_brevity,math-noisy_proxy,math-hot_rate,code-weak_tests,swe-open_history"
)
LOPO_CONTROLS, LOPO_ARMS = "math-honest,math-quirk,math-outside", "S,E,O,H,F"
ALL_REFERENCES = "grpo_ch,gspo_ch,ragen_v1,ragen_v2,group_variance"
ONE_VERSION_EACH = ",".join(f"{name}-version" for name in ALL_REFERENCES.split(","))
REFERENCE_ARMS = f"{ALL_REFERENCES},{ONE_VERSION_EACH},schedule,hillclimb,random,evotrainer,continued,one_place"

Arms = Annotated[str, typer.Option(help="Whose campaigns are compared.")]
Seeds = Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")]
Workers = Annotated[int, typer.Option(min=1, help="Campaigns at a time, one process each.")]
Out = Annotated[Path | None, typer.Option(help="Folder of campaigns and tables.")]


def coevolution(
    worlds: Annotated[str, typer.Option(help=f"Separated by commas; all: {ALL_WORLDS}.")] = "",
    arms: Arms = ALL_ARMS,
    seeds: Annotated[str, typer.Option(help=f"Campaign seeds, separated by commas; else {ALL_SEEDS}.")] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help=f"Short campaigns, by default {QUICK_WORLDS} on seeds {QUICK_SEEDS}.")
    ] = False,
    workers: Workers = 1,
    out: Out = None,
) -> None:
    """Evolving, static and score-only campaigns on the same seeds, with and without traps."""
    from benchmarks.worlds.coevolution import PAIRS, plan_all
    from flows.workspace.worktree import project_root

    scale = "quick" if quick else "full"
    names = (worlds or (QUICK_WORLDS if quick else ALL_WORLDS)).split(",")
    chosen = _seeds(seeds or (QUICK_SEEDS if quick else ALL_SEEDS))
    folder = _folder(out, f"coevolution-{scale}")
    planned = plan_all(project_root(), folder, names, arms.split(","), chosen, scale)
    _run(folder, planned, [(one, other) for one, other, _ in PAIRS], workers)


def lopo(
    worlds: Annotated[str, typer.Option(help=f"Separated by commas; also {LOPO_CONTROLS}.")] = LOPO_WORLDS,
    arms: Arms = LOPO_ARMS,
    seeds: Seeds = "0,1,2",
    full: Annotated[bool, typer.Option("--full", help="Eight versions a campaign in place of three.")] = False,
    workers: Workers = 1,
    out: Out = None,
) -> None:
    """Evolving against static harnesses that lack one pathology's diagnostics, with an oracle."""
    from benchmarks.worlds.lopo import PAIRS, plan_all
    from flows.workspace.worktree import project_root

    scale = "full" if full else "quick"
    folder = _folder(out, f"lopo-{scale}")
    planned = plan_all(project_root(), folder, worlds.split(","), arms.split(","), _seeds(seeds), scale)
    _run(folder, planned, [(one, other) for one, other, _ in PAIRS], workers, has_room=True)


def references(
    domains: Annotated[str, typer.Option(help="Separated by commas.")] = "math,code,swe",
    arms: Annotated[str, typer.Option(help="NAME-version has the tokens of one version.")] = REFERENCE_ARMS,
    seeds: Seeds = ALL_SEEDS,
    versions: Annotated[int, typer.Option(min=2, max=999, help="Trained versions of each search.")] = 8,
    tokens: Annotated[int, typer.Option(min=1, max=10**12, help="Tokens that a version trains on.")] = 100_000,
    problems: Annotated[int, typer.Option(min=1, help="Validation problems, by which searches choose.")] = 120,
    test_problems: Annotated[int, typer.Option(min=1, help="Test problems, by which arms are compared.")] = 300,
    workers: Workers = 1,
    out: Out = None,
) -> None:
    """GRPO-CH, GSPO-CH, RAGEN v1 and v2, group variance, a human schedule and searches at equal data and tokens."""
    from benchmarks.worlds.references import OURS, Size, plan_all
    from flows.workspace.worktree import project_root

    folder, names = _folder(out, "references"), arms.split(",")
    size = Size(versions, tokens, problems, test_problems)
    planned = plan_all(project_root(), folder, domains.split(","), names, _seeds(seeds), size)
    _run(folder, planned, [(OURS, arm) for arm in names if arm != OURS], workers)


def _seeds(text: str) -> list[int]:
    from evotrainer.config.validation import RANGES

    return whole_numbers("--seeds", text, RANGES["seed"])


def _folder(out: Path | None, name: str) -> Path:
    return output_folder(out or Path("scratch/benchmarks") / name).resolve()


def _run(
    folder: Path, planned: "Sequence[Planned]", pairs: Sequence[tuple[str, str]], workers: int, has_room: bool = False
) -> None:
    """Run what is missing, and write table and values after each campaign."""
    from benchmarks.worlds.bench import run_planned
    from benchmarks.worlds.report import report, room_table, values

    order = {(one.world, one.arm, one.seed): place for place, one in enumerate(planned)}
    runs, text = [], ""
    for run in run_planned(folder, planned, workers):
        runs.append(run)
        runs.sort(key=lambda run: order[run.world, run.arm, run.seed])
        text = report(runs, pairs) + (f"\n{room_table(runs)}" if has_room else "")
        (folder / "results.json").write_text(json.dumps(values(runs, pairs), indent=1) + "\n", encoding="utf-8")
        (folder / "table.md").write_text(text, encoding="utf-8")
    print(f"{text}\nwritten to {folder}")
