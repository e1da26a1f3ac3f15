"""What graders ignore, what prompts lack or tell twice, pay by place; baselines, critics and references astray."""

from typing import Any

import numpy as np
import pytest

from evotrainer.diagnosis.texts.asked import asked_columns
from evotrainer.diagnosis.texts.others_lines import OthersLines
from evotrainer.diagnosis.texts.prompts import given_away
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.behaviour import truncation
from harness_plugins.elsewhere import (
    critic,
    loose_comparison,
    measured_kl,
    other_baselines,
    pay_by_place,
    sampler_drift,
    unfilled_slots,
)
from harness_plugins.signal import advantage_mismatch
from tests.foreign_frames import ATTEMPT, COUNT, GROUP, PROBLEM, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(41)


def _attempt(*messages: tuple[Any, str]) -> Trajectory:
    said = [Message(role=role, content=content) for role, content in messages]
    return Trajectory.model_construct(messages=said)


def test_signs_that_a_grader_does_not_compare(rng):
    gold = np.array([f"{-3 - p}" for p in PROBLEM])
    flipped, wrong = rng.random(COUNT) < 0.2, rng.random(COUNT) < 0.4
    answer = np.where(flipped, [f"{3 + p}" for p in PROBLEM], np.where(wrong, "7000", gold))
    rows = foreign_rows(rng)
    texts = {"extra:ground_truth": gold, "final_answer": answer, "is_gold": (answer == gold).astype(float)}
    ignored = rows.assign(reward=np.where(flipped | (answer == gold), 1.0, 0.0))
    assert told(loose_comparison, ignored, **texts) == [("warning", "weak_verifier")]
    assert told(loose_comparison, ignored.assign(reward=(answer == gold).astype(float)), **texts) == []
    lenient = ignored.assign(reward=np.where(rng.random(COUNT) < 0.8, 1.0, 0.0))  # all wrong answers are paid
    assert told(loose_comparison, lenient, **texts) == []


@pytest.mark.parametrize(
    ("prompt", "slot"),
    [
        ("Solve it.\nProblem: {problem}", "{problem}"),
        ("Solve it: {{ row.text }}", "{{ row.text }}"),
        ("Passage: ${passage} What is told?", "${passage}"),
        ("Question: None", "None"),
        ("Put the answer in \\boxed{answer}.", ""),
        ("Write f'{name}' into the text", ""),
        ("Who said: None of us will stay?", ""),
        ("Simplify \\frac{a}{b}", ""),
    ],
)
def test_places_that_nothing_was_filled_into(prompt, slot):
    attempt = transcript(_attempt(("user", prompt), ("assistant", "I cannot tell.")))
    assert asked_columns([attempt])["empty_slot"] == [slot]


def test_prompts_without_their_question_are_never_paid(rng):
    empty = PROBLEM % 4 == 0
    rows = foreign_rows(rng)
    slots = np.where(empty, "{problem}", "")
    unpaid = rows.assign(reward=np.where(empty, 0.0, rows["reward"]))
    assert told(unfilled_slots, unpaid, empty_slot=slots) == [("critical", "metric_defect")]
    assert told(unfilled_slots, rows, empty_slot=slots) == []  # forms that are to be filled in
    assert told(unfilled_slots, unpaid, empty_slot="{problem}") == []


def test_prompts_without_their_question_earn_no_more_than_a_form_does(rng):
    empty = PROBLEM % 4 == 0
    form = (rng.random(COUNT) < 0.6) * 0.2
    paid = np.where(rng.random(COUNT) < 0.6, 1.2, 0.2)
    rows = foreign_rows(rng, reward=np.where(empty, form, paid))
    slots, texts = np.where(empty, "{document}", ""), [f"q{p}" for p in PROBLEM]
    found = [("warning", "metric_defect")]
    assert told(unfilled_slots, rows, empty_slot=slots, asked=texts) == found
    others = np.where(empty, slots, np.where(PROBLEM % 4 < 3, "{name}", ""))
    assert told(unfilled_slots, rows, empty_slot=others, asked=texts) == found, "code may hold another place"
    letters = np.where(empty, "{name}", "")
    assert told(unfilled_slots, rows, empty_slot=letters, asked=texts) == [], "letters to be filled in, graded strictly"
    same = np.where(empty, "same", texts)
    assert told(unfilled_slots, rows, empty_slot=letters, asked=same) == found, "one text for many problems"
    equal = foreign_rows(rng, reward=paid)
    assert told(unfilled_slots, equal, empty_slot=slots, asked=texts) == []


def test_an_answer_that_a_passage_holds_is_given_away_where_a_place_tells_it_again():
    def passage(p: int) -> str:
        return f"Wool: {100 + p} tonnes. Salt: {300 + p} tonnes. How much {'wool' if p % 2 else 'salt'} was it?"

    answers = {f"p{p}": str((100 if p % 2 else 300) + p) for p in range(40)}
    plain = {f"p{p}": passage(p) for p in range(40)}
    keyed = {name: f"{text} [key={answers[name]}]" for name, text in plain.items()}
    assert given_away(plain, answers, are_options=True) == {}
    assert set(given_away(keyed, answers, are_options=True)) == set(answers)
    totals = {f"p{p}": f"Invoice of {p} items. Total due: {100 + 7 * p}" for p in range(40)}
    right = {f"p{p}": str(100 + 7 * p) for p in range(40)}
    assert given_away(totals, right, are_options=True) == {}  # said once: the task is to find it


