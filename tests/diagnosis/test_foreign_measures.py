"""Measures, masks and assignments in columns of foreign rows: each fault, and what only looks like it."""

import zlib
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts import gold
from evotrainer.diagnosis.texts.named import MEASURES
from harness_plugins.behaviour import echo_trap
from harness_plugins.elsewhere import (
    batch_sizes,
    biased_pay,
    changed_prompts,
    copies,
    critic,
    falling_reward,
    gold_answers,
    length_limit,
    loss_mask,
    measured_kl,
    new_phrases,
    order_of_steps,
    paid_nonsense,
    repeated_prompts,
    reward_scale,
    same_everywhere,
    sampler_drift,
    tool_answers,
    unequal_pay,
    weights_at_rest,
)
from harness_plugins.signal import advantage_mismatch
from tests.foreign_frames import COUNT, GROUP, STEPS, foreign_rows, told

STEP = np.arange(COUNT) // (COUNT // STEPS)
LATE = STEP / (STEPS - 1)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_kl_is_judged_where_it_starts_and_where_it_goes(rng):
    rows = foreign_rows(rng)
    falling = rows.assign(reward=(rng.random(COUNT) < 0.8 - 0.7 * LATE).astype(float))
    noise = rng.uniform(0.9, 1.1, COUNT)
    assert told(measured_kl, rows, **{"extra:ref_kl": 2.0 * noise}) == [("warning", "kl_drift")]
    assert told(measured_kl, rows, **{"extra:ref_kl": 0.05 * LATE * noise}) == []
    # A run that is resumed is far from its reference, and says so by its steps.
    assert told(measured_kl, rows.assign(step=rows["step"] + 400), **{"extra:ref_kl": 2.0 * noise}) == []
    blown = 0.002 * np.exp(9 * LATE) * noise
    assert told(measured_kl, falling, **{"extra:kl": blown}) == [("critical", "kl_drift")]
    rising = rows.assign(reward=(rng.random(COUNT) < 0.1 + 0.7 * LATE).astype(float))
    assert told(measured_kl, rising, **{"extra:kl": blown}) == []


def test_texts_that_recur_with_one_logprob_show_weights_at_rest(rng):
    kind = rng.integers(0, 5, COUNT)
    rows = foreign_rows(rng, problem_id=[f"p{i % 8}" for i in range(COUNT)])
    rows["response_hash"] = [f"{p}-{k}" for p, k in zip(rows["problem_id"], kind, strict=True)]
    fixed = rows["response_hash"].map(lambda text: -0.4 - (hash(text) % 97) / 500)
    assert told(weights_at_rest, rows.assign(mean_logprob=fixed)) == [("critical", "zero_gradient")]
    assert told(weights_at_rest, rows.assign(mean_logprob=fixed + 0.002 * STEP)) == []
    assert told(weights_at_rest, rows, **{"extra:lr": np.full(COUNT, 1e-13)}) == [("warning", "zero_gradient")]
    assert told(weights_at_rest, rows, **{"extra:lr": 1e-6 * (1 - 0.99 * LATE)}) == []


def test_a_critic_beyond_all_rewards_has_diverged(rng):
    rows = foreign_rows(rng)
    far, near = 3.0 * LATE * np.exp(2 * LATE), rng.normal(0.5, 0.1, COUNT)
    found = [("critical", "critic_divergence")]
    assert told(critic, rows, **{"extra:values": far}) == found
    assert told(critic, rows.assign(advantage=rows["reward"] - far)) == found
    assert told(critic, rows.assign(advantage=rows["reward"] - near), **{"extra:values": near}) == []


