"""Means, places and stops that are off by something small: each fault, and what only looks like it."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.logprob_places import logprob_places
from evotrainer.diagnosis.texts.stop_letters import stop_letters
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.evidence.frames import Frame
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import moved_logprobs, normed_twice
from harness_plugins.elsewhere import stop_letters as plugin
from tests.evidence_rows import healthy_rows
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told

MISMATCH = [("warning", "advantage_mismatch")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(17)


def _centred(values: Frame, by: np.ndarray, divide: bool) -> Frame:
    parts = values.groupby(by)
    centred = values - parts.transform("mean")
    return centred / (parts.transform(lambda one: one.std(ddof=0)) + 1e-6) if divide else centred


def _weighted(values: Frame, weights: Frame) -> Frame:
    """Whiten over units of attempts, by step."""
    mean = (values * weights).groupby(STEP).transform("sum") / weights.groupby(STEP).transform("sum")
    square = (values**2 * weights).groupby(STEP).transform("sum") / weights.groupby(STEP).transform("sum")
    return (values - mean) / np.sqrt(square - mean**2)


@pytest.mark.parametrize("unit", ["num_turns", "num_tokens"])
def test_groups_that_are_standardised_have_no_second_mean(rng, unit):
    rows = foreign_rows(rng)
    # Failures are longer, so a mean over turns or tokens lies below that over attempts.
    rows[unit] = np.where(rows["reward"] > 0, rng.integers(2, 5, COUNT), rng.integers(6, 10, COUNT))
    own = _centred(rows["reward"], PROBLEM, divide=True)
    assert told(normed_twice, rows.assign(advantage=_weighted(own, rows[unit]).round(5))) == MISMATCH
    graded = rows["reward"] * rng.uniform(0.5, 1.0, COUNT)
    twice = _weighted(_centred(graded, PROBLEM, divide=True), rows[unit])
    assert told(normed_twice, rows.assign(reward=graded, advantage=twice)) == MISMATCH


def test_other_estimators_are_not_called_normed_twice(rng):
    rows = foreign_rows(rng)
    rows["num_tokens"] = np.where(rows["reward"] > 0, rng.integers(20, 50, COUNT), rng.integers(60, 100, COUNT))
    own, alone = (_centred(rows["reward"], PROBLEM, divide=divide) for divide in (True, False))
    ones = pd.Series(np.ones(COUNT))
    healthy = {
        "groups": own,
        "leave one out": alone * 4 / 3,
        "groups, then attempts": _weighted(own, ones),
        "batch": _weighted(rows["reward"], ones),
        "batch by tokens": _weighted(rows["reward"], rows["num_tokens"]),
        "mean of the group, deviation of the batch": _weighted(alone, rows["num_tokens"]),
        "critic": rows["reward"] - rng.normal(0.5, 0.1, COUNT),
        "a fine behind": own - 0.002 * rows["num_tokens"],
        "the mean of one step": own + np.where(STEP == 3, 0.2, 0.0),
        "a small move": own + 0.01,
        "a bonus of the problem": own + rows["reward"].groupby(PROBLEM).transform("mean"),
        "a term where all are equal": own + 0.2 + np.where(own == 0, _centred(rows["num_tokens"], PROBLEM, True), 0.0),
    }
    for name, advantage in healthy.items():
        assert told(normed_twice, rows.assign(advantage=advantage)) == [], name


def _lists(rng: np.random.Generator, move: int, noise: float = 0.01, length: int = 60) -> dict[str, Any]:
    whole = -np.where(rng.random(length + 8) < 0.7, 0.02, rng.exponential(1.0, length + 8))
    other = whole + rng.normal(0, noise, len(whole))
    return {"old_log_probs": list(whole[4 : 4 + length]), "vllm_logprobs": list(other[4 + move : 4 + move + length])}


def _told_places(rows: Frame, extras: list[dict[str, Any]]) -> list[tuple[str, str]]:
    columns = pd.DataFrame([logprob_places(one) for one in extras])
    return told(moved_logprobs, rows, **{name: columns[name].to_numpy() for name in columns})


def test_logprobs_of_one_text_lie_at_the_same_places(rng):
    rows, found = foreign_rows(rng), [("warning", "train_inference_mismatch")]
    for move in (1, -1, 2):
        assert _told_places(rows, [_lists(rng, move) for _ in range(COUNT)]) == found
    nested = [{"info": {name: [one] for name, one in _lists(rng, 1).items()}} for _ in range(COUNT)]
    assert _told_places(rows, nested) == found
    # On one machine in four.
    assert _told_places(rows, [_lists(rng, int(i % 4 == 0)) for i in range(COUNT)]) == found


def test_lists_that_follow_their_own_convention_are_not_moved(rng):
    rows = foreign_rows(rng)
    assert _told_places(rows, [_lists(rng, 0) for _ in range(COUNT)]) == []
    # Another policy, a list of another length, one filled up with a zero, a few odd rows, and certain tokens.
    assert _told_places(rows, [_lists(rng, 0, noise=0.8) for _ in range(COUNT)]) == []
    shorter = [_lists(rng, 1) for _ in range(COUNT)]
    assert _told_places(rows, [one | {"vllm_logprobs": one["vllm_logprobs"][:-1]} for one in shorter]) == []
    assert _told_places(rows, [one | {"vllm_logprobs": [*one["vllm_logprobs"][:-1], 0.0]} for one in shorter]) == []
    assert _told_places(rows, [_lists(rng, int(i < 6)) for i in range(COUNT)]) == []
    certain = [{"old_log_probs": [-0.001] * 60, "vllm_logprobs": [-0.002] * 60} for _ in range(COUNT)]
    assert _told_places(rows, certain) == []
    values = [{"values": one["old_log_probs"], "returns": one["vllm_logprobs"]} for one in shorter]
    assert _told_places(rows, values) == []


def _attempt(reply: str, **extra: Any) -> Trajectory:
    (row, *_) = healthy_rows(num_groups=1, group_size=1)
    messages = [Message(role="user", content="Q: How many?\nA:"), Message(role="assistant", content=reply)]
    return row.model_copy(update={"messages": messages, "extra": extra})


def _told_stops(rows: Frame, replies: list[str], **extra: Any) -> list[tuple[str, str]]:
    columns = pd.DataFrame([stop_letters(transcript(_attempt(reply, **extra))) for reply in replies])
    return told(plugin, rows, **{name: columns[name].to_numpy() for name in columns})


def test_a_stop_text_is_not_read_letter_by_letter(rng):
    found, is_whole = [("warning", "truncation")], rng.random(COUNT) < 0.3
    rows = foreign_rows(rng)
    rows["reward"] = np.where(is_whole, rows["reward"], 0.0)
    heads = [f"There are {3 + i % 7} and {i % 11} more. " for i in range(COUNT)]
    whole = [f"{head}That makes {i}." for i, head in enumerate(heads)]
    for text, end in (("Q:", "Step 1"), ("\n\nQ:", "We have"), ("##END", "Option B is item ")):
        replies = [one if is_whole[i] else heads[i] + end for i, one in enumerate(whole)]
        assert _told_stops(rows, replies, until=text) == found
        assert _told_stops(rows, replies, sampling={"stop_sequences": list(text)}) == found
        # The stop text stands in a list, or is another kind of column.
        assert _told_stops(rows, replies, until=[text]) == []
        assert _told_stops(rows, replies, stop_reason=text) == []
        # Replies hold the character elsewhere: it ends nothing.
        assert _told_stops(rows, [f"{text} {reply}" for reply in replies], until=text) == []
        # What ends so is paid as often as the rest.
        assert _told_stops(foreign_rows(rng), replies, until=text) == []


def test_other_ends_are_no_letters_of_a_stop_text(rng):
    rows = foreign_rows(rng)
    short = [("Paris", "Rome", "Oslo")[ATTEMPT[i] % 3] for i in range(COUNT)]
    assert _told_stops(rows, short, until="Q:") == []
    # A limit of tokens ends attempts anywhere.
    is_cut = rng.random(COUNT) < 0.4
    rows["reward"] = np.where(is_cut, 0.0, rows["reward"])
    cut = [f"First {i} and then {i * 7} more" if is_cut[i] else f"That makes {i}." for i in range(COUNT)]
    assert _told_stops(rows, cut, until="Q:") == []
    some = np.flatnonzero(is_cut)[::8]
    assert _told_stops(rows, ["Here is Step 1" if i in some else one for i, one in enumerate(cut)], until="Q:") == []
    # A policy that gives up ends its sentence.
    given_up = ["I cannot tell." if is_cut[i] else f"That makes {i}." for i in range(COUNT)]
    assert _told_stops(rows, given_up, until="Q:") == []
