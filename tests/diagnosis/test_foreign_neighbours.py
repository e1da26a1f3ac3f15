"""Baselines of neighbours, shards and states that several share, and evaluations of a policy that a column names."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.texts.first_words import first_words
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.evidence.frames import Frame
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import frozen_evaluation, shared_shards, strange_starts, swapped_baselines
from tests.foreign_frames import ATTEMPT, COUNT, GROUP, PROBLEM, PROBLEMS, STEP, STEPS, foreign_rows, session, told
from tests.reader_rows import row


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(59)


def _rewards(rng: np.random.Generator) -> np.ndarray:
    """Return rewards of a few parts each, by step, group and attempt."""
    return rng.integers(0, 9, (STEPS, PROBLEMS, GROUP)) / 8


def _less(rewards: np.ndarray, baseline: np.ndarray, divisor: np.ndarray | float = 1.0) -> dict[str, np.ndarray]:
    return {"reward": rewards.ravel(), "advantage": ((rewards - baseline) / divisor).ravel()}


def test_advantages_less_the_mean_of_another_group_are_told_from_other_baselines(rng):
    found = [("warning", "advantage_mismatch")]
    rewards = _rewards(rng)
    mean, std = rewards.mean(axis=2, keepdims=True), rewards.std(axis=2, keepdims=True) + 1e-4
    for places in (1, -1, 3):
        others = [np.roll(part, places, axis=1) for part in (mean, std)]
        assert told(swapped_baselines, foreign_rows(rng, **_less(rewards, *others))) == found
        assert told(swapped_baselines, foreign_rows(rng, **_less(rewards, others[0]))) == found
    last = np.roll(mean.reshape(-1, 1), 1, axis=0).reshape(mean.shape)  # across the ends of steps
    assert told(swapped_baselines, foreign_rows(rng, **_less(rewards, last))) == found
    for sound in (mean, mean.mean(axis=1, keepdims=True), rng.permuted(mean, axis=1), 0.5, np.float64(0.0)):
        assert told(swapped_baselines, foreign_rows(rng, **_less(rewards, np.asarray(sound)))) == []
    critic = np.roll(mean, 1, axis=1) + rng.normal(0, 0.1, rewards.shape)
    assert told(swapped_baselines, foreign_rows(rng, **_less(rewards, critic))) == []


def test_means_of_few_right_ones_agree_with_neighbours_by_chance(rng):
    rewards = (rng.random((STEPS, PROBLEMS, GROUP)) < 0.95).astype(float)
    earlier = (rng.random((STEPS, PROBLEMS, GROUP)) < 0.95).mean(axis=2, keepdims=True)  # of the problem's last epoch
    assert told(swapped_baselines, foreign_rows(rng, **_less(rewards, earlier))) == []


def _sharded(rng: np.random.Generator, times: int) -> Frame:
    """Return rows whose problems come as so many groups a step, with advantages relative to each group."""
    problem = [f"p{s}-{p % PROBLEMS // times}" for s, p in zip(STEP, PROBLEM, strict=True)]
    rewards = _rewards(rng)
    return foreign_rows(rng, problem_id=problem, **_less(rewards, rewards.mean(axis=2, keepdims=True)))


@pytest.mark.parametrize("times", [2, 4])
def test_problems_that_come_as_several_groups_each_step(rng, times):
    rows = _sharded(rng, times)
    found = [("warning", "duplicate_problems")]
    assert told(shared_shards, rows, asked=rows["problem_id"].array) == found
    other_parts = [f"{name} {place}" for name, place in zip(rows["problem_id"], PROBLEM, strict=True)]
    assert told(shared_shards, rows, asked=other_parts) == []  # players of unequal roles
    alone = foreign_rows(rng, reward=rows["reward"], advantage=rows["advantage"])
    assert told(shared_shards, alone, asked=alone["problem_id"].array) == []
    some = np.where(STEP < 5, rows["problem_id"], alone["problem_id"])  # a problem that is drawn twice here and there
    assert told(shared_shards, rows.assign(problem_id=some), asked=some) == []


def test_parts_of_a_group_have_a_common_baseline(rng):
    rows = _sharded(rng, 2)
    together = rows["reward"] - rows.groupby(["step", "problem_id"])["reward"].transform("mean")
    asked = rows["problem_id"].array
    assert told(shared_shards, rows.assign(advantage=together), asked=asked) == []
    bare = rows.assign(advantage=np.nan)
    assert told(shared_shards, bare, asked=asked) == []
    ranks = {"extra:rank": (PROBLEM % 2).astype(float)}
    assert told(shared_shards, bare, asked=asked, **ranks) == [("warning", "duplicate_problems")]
    assert told(shared_shards, rows, asked=asked, **{"extra:seed": ranks["extra:rank"]}) == []  # two runs in one file
    anew = np.argsort(np.argsort(PROBLEM % 2 * COUNT + np.arange(COUNT)))
    assert told(shared_shards, rows, asked=asked, place=anew) == []
    assert told(shared_shards, rows, asked=asked, place=anew, **ranks) == [("warning", "duplicate_problems")]
    assert told(shared_shards, bare, asked=asked, **{"extra:rank": (ATTEMPT % 2).astype(float)}) == []


def _named(trained: Frame, held: Frame, names: np.ndarray, exam: np.ndarray, column: str) -> list[tuple[str, str]]:
    """Return what is said where a column names the policy of training and that of evaluations."""
    held = held.assign(trajectory_id="v" + held["trajectory_id"], split="validation")
    ids = [*trained["trajectory_id"], *held["trajectory_id"]]
    columns = {"place": range(len(ids)), f"extra:{column}": [*names, *exam]}
    seen: Frame = pd.DataFrame(columns, index=pd.Index(ids))
    context = Context("v", trained, trained, held, pd.DataFrame(), texts=seen)
    return [(found.severity, found.mode) for found in frozen_evaluation.diagnose(context).findings]


@pytest.mark.parametrize("column", ["info.checkpoint", "model_path", "sampler.policy_version"])
def test_a_column_names_one_evaluated_policy_while_training_learns(rng, column):
    found = [("warning", "staleness")]
    learns = foreign_rows(rng, reward=(rng.random(COUNT) < 0.1 + 0.08 * STEP).astype(float))
    flat = foreign_rows(rng)
    names = STEP.astype(float) if column.endswith("version") else np.array([f"step_{step}" for step in STEP])
    base = np.full(COUNT, -1.0 if column.endswith("version") else "base", dtype=object)
    assert _named(learns, flat, names, base, column) == found
    assert _named(learns, learns, names, base, column) == []  # another policy under one name
    assert _named(learns, flat, names, names, column) == []
    assert _named(learns, learns, names, np.where(STEP > 2, names[2 * COUNT // STEPS], names), column) == found
    mixed = np.where(ATTEMPT % 2 == 0, base, names)  # the base model beside the trained one
    assert _named(learns, flat, names, mixed, column) == []
    came_back = np.array([f"step_{step % 4}" for step in STEP])
    assert _named(learns, flat, came_back, base, column) == []


@pytest.mark.parametrize("column", ["opponent_checkpoint", "opponent.policy_version", "temperature", "reward_model"])
def test_columns_of_others_may_stay_in_evaluations(rng, column):
    learns = foreign_rows(rng, reward=(rng.random(COUNT) < 0.1 + 0.08 * STEP).astype(float))
    assert _named(learns, foreign_rows(rng), STEP.astype(float), np.full(COUNT, -1.0), column) == []


def _begun(rng: np.random.Generator, prompt: str, answer: str, shown: np.ndarray) -> list[tuple[str, str]]:
    """Return what is said where each prompt tells a state of its own, and first answers show the states given."""
    rooms = np.array(["kitchen", "garage", "cellar", "attic", "garden", "office", "library", "stable"])
    asked = [prompt.format(room=rooms[p % 8], number=300 + 7 * p) for p in PROBLEM]
    words = [answer.format(room=rooms[p % 8], number=300 + 7 * p) for p in shown]
    read = [
        first_words(transcript(_row(prompt, told)), "look", told) for prompt, told in zip(asked, words, strict=True)
    ]
    texts = {name: [one[name] for one in read] for name in ("first_words", "prompt_words")}
    return told(strange_starts, foreign_rows(rng), first_call="1", machine_share=0.0, **texts)


def _row(prompt: str, answer: str) -> Trajectory:
    return row(0, messages=[Message(role="user", content=prompt), *session(("look", answer))])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("You wake up in the {room}. Find the red key.", "This is the {room}. Exits: north, east."),
        ("The account holds {number} euros. Pay the bill of 40.", "balance: {number} EUR, no open orders"),
    ],
)
def test_first_observations_of_the_state_of_another_problem(rng, prompt, answer):
    found = [("warning", "leftover_state")]
    other = rng.permutation(PROBLEM)
    assert _begun(rng, prompt, answer, np.where(rng.random(COUNT) < 0.4, other, PROBLEM)) == found
    assert _begun(rng, prompt, answer, PROBLEM) == []
    assert _begun(rng, prompt, answer, other) == []  # drawn by chance for each attempt
    assert _begun(rng, prompt, "Nothing is here but dust.", other) == []
    assert _begun(rng, "Find the red key.", answer, other) == []


def test_numbers_measured_near_the_told_one_are_no_strange_start(rng):
    near = PROBLEM + np.where(rng.random(COUNT) < 0.5, 0, rng.integers(-2, 3, COUNT))
    prompt, answer = "Keep the boiler at {number} degrees.", "The boiler is at {number} degrees now."
    assert _begun(rng, prompt, answer, near) == []


def test_a_long_first_answer_is_no_state():
    attempt = transcript(_row("Go.", ""))
    assert first_words(attempt, "look", "a long page " * 50)["first_words"] == ""
    assert first_words(attempt, "", "8 stones")["first_words"] == ""
    assert first_words(attempt, "look", "8 stones, 3.5 kg")["first_words"] == "8 stones 3.5"