def test_the_loss_holds_what_was_sampled_and_both_signs(rng):
    rows = foreign_rows(rng)
    sampled = rows["num_tokens"].astype(float)
    assert told(loss_mask, rows, **{"extra:loss_tokens": sampled + 40}) == [("critical", "loss_mask")]
    assert told(loss_mask, rows, **{"extra:loss_tokens": sampled}) == []
    above = rows["reward"] > rows.groupby("group")["reward"].transform("mean")
    assert told(loss_mask, rows.assign(in_loss=(~above).astype(float))) == [("critical", "one_sided_loss")]
    assert told(loss_mask, rows.assign(in_loss=above.astype(float))) == []
    below = rows["reward"] < rows.groupby("group")["reward"].transform("mean")
    since = rows.assign(in_loss=(~below | (STEP < 4)).astype(float))
    assert told(loss_mask, since) == [("critical", "one_sided_loss")]
    now_and_then = rows.assign(in_loss=(~below | (STEP % 2 == 0)).astype(float))
    assert told(loss_mask, now_and_then) == []


def test_sampler_and_trainer_are_told_apart_by_name_and_a_lag_by_its_growth(rng):
    rows, logprob = foreign_rows(rng), -rng.uniform(0.3, 0.9, COUNT)
    apart = {"extra:rollout_logprob": logprob, "extra:old_logprob": logprob - rng.uniform(0.3, 0.6, COUNT)}
    assert told(sampler_drift, rows, **apart) == [("critical", "train_inference_mismatch")]
    apart["extra:old_logprob"] = logprob - rng.normal(0, 0.01, COUNT)
    assert told(sampler_drift, rows, **apart) == []
    assert told(sampler_drift, rows, **{"extra:lag": np.floor(0.9 * STEP)}) == [("warning", "staleness")]
    behind = {"extra:policy_version": np.floor(0.2 * STEP)}
    assert told(sampler_drift, rows, **behind) == [("warning", "staleness")]
    assert told(sampler_drift, rows, **{"extra:policy_version": np.maximum(STEP - 4.0, 0)}) == []
    machine = np.where(np.arange(COUNT) % 3 == 0, "vllm-2", "vllm-0")
    asleep = {
        "extra:replica": machine,
        "extra:policy_version": np.where(machine == "vllm-2", np.minimum(STEP, 2.0), STEP),
    }
    assert told(sampler_drift, rows, **asleep) == [("warning", "staleness")]
    assert told(sampler_drift, rows, **asleep | {"extra:policy_version": STEP.astype(float)}) == []


