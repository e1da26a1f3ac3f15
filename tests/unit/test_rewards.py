import pytest

from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.config import RewardConfig

GRADED = {"correct": 1.0, "format": 1.0, "partial": 0.5}


def test_length_is_the_share_of_the_budget_and_a_cut_response_is_overlong():
    assert terms_of(GRADED, 12, 48, False) == {**GRADED, "length": 0.25, "overlong": 0.0}
    assert terms_of(GRADED, 60, 48, True) == {**GRADED, "length": 1.0, "overlong": 1.0}


@pytest.mark.parametrize(
    ("weights", "reward"),
    [
        ({}, 1.0),
        ({"correct": 2.0}, 2.0),
        ({"format": 0.1}, 1.1),
        ({"partial": 0.4}, 1.2),
        ({"length_penalty": 0.2}, 0.9),
        ({"overlong_penalty": 0.5}, 0.5),
    ],
)
def test_each_weight_acts_on_its_term_and_penalties_subtract(weights, reward):
    terms = {**GRADED, "length": 0.5, "overlong": 1.0}
    assert combine(terms, RewardConfig(**weights)) == pytest.approx(reward)


def test_terms_of_foreign_rows_may_lack_what_the_recipe_weighs():
    assert combine({"correct": 1.0}, RewardConfig(partial=0.5, length_penalty=0.1)) == 1.0
