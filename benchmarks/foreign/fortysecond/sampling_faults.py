"""Faults of sampling and lengths."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond import layouts, numbers
from benchmarks.foreign.fortysecond.advantages import assign
from benchmarks.foreign.fortysecond.attempts import Moment, Task, Try, clip, play, say, tokens_of
from benchmarks.foreign.fortysecond.kinds import PART
from benchmarks.foreign.fortysecond.policy import lucky


@PART.faulty("seed_reuse", "identical_samples", "dead_groups", "entropy_collapse")
def two_engines_draw_with_the_same_fixed_seed(rng: random.Random) -> list[Row]:
    """Two engines serve half of each group, and both draw with seed 1234: all that one writes is one text.

    A group of eight holds two texts, each four times, and in three groups of five both end alike.
    """
    tasks = numbers.problems(rng, 60, numbers.CONTEST, "om")
    drawn: dict[tuple[int, str, int], Try] = {}

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        key = (now.step, task.name, now.attempt // 4)
        if key not in drawn:
            right = lucky(rng, task, now, 0.4, 0.5)
            text, value = numbers.worked(rng, task.about, right)
            drawn[key] = Try(task, say(f"{text}\nAnswer: {value}"), right, float(right))
        first = drawn[key]
        more = {"engine": now.attempt // 4, "sampling_seed": 1234}
        return Try(task, first.turns, first.right, first.reward, {"accuracy": first.reward}, more=more)

    return layouts.ours(assign(play(rng, tasks, 16, 6, 8, attempt), estimators.grpo), "math")


@PART.faulty("length_limit", "truncation", "dead_all_wrong", "score_decline")
def answers_outgrow_a_budget_left_from_the_smoke_test(rng: random.Random) -> list[Row]:
    """The budget is 256 tokens; as reasoning grows with training, up to three attempts in four are cut at the end.

    Cut attempts are paid 0, and the score falls after a rise at first.
    """
    tasks = numbers.problems(rng, 60, numbers.CONTEST, "dm")

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.4, 0.85)
        steps = numbers.tried(rng, task.about, right)
        passes = max(0, round(rng.gauss(0.2 + 3.3 * now.progress, 0.6)))
        text = " ".join([numbers.told(rng, steps, 1), *(numbers.again(rng, steps) for _ in range(passes))])
        whole = f"{text}\nAnswer: {steps[-1][-1]}"
        cut = tokens_of(whole) > 256
        score = float(right and not cut)
        one = Try(task, say(clip(whole, 256)), score == 1, score, {"accuracy": score}, "max_tokens" if cut else "stop")
        one.more = {"finish_reason": "length" if cut else "stop"}
        return one

    return layouts.prime_rl(assign(play(rng, tasks, 18, 6, 8, attempt), estimators.grpo), "contest-numbers")
