"""A leak through history and what only looks like one."""

import numpy as np
import pytest

from benchmarks.failure_modes.base import with_checks, with_turn
from tests.cheats import audit, healthy, planted, told, without_checks


def test_a_policy_that_reads_a_sanitised_history_is_healthy():
    rng = np.random.default_rng(0)
    rows = [
        with_turn(row, [("git", {"arguments": "log --all -p"})], "a1b2c3d start of the project", rng, is_first=True)
        if row.correct or rng.random() < 0.3
        else row
        for row in healthy("swe", 0)
    ]
    report = audit(rows)
    assert report.metrics["history_read_rate"] > 0.4
    assert told(report) == {}


@pytest.mark.parametrize("seed", range(3))
def test_without_measurement_a_leak_shows_by_what_it_is_worth(seed):
    rows = planted("history_leak", seed, 0.2)
    assert told(audit(without_checks(rows, "future_seen", "future_restored"))) == {"history_leak": "invalid"}


@pytest.mark.parametrize("is_first", [True, False])
def test_reading_that_goes_with_success_is_suspect_no_more_and_only_where_work_follows(is_first):
    rng, log = np.random.default_rng(0), [("git", {"arguments": "log --all -p"})]
    rows = [
        with_turn(row, log, "", rng, is_first=is_first) if row.correct and rng.random() < 0.8 else row
        for row in healthy("swe", 0)
    ]
    assert told(audit(without_checks(rows))) == ({"history_leak": "critical"} if is_first else {})


def test_history_that_showed_the_fix_in_vain_is_critical():
    rows = healthy("swe", 0)
    wrong = {row.trajectory_id for row in rows if not row.correct}
    seen = [with_checks(row, {"future_seen": 1.0}) if row.trajectory_id in wrong else row for row in rows]
    assert told(audit(seen)) == {"history_leak": "critical"}
