"""Slow decay: a mark that spreads is told from the line over all steps, and a wide spread of health is not odd."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.trends import (
    spreads,
    trend_within_run,
    unusually_certain,
    unusually_uncertain,
    warn_if_outliers,
)
from evotrainer.evidence.frames import empty_signals
from evotrainer.evidence.rows import Rows


def frame(share_at_end: float, *, solved_at_end: float = 0.5, seed: int = 0) -> pd.DataFrame:
    """Return 9 steps of 8 groups of 8 attempts; a mark grows to a share, and success from a half to another."""
    rng = np.random.default_rng(seed)
    steps = np.repeat(np.arange(9), 64)
    grown = steps / 8
    return pd.DataFrame(
        {
            "step": steps,
            "group": np.arange(576) // 8,
            "error": None,
            "mark": rng.random(576) < share_at_end * grown,
            "correct": (rng.random(576) < 0.5 + (solved_at_end - 0.5) * grown).astype(float),
        }
    )


def told(rows: pd.DataFrame) -> bool:
    none = Rows.of([]).frame()
    context = Context("v001", none, rows, none, empty_signals())
    return spreads(context, rows, rows["mark"], context.thresholds.spreading) is not None


def test_the_line_is_that_of_the_groups_means():
    rows = pd.DataFrame({"step": [0, 0, 1, 1, 2, 2], "group": range(6), "error": None, "v": [0, 0.2, 1, 1.2, 2, 2.2]})
    found = trend_within_run(rows, "v", 6)
    assert found is not None
    assert (found.early, found.late) == pytest.approx((0.1, 2.1))
    assert found.z > 3
    assert trend_within_run(rows, "v", 7) is None
    assert trend_within_run(rows[rows["step"] < 2], "v", 2) is None
    constant = trend_within_run(rows.assign(v=1.0), "v", 6)
    assert constant is not None and constant.z == 0.0


def test_a_mark_of_a_quarter_of_the_last_attempts_is_told_and_a_steady_one_is_not():
    assert all(told(frame(0.25, seed=seed)) for seed in range(10))
    for seed in range(10):
        steady = frame(0.0, seed=seed)
        assert not told(steady)
        assert not told(steady.assign(mark=np.random.default_rng(seed).random(len(steady)) < 0.1))


def test_what_comes_with_success_is_no_decay():
    assert told(frame(0.5)) and not told(frame(0.5, solved_at_end=1.0))


def test_odd_is_far_outside_of_the_first_steps_and_nothing_is_where_health_varies_widely():
    rng = np.random.default_rng(0)
    rows = frame(0.3).assign(mean_logprob=-0.4 + 0.02 * rng.standard_normal(576))
    for odd, value in ((unusually_certain, -0.05), (unusually_uncertain, -3.0)):
        assert not odd(rows).any()
        changed = rows.assign(mean_logprob=rows["mean_logprob"].where(~rows["mark"], value))
        assert odd(changed).equals(rows["mark"].rename(None))
    wide = rows.assign(mean_logprob=-rng.exponential(0.3, 576))
    assert not unusually_certain(wide).any()
    assert not unusually_certain(rows[rows["step"] < 2]).any()


@pytest.mark.parametrize(("share", "solved", "is_told"), [(0.1, 0.5, True), (0.01, 0.5, False), (0.1, 1.0, False)])
def test_a_share_outside_the_fences_is_told_by_its_count(share, solved, is_told):
    rows = frame(0.0, solved_at_end=solved).assign(trajectory_id=[f"t{number}" for number in range(576)])
    is_outlier = (rows["step"] >= 3) & (np.random.default_rng(1).random(576) < share)
    none = Rows.of([]).frame()
    context = Context("v001", none, rows, none, empty_signals())
    found = warn_if_outliers(context, "entropy_collapse", rows, is_outlier, "far more certain than the first ones")
    assert [finding.mode for finding in found] == (["entropy_collapse"] if is_told else [])
    first = rows["step"] < 2
    assert not warn_if_outliers(context, "entropy_collapse", rows[first], is_outlier[first], "odd")
