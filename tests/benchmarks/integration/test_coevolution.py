"""A tiny bench through the real stages: arms share what they do alike, a kill costs nothing twice, honest scores."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app as benchmarks
from benchmarks.coevolution.bench import RUN, Plan, run_bench
from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.coevolution.worlds import weaken_tests
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.errors import ConfigError, LineageError
from evotrainer.records import Problem

ROOT = Path(__file__).resolve().parents[3]
SMALL = (
    "num_versions=2",
    "search.candidates_per_generation=1",
    "trainer.pool_size=2",
    "sampling.problems_per_step=4",
    "sampling.max_response_tokens=6",
    "evaluate.max_response_tokens=6",
    "evaluate.attempts=2",
    "evaluate.max_problems=12",
    "evaluate.max_gate_attempts=8",
    "evaluate.bootstrap_samples=200",
    "budget.train_tokens=300",
    "budget.rollout_problems=6",
    "budget.probe_problems=3",
    "budget.probe_rollouts=8",
    "engine.device=cpu",
)
SPLITS = {"train": (0, 50), "probe": (50, 60), "validation": (60, 85), "test": (85, 100), "holdout": (100, 120)}


def _write_problems(folder: Path, problems: list[Problem]) -> Path:
    folder.mkdir(parents=True)
    for split, (start, end) in SPLITS.items():
        rows = [
            {"id": f"{split}-{p.problem_id}", "problem": p.prompt, "answer": p.answer, "family": p.family}
            for p in problems[start:end]
        ]
        (folder / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory, digit_policy: Path, digit_problems: list[Problem]) -> Plan:
    root = tmp_path_factory.mktemp("bench")
    data = _write_problems(root / "digits", digit_problems)
    own = (*SMALL, f"policy.path={digit_policy}", f"domain.data_path={data}")
    return Plan(root / "out", ("math-length_pay",), ("evolving", "random"), (3,), "quick", own)


@pytest.fixture(scope="module")
def runs(plan: Plan) -> list[CoevolutionRun]:
    return list(run_bench(ROOT, plan))


def _files(plan: Plan, arm: str) -> CampaignFiles:
    return CampaignFiles(plan.out / "math-length_pay" / arm / "seed-3")


def _trainings(files: CampaignFiles) -> list[bool]:
    """Return of each training whether it was reused."""
    lines = [json.loads(line) for line in (files.root / "shared.jsonl").read_text().splitlines()]
    return [line["reused"] for line in lines if line["kind"] == "trainings"]


def test_campaigns_run_to_their_end_and_are_measured(plan: Plan, runs: list[CoevolutionRun]):
    assert [(run.arm, run.seed, run.world) for run in runs] == [
        ("evolving", 3, "math-length_pay"),
        ("random", 3, "math-length_pay"),
    ]
    for run in runs:
        records = read_records(_files(plan, run.arm))
        assert run.num_trained == sum(record.policy_hash is not None for record in records) >= 1
        assert run.num_problems == 15 and run.attempts == 2  # the whole test split
        assert len(run.promotions) == sum(record.verdict.outcome == "promoted" for record in records)
        assert 0 <= run.wasted_steps <= run.steps and run.steps > 0
        config = _files(plan, run.arm).config.read_text()
        assert "length_penalty: 0.3" in config  # the trap is a setting of the campaign


def test_equal_work_is_done_once(plan: Plan, runs: list[CoevolutionRun]):
    first, second = (_files(plan, run.arm) for run in runs)
    assert _trainings(first)[0] is False
    assert _trainings(second)[0] is True  # the baseline: same recipe, start and seed
    assert first.version("v001").training_summary.read_bytes() == second.version("v001").training_summary.read_bytes()
    assert runs[1].trainings.reused_tokens >= runs[0].trainings.done_tokens / 2
    assert runs[0].base_score == runs[1].base_score


def test_the_command_writes_tables_values_and_figure(plan: Plan, runs: list[CoevolutionRun]):
    words = ["coevolution", *plan.overrides, "--quick", "--worlds", "math-length_pay", "--seeds", "3"]
    done = CliRunner().invoke(benchmarks, [*words, "--arms", "evolving,random", "--out", str(plan.out)])
    assert done.exit_code == 0, done.output
    found = json.loads((plan.out / "results.json").read_text())["runs"]
    assert [CoevolutionRun.model_validate(run) for run in found] == runs
    assert (plan.out / "table.md").read_text() in done.output
    assert (plan.out / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_a_finished_bench_is_read_and_a_killed_one_goes_on(plan: Plan, runs: list[CoevolutionRun]):
    files = _files(plan, "evolving")
    journal = files.root / "shared.jsonl"
    before, verdict = journal.read_text(), files.version("v001").verdict.read_bytes()
    assert list(run_bench(ROOT, plan, workers=2)) == runs
    assert journal.read_text() == before
    for place in (files.root / RUN, files.root / "closed" / "v001", files.version("v001").verdict):
        place.unlink()  # as if killed in the evaluation of v001, whatever came after it undone
    for version in files.version_names()[2:]:
        shutil.rmtree(files.version(version).root)
        (files.root / "closed" / version).unlink()
    again = next(iter(run_bench(ROOT, plan)))
    assert files.version("v001").verdict.read_bytes() == verdict
    assert (again.incumbent, again.score, again.promotions) == (runs[0].incumbent, runs[0].score, runs[0].promotions)
    done = runs[0].trainings, runs[0].completions
    assert (again.trainings, again.completions) == done and again.other_cpu_seconds > 0
    since = [json.loads(line) for line in journal.read_text().removeprefix(before).splitlines()]
    assert since and all(line["reused"] for line in since)


def test_other_settings_or_code_do_not_mix_with_a_bench(plan: Plan, runs: list[CoevolutionRun]):
    with pytest.raises(LineageError, match="other settings"):
        list(run_bench(ROOT, replace(plan, overrides=(*plan.overrides, "num_versions=1"))))
    code = plan.out / "foundation" / "code.txt"
    known = code.read_text()
    code.write_text("another\n")
    with pytest.raises(LineageError, match="other code"):
        list(run_bench(ROOT, plan))
    code.write_text(known)


@pytest.mark.parametrize(("change", "match"), [({"worlds": ("maths",)}, "unknown world"), ({"arms": ("ours",)}, "arm")])
def test_unknown_names_list_the_choices(plan: Plan, change: dict, match: str):
    with pytest.raises(ConfigError, match=match):
        list(run_bench(ROOT, replace(plan, **change)))


def test_weak_tests_are_the_examples_that_the_statement_shows(tmp_path: Path):
    shown, hidden = [{"input": [1], "output": 2}], [{"input": [3], "output": 4}]
    row = {"id": "a", "problem": "f", "visible": shown, "hidden": hidden}
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.jsonl").write_text(json.dumps(row) + "\n")
    weaken_tests(tmp_path / "code", tmp_path / "weak")
    assert json.loads((tmp_path / "weak" / "train.jsonl").read_text()) == row | {"hidden": shown}