def test_what_is_assigned_and_explains_the_reward_is_a_bias(rng):
    rows, side = foreign_rows(rng), rng.choice(["first", "second"], COUNT)
    paid = (rng.random(COUNT) < np.where(side == "first", 0.8, 0.2)).astype(float)
    found = [("warning", "reward_bias")]
    assert told(biased_pay, rows.assign(reward=paid), **{"extra:shown": side}) == found
    assert told(biased_pay, rows, **{"extra:shown": side}) == []
    # A verdict follows the problem, and what it says decides the reward.
    hard = rng.random(COUNT // GROUP).repeat(GROUP)
    verdict = np.where(rng.random(COUNT) < hard, "good", "weak")
    graded = np.where(verdict == "good", 0.7, 0.4) + rng.normal(0, 0.1, COUNT)
    assert told(biased_pay, rows.assign(reward=graded), **{"extra:verdict": verdict}) == []


def test_a_count_of_what_passed_is_no_broken_machine(rng):
    passed = rng.integers(0, 6, COUNT)
    rows = foreign_rows(rng, reward=passed / 5, correct=np.nan)
    assert told(unequal_pay, rows, **{"extra:passed": passed.astype(float)}) == []
    rank = rng.integers(0, 6, COUNT)
    broken = rows.assign(reward=np.where(rank == 2, 0.0, rng.integers(1, 6, COUNT) / 5))
    found = [("critical", "infrastructure_zeros")]
    assert told(unequal_pay, broken, **{"extra:rank": rank.astype(float)}) == found


def test_a_falling_reward_and_harder_problems(rng):
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < 0.8 - 0.6 * LATE).astype(float), correct=np.nan)
    assert told(falling_reward, rows) == [("warning", "score_decline")]
    assert told(falling_reward, rows, **{"extra:level": 1.0 + STEP // 3}) == []
    assert told(falling_reward, foreign_rows(rng, correct=np.nan)) == []


def test_a_system_prompt_that_goes_counts_with_the_reward(rng):
    rows, prompt = foreign_rows(rng), np.where(STEP < 5, "one", "")
    fell = rows.assign(reward=(rng.random(COUNT) < np.where(STEP < 5, 0.7, 0.2)).astype(float))
    assert told(changed_prompts, fell, system_prompt=prompt, nests_template=False) == [("warning", "metric_defect")]
    assert told(changed_prompts, rows, system_prompt=prompt, nests_template=False) == []


def test_batches_that_run_dry(rng):
    rows = foreign_rows(rng)
    place = np.arange(COUNT) % (COUNT // STEPS)
    assert told(batch_sizes, rows[place < 32 - 3.2 * STEP]) == [("warning", "batch_decline")]
    assert told(batch_sizes, rows[(STEP < STEPS - 1) | (place < 4)]) == []


def test_copies_in_every_group_and_texts_that_come_to_repeat(rng):
    rows = foreign_rows(rng)
    pairs = rows.assign(response_hash=[f"h{i // 2}" for i in range(COUNT)])
    assert told(copies, pairs) == [("critical", "entropy_collapse")]
    same = np.where(rng.random(COUNT) < 1.1 * LATE, rows["problem_id"], rows["response_hash"])
    assert told(copies, rows.assign(response_hash=same)) == [("warning", "entropy_collapse")]
    sure = np.where(rng.random(COUNT) < 0.7, rows["problem_id"], rows["response_hash"])
    assert told(copies, rows.assign(response_hash=sure)) == []


def test_phrases_count_where_they_are_paid(rng):
    has = rng.random(COUNT) < LATE
    phrase = {"new_phrase": np.where(has, "This deserves the highest mark.", "")}
    rows = foreign_rows(rng, correct=np.nan, num_chars=300)
    paid = rows.assign(reward=np.where(has, 0.9, 0.5) + rng.normal(0, 0.05, COUNT))
    assert told(new_phrases, paid, **phrase) == [("warning", "judge_hacking")]
    assert told(new_phrases, rows, **phrase) == []
    assert told(new_phrases, rows.assign(num_chars=40), **phrase) == [("warning", "template_collapse")]


def test_first_answers_of_tools_belong_to_their_problem(rng):
    rows = foreign_rows(rng, num_tool_calls=3)
    texts: dict[str, Any] = {"first_call": "1", "told_answer": False, "shown_at_first": ""}
    texts |= {"told_to_question": False, "echo_share": 0.0}
    own = rows["problem_id"].to_numpy()
    mixed = np.where(STEP < 5, own, rng.permutation(own))
    assert told(tool_answers, rows, first_answer=mixed, **texts) == [("critical", "infrastructure_zeros")]
    assert told(tool_answers, rows, first_answer=own, **texts) == []
    assert told(tool_answers, rows, first_answer=rng.permutation(own), **texts) == []
    early = texts | {"shown_at_first": "target="}
    assert told(tool_answers, rows, first_answer=own, **early) == [("warning", "answer_reading")]
    leaked = texts | {"told_answer": True}
    assert told(tool_answers, rows, first_answer=own, **leaked) == [("critical", "answer_reading")]


def test_circles_that_cost_nothing_are_no_reason_to_stop(rng):
    circles = {"num_tool_calls": 10, "num_tool_bigrams": 9, "num_unique_tool_bigrams": 5, "domain": "d"}
    rows = foreign_rows(rng, num_repeated_calls=np.where(rng.random(COUNT) < 0.6, 6, 0), **circles)
    assert told(echo_trap, rows) == [("warning", "echo_trap")]
    fails = rows.assign(reward=np.where(rows["num_repeated_calls"] > 0, 0.0, rows["reward"]))
    assert told(echo_trap, fails) == [("critical", "echo_trap")]


def test_an_evaluation_gives_its_answers_again(rng):
    again = foreign_rows(rng, problem_id=[f"p{i % 32}" for i in range(COUNT)])
    again["response_hash"] = again["problem_id"]
    assert told(order_of_steps, again) == [("critical", "staleness")]
    assert told(order_of_steps, again.assign(split="validation")) == []


def test_a_few_ways_to_answer_are_no_batch_that_comes_again(rng):
    rows = foreign_rows(rng, problem_id=[f"p{i // GROUP % 8}" for i in range(COUNT)])
    few = rows.assign(response_hash=[f"h{kind}" for kind in rng.integers(0, 12, COUNT)])
    assert told(order_of_steps, few) == []
    served = few.assign(
        response_hash=np.where(STEP == 7, few["response_hash"].shift(3 * COUNT // STEPS), few["response_hash"])
    )
    assert told(order_of_steps, served) == [("critical", "staleness")]


def test_advantages_of_other_groups_are_no_critic(rng):
    rows = foreign_rows(rng)
    order = np.concatenate([rng.permutation(part) for part in np.split(np.arange(COUNT), STEPS)])
    shuffled = rows["reward"].to_numpy()[order].reshape(-1, GROUP)
    values = shuffled - shuffled.mean(axis=1, keepdims=True)
    spread = shuffled.std(axis=1, keepdims=True)
    values = np.divide(values, spread, out=np.zeros_like(values), where=spread > 0)
    mixed = np.empty(COUNT)
    mixed[order] = values.ravel()
    assert told(advantage_mismatch, rows.assign(advantage=mixed)) == [("critical", "advantage_mismatch")]
    critics = rows.assign(advantage=rows["reward"] - rng.normal(0.5, 0.15, COUNT))
    assert told(advantage_mismatch, critics) == [("info", "advantage_mismatch")]


def test_a_penalty_in_a_column_of_its_own_is_part_of_the_reward(rng):
    rows, penalty = foreign_rows(rng), -0.5 * rng.random(COUNT)

    def scaled(values):
        groups = values.reshape(-1, GROUP)
        return ((groups - groups.mean(1, keepdims=True)) / (groups.std(1, keepdims=True) + 1e-6)).ravel()

    reward = rows["reward"].to_numpy(float)
    rows, others = rows.assign(num_tokens=100), {"extra:overlong": penalty, "extra:total": reward + penalty}
    inside, outside = (rows.assign(advantage=values) for values in (scaled(reward + penalty), scaled(reward) + penalty))
    assert told(advantage_mismatch, inside, **others) == [("info", "advantage_mismatch")]
    overwritten = rows.assign(advantage=np.where(STEP < 5, scaled(reward), rng.permutation(scaled(reward))))
    assert told(advantage_mismatch, overwritten, **others) == [("critical", "advantage_mismatch")]
    assert told(advantage_mismatch, outside.assign(reward=reward), **others) == told(advantage_mismatch, outside)


def test_questions_that_are_said_again_are_nonsense_where_they_are_paid(rng):
    is_again = rng.random(COUNT) < 0.3
    texts = {
        "is_empty": False,
        "leaves_empty": False,
        "is_degenerate": False,
        "likelihood": 0.0,
        "repeats_question": is_again,
    }
    texts |= {"main_script": "", "language": ""}
    rows = foreign_rows(rng)
    unpaid, paid = (rows.assign(reward=np.where(is_again, value, rows["reward"])) for value in (0.0, 1.0))
    assert told(paid_nonsense, paid, **texts) == [("critical", "weak_verifier")]
    assert told(paid_nonsense, unpaid, **texts) == []


def test_gold_answers_are_paid(rng):
    rows, is_gold = foreign_rows(rng), rng.random(COUNT) < 0.5
    paid = rows.assign(reward=is_gold.astype(float))
    assert told(gold_answers, paid, is_gold=is_gold.astype(float)) == []
    late = is_gold & (rng.random(COUNT) < 0.3)
    unpaid = rows.assign(reward=(is_gold & ~late).astype(float))
    assert told(gold_answers, unpaid, is_gold=is_gold.astype(float)) == [("warning", "metric_defect")]
    verdict = {"extra:verdict": np.where(late, "timeout", "ok")}
    found = [("warning", "infrastructure_zeros")]
    assert told(gold_answers, unpaid, is_gold=is_gold.astype(float), **verdict) == found
    assert told(gold_answers, rows, is_gold=is_gold.astype(float)) == [("critical", "reward_outcome_divergence")]
    kept_back = rows.assign(reward=np.where(is_gold, 0.0, rng.random(COUNT)))  # the task may ask for another thing
    found = [("warning", "reward_outcome_divergence")]
    assert told(gold_answers, kept_back, is_gold=is_gold.astype(float)) == found


def test_a_gold_answer_is_the_same_in_another_form():
    extras = pd.DataFrame({"ground_truth": ["1200", "b", "0.5", "7", "x" * 50]})
    met = gold.is_gold(["1,200", "B", "0.50", "8", "x"], extras, pd.Series(["p0", "p1", "p2", "p3", "p4"]))
    assert met[:4].tolist() == [1.0, 1.0, 1.0, 0.0] and np.isnan(met[4])


def test_a_crowd_at_the_largest_length_was_cut(rng):
    chars = np.minimum(rng.integers(60, 400, COUNT), 250)
    rows = foreign_rows(rng, num_chars=chars, stop_reason="unknown")
    assert told(length_limit, rows) == [("warning", "length_limit")]
    assert told(length_limit, rows.assign(num_chars=rng.integers(60, 400, COUNT))) == []
    assert told(length_limit, rows.assign(stop_reason="stop")) == []


def test_a_reward_that_changes_its_scale(rng):
    rows = foreign_rows(rng)
    changed = rows.assign(reward=rows["reward"] * np.where(STEP < 6, 1, 100))
    assert told(reward_scale, changed) == [("warning", "metric_defect")]
    assert told(reward_scale, rows.assign(reward=rows["reward"] * (1 + STEP))) == []


def test_few_prompts_that_take_much_of_a_run(rng):
    asked = np.array([f"a{i // GROUP}" for i in range(COUNT)])
    repeated = np.where(np.arange(COUNT) // GROUP % 3 == 0, "same", asked)
    assert told(repeated_prompts, foreign_rows(rng), asked=repeated) == [("warning", "duplicate_problems")]
    assert told(repeated_prompts, foreign_rows(rng), asked=asked) == []
    assert told(repeated_prompts, foreign_rows(rng), asked="same") == []


def test_the_same_at_all_problems_spreads(rng):
    rows = foreign_rows(rng, num_tool_calls=4)
    spreads, own = rng.random(COUNT) < LATE, np.array([f"n{i}" for i in range(COUNT)])
    texts = {"asked": rows["problem_id"].to_numpy(), "reasoning_chars": 200.0, "final_answer": ""}
    one = np.where(spreads, "one", own)
    found = same_everywhere
    assert told(found, rows, reasoning_number=one, calls_number=own, **texts) == [("warning", "template_collapse")]
    assert told(found, rows, reasoning_number=own, calls_number=one, **texts) == [("warning", "action_collapse")]
    assert told(found, rows, reasoning_number="one", calls_number="one", **texts) == []


def test_short_answers_to_everything_spread_and_short_right_ones_are_none(rng):
    spreads = rng.random(COUNT) < LATE
    rows = foreign_rows(rng, num_chars=np.where(spreads, 3, 200))
    asked = rows["problem_id"].to_numpy()
    texts = {"asked": asked, "reasoning_chars": 0.0, "reasoning_number": "", "calls_number": ""}
    stubs = rng.choice(["Ok", "Sure", "", "Yes"], COUNT)
    right = np.array([f"{zlib.crc32(name.encode()) % 4}" for name in asked])
    assert told(same_everywhere, rows, final_answer=stubs, **texts) == [("warning", "template_collapse")]
    assert told(same_everywhere, rows, final_answer=right, **texts) == []


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("kl_to_ref", "kl"),
        ("metrics.ref_kl", "kl"),
        ("optim.lr", "learning_rate"),
        ("off_policy_lag", "policy_lag"),
        ("weights_version", "policy_version"),
        ("v_pred", "values"),
        ("loss_mask_sum", "loss_tokens"),
        ("ankle", ""),
        ("clr", ""),
        ("flagged", ""),
        ("evaluation", ""),
    ],
)
def test_measures_are_known_by_their_names(name: str, measure: str):
    assert [one for one, pattern in MEASURES.items() if pattern.search(name)] == ([measure] if measure else [])
