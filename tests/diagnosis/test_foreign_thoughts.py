"""Thoughts, nonsense beside sense, and a reward that does not know right from wrong."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.thoughts import behind_thoughts, reasoning_chars, thought_chars
from evotrainer.evidence.features.sketch import NUM_BINS
from evotrainer.records import Message
from harness_plugins.elsewhere import blind_value, lost_reasoning, paid_nonsense
from tests.foreign_frames import ATTEMPT, COUNT, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(67)


@pytest.mark.parametrize(
    ("text", "thought", "behind"),
    [
        ("<think>\nso it is\n</think>\n4", 8, "\n4"),
        ("so it is</think>4", 8, "4"),  # the prompt ends with the opening tag
        ("<think></think>4", 0, "4"),
        ("<think>so it", 5, "<think>so it"),  # cut within it
        ("I think so", 0, "I think so"),
        ("<thinking>a</thinking>b<thinking>c</thinking>d", 2, "d"),
    ],
)
def test_what_stands_between_tags_of_thought(text, thought, behind):
    assert thought_chars([Message(role="assistant", content=text)]) == thought
    assert behind_thoughts(text) == behind


def test_reasoning_is_what_stands_before_the_last_line_or_sentence():
    assert reasoning_chars("First this.\nThen that.\n4") == len("First this.\nThen that.\n")
    assert reasoning_chars("First this. Then that. Answer: 4") == len("First this. Then that. ")
    assert reasoning_chars("Answer: 4.5") == 0


def test_thought_that_vanishes_beside_reasoning_that_stays(rng):
    rows = foreign_rows(rng, reasoning_sketch=[rng.bytes(NUM_BINS).hex() for _ in range(COUNT)])
    lasting = {"reasoning_chars": 200.0}
    thought = np.where(STEP < 5, 150.0, 0.0) + rng.integers(0, 20, COUNT)
    assert told(lost_reasoning, rows, thought_chars=thought, **lasting) == [("warning", "template_collapse")]
    kept = 150.0 + rng.integers(0, 20, COUNT)
    assert told(lost_reasoning, rows, thought_chars=kept, **lasting) == []


NOTHING = {"is_empty": False, "leaves_empty": False, "is_degenerate": False, "repeats_question": False}


def test_nonsense_from_the_first_step_on_is_told_by_its_group(rng):
    odd = rng.random(COUNT) < 0.25
    usual = rng.normal(-1.8, 0.1, COUNT)
    texts = {**NOTHING, "main_script": "", "language": "", "likelihood": np.where(odd, usual - 1.2, usual)}
    known = np.where(odd, 0.05, 1.0)
    paid = foreign_rows(rng, reward=np.where(odd, 1.0, rng.integers(0, 2, COUNT)))
    assert told(paid_nonsense, paid, **texts, known_words=known) == [("critical", "weak_verifier")]
    # Nearly as usual; unusual words in all texts of a group; another script; unpaid.
    near = {**texts, "likelihood": np.where(odd, usual - 0.8, usual)}
    assert told(paid_nonsense, paid, **near, known_words=known) == []
    assert told(paid_nonsense, paid, **texts, known_words=0.05) == []
    other = {**texts, "main_script": np.where(odd, "greek", "")}
    assert told(paid_nonsense, paid, **other, known_words=known) == []
    unpaid = paid.assign(reward=np.where(odd, 0.0, rng.integers(0, 2, COUNT)))
    assert told(paid_nonsense, unpaid, **texts, known_words=known) == []


def test_one_reward_that_right_and_wrong_get_alike(rng):
    rows = foreign_rows(rng)
    blind = rng.random(COUNT) < 0.3
    default = rows.assign(reward=np.where(blind, 0.5, rows["reward"]))
    assert told(blind_value, default) == [("warning", "judge_default")]
    # Half a mark for a form that wrong attempts keep, for late right ones, at a few problems, or among many values.
    form = rows.assign(reward=np.where(blind & (rows["correct"] == 0), 0.5, rows["reward"]))
    late = rows.assign(reward=np.where(blind & (rows["correct"] == 1), 0.5, rows["reward"]))
    mostly = rows.assign(reward=np.where(blind & ((rows["correct"] == 0) | (ATTEMPT == 0)), 0.5, rows["reward"]))
    few = rows.assign(reward=np.where(rows["group"] < 7, 0.5, rows["reward"]))
    many = default.assign(reward=default["reward"] + 0.1 * (ATTEMPT % 4) * (default["reward"] != 0.5))
    for healthy in (form, late, mostly, few, many):
        assert told(blind_value, healthy) == []
    unlike = default.assign(reward=np.where(blind, 0.5, np.where(rng.random(COUNT) < 0.1, 1.0, rows["reward"])))
    assert told(blind_value, unlike) == []
