"""GSPO, a crowded runner, a token too many, rewards by likeness, a mix that changes."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.desks import desk_task
from benchmarks.foreign.seventh.dumps import nemo_rl
from benchmarks.foreign.seventh.estimates import credit, grpo, rloo, unused
from benchmarks.foreign.seventh.formats import openai, own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.patients import triage_task
from benchmarks.foreign.seventh.programs import code_task
from benchmarks.foreign.seventh.queries import query_task
from benchmarks.foreign.seventh.repositories import repository_task
from benchmarks.foreign.seventh.rollouts import Shape, climb, distinct, play, schedule, train
from benchmarks.foreign.seventh.sums import sum_task
from benchmarks.foreign.seventh.tongues import likeness, translation_task

_CROWDED = 200
"""With more programs at once the runner's wall clock runs out."""
_BEGIN = 128000
_HEADER = (128006, 9125, 128007, 271)
"""Tokens of Llama 3: the beginning of a text, and the header of a system prompt."""


@PART.healthy
def repairs_with_gspo(rng: Random) -> list[Row]:
    """GSPO on repository repair with a fixed validation set of its own every fourth step, greedy and a little better
    than training.
    """
    steps, skill = 12, climb(-0.7, 1.7, 12)
    tasks = distinct(rng, repository_task, steps * 5 + 16, "g")
    held, fed = tasks[:16], tasks[16:]
    episodes = credit(play(rng, schedule(fed, steps), 8, skill), grpo, loss="gspo", clip_low=0.0003, clip_high=0.0004)
    for step in range(0, steps, 4):
        seen = unused(play(rng, [held], 1, lambda s: skill(s) + 0.2, "validation", step))
        for e in seen:
            e.extra["decoding"] = "greedy"
        episodes += seen
    return own(rng, sorted(episodes, key=lambda e: e.step), "gspo")


@PART.faulty("infrastructure_zeros", "flaky_grading", "infrastructure_errors", "metric_defect")
def crowded_test_runner(rng: Random) -> list[Row]:
    """When many programs are tested at once the runner's wall clock runs out and right programs get 0; the same source
    passes in quiet hours.
    """
    episodes = train(rng, code_task, Shape(12, 6, 8), start=0.0, gain=1.4, prefix="u")
    crowd = {step: rng.choice((24, 32, 40, 220, 256)) if step > 2 else 32 for step in range(12)} | {5: 244, 9: 231}
    for e in episodes:
        passed, total = e.reply.extra["tests_passed"], e.reply.extra["tests_total"]
        note = f"{passed}/{total} passed in {rng.uniform(0.05, 0.4):.2f}s"
        if crowd[e.step] > _CROWDED and rng.random() < 0.38:
            e.right, passed = False, 0
            note = f"killed: wall clock {rng.uniform(10, 10.4):.1f}s > 10s (cpu {rng.uniform(0.02, 0.2):.2f}s)"
        e.reply.extra |= {
            "tests_passed": passed,
            "runner_note": note,
            "runner_concurrency": crowd[e.step] + rng.randint(-3, 3),
        }
        e.reward = float(e.right)
        e.terms = {"tests": e.reward}
    return nemo_rl(credit(episodes, rloo))


@PART.faulty("train_inference_mismatch")
def begun_twice(rng: Random) -> list[Row]:
    """The trainer's tokenizer puts a second beginning-of-text token before the prompt that the sampler saw once; log
    probabilities differ.
    """
    episodes = credit(train(rng, desk_task, Shape(11, 5, 8), start=-0.5, gain=0.5, prefix="y"), grpo)
    for e in episodes:
        prompt = (len(e.task.prompt) + len(e.task.system)) // 4
        sampled_at = round(-rng.uniform(0.18, 0.42), 4)
        trained_at = round(sampled_at - rng.uniform(0.22, 0.5), 4)
        e.extra |= {
            "sampler_prompt_tokens": prompt, "trainer_prompt_tokens": prompt + 1,
            "sampler_prompt_head": [_BEGIN, *_HEADER], "trainer_prompt_head": [_BEGIN, _BEGIN, *_HEADER],
            "sampler_mean_logprob": sampled_at, "trainer_mean_logprob": trained_at,
            "ratio_before_update": round(math.exp(trained_at - sampled_at), 4),
        }  # fmt: skip
    return openai(episodes)


@PART.healthy
def translations_by_trigrams(rng: Random) -> list[Row]:
    """NeMo-RL on translation with likeness to a reference as reward, so nearly all rewards are above 0.5 and few are
    equal.
    """
    episodes = train(rng, translation_task, Shape(10, 6, 8), start=-0.6, gain=2.0, prefix="t")
    for e in episodes:
        e.reward = likeness(e.reply.answer, e.task.gold)
        e.extra |= {"reference": e.task.gold, "metric": "char3-f1"}
    return nemo_rl(credit(episodes, rloo))


@PART.healthy
def four_environments_in_changing_shares(rng: Random) -> list[Row]:
    """A mix of four environments whose shares move from triage and sums to code and databases; groups are normalised on
    their own.
    """
    steps, skill, makers = 12, climb(-0.5, 1.6, 12), (triage_task, sum_task, code_task, query_task)
    pools = [iter(distinct(rng, make, 70, f"e{n}-")) for n, make in enumerate(makers)]
    plan = []
    for step in range(steps):
        drawn = rng.choices(range(4), (4 - step / 4, 4 - step / 4, 1 + step / 4, 1 + step / 4), k=6)
        plan.append([next(pools[n]) for n in drawn])
    episodes = play(rng, plan, 8, skill)
    for e in episodes:
        if e.task.domain == "code":
            e.reward = round(e.reply.extra["tests_passed"] / e.reply.extra["tests_total"], 4)
            e.terms = {"tests": e.reward}
    return own(rng, credit(episodes, grpo, mixture="v2"), "mix")
