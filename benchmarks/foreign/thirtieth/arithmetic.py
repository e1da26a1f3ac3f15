"""Faults of the trainer's arithmetic: baselines, masks, logprobs, critic, learning rate."""

import math
import random

from benchmarks.foreign.thirtieth import advantages, guessing, layouts, sums
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row
from benchmarks.foreign.thirtieth.library import lookup
from benchmarks.foreign.thirtieth.policy import Learner, schedule, tokens


@PART.faulty("advantage_mismatch", "phantom_advantage")
def group_norm_then_norm_over_all_turns_again(rng: random.Random) -> list[Row]:
    """Advantages are standardised in their group, then once more over all turns of the batch.

    Lost games are longer than won ones, so the second mean is below zero: groups without any spread get an advantage,
    and all others are shifted and scaled by what other games did. [axon-rl/gem#113]
    """
    learner, rows = Learner(-0.6, 2.2, 14), []
    for step in range(14):
        batch: list[Row] = []
        for game in range(7):
            top, hidden = 64, rng.randint(1, 64)
            for attempt in range(8):
                turns, is_won, count = guessing.play(rng, top, 6, learner.chance(step), hidden)
                messages = [layouts.asks(guessing.rules(top, 6)), *turns]
                row = layouts.ours(step, f"guess-{step}-{game}", attempt, messages, float(is_won), domain="games")
                batch.append(row | {"turns": count})
        advantages.fill(batch, lambda row: row["group_id"], lambda row: row["reward"], advantages.grpo)
        spread = [row["advantage"] for row in batch for _ in range(row["turns"])]
        mean = sum(spread) / len(spread)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in spread) / len(spread)) + 1e-8
        for row in batch:
            row["advantage"] = round((row["advantage"] - mean) / deviation, 5)
        rows += batch
    return rows


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def fused_kernel_forgets_the_mask_of_tools(rng: random.Random) -> list[Row]:
    """The fused loss takes the mask of the completion and not that of tools: passages of the catalogue are trained on.

    [huggingface/trl#4975]
    """
    learner, rows = Learner(-0.3, 1.3, 12), []
    for step in range(12):
        for prompt in range(5):
            question, run = lookup(rng)
            for _ in range(8):
                completion, is_right = run(rng, learner.is_right(rng, step))
                lengths = [tokens(one["content"]) + 14 * len(one.get("tool_calls", [])) for one in completion]
                completion = [one | {"loss_mask": 1} for one in completion]
                row = layouts.trl(step, [layouts.asks(question)], completion, accuracy_reward=float(is_right))
                rows.append(
                    row
                    | {"prompt_id": f"{step}-{prompt}", "completion_tokens": sum(lengths), "loss_tokens": sum(lengths)}
                )
    advantages.fill(rows, lambda row: row["prompt_id"], lambda row: row["accuracy_reward"], advantages.grpo)
    return rows


@PART.faulty("train_inference_mismatch")
def trainer_logprobs_lie_one_place_to_the_left(rng: random.Random) -> list[Row]:
    """The trainer's logprobs of tokens are those of the sampler, moved by one place: ratios are far from one from the
    start.

    [modelscope/ms-swift#8196]
    """
    learner, rows, problems = Learner(-0.5, 0.4, 10), [], sums.pool(rng, 40)
    for step, batch in schedule(rng, problems, 10, 6):
        for place, one in enumerate(batch):
            for index in range(8):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                text = f"{text} The answer is {value}."
                count = tokens(text)
                sampled = [
                    -rng.expovariate(8) if rng.random() < 0.72 else -rng.expovariate(1.4) for _ in range(count + 1)
                ]
                trained = [value_ + rng.gauss(0, 0.01) for value_ in sampled]
                ratios = [math.exp(min(8.0, new - old)) for new, old in zip(trained[1:], sampled[:count], strict=True)]
                rows.append(
                    layouts.slime(
                        step,
                        step * 6 + place,
                        index,
                        one.question,
                        text,
                        float(value == one.answer),
                        label=str(one.answer),
                        rollout_log_probs=[round(number, 3) for number in sampled[:count]],
                        log_probs=[round(number, 3) for number in trained[1:]],
                        is_weight_mean=round(sum(ratios) / count, 3),
                        is_weight_max=round(max(ratios), 2),
                    )
                )
    advantages.fill(rows, lambda row: row["group_index"], lambda row: row["reward"], advantages.grpo)
    return rows


@PART.faulty("critic_divergence", "advantage_mismatch")
def critic_head_stays_as_it_was_drawn(rng: random.Random) -> list[Row]:
    """The value head is never updated: its values know neither the problem nor the mean reward, all run long.

    [hiyouga/LlamaFactory#124]
    """
    learner, rows, problems = Learner(-1.2, 1.1, 30), [], sums.pool(rng, 150)
    offset = rng.uniform(-1.6, -0.9)
    for step, batch in schedule(rng, problems, 30, 24):
        drawn: list[Row] = []
        for one in batch:
            text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
            score = float(value == one.answer)
            guess = offset + rng.gauss(0, 0.7)
            drawn.append(
                layouts.verl(
                    step,
                    one.question,
                    f"{text}\n#### {value}",
                    str(one.answer),
                    score,
                    uid=one.name,
                    values=round(guess, 4),
                    returns=score,
                    vf_loss=round(0.5 * (score - guess) ** 2, 4),
                )
            )
        raw = advantages.standardised([row["score"] - row["values"] for row in drawn])
        for row, value in zip(drawn, raw, strict=True):
            row["advantage"] = round(value, 5)
        rows += drawn
    return rows


@PART.faulty("learning_rate_schedule", "zero_gradient")
def warmup_counter_never_moves(rng: random.Random) -> list[Row]:
    """The count of the warm-up is only raised when gradients are not accumulated, which is never: the rate stays 0.

    [Lightning-AI/litgpt#779]
    """
    learner, rows, problems = Learner(-0.2, -0.2, 16), [], sums.pool(rng, 60)
    for step, batch in schedule(rng, problems, 16, 6):
        norm = round(rng.uniform(0.2, 0.6), 4)
        for one in batch:
            for _ in range(8):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                rows.append(
                    layouts.trl(
                        step,
                        one.question,
                        f"{text} So the total is {value}.",
                        accuracy_reward=float(value == one.answer),
                        ground_truth=str(one.answer),
                        learning_rate=0.0,
                        grad_norm=norm,
                        kl=0.0,
                    )
                )
    advantages.fill(rows, lambda row: (row["step"], row["prompt"]), lambda row: row["accuracy_reward"], advantages.grpo)
    return rows
