"""Commands of `python -m benchmarks`: campaigns beside each other, and measurements of one part.

What a command needs beyond typer is imported by the command.
"""

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.common import checkout
from cli.program import Program
from evotrainer.errors import ConfigError

if TYPE_CHECKING:
    from benchmarks.worlds.bench import Planned

app = Program("Measurements of EvoTrainer that its documentation quotes. The same command resumes a measurement.")

DEFAULT_PROBLEMS = 175
QUICK_WORLDS, QUICK_SEEDS = "math,math-length_pay", "0,1,2"
ALL_WORLDS, ALL_SEEDS = "math,math-length_pay,math-hot_rate,code,code-weak_tests,swe,swe-open_history", "0,1,2,3,4"
ALL_ARMS = "evolving,static,hillclimb,shuffled,random"
LOPO_WORLDS = "math-lottery,math-paid_brevity,math-noisy_proxy,math-hot_rate,code-weak_tests,swe-open_history"
LOPO_CONTROLS, LOPO_ARMS = "math-honest,math-quirk,math-outside", "S,E,O,F"
REFERENCE_ARMS = (
    "grpo_ch,gspo_ch,ragen_v1,ragen_v2,group_variance,schedule,hillclimb,random,evotrainer,continued,one_place"
)

Arms = Annotated[str, typer.Option(help="Whose campaigns are compared.")]
Seeds = Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")]
Workers = Annotated[int, typer.Option(min=1, help="Campaigns at a time, one process each.")]
Out = Annotated[Path | None, typer.Option(file_okay=False, help="Folder of campaigns and tables.")]


@app.command()
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

    scale = "quick" if quick else "full"
    names = (worlds or (QUICK_WORLDS if quick else ALL_WORLDS)).split(",")
    chosen = _seeds(seeds or (QUICK_SEEDS if quick else ALL_SEEDS))
    folder = _folder(out, f"coevolution-{scale}")
    planned = plan_all(checkout(), folder, names, arms.split(","), chosen, scale)
    _run(folder, planned, [(one, other) for one, other, _ in PAIRS], workers)


@app.command()
def lopo(
    worlds: Annotated[str, typer.Option(help=f"Separated by commas; also {LOPO_CONTROLS}.")] = LOPO_WORLDS,
    arms: Arms = LOPO_ARMS,
    seeds: Seeds = "0,1,2",
    workers: Workers = 1,
    out: Out = None,
) -> None:
    """Evolving against static harnesses that lack one pathology's diagnostics, with an oracle."""
    from benchmarks.worlds.lopo import PAIRS, plan_all

    folder = _folder(out, "lopo")
    planned = plan_all(checkout(), folder, worlds.split(","), arms.split(","), _seeds(seeds))
    _run(folder, planned, [(one, other) for one, other, _ in PAIRS], workers, has_room=True)


