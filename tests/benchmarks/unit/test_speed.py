"""A measure of speed compares results before it times anything."""

import os
import subprocess
import sys

import pytest

from benchmarks.process_tree import tree_seconds
from benchmarks.speed.backtests import measure_backtests
from benchmarks.speed.diagnosis import measure_diagnosis
from benchmarks.speed.grading import measure_grading
from benchmarks.speed.measure import Measure, compare, speed_table


def test_both_sides_of_a_backtest_give_the_same():
    found = measure_backtests(320)
    assert [one.name.split(",")[0] for one in found] == [
        f"backtest of a {name}" for name in ("reward", "filter", "mask")
    ]
    assert all(one.seconds > 0 and one.peer_seconds > 0 for one in found)


def test_the_harness_gives_the_metrics_of_pandas():
    assert [one.peer for one in measure_diagnosis(320)] == ["pandas, 11 of the metrics"]


def test_the_sandbox_gives_the_verdicts_of_a_process_a_solution():
    assert next(measure_grading(4)).name == "4 graded solutions, 10 stdin tests"


def test_unequal_results_are_refused():
    with pytest.raises(RuntimeError, match="sum: the results of both sides differ in bits"):
        compare("sum", "loop", lambda: 1, lambda: 2, "bits", lambda mine, theirs: mine == theirs)


def test_a_table_gives_the_ratio():
    assert "| a | b | 0.5000 | 2.000 | 4.0 | bits |" in speed_table([Measure("a", "b", 0.5, 2.0, "bits")])


def test_seconds_of_a_process_hold_those_of_its_children():
    before = tree_seconds(os.getpid())
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    while tree_seconds(os.getpid()) < before + 0.1:
        os.sched_yield()
    busy.kill()
    busy.wait()
    assert tree_seconds(busy.pid) == 0.0
