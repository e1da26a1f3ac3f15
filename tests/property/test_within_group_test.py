"""The exact test within groups: against all permutations, and its level on noise."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.diagnosis import stats


def within(group: pd.Series, marked: pd.Series, success: pd.Series) -> stats.Effect | None:
    return stats.within(group.to_numpy(np.int64), marked.to_numpy(bool), success.to_numpy(float))


GROUP = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=4)


@given(st.lists(GROUP, min_size=1, max_size=2))
@settings(max_examples=60, deadline=None)
def test_the_tail_is_that_of_all_permutations_within_groups(groups):
    rows = [(index, *attempt) for index, attempts in enumerate(groups) for attempt in attempts]
    frame = pd.DataFrame(rows, columns=["group", "marked", "success"])
    found = within(frame["group"], frame["marked"], frame["success"])
    mixed = [[s for _, s in attempts] for attempts in groups if 0 < sum(m for m, _ in attempts) < len(attempts)]
    if not mixed:
        assert found is None
        return
    marks = [[m for m, _ in attempts] for attempts in groups if 0 < sum(m for m, _ in attempts) < len(attempts)]
    observed = sum(m and s for ms, ss in zip(marks, mixed, strict=True) for m, s in zip(ms, ss, strict=True))
    totals = [
        sum(m and s for ms, ss in zip(marks, drawn, strict=True) for m, s in zip(ms, ss, strict=True))
        for drawn in itertools.product(*(itertools.permutations(successes) for successes in mixed))
    ]
    assert found is not None
    assert found.p == pytest.approx(np.mean([total >= observed for total in totals]))
    assert found.num_strata == len(mixed)


def test_noise_reaches_a_level_no_more_often_than_it_says():
    rng = np.random.default_rng(0)
    ps = []
    for _ in range(400):
        group = np.repeat(np.arange(20), 8)
        chance = np.repeat(rng.random(20), 8)
        frame = pd.DataFrame({"g": group, "m": rng.random(160) < chance, "s": rng.random(160) < chance})
        found = within(frame["g"], frame["m"], frame["s"])
        assert found is not None
        ps.append(found.p)
    assert np.mean(np.array(ps) <= 0.05) < 0.08
