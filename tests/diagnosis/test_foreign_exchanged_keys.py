"""Gold answers that went to other problems."""

import numpy as np
import pytest

from harness_plugins.elsewhere import exchanged_keys
from tests.foreign_frames import COUNT, PROBLEM, foreign_rows, told

FOUND = [("warning", "metric_defect")]
IN_SHARD = PROBLEM % 4 == 1


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(73)


def _told(rng: np.random.Generator, true: np.ndarray, keys: np.ndarray) -> list[tuple[str, str]]:
    """Diagnose attempts that find the true answer in four of five cases, and are paid for the key."""
    said = np.where(rng.random(COUNT) < 0.8, true, rng.integers(10**6, 10**7, COUNT).astype(str))
    rows = foreign_rows(rng, reward=(said == keys).astype(float))
    return told(exchanged_keys, rows, **{"final_answer": said, "extra:ground_truth": keys})


def test_keys_of_a_shard_that_went_to_its_other_problems(rng):
    own = np.array([f"{1000 + 37 * p}" for p in range(PROBLEM.max() + 1)])
    shard = np.unique(PROBLEM[IN_SHARD])
    moved = own.copy()
    moved[shard] = own[np.roll(shard, 3)]
    assert _told(rng, own[PROBLEM], moved[PROBLEM]) == FOUND
    assert _told(rng, own[PROBLEM], own[PROBLEM]) == []
    # Keys that are wrong by another rule belong to nobody.
    wrong = own.copy()
    wrong[shard] = [f"{int(key) + 5}" for key in own[shard]]
    assert _told(rng, own[PROBLEM], wrong[PROBLEM]) == []
    # A twin whose answer is given in its place is itself answered rightly.
    twins = own.copy()
    twins[shard] = own[shard - 1]
    assert _told(rng, twins[PROBLEM], own[PROBLEM]) == []


def test_keys_that_many_problems_share_say_nothing(rng):
    letters = np.array(list("ABCD"))
    true = letters[rng.integers(0, 4, PROBLEM.max() + 1)]
    keys = np.where(np.arange(len(true)) % 4 == 1, letters[rng.integers(0, 4, len(true))], true)
    assert _told(rng, true[PROBLEM], keys[PROBLEM]) == []
