"""Checks: judged exactly at any count, never a false all-clear, and closed to anything but a condition."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis import stats
from evotrainer.diagnosis.checks import (
    EARNS,
    PAID,
    SAME_FOR_ALL,
    SPREADS,
    UNPAID,
    Check,
    above,
    load_checks,
    run_checks,
)
from evotrainer.diagnosis.conditions import Conditions, Evidence
from evotrainer.diagnosis.harness import Harness
from evotrainer.errors import ConfigError, EvidenceError
from tests.stored_versions import context, plain_rows


def evidence(**columns: list) -> Evidence:
    size = len(next(iter(columns.values())))
    table = pa.table(
        {"trajectory_id": [f"t{i}" for i in range(size)], "problem": [i // 4 for i in range(size)]} | columns
    )
    return Evidence(Conditions({"attempts": table}))


def one(check: Check, **columns: list):
    return run_checks([check], evidence(**columns))[0]


def test_a_mark_that_is_paid_within_problems_is_found_and_a_hard_problem_is_not() -> None:
    marked = [True, True, False, False] * 8
    paid = one(Check("weak_verifier", "mark", judge=PAID, most="critical"), mark=marked, reward=[1.0, 1, 0, 0] * 8)
    assert paid.finding is not None and paid.finding.severity == "critical"
    assert paid.finding.numbers["difference"] == 1.0
    by_problem = [i // 4 < 4 for i in range(32)]
    same = one(Check("weak_verifier", "mark"), mark=by_problem, reward=[float(mark) for mark in by_problem])
    assert same.finding is None and same.unjudged is not None and "too few" in same.unjudged.advice[0]


def test_three_right_answers_of_seven_that_are_unpaid_speak_and_one_does_not() -> None:
    check = Check("metric_defect", "is_right", judge=UNPAID, says="{wrong} of {shows} are unpaid")
    three = one(check, is_right=[True] * 7 + [False], reward=[1.0] * 4 + [0.0] * 4)
    assert three.finding is not None and three.finding.message == "3 of 7 are unpaid"
    assert one(check, is_right=[True] * 7, reward=[1.0] * 6 + [0.0]).finding is None


def test_empty_attempts_that_earn_are_found_where_all_rewards_are_equal() -> None:
    assert one(Check("weak_verifier", "is_empty", judge=EARNS), is_empty=[True] * 5, reward=[1.0] * 5).finding


def test_one_value_for_all_needs_no_minimum_of_groups() -> None:
    found = one(Check("dead_groups", "reward", judge=SAME_FOR_ALL, says="all get {value}"), reward=[0.0] * 16).finding
    assert found is not None and found.message == "all get 0.0"
    assert one(Check("dead_groups", "reward", judge=SAME_FOR_ALL), reward=[0.0] * 15 + [1.0]).finding is None


def test_a_share_is_judged_where_it_can_be_and_named_too_few_elsewhere() -> None:
    check = Check("truncation", "is_cut", judge=above(0.5))
    assert one(check, is_cut=[True] * 16).finding
    few = one(check, is_cut=[True] * 5)
    assert few.finding is None and few.unjudged is not None and "5 rows, 2 problems" in few.unjudged.advice[0]


def test_a_mark_that_spreads_is_found() -> None:
    rising = one(
        Check("template_collapse", "mark", judge=SPREADS), mark=[i >= 40 for i in range(60)], step=[*range(60)]
    )
    assert rising.finding is not None and rising.finding.numbers["late"] == 1.0


def test_an_unknown_column_is_named_and_null_is_not_judged() -> None:
    lacking = one(Check("truncation", "is_cut", judge=above(0.1)), other=[1])
    assert lacking.unjudged is not None and lacking.unjudged.missing == ["is_cut"]
    half = one(Check("truncation", "is_cut", judge=above(0.5)), is_cut=[True] * 12 + [None] * 12)
    assert half.finding is not None and half.finding.numbers["among"] == 12


@pytest.mark.parametrize(
    "text",
    [
        "reward IN (SELECT 1)",
        "1) FROM read_text('/etc/passwd') WHERE (1",
        "1, 2",
        "1; DROP TABLE attempts",
        "(" * 3000 + "1" + ")" * 3000,
        "TRUE) --",
    ],
)
def test_a_condition_is_one_expression(text: str) -> None:
    with pytest.raises(EvidenceError):
        one(Check("mine", text), reward=[1.0])


def test_a_condition_that_fails_names_its_check() -> None:
    with pytest.raises(EvidenceError, match="check mine"):
        one(Check("mine", "no_such_function(reward)"), reward=[1.0])


def test_a_persons_file_holds_checks(tmp_path: Path) -> None:
    file = tmp_path / "checks.yaml"
    file.write_text("sorry:\n  shows: response LIKE '%sorry%'\n  judge: above 0.2\n  says: '{shows} excuses'\n")
    (check,) = load_checks(file)
    assert check == Check("sorry", "response LIKE '%sorry%'", judge=above(0.2), says="{shows} excuses")
    file.write_text("sorry:\n  shows: reward\n  judge: sometimes\n")
    with pytest.raises(ConfigError, match="no judge"):
        load_checks(file)


def test_a_search_over_columns_finds_the_one_that_matters_and_not_noise() -> None:
    generator = np.random.default_rng(0)
    strata = np.repeat(np.arange(60), 4)
    columns = {f"noise{i}": generator.random(240) for i in range(30)}
    machine = np.where(generator.random(240) < 0.3, "m7", "m1").astype(object)
    value = (generator.random(240) < 0.5) * (machine != "m7")
    found = stats.depends(value.astype(float), columns | {"machine": machine}, strata)
    assert found[0].column == "machine" and found[0].p <= 0.01
    assert stats.depends((generator.random(240) < 0.5).astype(float), columns, strata)[0].p > 0.01


def test_a_folder_of_a_persons_own_may_hold_checks(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "long.yaml").write_text("long_texts:\n  shows: num_tokens >= 0\n  judge: above 0.5\n")
    harness = Harness(tmp_path, HarnessConfig(plugins=["mine"]))
    report = harness.run(context(plain_rows(), "v001"))
    assert [(one.mode, one.diagnostic) for one in report.findings] == [("long_texts", "own checks")]
    assert harness.version != Harness(tmp_path, HarnessConfig(plugins=[])).version
