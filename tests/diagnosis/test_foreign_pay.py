"""Pay in rows of others that nobody earns, or that goes by another choice than the recorded one; and lookalikes."""

import numpy as np
import pytest

from harness_plugins.elsewhere import biased_pay, unpaid_best, unpaid_terms
from tests.foreign_frames import COUNT, PROBLEM, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.parametrize("name", ["think_format_reward", "xml_count", "answer_tag", "citations", "brevity_bonus"])
def test_a_term_that_nobody_earns(rng, name):
    rows = foreign_rows(rng, **{f"term_{name}": 0.0})
    found = [("warning", "constant_term")]
    assert told(unpaid_terms, rows, goes_on=False) == found
    assert told(unpaid_terms, rows.assign(reward=1.0), goes_on=False) == []  # all are paid alike
    seldom = np.where(np.arange(COUNT) % 40 == 0, 1.0, 0.0)
    assert told(unpaid_terms, rows.assign(**{f"term_{name}": seldom}), goes_on=False) == []
    unknown = rows.assign(**{f"term_{name}": np.nan})
    assert told(unpaid_terms, unknown, goes_on=False) == []


@pytest.mark.parametrize("name", ["overlong_penalty", "format_penalty", "kl", "bad_format", "accuracy", "length"])
def test_what_is_not_earned_may_be_a_fine(rng, name):
    assert told(unpaid_terms, foreign_rows(rng, **{f"term_{name}": 0.0}), goes_on=False) == []


def test_pay_that_goes_by_another_choice_than_the_best(rng):
    words = np.array(["red", "blue", "green", "white"])
    best = words[rng.integers(0, 4, PROBLEM[-1] + 1)[PROBLEM]]
    chosen = np.where(rng.random(COUNT) < 0.5, best, words[rng.integers(0, 4, COUNT)])
    is_best = (best == chosen).astype(float)
    other = foreign_rows(rng)  # paid by chance
    sound = other.assign(reward=is_best)
    named = {"extra:choice": chosen, "extra:best_button": best}
    found = [("warning", "reward_outcome_divergence")]
    assert told(unpaid_best, other, **named) == found
    assert told(unpaid_best, sound, **named) == []
    noisy = other.assign(reward=np.where(rng.random(COUNT) < 0.1, 1 - is_best, is_best))
    assert told(unpaid_best, noisy, **named) == []
    # Names that say nothing: a number beside is 0 where both agree.
    plain = {"extra:a": chosen, "extra:b": best}
    assert told(unpaid_best, other, **plain) == []
    regret = np.where(is_best > 0, 0.0, rng.uniform(0.1, 1.0, COUNT))
    assert told(unpaid_best, other, **plain, **{"extra:c": regret}) == found
    assert told(unpaid_best, sound, **plain, **{"extra:c": regret}) == []
    assert told(unpaid_best, other, **plain, **{"extra:c": rng.uniform(0.1, 1.0, COUNT)}) == []
    # Another matter than the answer: the language of a text, and the one that was wanted.
    languages = {"extra:language": chosen, "extra:target_language": best}
    assert told(unpaid_best, other, **languages) == []


def test_a_machine_that_serves_some_problems_more_is_compared_at_each():
    rng = np.random.default_rng(5)
    other = rng.random(COUNT) < np.where(PROBLEM % 2 == 0, 0.2, 0.8)
    machine = np.where(other, "r-1", "r-2")
    rows = foreign_rows(rng, correct=np.nan)
    paid = rows.assign(reward=rows["reward"] + 0.8 * other)
    assert told(biased_pay, paid, **{"extra:judge_replica": machine}) == [("warning", "reward_bias")]
    assert told(biased_pay, paid, **{"extra:colour": machine}) == [], "it may be a choice that follows the problem"
    assert told(biased_pay, rows, **{"extra:judge_replica": machine}) == []
    longer = np.where(other, 900, 200) + rng.integers(0, 50, COUNT)
    assert told(biased_pay, paid.assign(num_chars=longer), **{"extra:judge_replica": machine}) == []
