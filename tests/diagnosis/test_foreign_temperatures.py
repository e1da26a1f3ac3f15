"""Logprobs that a temperature tells apart, and ends of replies that are not in the loss; and what looks like them."""

from typing import Any

import numpy as np
import pytest

from harness_plugins.elsewhere import sampler_drift, tempered_logprobs, unlearned_ends
from tests.foreign_frames import COUNT, STEP, foreign_rows, told

MISMATCH, MASK = [("warning", "train_inference_mismatch")], [("warning", "loss_mask")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(41)


@pytest.fixture
def warm(rng) -> np.ndarray:
    return -np.abs(rng.normal(0.25, 0.06, COUNT)) - 0.02


def _raw(rng: np.random.Generator, warm: np.ndarray) -> np.ndarray:
    return warm * rng.uniform(2.0, 2.7, COUNT)


def _said(rng: np.random.Generator, **columns: Any) -> list[tuple[str, str]]:
    rows = foreign_rows(rng, mean_logprob=columns.pop("mean_logprob", np.nan))
    return told(tempered_logprobs, rows, **{f"extra:{name}": values for name, values in columns.items()})


def test_the_logprobs_of_messages_are_of_before_the_temperature(rng, warm):
    raw = _raw(rng, warm)
    assert _said(rng, mean_logprob=raw, trainer_logprob=warm, temperature=0.6) == MISMATCH


def test_a_hot_sampler_reports_higher_logprobs_than_the_trainer(rng, warm):
    raw = _raw(rng, warm)
    assert _said(rng, **{"metrics.sampler_logp": warm, "metrics.logps": raw}) == MISMATCH


def test_columns_that_both_name_their_side_are_judged_once(rng, warm):
    raw = _raw(rng, warm)
    both = {"rollout_logprobs": raw, "trainer_logprobs": warm}
    assert _said(rng, **both) == []
    assert _said(rng, **both, mean_logprob=raw) == []
    found = told(sampler_drift, foreign_rows(rng), **{f"extra:{name}": one for name, one in both.items()})
    assert found == [("critical", "train_inference_mismatch")]


def test_rounding_a_reference_and_other_tokens_are_no_temperature(rng, warm):
    raw = _raw(rng, warm)
    assert _said(rng, rollout_logprobs=warm, logprobs=warm - rng.normal(0.01, 0.004, COUNT).clip(0)) == []
    assert _said(rng, rollout_logprobs=warm, ref_logprobs=raw) == []
    assert _said(rng, rollout_logprobs=warm, judge_logprobs=raw) == []
    assert _said(rng, mean_logprob=warm, logprobs=raw) == []  # neither names a side
    assert _said(rng, rollout_logprobs=warm, logprobs=rng.permutation(raw)) == []


def test_sums_and_another_base_are_no_temperature(rng, warm):
    chars = rng.integers(16, 24, COUNT)
    rows = foreign_rows(rng, num_chars=chars)
    sums = {"extra:rollout_logprobs": warm, "extra:logprobs": warm * chars / 4}
    assert told(tempered_logprobs, rows, **sums) == []
    assert _said(rng, rollout_logprobs=warm, logprobs=warm / np.log(2) * 1.5) == []


def test_columns_that_part_over_the_run_agree_at_first(rng, warm):
    gap = 0.03 * STEP
    assert _said(rng, rollout_logprobs=warm, logprobs=warm - gap) == []


def _ended(rng: np.random.Generator, missing: Any, **columns: Any) -> list[tuple[str, str]]:
    """Return what is said where `missing` tokens are out of the loss: of attempts that were cut, or by themselves."""
    is_cut = rng.random(COUNT) < 0.15
    tokens = np.where(is_cut, 256, rng.integers(20, 250, COUNT)).astype(float)
    rows = foreign_rows(rng, num_tokens=tokens, is_truncated=is_cut, **{"stop_reason": "stop", **columns})
    return told(unlearned_ends, rows, **{"extra:loss_tokens": tokens - missing(is_cut, rows["num_turns"].to_numpy())})


def test_the_end_of_a_reply_is_left_out_of_the_loss(rng):
    assert _ended(rng, lambda is_cut, turns: ~is_cut) == MASK


def test_the_end_of_each_turn_is_left_out_of_the_loss(rng):
    turns = rng.integers(1, 6, COUNT)
    assert _ended(rng, lambda is_cut, turns: turns - is_cut, num_turns=turns) == MASK
    assert _ended(rng, lambda is_cut, turns: turns - 1, num_turns=turns) == []


def test_a_shift_takes_a_token_from_all_and_ends_may_be_counted_apart(rng):
    assert _ended(rng, lambda is_cut, turns: np.ones(COUNT)) == []
    assert _ended(rng, lambda is_cut, turns: np.zeros(COUNT)) == []
    assert _ended(rng, lambda is_cut, turns: -1.0 * ~is_cut) == []
    assert _ended(rng, lambda is_cut, turns: np.where(is_cut, 0, rng.integers(0, 3, COUNT))) == []


def test_attempts_that_never_reach_the_loss_and_runs_without_cuts_tell_nothing(rng):
    assert _ended(rng, lambda is_cut, turns: ~is_cut, in_loss=0.0) == []
    tokens = rng.integers(20, 250, COUNT).astype(float)
    rows = foreign_rows(rng, num_tokens=tokens, stop_reason="stop")
    assert told(unlearned_ends, rows, **{"extra:loss_tokens": tokens - 1}) == []
