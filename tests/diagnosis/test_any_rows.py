"""Checks for rows of any system: each kind of fault in a small file of another system, and the same file without it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.diagnose.foreign import diagnosed, read_evidence

Row = dict[str, Any]


def healthy(problem: int, attempt: int) -> Row:
    """One attempt in the way of verl: right for two of three problems' attempts, steps of eight problems."""
    right = (problem * 7 + attempt * 5) % 3 > 0
    answer = 100 + problem * 3 + (0 if right else 1 + attempt)
    worked = f"We add {problem} and {attempt} and look at the sum once more. So the answer is \\boxed{{{answer}}}."
    return {
        "input": f"How many apples are in box {problem} of the {problem % 5} rows?",
        "output": worked,
        "gts": str(100 + problem * 3),
        "score": float(right),
        "acc": right,
        "step": problem // 8,
        "advantage": (1.0 if right else 0.0) - sum((problem * 7 + one * 5) % 3 > 0 for one in range(4)) / 4,
    }


def rows() -> list[Row]:
    return [healthy(problem, attempt) for problem in range(96) for attempt in range(4)]


def refused(row: Row, place: int) -> None:
    """The grader reads `\\boxed{}` of even rows alone."""
    if place % 2:
        row["score"], row["acc"] = 0.0, False


def shuffled_prediction(row: Row, place: int) -> None:
    row["pred"] = str(100 + (place * 37 % 96) * 3)


def empty_and_paid(row: Row, place: int) -> None:
    if place % 6 == 0:
        row["output"], row["score"], row["acc"] = "", 1.0, True


def placeholder(row: Row, place: int) -> None:
    row["judge_reply"] = "3 of 5 points are there"
    if place % 4 == 0:
        row["judge_reply"] = "Error: read timed out after 30 s"
        row["score"], row["acc"] = 0.5, None


def own_groups(row: Row, place: int) -> None:
    row["group_id"] = f"u{place}"


def inverted(row: Row, place: int) -> None:
    row["advantage"] *= -1


def dead_rate(row: Row, place: int) -> None:
    row["actor/lr"] = 1e-6 if row["step"] < 8 else 0.0


def far(row: Row, place: int) -> None:
    row["actor/ppo_kl"] = 0.01 if row["step"] < 6 else 3.0


def cut(row: Row, place: int) -> None:
    row["finish_reason"] = "length" if row["step"] > 6 else "stop"


FAULTS: dict[str, tuple[Callable[[Row, int], None], str]] = {
    "right answers are refused": (refused, "metric_defect"),
    "predictions stand in other rows": (shuffled_prediction, "metric_defect"),
    "empty attempts are paid": (empty_and_paid, "weak_verifier"),
    "a judge's errors have one reward": (placeholder, "infrastructure_zeros"),
    "each row is its own group": (own_groups, "wrong_groups"),
    "advantages have the wrong sign": (inverted, "advantage_mismatch"),
    "the rate is 0 from a step on": (dead_rate, "zero_gradient"),
    "the policy leaves its reference": (far, "kl_drift"),
    "texts grow into the limit": (cut, "truncation"),
}


def told(folder: Path, given: list[Row]) -> dict[str, str]:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    report = diagnosed(*read_evidence(path))
    assert not [one for one in report.findings if one.mode == "plugin_failure"]
    return {one.mode: one.severity for one in report.findings if one.severity in ("critical", "warning")}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named(name: str, tmp_path: Path) -> None:
    change, mode = FAULTS[name]
    given = rows()
    for place, row in enumerate(given):
        change(row, place)
    assert mode in told(tmp_path, given)


def test_a_healthy_run_has_no_finding(tmp_path: Path) -> None:
    assert told(tmp_path, rows()) == {}


def test_a_consequence_stands_under_its_cause(tmp_path: Path) -> None:
    given = [{**row, "output": "", "score": 0.0, "acc": False} for row in rows()]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    found = {one.mode: one for one in diagnosed(*read_evidence(path)).findings}
    assert found["infrastructure_zeros"].severity == "critical" and not found["infrastructure_zeros"].follows_from
    assert found["dead_groups"].follows_from == "infrastructure_zeros"
