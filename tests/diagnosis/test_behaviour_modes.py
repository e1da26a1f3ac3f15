"""Failure modes of behaviour: named where injected, silent on healthy episodes; what the metrics of tools say."""

from typing import Any

import numpy as np
import pytest

from benchmarks.failure_modes import BEHAVIOURS, find_failure_mode
from benchmarks.failure_modes.lineages import base_record
from benchmarks.fault_injection.measure import detectors_of
from conf.compose import compose_campaign
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.rows import Rows
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.behaviour.actions import goes_in_circles
from tests.cheats import told
from tests.examination import base_harness, examine, finding_of
from tests.healthy_swe import healthy_swe

pytestmark = pytest.mark.slow

OF_BEHAVIOUR = {
    *BEHAVIOURS,
    "few_edits",
    "failed_edits",
    "low_edit_coverage",
    "low_search_before_edit",
    "low_self_test_rate",
}


@pytest.fixture(scope="module")
def harness():
    return base_harness()


def rollout(seed: int) -> list[Trajectory]:
    return healthy_swe(np.random.default_rng(seed), num_groups=40)


def run(seed: int) -> list[Trajectory]:
    return healthy_swe(np.random.default_rng(seed), num_groups=12, num_steps=12)


def heard(
    harness: Harness, rows: list[Trajectory], *evidence: list[Trajectory] | None, **beside: Any
) -> dict[str, str]:
    """Return the modes, with their severities, that the diagnostics of behaviour tell; the others are not asked."""
    asked = {name for mode in OF_BEHAVIOUR for name in detectors_of(harness, mode)}
    return told(examine(harness, rows, *evidence, only=asked, **beside))


def planted(mode: str, rows: list[Trajectory], strength: float, seed: int) -> list[Trajectory]:
    return find_failure_mode(mode).inject(rows, strength, np.random.default_rng(seed + 99))


@pytest.mark.parametrize("mode", ["echo_trap", "template_collapse"])
def test_a_tenth_of_the_last_attempts_is_told_beside_the_version_before_and_not_alone(harness, mode):
    was, healthy = (healthy_swe(np.random.default_rng(seed), num_groups=5, num_steps=8) for seed in (9, 5))
    metrics = examine(harness, was, was).metrics
    before = base_record(compose_campaign(["domain=swe"])).model_copy(update={"metrics": metrics})
    rows = planted(mode, healthy, 0.1, 5)
    assert mode not in heard(harness, rows, rows)
    assert mode in heard(harness, rows, rows, reference=before)
    assert not OF_BEHAVIOUR.intersection(heard(harness, healthy, healthy, reference=before))


@pytest.mark.parametrize("seed", range(2))
def test_healthy_episodes_are_silent(harness, seed):
    for rows, training in ((rollout(seed), None), (run(seed), run(seed))):
        assert not OF_BEHAVIOUR.intersection(heard(harness, rows, training))


def _episode(row: Trajectory, *calls: tuple[str, dict]) -> Trajectory:
    turns = [
        message
        for name, arguments in calls
        for message in (
            Message(role="assistant", tool_calls=[ToolCall(name=name, arguments=arguments)], num_tokens=9),
            Message(role="tool", content="done", tool_name=name, ok=True),
        )
    ]
    return row.model_copy(update={"messages": [row.messages[0], *turns], "num_turns": len(calls)})


def _some(rows: list[Trajectory], share: float, calls: list[tuple[str, dict]]) -> list[Trajectory]:
    return [_episode(row, *calls) if place % 100 < 100 * share else row for place, row in enumerate(rows)]


READ, EDIT = ("read_file", {"path": "a.py"}), ("edit", {"path": "a.py", "old": "1", "new": "2"})
SEARCH, TEST, SUBMIT = ("search", {"query": "f"}), ("run_tests", {}), ("submit", {})
PAGES = [("read_file", {"path": f"a{number}.py"}) for number in range(6)]


@pytest.mark.parametrize(
    "share, calls, mode",
    [
        (0.9, PAGES, "action_collapse"),
        (0.7, [EDIT, TEST, SUBMIT], "low_search_before_edit"),
        (0.9, [SEARCH, EDIT, SUBMIT], "low_self_test_rate"),
        (0.9, [SEARCH, READ, SUBMIT], "low_edit_coverage"),
        (0.3, [SEARCH, EDIT, TEST, TEST, TEST, TEST], "echo_trap"),
    ],
)
def test_each_way_of_it_is_told(harness, share, calls, mode):
    assert mode in told(examine(harness, _some(rollout(0), share, calls)))


def test_leaving_after_one_turn_is_worse_than_ending_with_nothing_changed(harness):
    short, long = (told(examine(harness, _some(rollout(0), 0.4, calls))) for calls in ([SUBMIT], [READ, *PAGES]))
    assert (short["timidity"], long["timidity"]) == ("critical", "warning")


def test_one_tool_is_no_collapse_where_there_is_only_one(harness):
    rows = [
        row.model_copy(update={"domain": "other"}) for row in _some(rollout(0), 1.0, [("python", {"code": "1"})] * 5)
    ]
    assert "action_collapse" not in heard(harness, rows)


@pytest.mark.parametrize(
    "calls, mode", [([SEARCH, READ, EDIT, SUBMIT], "timidity"), ([SEARCH, EDIT, TEST, READ, SUBMIT], "action_collapse")]
)
def test_what_died_out_since_the_version_before_is_told(harness, make_records, calls, mode):
    rows = rollout(0)
    before = examine(harness, rows).metrics
    (record,) = make_records(
        ("v000", 0.4, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": [], "metrics": before})
    )
    lazy = [_episode(row, *calls) for row in rows]
    assert "without a better score" in finding_of(harness, mode, lazy, reference=record).message
    assert not OF_BEHAVIOUR.intersection(told(examine(harness, rows, reference=record)))


def test_process_metrics_are_shares_of_attempts(harness):
    full, rash, idle = [SEARCH, READ, EDIT, TEST, SUBMIT], [EDIT, SUBMIT], [READ, SUBMIT]
    rows = [_episode(row, *(full, full, rash, idle)[row.attempt % 4]) for row in rollout(0)]
    metrics = examine(harness, rows).metrics
    expected = {
        "self_test_rate": 0.5,
        "edit_coverage": 0.75,
        "search_before_edit_rate": 2 / 3,
        "edit_then_test_rate": 2 / 3,
        "abandonment_rate": 0.25,
        "submit_rate": 1.0,
        "git_usage_rate": 0.0,
        "circle_rate": 0.0,
        "repeated_call_rate": 0.0,
        "failed_edit_rate": 0.0,
        "tool_entropy": (2 * np.log2(5) + 1 + 1) / 4,
    }
    assert {name: metrics[name] for name in expected} == pytest.approx(expected)


def test_circles_are_calls_made_before_and_not_new_work():
    row = rollout(0)[0]
    ways = [[TEST] * 4, [SEARCH, EDIT, TEST, EDIT, TEST], PAGES, [READ, TEST, TEST]]
    made = [_episode(row, *calls).model_copy(update={"trajectory_id": str(way)}) for way, calls in enumerate(ways)]
    assert goes_in_circles(Rows.of(made).frame()).tolist() == [True, False, False, False]


@pytest.mark.parametrize("mode", BEHAVIOURS)
def test_a_run_that_slides_into_it_is_told_while_three_attempts_in_four_are_healthy(harness, mode):
    rows = planted(mode, run(1), 0.25, 1)
    assert mode in heard(harness, rows, rows)
