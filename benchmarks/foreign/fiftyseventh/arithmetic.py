"""Faults of the trainer's arithmetic: groups, masks, logprobs, one side of the loss, weights that do not arrive."""

import random

from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fiftyseventh.advantages import put
from benchmarks.foreign.fiftyseventh.endings import boxed, lettered
from benchmarks.foreign.fiftyseventh.kinds import PART
from benchmarks.foreign.fiftyseventh.knowledge import draw_choice
from benchmarks.foreign.fiftyseventh.layouts import Row, openai, ours, prime, slimes, trl
from benchmarks.foreign.fiftyseventh.policy import Plan, attempts
from benchmarks.foreign.fiftyseventh.programs import draw_program
from benchmarks.foreign.fiftyseventh.repos import draw_issue, episode
from benchmarks.foreign.fiftyseventh.sums import draw_sum


@PART.faulty("advantage_mismatch", "phantom_advantage")
def rewards_are_reshaped_across_prompts(rng: random.Random) -> list[Row]:
    """Rewards come attempt by attempt but are reshaped prompt by prompt: each advantage is taken among rows of
    eight other prompts.
    """
    plan = Plan(steps=12, problems=8, group=8, start=-0.2, rate=0.01)
    draws = list(attempts(rng, plan, draw_sum))
    for draw in draws:
        draw.reward = float(boxed(draw, rng) == draw.task.answer)
        draw.terms = {"accuracy_reward": draw.reward}
    for step in range(1, 13):
        batch = [d for d in draws if d.step == step]
        names = [d.group for d in batch]
        moved = sorted(batch, key=lambda d: d.attempt)
        for place, draw in enumerate(moved):
            draw.group = f"{step}:{place // 8}"
        put(moved, grpo)
        for draw, name in zip(batch, names, strict=True):
            draw.group = name
    return [trl(d) for d in draws]


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def answers_of_tools_are_trained_on(rng: random.Random) -> list[Row]:
    """The mask of messages is 1 for the tools' answers as for the policy's own: the loss holds what the shell
    printed.
    """
    rows = []
    for draw in attempts(rng, Plan(steps=9, problems=7, group=8, start=-0.3, rate=0.07), draw_issue):
        told = episode(draw.task, rng, draw.right)
        draw.messages = [{**m, "loss_mask": int(m["role"] in ("assistant", "tool"))} for m in told]
        draw.reward = float(draw.right)
        draw.beside = {"resolved": draw.right}
        row = openai(draw)
        row["messages"][0]["loss_mask"] = 0
        rows.append(row)
    return rows


@PART.faulty("train_inference_mismatch")
def sampler_and_trainer_disagree_ever_more(rng: random.Random) -> list[Row]:
    """The sampler's quantised weights drift off: its mean logprobs and the trainer's part by 0.02 at first and by
    0.6 nats at the end.
    """
    draws = list(attempts(rng, Plan(steps=12, problems=6, group=8, start=0.4, rate=0.06), draw_program))
    for draw in draws:
        if draw.step > 8 and rng.random() < (draw.step - 8) * 0.11:
            draw.right = False
        draw.text = draw.task.solve(rng, draw.right)
        draw.reward = float(draw.right)
        gap = 0.02 * 1.36 ** (draw.step - 1)
        sampled = [round(-abs(rng.gauss(0, 0.45)), 4) for _ in range(min(draw.tokens, 40))]
        trained = [round(min(-1e-4, x - rng.gauss(gap, gap * 0.8 + 0.01)), 4) for x in sampled]
        draw.beside = {
            "rollout_log_probs": sampled,
            "train_log_probs": trained,
            "rollout_dtype": "fp8",
            "train_dtype": "bf16",
        }
    return slimes(draws)


@PART.faulty("one_sided_loss", "over_filtering", "loss_mask")
def only_failures_reach_the_loss(rng: random.Random) -> list[Row]:
    """A filter meant for overlong rows compares the wrong way: rows with positive advantage are out of the loss;
    the score sinks.
    """
    draws = list(attempts(rng, Plan(steps=12, problems=8, group=8, start=0.7, rate=-0.12), draw_sum))
    for draw in draws:
        draw.reward = float(boxed(draw, rng) == draw.task.answer)
    for draw in put(draws, grpo):
        negative = (draw.advantage or 0.0) < 0
        draw.beside = {"in_loss": negative or ((draw.advantage or 0.0) > 0 and rng.random() < 0.03)}
    return [ours(d, "math") for d in draws]


@PART.faulty("weights_never_arrive", "stale_weights", "staleness")
def rollout_engine_keeps_its_third_weights(rng: random.Random) -> list[Row]:
    """The transfer of weights fails silently after step 3: all later rollouts name policy version 3, and the score
    stands still.
    """
    draws = list(
        attempts(rng, Plan(steps=14, problems=7, group=8, start=-0.2, rate=0.0), lambda r: draw_choice(r, "law"))
    )
    for draw in draws:
        letter = lettered(draw, rng)
        draw.reward = float(letter == draw.task.answer)
        draw.beside = {"policy_version": min(draw.step - 1, 3), "trainer_version": draw.step - 1}
    return [prime(d, "law-terms", {"correct_answer": d.reward}) for d in put(draws, leave_one_out)]
