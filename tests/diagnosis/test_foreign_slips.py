"""Gold answers that are those of a neighbour from some place on."""

import numpy as np
import pytest

from harness_plugins.elsewhere import slipped_keys
from tests.foreign_frames import COUNT, GROUP, PROBLEM, foreign_rows, told

SIZE = COUNT // GROUP
FOUND = [("critical", "metric_defect")]
INDEX = np.arange(SIZE)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(17)


def _said(rng: np.random.Generator, truth: np.ndarray, gold: np.ndarray, skill: float = 0.75, **texts) -> list:
    """Return what is said where attempts know the truth of `skill` problems in one, and are paid for the gold."""
    knows = (rng.random(SIZE) < skill)[PROBLEM] & (rng.random(COUNT) < 0.9)
    said = np.where(knows, truth[PROBLEM], rng.integers(5000, 9999, COUNT).astype(str))
    rows = foreign_rows(rng, reward=(said == gold[PROBLEM]).astype(float))
    columns = {"extra:ground_truth": gold[PROBLEM], "final_answer": said}
    return told(slipped_keys, rows, **columns, **texts)


def _slipped(truth: np.ndarray, first: int, last: int, lag: int = 1) -> np.ndarray:
    gold = truth.copy()
    gold[first:last] = truth[first - lag : last - lag]
    return gold


@pytest.fixture
def truth(rng) -> np.ndarray:
    return rng.permutation(1000)[:SIZE].astype(str)


def test_a_row_is_lost_in_the_order_of_the_file(rng, truth):
    assert _said(rng, truth, _slipped(truth, 35, SIZE)) == FOUND
    assert _said(rng, truth, _slipped(truth, 20, 50, lag=-1)) == FOUND
    assert _said(rng, truth, truth) == []
    # Words, known by few.
    words = np.array([f"the mill of {name}" for name in truth])
    assert _said(rng, words, _slipped(words, 30, SIZE), skill=0.5) == FOUND


def test_a_row_is_lost_in_an_order_that_the_run_shuffles(rng, truth):
    gold, visit = _slipped(truth, 35, SIZE), rng.permutation(SIZE)
    numbered = {"extra:index": visit[PROBLEM].astype(float)}
    assert _said(rng, truth[visit], gold[visit], **numbered) == FOUND
    assert _said(rng, truth[visit], gold[visit]) == []
    assert _said(rng, truth[visit], truth[visit], **numbered) == []
    # Numbers in the ids of problems.
    knows = rng.random(COUNT) < 0.7
    said = np.where(knows, truth[visit][PROBLEM], "7")
    rows = foreign_rows(
        rng, reward=rng.integers(0, 2, COUNT).astype(float), problem_id=[f"exam-{place}" for place in visit[PROBLEM]]
    )
    assert told(slipped_keys, rows, **{"final_answer": said, "extra:target": gold[visit][PROBLEM]}) == FOUND


def test_neighbours_share_answers_otherwise(rng, truth):
    # Labels in disorder, letters, and answers in order that a policy misses by one now and then.
    mixed = np.concatenate([truth[:35], rng.permutation(truth[35:])])
    assert _said(rng, truth, mixed) == []
    letters = rng.choice(list("ABCD"), SIZE)
    assert _said(rng, letters, np.concatenate([letters[:35], rng.choice(list("ABCD"), SIZE - 35)])) == []
    counted = INDEX.astype(str)
    near = np.where((rng.random(SIZE) < 0.3) & (INDEX > 35), INDEX + 1, INDEX).astype(str)
    assert _said(rng, near, counted) == []
    # Every other problem is the second part of the one before, and is answered as that.
    parts = np.where(INDEX % 2 == 1, np.roll(truth, 1), truth)
    assert _said(rng, np.where(INDEX > 40, parts, truth), truth) == []
    # One answer for all of a stretch.
    ones = np.where(INDEX < 35, truth, "0")
    assert _said(rng, np.where(INDEX < 35, truth, "1"), ones) == []
    # Every question stands twice: what matches a neighbour matches its own.
    assert _said(rng, np.repeat(truth[: SIZE // 2], 2), np.repeat(truth[: SIZE // 2], 2)) == []
    # All gold answers are a row off: nothing stands at its place.
    assert _said(rng, truth, np.roll(truth, 1)) == []
    # A few are no stretch.
    assert _said(rng, truth, _slipped(truth, 70, 77), skill=1.0) == []
    # Few answers in disorder, which match those of some neighbours by chance.
    for seed in range(20):
        few = np.random.default_rng(seed)
        answers, keys = few.integers(0, 6, (2, SIZE)).astype(str)
        assert _said(few, answers, np.where(INDEX < 35, answers, keys), skill=1.0) == []
