"""Laws of advantages, group filters and credit, on drawn rewards."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evotrainer.algorithm.advantages import NORMALISATIONS, advantages
from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.filters import FILTERS, GroupFilter
from evotrainer.config import Config, FilterConfig
from evotrainer.records import Message, Trajectory
from tests.plain_records import plain_row

reward = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.floats(-2, 2, allow_nan=False), st.just(float("nan")))
matrices = arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 6)), elements=reward)


@settings(deadline=None, derandomize=True)
@given(matrices, st.sampled_from(list(NORMALISATIONS)))
def test_advantages_of_a_group_sum_to_zero_and_keep_the_order(rewards_PG, normalisation):
    found = advantages(rewards_PG, normalisation)
    assert np.all(np.isfinite(found))
    assert np.all(found[np.isnan(rewards_PG)] == 0)
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-6 * (1 + np.abs(found).max()))
    for rewards, values in zip(rewards_PG, found, strict=True):
        counted = ~np.isnan(rewards)
        order = np.argsort(rewards[counted], kind="stable")
        assert np.all(np.diff(values[counted][order]) >= -1e-9)


@settings(deadline=None, derandomize=True)
@given(matrices, matrices)
def test_a_filter_remembers_groups_one_by_one(first_PG, second_PG):
    start = GroupFilter(FilterConfig(group="std"))
    width = max(first_PG.shape[1], second_PG.shape[1])

    def widened(rewards):
        return np.pad(rewards, ((0, 0), (0, width - rewards.shape[1])), constant_values=np.nan)

    together = np.concatenate([widened(first_PG), widened(second_PG)])
    assert start.after(first_PG).after(second_PG).mean == pytest.approx(start.after(together).mean)
    assert start.after(together).num_seen == len(together)


def _groups(group_spreads: list[float]) -> np.ndarray:
    """Return groups of two attempts with these spreads."""
    half = np.array(group_spreads) / np.sqrt(2)
    return np.stack([-half, half], axis=1)


FIRST_GROUPS = FilterConfig(group="std", min_keep=0.0)
"""The first twenty groups meet the zero rule alone."""


@pytest.mark.parametrize(
    ("config", "group_spreads", "keep"),
    [
        (FIRST_GROUPS, [1.0] * 10 + [1e-6, 0.0] * 5, [True] * 10 + [True, False] * 5),
        (FilterConfig(group="ragen_v1", keep_ratio=0.5), [0.1, 0.4, 0.0, 0.2, 0.3], [False, True, False, False, True]),
        # total 0.95, wanted 0.845: 0.5 + 0.3 + 0.1 reaches it
        (FilterConfig(group="ragen_v2", keep_ratio=0.9), [0.5, 0.0, 0.1, 0.3, 0.05], [True, False, True, True, False]),
    ],
)
def test_each_filter_keeps_the_groups_that_its_rule_says(config, group_spreads, keep):
    assert GroupFilter(config).keep(_groups(group_spreads)).tolist() == keep


def test_std_filter_cuts_at_the_moving_mean_less_z_deviations():
    config = FilterConfig(group="std", min_keep=0.0, keep_ratio=0.9, ema_decay=0.1)
    seen = [0.4, 0.6] * 15
    mean, variance = seen[0], 0.0
    for spread in seen[1:]:
        gap = spread - mean
        mean, variance = mean + 0.1 * gap, 0.9 * (variance + 0.1 * gap * gap)
    limit = mean - NormalDist().inv_cdf(0.9) * variance**0.5
    ready = GroupFilter(config).after(_groups(seen))
    assert ready.mean == pytest.approx(mean) and ready.variance == pytest.approx(variance)
    assert ready.keep(_groups([limit + 1e-6])).tolist() == [True]
    assert ready.keep(_groups([limit - 1e-6])).tolist() == [False]


def test_std_filter_keeps_half_by_width_but_never_a_dead_group():
    ready = GroupFilter(FilterConfig(group="std", min_keep=0.5)).after(_groups([1.0] * 40))
    assert ready.keep(_groups([0.1, 0.3, 0.2, 0.0])).tolist() == [False, True, True, False]
    assert ready.keep(_groups([0.0, 0.3, 0.0, 0.0])).tolist() == [False, True, False, False]


def _row(group: int, attempt: int, value: float | None, is_truncated: bool) -> Trajectory:
    return plain_row(
        trajectory_id=f"{group}.{attempt}",
        problem_id=f"p{group}",
        group_id=f"g{group}",
        attempt=attempt,
        messages=[Message(role="user", content="x")],
        reward=value,
        num_tokens=3,
        error=None if value is not None else "GraderError",
        is_truncated=is_truncated,
    )


attempts = st.tuples(st.one_of(st.none(), st.sampled_from([0.0, 1.0])), st.booleans())


@settings(deadline=None, derandomize=True, max_examples=50)
@given(
    st.lists(st.lists(attempts, min_size=1, max_size=5), min_size=1, max_size=6),
    st.booleans(),
    st.sampled_from(sorted(FILTERS)),
)
def test_what_is_masked_counts_nowhere(groups, mask_truncated, name):
    config = Config()
    config.filter.group, config.filter.mask_truncated = name, mask_truncated
    rows = [_row(g, a, *attempt) for g, members in enumerate(groups) for a, attempt in enumerate(members)]
    credit = assign_credit(rows, config, GroupFilter(config.filter))
    assert [row.trajectory_id for row in credit.rows] == [row.trajectory_id for row in rows]
    for row in credit.rows:
        counts = row.reward is not None and not (mask_truncated and row.is_truncated)
        assert row.in_loss in ((True, False) if counts else (False,))
        assert (row.advantage is not None) == row.in_loss
    for group in {row.group_id for row in rows}:
        kept = [row for row in credit.rows if row.group_id == group and row.in_loss]
        assert sum(row.advantage for row in kept) == pytest.approx(0.0, abs=1e-9)
        assert name in ("none", "ragen_v1") or not kept or len({row.reward for row in kept}) > 1
    counted = [row for row in rows if row.reward is not None and not (mask_truncated and row.is_truncated)]
    alone = assign_credit(counted, config, GroupFilter(config.filter))
    assert replace(credit, rows=[row for row in credit.rows if row in alone.rows]) == alone