@app.command()
def references(
    domains: Annotated[str, typer.Option(help="Separated by commas.")] = "math,code,swe",
    arms: Arms = REFERENCE_ARMS,
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

    folder, names = _folder(out, "references"), arms.split(",")
    size = Size(versions, tokens, problems, test_problems)
    planned = plan_all(checkout(), folder, domains.split(","), names, _seeds(seeds), size)
    _run(folder, planned, [(OURS, arm) for arm in names if arm != OURS], workers)


def _seeds(text: str) -> list[int]:
    from evotrainer.config.validation import RANGES

    return _whole_numbers("--seeds", text, RANGES["seed"])


def _folder(out: Path | None, name: str) -> Path:
    return (out or Path("scratch/benchmarks") / name).resolve()


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


@app.command()
def gate(
    problems: Annotated[str, typer.Option(help="Numbers of problems for power.")] = "77,175,500,1000",
    campaigns: Annotated[int, typer.Option(min=1, help="Simulated campaigns.")] = 2000,
    versions: Annotated[
        int, typer.Option(min=1, help="Versions of a campaign, among which the error budget is divided.")
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulation.")] = 0,
    out: Annotated[Path, typer.Option(file_okay=False, help="Folder of the tables.")] = Path("scratch/benchmarks/gate"),
) -> None:
    """Simulated campaigns under the promotion gates and under the rules they replace."""
    from benchmarks.gate_simulation.report import gate_tables
    from benchmarks.gate_simulation.score_models import DEFAULT_BETA, ScoreModel
    from benchmarks.gate_simulation.simulation import BenchSettings, run_bench
    from evotrainer.config.validation import RANGES

    counts = _whole_numbers("--problems", problems, RANGES["evaluate.max_problems"])
    out.mkdir(parents=True, exist_ok=True)
    model, sizes = ScoreModel(*DEFAULT_BETA, DEFAULT_PROBLEMS), [ScoreModel(*DEFAULT_BETA, count) for count in counts]
    print(f"problems from {model.name}", flush=True)
    found = run_bench(model, sizes, BenchSettings(campaigns, versions, seed=seed), lambda line: print(line, flush=True))
    (out / "table.md").write_text(gate_tables(found), encoding="utf-8")
    print(gate_tables(found))
    print(f"written to {out}")


@app.command()
def aa_tests(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    campaigns: Annotated[int, typer.Option(min=1, help="A/A campaigns.")] = 59,
    out: Annotated[Path, typer.Option(file_okay=False, help="Folder of attempts and table.")] = Path(
        "scratch/benchmarks/aa-tests"
    ),
) -> None:
    """Campaigns of fresh draws of one policy, in which nothing is better, so that every promotion is false."""
    from benchmarks.aa_tests.bench import run_aa_tests
    from benchmarks.aa_tests.outcomes import aa_table

    table = aa_table(run_aa_tests(checkout(), overrides or [], campaigns, out))
    (out / "table.md").write_text(table, encoding="utf-8")
    print(f"{table}\nwritten to {out}")


@app.command()
def failure_modes(
    modes: Annotated[list[str] | None, typer.Argument(help="Failure modes; all of them where none is named.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few rollouts, cases and controls: about a minute.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another one: attempts, runs, controls and cases drawn anew.")] = 0,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder of the evidence, results and table.")
    ] = None,
) -> None:
    """Recall and false alarms of every detector, on failure modes injected in real rollouts."""
    from benchmarks.fault_injection.bench import FULL, QUICK, measure_detectors
    from benchmarks.fault_injection.report import failure_mode_tables

    name = f"failure-modes{'-quick' if quick else ''}{f'-seed-{seed}' if seed else ''}"
    folder = out or Path("scratch/benchmarks") / name
    size = QUICK if quick else FULL
    recalls, alarms = measure_detectors(
        checkout(), folder, size, modes or [], lambda line: print(line, flush=True), seed
    )
    (folder / "table.md").write_text(failure_mode_tables(recalls, alarms), encoding="utf-8")
    print(failure_mode_tables(recalls, alarms))
    print(f"written to {folder}")


@app.command()
def elsewhere(
    folders: Annotated[list[Path], typer.Argument(help="Folders with GROUND_TRUTH.tsv, CASES.tsv or LABELS.tsv.")],
    only: Annotated[str, typer.Option(help="Cases whose names hold this text.")] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Also every finding.")] = False,
) -> None:
    """Faults found, healthy files accused, findings right by reading, and CPU seconds, a folder each."""
    from benchmarks.elsewhere.bench import answer_of, cases_of, table_of

    for folder in folders:
        cases = [case for case in cases_of(folder) if only in case.name]
        print(f"{folder.name}\n{table_of([answer_of(case) for case in cases], whole)}\n", flush=True)


@app.command()
def grader(
    code: Annotated[int, typer.Option(min=1, help="Problems with a function.")] = 20,
    swe: Annotated[int, typer.Option(min=1, help="Repositories, under each runner.")] = 20,
) -> None:
    """Honest answers that are rejected or flagged, and cheats that are paid."""
    from benchmarks.grader.bench import main

    main(checkout(), code, swe)


@app.command()
def speed(
    policy: Annotated[Path, typer.Option(help="A Hugging Face directory.")],
    tokens: Annotated[int, typer.Option(min=2, help="Longest answer of --policy.")] = 48,
    precision: Annotated[str, typer.Option(help="What --policy runs in: float32 or bfloat16.")] = "float32",
) -> None:
    """Rollouts and a step of a policy of one's own, beside peers, in CPU seconds."""
    _use_one_thread()
    from benchmarks.speed.measure import speed_table
    from benchmarks.speed.policy import measure_policy, peak_memory
    from evotrainer.engines.policy import prepare_torch

    prepare_torch(1)
    print(speed_table(measure_policy(policy, tokens, precision)))
    print(f"peak of a process with a step and its reference policy: {peak_memory(policy, tokens, precision):.2f} GB")


@app.command()
def fixed_cost(
    settings: Annotated[list[str] | None, typer.Argument(help="Settings of the campaigns, KEY=VALUE.")] = None,
    folder: Annotated[Path, typer.Option(help="A new folder, for a clone and its campaigns.")] = Path("build/fixed"),
) -> None:
    """CPU seconds that the pipeline adds to a version, beside the same stages in one process."""
    _use_one_thread()
    from benchmarks.speed.fixed_cost import TRIVIAL, measure_fixed_cost

    found = measure_fixed_cost(checkout(), folder.resolve(), settings or TRIVIAL, lambda line: print(line, flush=True))
    print(f"pipeline: {found.pipeline:.1f}")
    print(f"stages: {found.stages:.1f}")
    print(f"added: {found.added:.1f}")
    print(f"same_verdicts: {found.is_same}")
    raise typer.Exit(0 if found.is_same else 1)


def _use_one_thread() -> None:
    """Hold numeric libraries to one thread; they read this when they are imported."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))


@app.command()
def one_gpu(
    folder: Annotated[Path, typer.Option(help="Where random models and results lie.")] = Path("build/one_gpu"),
    model: Annotated[str, typer.Option(help="Size of the model: 0.6b or 4b.")] = "0.6b",
    settings: Annotated[str, typer.Option(help="Names of settings, by comma.")] = "full,lora",
    problems: Annotated[int, typer.Option(min=1, help="Problems of a step.")] = 8,
    group: Annotated[int, typer.Option(min=2, help="Attempts at each.")] = 16,
    tokens: Annotated[int, typer.Option(min=1, help="Sampled tokens of an attempt.")] = 256,
    steps: Annotated[int, typer.Option(min=2, help="Training steps; the first is not timed.")] = 3,
    vllm_python: Annotated[str, typer.Option(help="Interpreter with vLLM.")] = ".engines/vllm/bin/python",
    vllm_share: Annotated[float, typer.Option(min=0.01, max=1, help="Share of GPU memory of a vLLM server.")] = 0.3,
    vllm_arguments: Annotated[str, typer.Option(help="Further arguments of a vLLM server, as a shell has them.")] = "",
) -> None:
    """Tokens a second and memory of training steps on one GPU."""
    from benchmarks.model_steps.bench import SETTINGS, Scale, main
    from benchmarks.model_steps.random_model import SHAPES
    from evotrainer.config.limits import find
    from evotrainer.config.schema import VllmConfig

    names = settings.split(",")
    for name in names:
        find(SETTINGS, "--settings", name)
    find(SHAPES, "--model", model)
    served = VllmConfig(python=vllm_python, gpu_memory_share=vllm_share, arguments=shlex.split(vllm_arguments))
    ended = main(folder.resolve(), Scale(model, problems, group, tokens, steps), names, served)
    raise typer.Exit(0 if ended else 1)


@app.command()
def faults(
    names: Annotated[list[str] | None, typer.Argument(help="Names of faults; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Of the moments that are drawn.")] = 0,
    folder: Annotated[Path, typer.Option(help="A folder, for clones and their campaigns.")] = Path("build/faults"),
) -> None:
    """Kills, full disks, lost servers and the like: how a campaign goes on, and whether its end is the same."""
    from benchmarks.faults.bench import run_faults
    from benchmarks.faults.rows import FAULTS

    if unknown := [name for name in names or () if name not in FAULTS]:
        raise ConfigError(f"no fault is called {', '.join(unknown)}: choose of {', '.join(FAULTS)}")
    raise typer.Exit(0 if run_faults(checkout(), folder.resolve(), names or (), seed) else 1)


def _whole_numbers(option: str, text: str, limits: tuple[float, float]) -> list[int]:
    """Return the numbers of a list like `77,175`; raises ConfigError for one that is none, out of range or repeated."""
    low, high = limits
    wanted = f"give whole numbers from {low:g} to {high:g}, separated by commas"
    numbers: list[int] = []
    for word in text.split(","):
        try:
            number = int(word)
        except ValueError:
            raise ConfigError(f"{option} {text!r}: {word!r} is no whole number; {wanted}") from None
        if not low <= number <= high:
            raise ConfigError(f"{option} {text!r}: {number} is out of range; {wanted}")
        if number in numbers:
            raise ConfigError(f"{option} {text!r}: {number} is there twice; {wanted}")
        numbers.append(number)
    return numbers
