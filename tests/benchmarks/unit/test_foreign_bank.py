"""The bank of foreign evidence: its size, that its draws repeat, and one kind of each sort measured."""

import json

import numpy as np
import pytest

from benchmarks.foreign.bank import PARTS, chosen_parts
from benchmarks.foreign.bench import measure
from benchmarks.reports.foreign import foreign_table
from evotrainer.errors import ConfigError


def test_the_bank_is_large_enough_and_most_of_it_is_blind():
    faulty = {part: sum(kind.is_faulty for kind in kinds) for part, kinds in PARTS.items()}
    healthy = {part: len(kinds) - faulty[part] for part, kinds in PARTS.items()}
    assert sum(faulty.values()) >= 40 and sum(healthy.values()) >= 40
    unseen = ("blind", "fresh", "practice")
    assert min(*[faulty[part] for part in unseen], *[healthy[part] for part in unseen]) >= 12
    assert faulty["tuned"] <= sum(faulty.values()) / 2 and healthy["tuned"] <= sum(healthy.values()) / 2
    names = [kind.name for kinds in PARTS.values() for kind in kinds]
    assert len(names) == len(set(names))


def test_equal_seeds_draw_equal_bodies():
    for kind in (*PARTS["blind"][::13], *PARTS["fresh"][::13], *PARTS["practice"][::17]):
        first, second, other = (json.dumps(kind.build(np.random.default_rng(s)), default=float) for s in (3, 3, 4))
        assert first == second != other


def test_a_fault_is_found_and_a_healthy_kind_is_not_accused():
    bodies = measure(chosen_parts(["sign_flipped", "groups_of_two", "judge_order_bias"]), 1)
    assert [(body.kind, body.is_found, body.has("critical", "invalid")) for body in bodies] == [
        ("sign_flipped", True, True),
        ("groups_of_two", False, False),
        ("judge_order_bias", True, False),
    ]
    table = foreign_table(bodies)
    assert table.count("1 of 1 (100.0%") == 2
    assert "Missed in some body: none." in table


def test_another_name_is_no_kind():
    with pytest.raises(ConfigError, match="'signs' is no kind of foreign evidence"):
        chosen_parts(["signs"])
