"""GEAR's formulas, frontier and choices: what must hold whatever the numbers are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evotrainer.config import GearConfig
from evotrainer.search.gear import formulas
from evotrainer.search.gear.choice import conflict, credits, pairs, wants_crossover, worths
from evotrainer.search.gear.frontier import admitted, frontiers
from evotrainer.search.gear.nodes import Node

FLOOR = 0.01


words = st.frozensets(st.sampled_from("abcdefgh"), max_size=6)
nodes = st.builds(
    Node,
    version=st.sampled_from([f"v{n:03d}" for n in range(1, 40)]),
    parents=st.just(("v000",)),
    role=st.sampled_from(["explore", "exploit", "combine"]),
    topic=st.sampled_from(["algorithm", "reward"]),
    tokens=words,
    size=st.integers(1, 6),
    score=st.floats(0, 1),
    gain=st.floats(-50, 50),
    is_valid=st.booleans(),
)
ROOT = Node("v000", (), "root", "", frozenset(), 0, 0.4, 0.0, True)


@given(words, words, words)
def test_distance_is_a_metric_and_complement_lies_within_it(one, other, third):
    assert formulas.distance(one, one) == 0
    assert formulas.distance(one, other) == formulas.distance(other, one)
    assert 0 <= formulas.distance(one, other) <= 1
    assert formulas.distance(one, third) <= formulas.distance(one, other) + formulas.distance(other, third) + 1e-9
    assert 0 <= formulas.complement(one, other) <= formulas.distance(one, other) + 1e-9


@given(st.integers(0, 50), st.integers(0, 50), st.floats(0, 1))
def test_exploration_falls_with_expansions_and_rises_with_experiments(expansions, experiments, weight):
    here = formulas.exploration(expansions, experiments, weight)
    assert here >= formulas.exploration(expansions + 1, experiments, weight)
    assert here <= formulas.exploration(expansions, experiments + 1, weight)
    assert math.isclose(here, weight * math.sqrt(math.log(experiments + 2) / (expansions + 1)))


@given(st.floats(-1e6, 1e6), st.floats(1e-4, 1), st.floats(0.01, 10))
def test_a_gain_is_worth_at_most_three_noise_floors_whatever_its_unit(gain, floor, unit):
    assert abs(formulas.normalised(gain, floor, unit)) <= formulas.MOST_FLOORS * unit + 1e-12
    assert math.isclose(formulas.normalised(floor, floor, unit), unit)


def test_the_published_numbers():
    numbers = GearConfig()
    assert [formulas.recency(age, numbers) for age in (None, 1, 2, 3, 4)] == [0.0, -0.2, -0.05, -0.05, 0.0]
    assert formulas.weights(12, numbers) == (0.15, 0.10)
    assert formulas.weights(13, numbers) == (0.08, 0.05)
    assert formulas.coverage(0) == 1.0 and formulas.coverage(3) == 0.5
    assert formulas.second_parent(0.5, True, True, 2, numbers) == pytest.approx(0.5)
    assert formulas.novelty({"a"}, []) == 1.0 and formulas.novelty({"a"}, [{"a"}, {"b"}]) == 0.0


@given(st.lists(nodes, max_size=25, unique_by=lambda node: node.version))
def test_the_frontier_stays_bounded_and_never_loses_its_best(found):
    numbers = GearConfig()
    elites = [ROOT]
    for node in found:
        before, elites = elites, admitted(elites, node, FLOOR, numbers)
        assert len(elites) <= numbers.elites
        assert max(one.score for one in elites) >= max(one.score for one in before)
        assert all(elite.is_valid for elite in elites)
        if node not in elites:
            assert elites == before


@given(st.lists(nodes, min_size=1, max_size=20, unique_by=lambda node: node.version))
def test_a_score_is_the_sum_of_its_parts_and_orders_the_elites(found):
    ranked = worths([ROOT, *found], frontiers([ROOT, *found], FLOOR, GearConfig())[-1], GearConfig())
    totals = [one.total for one in ranked]
    assert totals == sorted(totals, reverse=True)
    assert all(abs(one.gain) <= 0.3 + 1e-9 for one in ranked)


def test_a_second_parent_is_credited_half_and_a_crash_counts_as_nothing():
    both = Node("v003", ("v001", "v002"), "combine", "", frozenset(), 2, 0.5, 2.0, True)
    crash = Node("v004", ("v001",), "explore", "", frozenset(), 1, None, 0.0, False)
    assert credits("v001", [both, crash], GearConfig()) == [0.2, 0.0]
    assert credits("v002", [both, crash], GearConfig()) == [0.1]


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_crossovers_never_follow_each_other(crossed):
    made = [
        Node(f"v{n:03d}", ("v000",), "combine" if is_crossed else "explore", "", frozenset(), 1, 0.4, 0.0, True)
        for n, is_crossed in enumerate(crossed, 1)
    ]
    history = [[ROOT]] * (len(made) + 1)
    wanted = wants_crossover([ROOT, *made], history, GearConfig())
    assert not (wanted and crossed[-1])
    if len(crossed) >= 4 and not any(crossed[-4:]):
        assert wanted


@given(st.lists(nodes, min_size=2, max_size=8, unique_by=lambda node: node.version))
def test_second_parents_lie_apart(found):
    chosen = pairs(found[0], found[1:], found, GearConfig(), lambda one, other: one.topic != other.topic)
    assert all(formulas.distance(found[0].tokens, one.tokens) >= 0.3 for one in chosen)
    assert all(one.topic != found[0].topic for one in chosen)


def test_changes_that_act_on_the_same_thing_conflict():
    rate, steps = {"algorithm.learning_rate": (1e-5, 2e-5)}, {"algorithm.num_minibatches": (1, 2)}
    assert "both change algorithm.learning_rate" in conflict([rate], [rate])
    assert "act on the same thing" in conflict([rate], [steps])
    assert "both change the factor group_filter" in conflict(
        [{"filter.group": ("none", "std")}], [{"filter.keep_ratio": (0.9, 0.5)}]
    )
    assert conflict([rate], [{"reward.format": (0.0, 0.1)}]) == ""
