"""A measure of speed compares results before it times anything."""

from pathlib import Path

import pytest

from benchmarks.speed.evidence import measure_evidence
from benchmarks.speed.measure import Measure, compare, speed_table
from benchmarks.speed.policy import measure_policy
from tests.model_directories import FAMILIES


def test_both_sides_of_a_replay_and_a_diagnosis_give_the_same() -> None:
    found = list(measure_evidence(320))
    assert [one.name.split(",")[0] for one in found[:3]] == [
        f"backtest of a {name}" for name in ("reward", "filter", "mask")
    ]
    assert found[3].name == "diagnosis of 320 rows of a file"
    assert all(one.seconds > 0 and one.peer_seconds > 0 for one in found)


def test_unequal_results_are_refused() -> None:
    with pytest.raises(RuntimeError, match="sum: the results of both sides differ in bits"):
        compare("sum", "loop", lambda: 1, lambda: 2, "bits", lambda mine, theirs: mine == theirs)


def test_a_table_gives_the_ratio() -> None:
    assert "| a | b | 0.5000 | 2.000 | 4.0 | bits |" in speed_table([Measure("a", "b", 0.5, 2.0, "bits")])


@pytest.mark.parts
def test_a_policy_samples_like_generate_and_steps_like_trl(tmp_path: Path) -> None:
    FAMILIES["llama"](tmp_path / "model")
    rollouts, step = measure_policy(tmp_path / "model", 6, "float32")
    assert rollouts.peer == "transformers generate" and step.peer.startswith("TRL 1.")
    assert rollouts.seconds > 0 and step.seconds > 0
