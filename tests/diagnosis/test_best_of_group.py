"""Advantages that pay the best of a group: estimators for pass@k, and what only overwrites advantages."""

from math import comb

import numpy as np
import pandas as pd
import pytest

from evotrainer.evidence.frames import Frame
from harness_plugins.signal import advantage_mismatch
from tests.foreign_frames import COUNT, GROUP, PROBLEM, foreign_rows, told

ACCUSED, AN_ESTIMATOR = [("critical", "advantage_mismatch")], [("info", "advantage_mismatch")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def passing(rewards: Frame, k: int = 2) -> Frame:
    """The analytic advantage of training for pass@k, by group (arXiv 2508.10751, section 2.3)."""
    lost = int((rewards < 0.5).sum())
    mean = 1 - comb(lost, k) / comb(GROUP, k)
    spread = (mean * (1 - mean)) ** 0.5
    if spread == 0:
        return rewards * 0.0
    lose = 1 - mean - comb(max(lost - 1, 0), k - 1) / comb(GROUP - 1, k - 1)
    return rewards.where(rewards < 0.5, (1 - mean) / spread).where(rewards > 0.5, lose / spread)


def leading(rewards: Frame, divide: bool = False) -> Frame:
    """The lead of the best attempt over the second, and nothing for the others (arXiv 2503.19595)."""
    best = rewards.sort_values(ascending=False, kind="stable")
    lead = best.iloc[0] - best.iloc[1]
    given = rewards * 0.0
    given.loc[best.index[0]] = lead / rewards.std() if divide and lead else lead
    return given


@pytest.mark.parametrize("share", [0.25, 0.4])
def test_training_for_one_of_k_is_another_estimator(rng, share):
    right = pd.Series((rng.random(COUNT) < share).astype(float))
    rows = foreign_rows(rng, reward=right, correct=right, advantage=right.groupby(PROBLEM).transform(passing))
    assert told(advantage_mismatch, rows) == AN_ESTIMATOR
    fewer = rows.assign(advantage=rows["advantage"].round(4))
    assert told(advantage_mismatch, fewer) == AN_ESTIMATOR


@pytest.mark.parametrize("divide", [False, True])
def test_the_lead_of_the_best_is_another_estimator(rng, divide):
    reward = pd.Series(rng.random(COUNT).round(2))
    given = reward.groupby(PROBLEM).transform(leading, divide=divide)
    assert told(advantage_mismatch, foreign_rows(rng, reward=reward, advantage=given)) == AN_ESTIMATOR


def test_advantages_that_something_overwrites_are_a_fault(rng):
    rows = foreign_rows(rng)
    given = rows["reward"].groupby(PROBLEM).transform(passing)
    stale = given.where(PROBLEM % 5 > 0, 0.0)
    assert told(advantage_mismatch, rows.assign(advantage=stale)) == ACCUSED, "some groups have none"
    turned = given.where(PROBLEM % 5 > 0, -given)
    assert told(advantage_mismatch, rows.assign(advantage=turned)) == ACCUSED, "some groups are turned round"
    whole = rows["reward"].groupby(PROBLEM).transform("sum")
    rising = rows["reward"] * whole * (whole < GROUP) - np.where(whole == 1, 2.0, 0.0) * (1 - rows["reward"])
    assert told(advantage_mismatch, rows.assign(advantage=-rising)) == ACCUSED, "winners are pushed down"
    reward = pd.Series(rng.random(COUNT).round(2))
    second = reward.groupby(PROBLEM).transform(leading)
    moved = pd.Series(np.roll(second, 1))
    assert told(advantage_mismatch, rows.assign(reward=reward, advantage=moved)) == ACCUSED, "the wrong attempt is paid"
