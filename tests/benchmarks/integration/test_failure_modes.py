"""The failure-mode benchmark, tiny: real rollouts and a training run, faults injected in them, and the tables."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.failure_modes import find_failure_mode
from benchmarks.fault_injection import bench
from benchmarks.fault_injection.cases import RowSource
from benchmarks.fault_injection.measure import (
    INJECTED,
    LINEAGE,
    PLAYED,
    Bank,
    make_pair,
    measure_alarms,
    measure_recall,
    ways_of,
)
from benchmarks.fault_injection.report import failure_mode_tables, false_alarms, reached_at
from benchmarks.fault_injection.rollouts import PoolSize, play_pool, read_pool, write_pool
from benchmarks.fault_injection.training import train_runs
from evotrainer.config import Config, DomainConfig
from tests.examination import base_harness
from tests.frozen_problems import built_in

ROOT = Path(__file__).parents[3]
SIZE = PoolSize(num_trained=6, num_held=4, num_honest=8, num_cheats=1)


@pytest.fixture(scope="module")
def bank(tmp_path_factory, digit_policy, digit_problems) -> Bank:
    folder = tmp_path_factory.mktemp("bench")
    trained, held = (built_in("code", split) for split in ("train", "validation"))
    problems = [*islice(trained, SIZE.num_trained), *islice(held, SIZE.num_held)]
    pool = play_pool(DomainConfig(name="code"), problems, SIZE, 0, lambda _line: None)
    write_pool(pool, folder / "code.jsonl")
    assert read_pool(folder / "code.jsonl", "code") == pool
    config = Config()
    config.sampling = replace(config.sampling, group_size=8, problems_per_step=8, max_response_tokens=8)
    config.budget = replace(config.budget, max_steps=9)
    runs = [
        train_runs(config, digit_policy, digit_problems, digit_problems[:12], folder, [0], lambda _line: None)
        for _ in range(2)
    ]
    assert runs[0][0].training.equals(runs[1][0].training), "what is stored is not trained again"
    return Bank({"code": RowSource(pool)}, runs[0], config)


def test_cases_differ_from_their_control_in_what_was_injected(bank):
    control, case = make_pair(bank, "answer_reading", PLAYED, 0.2, 3)
    assert list(control.validation["trajectory_id"]) == list(case.validation["trajectory_id"])
    is_cheat = case.validation["check_reads_answers"] > 0
    assert 0 < is_cheat.mean() < 0.5
    same = ["correct", "num_tokens", "response_hash", "mean_logprob"]
    assert control.validation[~is_cheat][same].equals(case.validation[~is_cheat][same])
    again, _ = make_pair(bank, "answer_reading", PLAYED, 0.2, 3)
    assert again.training.equals(control.training)


def test_tables_say_what_was_measured(bank):
    modes = ("answer_reading", "staleness", "optimism")
    recalls = [
        row
        for mode in modes
        for way in ways_of(mode, bank)
        for row in measure_recall(base_harness(), bank, mode, way, range(2))
    ]
    alarms = [measure_alarms(base_harness(), bank, domain, range(2)) for domain in ("math", "code", LINEAGE)]
    text = failure_mode_tables(recalls, alarms)
    assert all(f"| `{mode}` |" in text for mode in modes)
    assert "| injected cases found |" in text and "score-only keeps" in text
    assert false_alarms("answer_reading", alarms) == (0, 2)  # programs
    assert false_alarms("staleness", alarms) == (0, 2)  # training of math
    assert false_alarms("optimism", alarms) == (0, 2)  # campaigns
    assert reached_at(recalls, "answer_reading") == find_failure_mode("answer_reading").strengths[0]


def test_the_bench_goes_on_where_it_stood_and_another_seed_draws_anew(bank, tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "make_bank", lambda _root, _out, _size, _progress, seed: (bank, f"bank of seed {seed}"))
    monkeypatch.setattr(bench, "ROW_DOMAINS", ("code",))
    size = bench.BenchSize(SIZE, num_runs=1, run_steps=9, held_problems=12, injected_seeds=3, controls=2)
    controls = []
    monkeypatch.setattr(bench, "measure_alarms", lambda *args: controls.append(args[2:]) or measure_alarms(*args))

    def measure(seed: int) -> tuple[list, list, list[str]]:
        said: list[str] = []
        recalls, alarms = bench.measure_detectors(ROOT, tmp_path / str(seed), size, ["optimism"], said.append, seed)
        return recalls, alarms, said

    recalls, alarms, said = measure(0)
    assert {found.num_cases for found in recalls if found.way == INJECTED} == {3}
    assert [found.domain for found in alarms] == ["math", "code", LINEAGE] and len(said) == 5
    assert measure(0) == (recalls, alarms, [])
    assert len(measure(7)[2]) == 5
    assert [list(seeds) for domain, seeds in controls if domain == "code"] == [[0, 1], [700_000, 700_001]]
