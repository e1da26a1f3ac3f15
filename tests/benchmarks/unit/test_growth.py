"""How costs grow is measured on work that was done, at every size that was asked for."""

import os
from functools import partial
from pathlib import Path

import pytest

from benchmarks.peak_memory import MB
from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.growth.apart import Cost, apart, growth_of, metered
from benchmarks.speed.growth.compared import measure_compared
from benchmarks.speed.growth.diagnosed import diagnose
from benchmarks.speed.growth.graded import measure_graded
from benchmarks.speed.growth.plot import plot_growth
from benchmarks.speed.growth.prompts import first_question
from benchmarks.speed.growth.record import Growth, growth_table
from benchmarks.speed.growth.sampled import VERSION, roll_out
from benchmarks.speed.growth.simulated_versions import simulated_versions
from benchmarks.speed.growth.stored import query, store
from benchmarks.speed.growth.unchanged import ask_worker, prepare, type_command
from evotrainer.agents.claude.metering import tokens_of
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.evidence.foreign import export_rows
from evotrainer.evidence.store import read_rows, read_tokens
from evotrainer.records import HarnessReport

MODEL = "claude-opus-5-5"


def test_a_slope_of_one_is_linear():
    assert Growth("work", "rows", (10, 100, 1000), (0.2, 2.0, 20.0)).slope == pytest.approx(1.0)
    assert Growth("work", "rows", (10, 100, 1000), (3.0, 3.0, 3.0)).slope == pytest.approx(0.0)


def test_a_row_shows_peaks_and_what_was_held_before():
    found = growth_of("work", "rows", {10: Cost(0.5, 300.4, 200.0), 1000: Cost(0.5, 1300.0, 202.0)})
    assert "| work | rows | 10, 1,000 | CPU s | 0.5, 0.5 | 0.00 | 300, 1,300 | 201 |" in growth_table([found])
    assert "| text | versions | 1, 2 | tokens | 9,000, 9,000 | 0.00 |  |  |" in growth_table(
        [Growth("text", "versions", (1, 2), (9000.0, 9000.0), "tokens")]
    )


def test_a_peak_is_of_the_process_that_worked():
    ours = bytearray(400 * int(MB))
    cost = apart(metered, partial(bytearray, 100 * int(MB)))
    assert len(ours) > cost.peak * MB, "what this process holds is in its peak"
    assert 90 < cost.peak - cost.at_start < 110
    assert apart(os.getpid) != os.getpid()


def test_an_error_of_the_other_process_is_raised():
    with pytest.raises(FileNotFoundError):
        apart(os.stat, "/no/such/file")


def test_what_is_asked_was_stored(tmp_path: Path):
    assert store(tmp_path, 320).seconds > 0
    assert len(read_rows(CampaignFiles(tmp_path).version("v000").training)) == 320
    assert query(tmp_path).peak > 0


def test_a_file_is_diagnosed(tmp_path: Path):
    export_rows(simulated_attempts(320), tmp_path / "rows.jsonl")
    assert diagnose(tmp_path / "rows.jsonl").seconds > 0


def test_a_rollout_needs_no_campaign(tmp_path: Path):
    assert roll_out(tmp_path, 16).seconds > 0
    rollout = CampaignFiles(tmp_path).version(VERSION).rollout
    rows = read_rows(rollout)
    assert len(rows) == len(read_tokens(rollout)) == 16
    assert all(row.error is None and row.num_tokens > 0 for row in rows)


def test_versions_and_solutions_have_all_their_sizes():
    found = [*measure_compared((2, 3)), measure_graded((4, 8))]
    assert [(one.sizes, len(one.values)) for one in found] == [((2, 3), 2), ((2, 3), 2), ((4, 8), 2)]


def test_a_stage_that_is_up_to_date_does_not_run(tmp_path: Path):
    prepare(tmp_path, 256)
    assert ask_worker(tmp_path) > 0
    assert len(list((tmp_path / "versions/v001/training/trajectories").iterdir())) == 2
    assert type_command(tmp_path, turns=1) > 0
    (tmp_path / "versions/v001/spec.json").write_text('{"changed": true}')
    with pytest.raises(RuntimeError, match="had to run"):
        type_command(tmp_path, turns=1)


def test_the_first_prompt_stays_as_long_beyond_a_bound():
    config, report = Config(), HarnessReport(version="v001", harness_version="h", metrics={"kl": 0.004})
    config.trainer.name, config.trainer.model = "claude", MODEL
    asked = {count: first_question(count, config, report) for count in (2, 60, 300)}
    tokens = {count: tokens_of(question) for count, question in asked.items()}
    assert "300 closed versions" in asked[300]["messages"][0]["content"][0]["text"]
    assert tokens[60] - tokens[2] > 1000, "versions are shown"
    assert abs(tokens[300] - tokens[60]) < 100, tokens


def test_simulated_versions_try_factors_in_turn_and_promote_each_tenth():
    records = simulated_versions(42, Config())
    assert [record.spec.version for record in records if record.verdict.outcome == "promoted"] == [
        "v001", "v011", "v021", "v031", "v041",
    ]  # fmt: skip
    assert records[-1].spec.incumbent == "v031"
    assert len({record.intervention.factor for record in records if record.intervention}) > 15


def test_all_units_are_drawn(tmp_path: Path):
    seconds = growth_of("work", "rows", {10: Cost(0.5, 300.0, 200.0), 100: Cost(5.0, 400.0, 200.0)})
    plot_growth([seconds, Growth("text", "versions", (1, 2), (9.0, 9.0), "tokens")], tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
