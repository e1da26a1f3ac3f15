"""Prompts that are as long as a limit which a column holds."""

import numpy as np

from harness_plugins.elsewhere import cut_prompts
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, foreign_rows, told

FOUND = [("warning", "length_limit")]
IS_CUT = PROBLEM % 3 == 0
OWN = 50.0 + 7 * (PROBLEM % 19)
TEXTS = {"asked": [f"q{p}" for p in PROBLEM], "prompt_chars": OWN}
LIMIT = {"extra:config.max_prompt_length": 190.0}


def test_prompts_as_long_as_a_logged_limit():
    rng = np.random.default_rng(5)
    cut = {"extra:prompt_length": np.where(IS_CUT, 190.0, OWN)}
    unpaid = foreign_rows(rng, reward=(rng.random(COUNT) < np.where(IS_CUT, 0.05, 0.6)) * 1.0)
    assert told(cut_prompts, unpaid, **TEXTS, **cut, **LIMIT) == FOUND
    other_names = {"extra:input_tokens": cut["extra:prompt_length"], "extra:prompt_token_limit": 190.0}
    assert told(cut_prompts, unpaid, **TEXTS, **other_names) == FOUND
    assert told(cut_prompts, foreign_rows(rng), **TEXTS, **cut, **LIMIT) == [], "it costs nothing"
    assert told(cut_prompts, unpaid, **TEXTS, **cut, **{"extra:max_prompt_length": 512.0}) == [], "none is so long"
    assert told(cut_prompts, unpaid, **TEXTS, **cut, **{"extra:capital_of_prompt": 190.0}) == [], "no limit by its name"
    both = {"extra:max_prompt_and_response_length": 190.0}
    assert told(cut_prompts, unpaid, **TEXTS, **cut, **both) == [], "a limit of something else"
    assert told(cut_prompts, unpaid, **TEXTS, **LIMIT, **{"extra:prompt_length": 190.0}) == [], "all are padded"
    longer = {"extra:prompt_length": np.where(IS_CUT, 190.0, 191.0 + OWN)}
    assert told(cut_prompts, unpaid, **TEXTS, **LIMIT, **longer) == [], "others are longer"
    once = {"extra:prompt_length": np.where((PROBLEM == 0) & (ATTEMPT > 0), 190.0, OWN.clip(None, 180))}
    assert told(cut_prompts, unpaid, **TEXTS, **LIMIT, **once) == [], "one problem of many"


def test_prompts_of_as_many_signs_as_a_logged_limit():
    rng = np.random.default_rng(6)
    cut = {**TEXTS, "prompt_chars": np.where(IS_CUT, 190.0, OWN)}
    unpaid = foreign_rows(rng, reward=(rng.random(COUNT) < np.where(IS_CUT, 0.05, 0.6)) * 1.0)
    few = unpaid.assign(reward=np.where(OWN == 50.0, unpaid["reward"], 1.0))
    assert told(cut_prompts, unpaid, **cut, **{"extra:max_prompt_chars": 190.0}) == FOUND
    assert told(cut_prompts, few, **cut, **{"extra:max_prompt_chars": 512.0}) == []


def test_lengths_that_many_prompts_share_by_chance():
    rng = np.random.default_rng(7)
    chars = 100.0 + PROBLEM % 16
    unpaid = foreign_rows(rng, reward=(rng.random(COUNT) < np.where(chars == 115, 0.05, 0.7)) * 1.0)
    assert told(cut_prompts, unpaid, **{**TEXTS, "prompt_chars": chars}) == []
    heap = np.where(PROBLEM % 5 == 0, 200.0, OWN)
    cut = foreign_rows(rng, reward=(rng.random(COUNT) < np.where(heap == 200, 0.05, 0.7)) * 1.0)
    assert told(cut_prompts, cut, **{**TEXTS, "prompt_chars": heap}) == FOUND
