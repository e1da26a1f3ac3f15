"""Separation of labelled versions: the stated rate of error over a grammar, whatever the order of versions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.diagnosis.evolved.separation import MAX_DEALINGS, SCALES, dealings, deviates, deviates_under, separation

NUM_TERMS = 60


def _chance(values, errors, is_bad, seed: int) -> float:
    """Return the chance of the clearest term over the whole grammar, as the retrospective gate computes it."""
    dealt = np.array(list(dealings(is_bad, seed)))

    def in_scale(scale) -> float:
        largest = np.abs(deviates_under(values, errors, dealt, scale)).max(axis=1)
        return float((largest >= np.abs(deviates(values, errors, is_bad, scale)).max() - 1e-9).mean())

    return 2 * min(in_scale(scale) for scale in SCALES)


@pytest.mark.parametrize(("good", "bad"), [(5, 5), (6, 5), (9, 8)])
def test_the_clearest_of_many_meaningless_metrics_passes_no_more_often_than_stated(good, bad):
    """100 grammars of 60 correlated terms at level 0.1: more than 19 would have a chance below 0.3%."""
    is_bad = np.arange(good + bad) >= good
    passed = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        shared = rng.normal(size=(good + bad, 3))
        values = shared @ rng.normal(size=(3, NUM_TERMS)) + rng.normal(size=(good + bad, NUM_TERMS))
        errors = rng.uniform(0.05, 0.5, size=(good + bad, NUM_TERMS))
        passed += _chance(values, errors, is_bad, seed) <= 0.1
    assert passed <= 19


def test_a_clear_difference_among_many_terms_is_found():
    rng = np.random.default_rng(0)
    is_bad = np.arange(12) >= 6
    values = rng.normal(size=(12, NUM_TERMS))
    values[is_bad, 7] += 8
    errors = np.full_like(values, 0.1)
    assert np.abs(deviates(values, errors, is_bad)).argmax() == 7
    assert _chance(values, errors, is_bad, 0) <= 4 / math.comb(12, 6)


def test_a_term_that_tells_one_of_two_kinds_of_bad_versions_is_found_in_the_spread_of_good_ones():
    rng = np.random.default_rng(0)
    is_bad = np.arange(14) >= 8
    values = rng.normal(size=(14, NUM_TERMS))
    values[8:12, 7] += 50
    errors = np.full_like(values, 0.1)
    assert np.abs(deviates(values, errors, is_bad, "good")).argmax() == 7
    assert _chance(values, errors, is_bad, 0) <= 0.05


@pytest.mark.parametrize("scale", SCALES)
def test_a_term_that_by_chance_hardly_varies_does_not_win_over_a_clear_one(scale):
    """Its difference is a tenth of what measuring one version leaves open; the other's is ten times that."""
    is_bad = np.arange(12) >= 6
    steady = np.where(is_bad, 0.1, 0.0) + 1e-4 * np.arange(12)
    clear = np.where(is_bad, 10.0, 0.0) + np.tile([-1.0, 1.0], 6)
    found = deviates(np.column_stack([steady, clear]), np.ones((12, 2)), is_bad, scale)
    assert found[0] < 1 < found[1]


def test_all_dealings_are_looked_at_where_they_are_few_and_the_true_one_is_always_among_them():
    few, many = np.arange(10) >= 5, np.arange(30) >= 15
    dealt = {tuple(labels) for labels in dealings(few, 0)}
    assert len(dealt) == math.comb(10, 5) and tuple(few) in dealt
    drawn = list(dealings(many, 0))
    assert len(drawn) == MAX_DEALINGS and (drawn[0] == many).all() and all(one.sum() == 15 for one in drawn)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 5), st.booleans(), st.booleans()), max_size=20), st.randoms())
def test_no_order_of_versions_changes_a_separation_and_turning_it_round_mirrors_it(rows, random):
    shuffled = random.sample(rows, len(rows))

    def separated(versions, sign=1):
        values, alarms, is_bad = ([row[i] for row in versions] for i in range(3))
        return separation([float(sign * value) for value in values], alarms, is_bad, 0.5)

    found = separated(rows)
    assert separated(shuffled) == found
    assert 0 <= found.area <= 1 and found.area + separated(rows, -1).area == pytest.approx(1.0)
    assert (found.num_good, found.num_bad) == (sum(not row[2] for row in rows), sum(row[2] for row in rows))


def test_a_metric_that_never_moves_has_no_deviate():
    is_bad = np.arange(6) >= 3
    assert not deviates(np.full((6, 2), 0.25), np.zeros((6, 2)), is_bad).any()
