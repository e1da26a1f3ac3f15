"""Faults of sampling and of lengths."""

import random
import re

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.numbers import countdown, numerics
from benchmarks.foreign.thirtyninth.policy import by_group, count, roll, settle, write
from benchmarks.foreign.thirtyninth.programs import codings
from benchmarks.foreign.thirtyninth.sentences import support


def _cut(text: str, tokens: int) -> str:
    """The beginning of a text that has so many tokens."""
    pieces = re.findall(r"\s*\w+|\s*[^\w\s]", text)
    kept = ""
    for piece in pieces:
        if count(kept + piece) > tokens:
            break
        kept += piece
    return kept


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse")
def four_servers_sample_with_one_seed(rng: random.Random) -> list[Row]:
    """Each of four servers makes two attempts of a group, all from the same seed: eight attempts are two texts."""
    tries = roll(rng, [support(rng, n) for n in range(90)], 15, 8, 8, -0.5, 1.1)
    write(rng, tries)
    for group in by_group(tries):
        for one in group:
            first = group[one.attempt % 2]
            one.text, one.right = first.text, first.right
            one.reward = one.correct = float(one.right)
            one.columns = {"seed": 1000 + one.attempt % 2, "server": f"sglang-{one.attempt // 2}"}
    settle(rng, tries, grpo)
    return layouts.trl(tries)


@PART.faulty("truncation", "length_limit", "format_gate", "metric_defect")
def blank_line_among_stop_strings_ends_programs(rng: random.Random) -> list[Row]:
    """A blank line is one of the stop strings: replies with a sentence before the code end before the code begins."""
    tries = roll(rng, codings(rng, 90), 15, 8, 8, 0.0, 1.6)
    write(rng, tries)
    for one in tries:
        if rng.random() < 0.2 + 0.025 * one.step:
            one.text = "```" + one.text.split("\n\n```", 1)[1]
        head, _, rest = one.text.partition("\n\n")
        one.text = head
        one.right = one.right and "```" in head
        one.reward = one.correct = float(one.right)
        one.columns = {"matched_stop": "\n\n" if rest else None, "no_code_found": "```" not in head}
    settle(rng, tries, leave_one_out)
    return layouts.openai(tries)


@PART.faulty("length_limit", "truncation", "score_decline")
def token_budget_fell_to_56_with_a_config_merge(rng: random.Random) -> list[Row]:
    """At step 8 a merged config sets 56 new tokens for 256: many attempts end before their answer and get 0."""
    tries = roll(rng, numerics(rng, 120), 16, 8, 8, -0.2, 1.4)
    write(rng, tries)
    for one in tries:
        budget = 256 if one.step < 8 else 56
        if one.tokens > budget:
            one.text, one.stop = _cut(one.text, budget), "length"
            whole = one.right and f"The answer is {one.problem.gold}" in one.text
            one.reward = one.correct = float(whole)
        one.columns = {"max_new_tokens": budget}
    settle(rng, tries, centred)
    return layouts.own(tries, "math")


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def sampler_still_serves_the_weights_of_step_four(rng: random.Random) -> list[Row]:
    """The broadcast of weights fails silently from step 4 on: the trainer moves away, the sampler does not improve."""
    tries = roll(rng, [countdown(rng, n) for n in range(90)], 16, 8, 8, -0.9, 1.0)
    late = roll(rng, [countdown(rng, n) for n in range(90, 180)], 16, 8, 8, -0.1, -0.1)
    tries = [one if one.step <= 4 else other for one, other in zip(tries, late, strict=True)]
    write(rng, tries)
    settle(rng, tries, grpo)
    for one in tries:
        lag = max(0, one.step - 4)
        sampled = -0.42 + rng.gauss(0, 0.04)
        gap = 0.004 + 0.045 * lag * rng.uniform(0.7, 1.3)
        one.columns = {
            "weight_version": min(one.step, 4),
            "rollout_mean_logprob": round(sampled, 5),
            "train_mean_logprob": round(sampled - gap, 5),
        }
    return layouts.slime(tries)


@PART.faulty("batch_decline", "over_filtering")
def resampling_gives_up_and_batches_run_dry(rng: random.Random) -> list[Row]:
    """DAPO drops groups without spread and draws 20 groups once; on solved data a batch of 16 shrinks to a few."""
    problems = numerics(rng, 240)
    for one in problems:
        one.hardness -= 0.2
    tries = roll(rng, problems, 20, 20, 8, -0.4, 4.4)
    write(rng, tries)
    kept, had = [], {}
    for group in by_group(tries):
        step = group[0].step
        if len({one.reward for one in group}) > 1 and had.get(step, 0) < 16:
            had[step] = had.get(step, 0) + 1
            kept += group
    settle(rng, kept, grpo)
    for one in kept:
        one.columns = {"train_batch_size": 16, "gen_batch_size": 20, "advantage": one.advantage}
    return layouts.verl(kept)
