"""One side of a group without advantage; problems that several files of the data hold."""

import numpy as np
import pandas as pd
import pytest

from harness_plugins.elsewhere import one_sided_advantages, overlapping_files
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, foreign_rows, told

LOST = [("warning", "one_sided_loss")]
COPIED = [("warning", "duplicate_problems")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(31)


@pytest.mark.parametrize("is_scaled", [True, False])
@pytest.mark.parametrize("is_graded", [True, False])
def test_one_side_of_every_group_has_no_advantage(rng, is_scaled, is_graded):
    reward = rng.random(COUNT).round(2) if is_graded else (rng.random(COUNT) < 0.4).astype(float)
    rows = foreign_rows(rng, reward=reward)
    group = rows.groupby("group")["reward"]
    whole = rows["reward"] - group.transform("mean")
    whole /= group.transform("std") + 1e-4 if is_scaled else 1.0
    assert told(one_sided_advantages, rows.assign(advantage=whole.clip(lower=0))) == LOST
    assert told(one_sided_advantages, rows.assign(advantage=whole.clip(upper=0))) == LOST
    assert told(one_sided_advantages, rows.assign(advantage=whole)) == []
    assert told(one_sided_advantages, rows.assign(advantage=whole * 0)) == []
    assert told(one_sided_advantages, rows.assign(advantage=whole.clip(lower=0), in_loss=0.0)) == []


def test_a_mask_leaves_out_what_has_an_advantage_below_0(rng):
    right = (rng.random(COUNT) < 0.4).astype(float)
    rows = foreign_rows(rng, reward=right, correct=right, advantage=right - 0.4)
    kept = np.where(rows["advantage"] > 0, 1.0, 0.0)
    assert told(one_sided_advantages, rows.assign(in_loss=kept)) == LOST
    assert told(one_sided_advantages, rows.assign(in_loss=1.0)) == []
    assert told(one_sided_advantages, rows.assign(in_loss=(rng.random(COUNT) < 0.5) * 1.0)) == []
    assert told(one_sided_advantages, rows.assign(in_loss=kept, advantage=np.nan)) == []


def test_rewards_as_advantages_have_one_side_by_nature(rng):
    right = (rng.random(COUNT) < 0.4).astype(float)
    assert told(one_sided_advantages, foreign_rows(rng, reward=right, advantage=right)) == []
    assert told(one_sided_advantages, foreign_rows(rng, reward=right, advantage=2 * right)) == []


def _of_files(rng, name="shard", prompts=10, **columns):
    """Return what is said of 80 problems in eight files, whose prompts recur with this period."""
    called = {"first_call": "", "first_answer": "0"} | columns
    given = {"asked": (PROBLEM % prompts).astype(str), f"extra:{name}": [f"s{p // 10}" for p in PROBLEM], **called}
    return told(overlapping_files, foreign_rows(rng), **given)


def test_files_hold_the_same_problems(rng):
    keys = {"extra:answer_key": pd.NA, "extra:gold": [f"{100 + p % 10}" for p in PROBLEM]}
    looked = {"first_call": "7", "first_answer": [f"{p % 10}" for p in PROBLEM]}
    assert _of_files(rng, **keys) == COPIED
    assert _of_files(rng, **looked) == COPIED
    assert _of_files(rng, prompts=80, **keys) == []  # each its own
    assert _of_files(rng, name="worker", **keys) == []  # no file
    assert _of_files(rng, **{"extra:gold": [f"{100 + p}" for p in PROBLEM]}) == []  # one prompt for several problems
    assert _of_files(rng, first_call="7", first_answer=[f"{p}" for p in PROBLEM]) == []
    assert _of_files(rng) == []
    mixed = {"extra:shard": [f"s{place % 8}" for place in ATTEMPT]}
    assert _of_files(rng, **keys, **mixed) == []  # a problem is in several by itself
