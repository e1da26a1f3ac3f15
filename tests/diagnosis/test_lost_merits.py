"""Merits that fall while the reward rises: what is named, and what only looks like it."""

import numpy as np
import pytest

from harness_plugins.elsewhere import parting_measures, parts_paid_whole
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


@pytest.mark.parametrize("name", ["extra:general_rm_score", "term_reward_model", "extra:judge_score"])
def test_the_score_of_a_reward_model_falls_while_the_reward_rises(rng, name):
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < 0.3 + 0.6 * LATE).astype(float))
    score = rng.normal(1.0 - 3 * LATE, 0.5)
    assert told(parting_measures, rows, **{name: score}) == [("warning", "reward_outcome_divergence")]
    assert told(parting_measures, rows, **{name: -score}) == []
    assert told(parting_measures, rows, **{name: rng.normal(-0.2 * LATE, 1.0, COUNT)}) == []  # hardly falls
    flat = foreign_rows(rng)
    assert told(parting_measures, flat, **{name: score}) == []
    seconds = f"{name.removesuffix('_score')}_seconds"
    assert told(parting_measures, rows, **{seconds: score}) == []


@pytest.mark.parametrize(("name", "part"), [("term_raw_reward", 0.1), ("extra:share_done", 0.25)])
def test_a_part_of_the_score_is_paid_as_the_whole(rng, name, part):
    draw = rng.random(COUNT)
    whole = draw < 0.4
    raw = np.where(whole, 1.0, np.where(draw < 0.5 + 0.5 * LATE, part, 0.0))
    rows = foreign_rows(rng, reward=np.ceil(raw))
    assert told(parts_paid_whole, rows, **{name: raw}) == [("warning", "weak_verifier")]
    assert told(parts_paid_whole, rows.assign(reward=np.floor(raw)), **{name: raw}) == []  # the whole alone is paid
    assert told(parts_paid_whole, rows.assign(reward=raw), **{name: raw}) == []
    better = np.where(draw < 0.1 + 0.6 * LATE, 1.0, np.where(draw < 0.2 + 0.8 * LATE, part, 0.0))
    assert told(parts_paid_whole, rows.assign(reward=np.ceil(better)), **{name: better}) == []  # the whole rises
    steady = np.where(whole, 1.0, np.where(draw < 0.7, part, 0.0))
    assert told(parts_paid_whole, rows.assign(reward=np.ceil(steady)), **{name: steady}) == []
    nearly = np.where(raw == part, 0.7, raw)
    assert told(parts_paid_whole, rows, **{name: nearly}) == []
    lucky = rows.assign(reward=np.where(rng.random(COUNT) < 0.1, 1.0, np.ceil(raw)))
    assert told(parts_paid_whole, lucky, **{name: raw}) == []  # something else counts too


def test_a_measure_that_parts_from_the_reward(rng):
    lies = rng.random(COUNT) < 0.9 * LATE
    right = (rng.random(COUNT) < 0.4) & ~lies
    rows = foreign_rows(rng, reward=np.where(lies, 1.0, right), correct=np.nan)
    assert told(parting_measures, rows, **{"extra:state": right.astype(float)}) == [
        ("critical", "reward_outcome_divergence")
    ]
    assert told(parting_measures, rows, **{"extra:state": rows["reward"].to_numpy(float)}) == []