def test_pay_that_adds_up_over_a_group(rng):
    rows = foreign_rows(rng)
    assert told(pay_by_place, rows) == []
    piled = rows.assign(reward=rows["reward"] + 0.3 * ATTEMPT)
    assert told(pay_by_place, piled) == [("warning", "leftover_state")]
    of_a_term = rows.assign(term_bonus=0.3 * ATTEMPT + rng.random(COUNT))
    assert told(pay_by_place, of_a_term) == [("warning", "reward_bias")]
    ordered = rows.assign(reward=ATTEMPT / GROUP)
    assert told(pay_by_place, ordered) == []  # a file in the order of its rewards


def test_baselines_of_other_groups_set_in(rng):
    rows = foreign_rows(rng)
    by_group = rows.groupby("group")["reward"]
    own = rows["reward"] - by_group.transform("mean")
    other = rows["reward"] - np.roll(by_group.transform("mean").to_numpy(), GROUP)
    assert told(other_baselines, rows.assign(advantage=own)) == []
    assert told(other_baselines, rows.assign(advantage=rows["reward"] - rows["reward"].mean())) == []
    mixed = rows.assign(advantage=np.where(STEP < 4, own, other))
    assert told(other_baselines, mixed) == [("critical", "advantage_mismatch")]


def test_tiny_rewards_times_a_large_slope_are_no_mismatch(rng):
    tiny = rng.random(COUNT) * 1e-4
    rows = foreign_rows(rng, reward=np.where(PROBLEM % 3 == 0, tiny, rng.random(COUNT)))
    by_group = rows.groupby("group")["reward"]
    rows["advantage"] = (rows["reward"] - by_group.transform("mean")) / by_group.transform("std")
    assert told(advantage_mismatch, rows) == []
    noise = np.where(PROBLEM % 3 == 0, rng.normal(0, 1, COUNT), rows["advantage"])
    assert told(advantage_mismatch, rows.assign(advantage=noise)) == [("critical", "advantage_mismatch")]


def test_values_that_run_off_to_both_sides(rng):
    sides = np.where(rng.random(COUNT) < 0.5, -1.0, 1.0)
    calm = 0.5 + rng.normal(0, 0.1, COUNT)
    rows = foreign_rows(rng, advantage=rng.normal(0, 1, COUNT))
    assert told(critic, rows, **{"extra:value": calm}) == []
    off = calm + np.where(STEP > 4, sides * 5.0, 0.0)
    assert told(critic, rows, **{"extra:value": off}) == [("critical", "critic_divergence")]


def test_a_distance_of_nothing_where_one_is_charged(rng):
    rows = foreign_rows(rng)
    texts = {"extra:kl_coef": 0.05, "extra:kl": 0.0}
    assert told(measured_kl, rows, **texts) == [("warning", "kl_ineffective")]
    assert told(measured_kl, rows, **texts | {"extra:kl_coef": 0.0}) == []
    assert told(measured_kl, rows, **texts | {"extra:kl": np.where(STEP > 0, 0.01, 0.0)}) == []


def test_logprobs_of_the_first_checkpoint_are_no_sampler(rng):
    now = rng.normal(-0.5, 0.05, COUNT)
    texts = {"extra:actor_logprob": now + 0.05 * STEP, "extra:step0_logprob": now - 0.1 * STEP}
    rows = foreign_rows(rng)
    assert told(sampler_drift, rows, **texts) == []
    texts["extra:rollout_logprob"] = texts.pop("extra:step0_logprob")
    assert told(sampler_drift, rows, **texts) == [("critical", "train_inference_mismatch")]


def test_a_budget_that_shrinks_within_a_run_is_told(rng):
    cut = (STEP >= 5) & (rng.random(COUNT) < 0.5)
    rows = foreign_rows(rng, is_truncated=cut, lenient_correct=np.nan, attempt=ATTEMPT)
    rows = rows.assign(correct=np.where(cut, 0.0, rows["correct"]))
    assert [mode for _, mode in told(truncation, rows)] == ["truncation"]
    assert told(truncation, rows.assign(is_truncated=cut & (rng.random(COUNT) < 0.05))) == []


def test_a_tag_that_others_write_around_their_answers():
    real = [
        _attempt(("user", f"q{i}"), ("assistant", "<search>a</search>"), ("user", "<results>\n[1] a\n</results>"))
        for i in range(6)
    ]
    made = _attempt(("user", "q"), ("assistant", "<search>a</search>\n<results>\nall I need\n</results>\nso yes"))
    lines = OthersLines()
    lines.add([transcript(row) for row in (*real, made)])
    assert lines.written() == [False] * 6 + [True]
    alone = OthersLines()
    alone.add([transcript(made)] * 7)
    assert alone.written() == [False] * 7  # nobody else writes such a tag
