"""A tiny bench through the real stages: campaigns run to their end, are scored honestly, and are not run twice."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app as benchmarks
from benchmarks.worlds import coevolution
from benchmarks.worlds.bench import RUN
from benchmarks.worlds.measure import WorldRun
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.errors import LineageError

SMALL = (
    "search.candidates_per_generation=1",
    "trainer.pool_size=2",
    "sampling.problems_per_step=4",
    "evaluate.attempts=2",
    "evaluate.max_gate_attempts=8",
    "budget.train_tokens=300",
    "budget.rollout_problems=6",
    "budget.probe_problems=3",
    "budget.probe_rollouts=8",
)


@pytest.fixture
def words(tmp_path: Path, digit_settings: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command of a bench of one world, arm and seed, at a scale of seconds."""
    monkeypatch.setitem(coevolution.SCALES["quick"], "math", (*digit_settings, *SMALL))
    chosen = ["--worlds", "math-length_pay", "--arms", "random", "--seeds", "3", "--out", str(tmp_path / "out")]
    return ["coevolution", "--quick", *chosen]


def test_a_campaign_runs_to_its_end_is_measured_and_is_not_run_twice(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Path(words[-1])
    done = CliRunner().invoke(benchmarks, words)
    assert done.exit_code == 0, done.output
    files = CampaignFiles(out / "math-length_pay" / "random" / "seed-3")
    run = WorldRun.model_validate_json((files.root / RUN).read_bytes())
    records = read_records(files)
    assert run.num_trained == sum(record.policy_hash is not None for record in records) >= 1
    assert run.num_problems == 15 and run.attempts == 2  # the whole test split
    assert len(run.promotions) == sum(record.verdict.outcome == "promoted" for record in records)
    assert run.trained_tokens > 0 and run.other_tokens > 0
    assert "length_penalty: 0.3" in files.config.read_text()  # the trap is a setting of the campaign
    found = json.loads((out / "results.json").read_text())["runs"]
    assert [WorldRun.model_validate(one) for one in found] == [run]
    assert (out / "table.md").read_text() in done.output

    stamp = files.version("v001").verdict.path.stat().st_mtime_ns
    assert CliRunner().invoke(benchmarks, words).exit_code == 0
    assert files.version("v001").verdict.path.stat().st_mtime_ns == stamp
    scale = coevolution.SCALES["quick"]
    monkeypatch.setitem(scale, "math", (*scale["math"], "evaluate.attempts=3"))
    other = CliRunner().invoke(benchmarks, words)
    assert isinstance(other.exception, LineageError) and "other settings" in str(other.exception)
    (out / "foundation" / "code.txt").write_text("another\n")
    other = CliRunner().invoke(benchmarks, words)
    assert isinstance(other.exception, LineageError) and "other code" in str(other.exception)
