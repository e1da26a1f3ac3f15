"""Merits that fall while the reward rises: what is named, and what only looks like it."""

import numpy as np
import pytest

from harness_plugins.elsewhere import parting_measures
from tests.foreign_frames import COUNT, GROUP, STEP, STEPS, foreign_rows, told

LATE = STEP / (STEPS - 1)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_a_merit_that_falls_while_the_reward_rises(rng):
    found = [("warning", "reward_outcome_divergence")]
    rising = (rng.random(COUNT) < 0.2 + 0.7 * LATE).astype(float)
    rows = foreign_rows(rng, reward=rising, correct=np.nan)
    level = 0.9 - 0.5 * LATE + rng.normal(0, 0.05, COUNT)
    kept = (rng.random(COUNT) < 0.9 - 0.8 * LATE).astype(float)
    assert told(parting_measures, rows, **{"extra:chrf": 100 * level}) == found
    assert told(parting_measures, rows, **{"extra:metrics.bleu_4": level}) == found
    for name in ("quote_in_source", "schema_check", "faithfulness"):
        assert told(parting_measures, rows.assign(**{f"term_{name}": kept})) == found
    # What tells of copies, of faults or of amounts is no merit.
    for name in ("self_bleu", "rouge_to_prompt", "unfaithful_share", "quote_in_source_count", "check_failed", "hints"):
        assert told(parting_measures, rows, **{f"extra:{name}": kept}) == []
    # A merit that stays, one that hardly falls, and one in a run whose reward does not rise.
    assert told(parting_measures, rows, **{"extra:bleu": rng.uniform(0.4, 0.9, COUNT)}) == []
    assert told(parting_measures, rows, **{"extra:bleu": 0.9 - 0.1 * LATE + rng.normal(0, 0.01, COUNT)}) == []
    flat = foreign_rows(rng, correct=np.nan)
    assert told(parting_measures, flat, **{"extra:bleu": level}) == []


def test_a_merit_that_is_paid_or_differs_between_environments(rng):
    # The policy gives up some of a merit that is paid, for more of another that is paid too.
    brief = (rng.random(COUNT) < 0.9 - 0.6 * LATE).astype(float)
    right = (rng.random(COUNT) < 0.1 + 0.85 * LATE).astype(float)
    paid = foreign_rows(rng, reward=right + 0.5 * brief, correct=np.nan)
    assert told(parting_measures, paid.assign(term_clarity=brief)) == []
    free = foreign_rows(rng, reward=right, correct=np.nan)
    assert told(parting_measures, free.assign(term_clarity=brief)) == [("warning", "reward_outcome_divergence")]
    # Later steps hold more problems of an environment where texts are freer and rewards greater.
    is_poem = (rng.random(COUNT // GROUP) < LATE[::GROUP]).repeat(GROUP)
    other = foreign_rows(rng, reward=(rng.random(COUNT) < 0.2 + 0.7 * is_poem).astype(float), correct=np.nan)
    freer = np.where(is_poem, 0.3, 0.8) + rng.normal(0, 0.05, COUNT)
    mixed = other.assign(domain=np.where(is_poem, "poem", "manual"))
    assert told(parting_measures, mixed, **{"extra:bleu": freer}) == []
    assert told(parting_measures, other, **{"extra:bleu": freer}) == [("warning", "reward_outcome_divergence")]
