"""Change since the version before: told where it is sure and large, and where success did not come with it."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.failure_modes.lineages import base_record
from conf.compose import compose_campaign
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.trends import trend_vs_incumbent, warn_if_above_incumbent
from evotrainer.evidence.frames import empty_signals
from evotrainer.evidence.rows import Rows


def rows_with(share: float, *, solved: float = 0.5, num_groups: int = 48, seed: int = 0) -> pd.DataFrame:
    """Return groups of 8 attempts, of which a share carries the mark."""
    rng, count = np.random.default_rng(seed), num_groups * 8
    return pd.DataFrame(
        {
            "trajectory_id": [f"t{number}" for number in range(count)],
            "group": np.arange(count) // 8,
            "mark": rng.random(count) < share,
            "correct": (rng.random(count) < solved).astype(float),
        }
    )


def context(rows: pd.DataFrame, **before: float) -> Context:
    none = Rows.of([]).frame()
    record = base_record(compose_campaign(["domain=math"])).model_copy(update={"metrics": before}) if before else None
    return Context("v002", rows, none, none, empty_signals(), reference=record)


def tell(rows: pd.DataFrame, **before: float) -> list:
    return warn_if_above_incumbent(
        context(rows, **before), "echo_trap", rows, rows["mark"], "that go in circles", "circle_rate"
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_rare_mark_is_told_against_the_version_before_it_spread(seed):
    rows = rows_with(0.06, seed=seed)
    (found,) = tell(rows, circle_rate=0.0, solve_rate=0.5)
    assert (found.mode, found.severity) == ("echo_trap", "warning")
    assert found.numbers["before"] == 0.0
    assert found.numbers["now"] == pytest.approx(rows["mark"].mean())
    assert set(found.trajectory_ids) <= set(rows.loc[rows["mark"], "trajectory_id"])
    assert not tell(rows, circle_rate=0.06, solve_rate=0.5)


def test_nothing_is_told_without_an_incumbent_or_its_metric():
    rows = rows_with(0.3)
    assert not tell(rows)
    assert not tell(rows, solve_rate=0.5)
    assert not tell(rows, circle_rate=0.0)
    few = rows_with(0.3, num_groups=9)
    assert trend_vs_incumbent(context(few, circle_rate=0.0, solve_rate=0.5), few, "mark", "circle_rate") is None


def test_what_came_with_success_is_no_decay():
    rows = rows_with(0.3, solved=0.8)
    assert tell(rows, circle_rate=0.0, solve_rate=0.8)
    assert not tell(rows, circle_rate=0.0, solve_rate=0.5)


def test_a_sure_change_below_the_limit_is_none():
    rows = rows_with(0.01, num_groups=2000)
    found = trend_vs_incumbent(context(rows, circle_rate=0.0, solve_rate=0.5), rows, "mark", "circle_rate")
    assert found is not None and found.z > 4.0
    assert not tell(rows, circle_rate=0.0, solve_rate=0.5)


def test_groups_without_spread_differ_surely_or_not_at_all():
    rows = rows_with(0.0)
    for before, z in ((0.0, 0.0), (0.1, -30.0)):
        found = trend_vs_incumbent(context(rows, circle_rate=before, solve_rate=0.5), rows, "mark", "circle_rate")
        assert found is not None and found.z == z
