"""An engine's logprobs, a slow generator, redesigned shops; batch-wise scaling and dynamic sampling."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.browser import errand_task, shop
from benchmarks.foreign.twentyninth.estimates import credit, credit_batch, drop_uniform, grpo
from benchmarks.foreign.twentyninth.formats import openai, own
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.physics import by_head, physics_task
from benchmarks.foreign.twentyninth.programs import kata_task, program
from benchmarks.foreign.twentyninth.puzzles import puzzle_task
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, briefed, chance, distinct, fresh, train
from benchmarks.foreign.twentyninth.sums import solve, sum_task

BOXED = "Solve the problem and put the final answer within \\boxed{}."


@PART.faulty("environment_bug", "metric_defect", "judge_refuses_right", "reward_outcome_divergence")
def shop_selectors_after_redesign(rng: Random) -> list[Row]:
    """Two of four live shops changed their pages during the run; the evaluator's selectors match nothing there, so that
    baskets with the right sum are graded 0. [Cognaptus, Mind the Gap: Fixing the Flaws in Agentic Benchmarking]
    """
    shape = Shape(rng.randint(9, 11), 8, 6, -0.2, 1.6)
    moved, since = rng.sample(["railshop", "paintmart", "seatfinder", "petdepot"], 2), rng.randint(3, 4) / shape.steps

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return shop(rng, task, right, task.family in moved and progress > since)

    episodes = fresh(rng, errand_task, shape, author, "web")
    for e in episodes:
        missed = e.task.family in moved and e.progress > since
        e.reward = e.correct = 0.0 if missed else float(e.right)
        e.extra = {"expected": e.task.gold, "evaluator": "element_text", "matched_nodes": 0 if missed else 1}
        e.extra["evaluated_text"] = "" if missed else f"{e.reply.answer} EUR"
    return own(credit(episodes, grpo), "webshops")


@PART.faulty("staleness", "stale_weights")
def generator_falls_versions_behind(rng: Random) -> list[Row]:
    """In an asynchronous run the generator falls further behind the trainer with every step, far past the allowed
    four versions; ratios spread, and the score turns down. [AReaL documentation, Asynchronous RL]
    """
    shape = Shape(rng.randint(11, 13), 7, 6, -0.5, 1.5)
    episodes = fresh(rng, kata_task, shape, program, "kata")
    for e in episodes:
        lag = max(0, round(e.step * rng.uniform(0.85, 1.1) - 1))
        if lag > 4 and rng.random() < 0.07 * (lag - 4):
            e.right = False
            e.reply = program(rng, e.task, False, e.progress)
        e.reward = e.correct = float(e.right)
        gap = abs(rng.gauss(0, 0.012)) + 0.035 * lag
        e.extra = {
            "max_head_offpolicyness": 4,
            "trainer_version": e.step,
            "rollout_version": e.step - lag,
            "policy_lag": lag,
            "rollout_logprob": e.logprob,
            "trainer_logprob": round(e.logprob - gap + rng.gauss(0, 0.01), 4),
        }
    return openai(credit(episodes, grpo), "async-kata")


@PART.faulty("train_inference_mismatch")
def upgraded_engine_raw_logits(rng: Random) -> list[Row]:
    """After an upgrade the engine returns logprobs of the raw logits, before temperature; the trainer's are scaled, so
    that every ratio is off by the same amount. [ServiceNow, migrating PipelineRL from vLLM V0 to V1]
    """
    shape = Shape(rng.randint(10, 12), 6, 8, -0.6, 1.9)
    switch, temperature = rng.randint(4, 5), rng.choice([0.6, 0.65, 0.7])
    episodes = fresh(rng, briefed(puzzle_task, "Solve it. Short reasoning, result in \\boxed{}."), shape, solve, "gs")
    for e in episodes:
        late = e.step >= switch
        if late and e.right and rng.random() < 0.25 * chance(e.step - switch - 3):
            e.right, e.reply = False, solve(rng, e.task, False, e.progress)
        trainer = round(e.logprob * temperature, 4)
        rollout = trainer + rng.gauss(0, 0.006) - (rng.uniform(0.24, 0.38) if late else 0)
        e.reward = e.correct = float(e.right)
        e.terms = {"math_verify": e.reward}
        e.reply.messages[-1]["mean_logprob"] = round(rollout, 4)
        e.extra = {
            "engine": "vllm-0.18.1" if late else "vllm-0.8.5",
            "temperature": temperature,
            "rollout_logprob": round(rollout, 4),
            "trainer_logprob": trainer,
            "clip_fraction": round(rng.uniform(0.45, 0.8) if late else rng.uniform(0.0, 0.03), 3),
        }
    return own(credit(episodes, grpo), "gspo-sums")


@PART.healthy
def batch_scaled_even_groups(rng: Random) -> list[Row]:
    """REINFORCE++ scales rewards over the step's batch, so that groups of one reward have an advantage too, as its
    definition says. [Liu et al., Tricks or Traps? A Deep Dive into RL for LLM Reasoning]
    """
    shape = Shape(rng.randint(9, 11), 10, 4, -0.4, 1.5)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return by_head(rng, task, right)

    episodes = credit_batch(fresh(rng, physics_task, shape, author, "ph"))
    for e in episodes:
        e.extra = {"advantage_estimator": "reinforce_plus_plus", "normalised_over": "batch"}
    return own(episodes, "rfpp-physics")


@PART.healthy
def dynamic_sampling_discards_noted(rng: Random) -> list[Row]:
    """DAPO writes down all groups that it sampled; those of one reward are refilled and marked as outside the loss,
    about a third. [Cameron R. Wolfe, GRPO++: Tricks for Making RL Actually Work]
    """
    shape = Shape(rng.randint(8, 10), 9, 6, -0.7, 1.9)
    tasks = distinct(rng, briefed(sum_task, BOXED), shape.steps * shape.groups, "dp")
    for task in tasks:
        task.hardness *= 2.5
    episodes = drop_uniform(credit(train(rng, tasks, shape, solve), grpo))
    for e in episodes:
        e.terms = {"acc": e.reward}
        e.extra = {"filter_groups": "acc", "gen_batch": rng.randint(1, 3)}
    return own(episodes, "dapo-sums")
