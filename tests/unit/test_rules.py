"""Rules over groups: what spreads, falls behind the incumbent or lies outside, and what comes with success is none."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from scipy.stats import linregress

from benchmarks.failure_modes.lineages import base_record
from conf.compose import compose_campaign
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.rules import moved, outliers, spreading
from evotrainer.diagnosis.trends import incumbent_trend, line_trend, unusual
from evotrainer.evidence.frames import empty_signals
from evotrainer.evidence.rows import Rows


def frame(share_at_end: float, *, solved_at_end: float = 0.5, seed: int = 0) -> pd.DataFrame:
    """Return 9 steps of 8 groups of 8 attempts; a mark grows to a share, and success from a half to another."""
    rng = np.random.default_rng(seed)
    steps = np.repeat(np.arange(9), 64)
    grown = steps / 8
    return pd.DataFrame(
        {
            "trajectory_id": [f"t{number}" for number in range(576)],
            "step": steps,
            "group": np.arange(576) // 8,
            "error": None,
            "mark": rng.random(576) < share_at_end * grown,
            "correct": (rng.random(576) < 0.5 + (solved_at_end - 0.5) * grown).astype(float),
        }
    )


def steady(share: float, *, solved: float = 0.5, num_groups: int = 48, seed: int = 0) -> pd.DataFrame:
    """Return groups of 8 attempts of one step, of which a share carries the mark."""
    rng, count = np.random.default_rng(seed), num_groups * 8
    rows = {"mark": (rng.random(count) < share).astype(float), "correct": (rng.random(count) < solved).astype(float)}
    named = {"trajectory_id": [f"t{number}" for number in range(count)], "group": np.arange(count) // 8, "step": 0}
    return pd.DataFrame(rows | named)


def context(training: pd.DataFrame | None = None, **before: float) -> Context:
    none = Rows.of([]).frame()
    record = base_record(compose_campaign(["domain=math"])).model_copy(update={"metrics": before}) if before else None
    return Context("v002", none, none if training is None else training, none, empty_signals(), reference=record)


def spreads(rows: pd.DataFrame) -> bool:
    return bool(spreading(context(rows), "echo_trap", lambda part: part["mark"], "that go in circles"))


def tell(rows: pd.DataFrame, before: float, **metrics: float) -> list:
    return moved(context(None, **metrics), "echo_trap", rows, "mark", 1, "rise_vs_incumbent", "circles", before)


def test_the_line_is_that_of_the_groups_means():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 12, 40), rng.random(40)
    rows = pd.DataFrame({"step": x, "group": range(40), "error": None, "v": y})
    found, (slope, _, _, p_value, _) = line_trend(rows, "v", 6), linregress(x, y)
    assert found is not None
    assert found.late - found.early == pytest.approx(slope * (x.max() - x.min()))
    assert 2 * ndtr(-abs(found.z)) == pytest.approx(p_value)
    assert line_trend(rows, "v", 41) is None
    assert line_trend(rows[rows["step"] < 2], "v", 2) is None
    constant = line_trend(rows.assign(v=1.0), "v", 6)
    assert constant is not None and constant.z == 0.0


def test_a_mark_of_a_quarter_of_the_last_attempts_is_told_and_a_steady_one_is_not():
    assert all(spreads(frame(0.25, seed=seed)) for seed in range(10))
    for seed in range(10):
        still = frame(0.0, seed=seed)
        assert not spreads(still)
        assert not spreads(still.assign(mark=np.random.default_rng(seed).random(len(still)) < 0.1))
    assert spreads(frame(0.5)) and not spreads(frame(0.5, solved_at_end=1.0))


def test_unusual_is_far_outside_of_the_first_steps_and_nothing_is_where_health_varies_widely():
    rng = np.random.default_rng(0)
    rows = frame(0.3).assign(mean_logprob=-0.4 + 0.02 * rng.standard_normal(576))
    for sign, value in ((1, -0.05), (-1, -3.0)):
        assert not unusual(rows, sign).any()
        changed = rows.assign(mean_logprob=rows["mean_logprob"].where(~rows["mark"], value))
        assert unusual(changed, sign).equals(rows["mark"].rename(None))
    assert not unusual(rows.assign(mean_logprob=-rng.exponential(0.3, 576)), 1).any()
    assert not unusual(rows[rows["step"] < 2], 1).any()


@pytest.mark.parametrize(("share", "solved", "is_told"), [(0.1, 0.5, True), (0.01, 0.5, False), (0.1, 1.0, False)])
def test_a_share_outside_the_fences_is_told_by_its_count(share, solved, is_told):
    is_outlier = (np.arange(576) >= 192) & (np.random.default_rng(1).random(576) < share)
    rows = frame(0.0, solved_at_end=solved).assign(mark=is_outlier)
    found = outliers(context(rows), "entropy_collapse", lambda part: part["mark"], "attempts are far more certain")
    assert [finding.mode for finding in found] == (["entropy_collapse"] if is_told else [])


@pytest.mark.parametrize("seed", range(3))
def test_a_rare_mark_is_told_against_the_version_before_it_spread(seed):
    rows = steady(0.06, seed=seed)
    (found,) = tell(rows, 0.0, solve_rate=0.5)
    assert (found.mode, found.severity) == ("echo_trap", "warning")
    assert (found.numbers["early"], found.numbers["late"]) == (0.0, pytest.approx(rows["mark"].mean()))
    assert not tell(rows, 0.06, solve_rate=0.5)
    assert not tell(rows, 0.0) and not tell(steady(0.3, num_groups=9), 0.0, solve_rate=0.5)


def test_what_came_with_success_is_no_decay_and_a_sure_change_below_the_limit_is_none():
    rows = steady(0.3, solved=0.8)
    assert tell(rows, 0.0, solve_rate=0.8) and not tell(rows, 0.0, solve_rate=0.5)
    small = steady(0.01, num_groups=2000)
    found = incumbent_trend(context(None, solve_rate=0.5), small, "mark", 0.0)
    assert found is not None and found.z > 4.0 and not tell(small, 0.0, solve_rate=0.5)
