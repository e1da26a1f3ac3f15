"""GEAR's frontier, choices and edits: what must hold whatever the numbers are."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evotrainer.config import GearConfig
from evotrainer.search.gear import (
    EDITABLE,
    Node,
    admitted,
    conflict,
    credits,
    distance,
    edited_numbers,
    frontiers,
    ranked,
    wants_crossover,
)

FLOOR = 0.01
words = st.frozensets(st.sampled_from("abcdefgh"), max_size=6)
nodes = st.builds(
    Node,
    version=st.sampled_from([f"v{n:03d}" for n in range(1, 40)]),
    parents=st.just(("v000",)),
    role=st.sampled_from(["explore", "combine"]),
    topic=st.sampled_from(["algorithm", "reward"]),
    tokens=words,
    score=st.floats(0, 1),
    gain=st.floats(-50, 50),
    is_valid=st.booleans(),
)
ROOT = Node("v000", role="root", score=0.4, is_valid=True)


@given(words, words, words)
def test_distance_is_a_metric(one, other, third):
    assert distance(one, one) == 0
    assert 0 <= distance(one, other) == distance(other, one) <= 1
    assert distance(one, third) <= distance(one, other) + distance(other, third) + 1e-9


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
def test_scores_order_the_elites_and_one_that_was_seldom_expanded_gains_by_it(found):
    scored = ranked([ROOT, *found], frontiers([ROOT, *found], FLOOR, GearConfig())[-1], GearConfig())
    assert [score for _, score in scored] == sorted((score for _, score in scored), reverse=True)
    keen = GearConfig(exploration=GearConfig().exploration * 2)
    more = {node.version: score for node, score in ranked([ROOT, *found], [node for node, _ in scored], keen)}
    assert all(more[node.version] > score for node, score in scored)


def test_a_second_parent_is_credited_half_and_a_gain_for_three_floors_at_most():
    both = Node("v003", ("v001", "v002"), "combine", score=0.5, gain=2.0, is_valid=True)
    crash, lucky = Node("v004", ("v001",)), Node("v005", ("v001",), gain=50.0)
    assert credits("v001", [both, crash, lucky], GearConfig()) == pytest.approx([0.2, 0.0, 0.3])
    assert credits("v002", [both, crash], GearConfig()) == [0.1]


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_crossovers_never_follow_each_other(crossed):
    made = [
        Node(f"v{n:03d}", ("v000",), "combine" if is_crossed else "explore", score=0.4, is_valid=True)
        for n, is_crossed in enumerate(crossed, 1)
    ]
    wanted = wants_crossover([ROOT, *made], [[ROOT]] * (len(made) + 1), GearConfig())
    assert not (wanted and crossed[-1])
    if len(crossed) >= 4 and not any(crossed[-4:]):
        assert wanted


def test_changes_that_act_on_the_same_thing_conflict():
    rate, steps = {"algorithm.learning_rate": (1e-5, 2e-5)}, {"algorithm.num_minibatches": (1, 2)}
    assert conflict([rate], [rate]) and conflict([rate], [steps])
    assert conflict([{"filter.group": ("none", "std")}], [{"filter.keep_ratio": (0.9, 0.5)}])
    assert not conflict([rate], [{"reward.format": (0.0, 0.1)}])


def _expanded(gains: dict[str, float], turns: int) -> list[Node]:
    """Return two elites that are expanded in turn, with the gain that children of each bring."""
    elites = [Node(name, ("v000",), tokens=frozenset(name), score=0.5, is_valid=True) for name in gains]
    parents = [list(gains)[turn % 2] for turn in range(turns)]
    return [ROOT, *elites, *(Node(f"c{turn}", (name,), gain=gains[name]) for turn, name in enumerate(parents))]


def test_a_number_is_edited_where_replay_says_that_past_choices_would_have_gained_more():
    numbers = GearConfig(elites=2, gain_unit=1e-4, recency_now=0.0, recency_soon=0.0)
    uneven = edited_numbers(_expanded({"v001": 3.0, "v002": -3.0}, 30), FLOOR, numbers)
    changed = [key for key in EDITABLE if getattr(uneven, key) != getattr(numbers, key)]
    assert changed and uneven == replace(numbers, **{key: getattr(uneven, key) for key in changed})
    assert edited_numbers(_expanded({"v001": 1.0, "v002": 1.0}, 30), FLOOR, numbers) == numbers
    assert edited_numbers(_expanded({"v001": 3.0, "v002": -3.0}, 2), FLOOR, numbers) == numbers
