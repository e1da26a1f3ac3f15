"""A measure of speed compares results before it times anything."""

import pytest

from benchmarks.speed.evidence import measure_evidence
from benchmarks.speed.measure import Measure, compare, speed_table


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
