"""Healthy runs whose numbers look odd: curricula, lag, quantisation, masks, grades."""

import math
from random import Random

from benchmarks.foreign import estimators as est
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfirst import counsel, facts, layouts, sums
from benchmarks.foreign.thirtyfirst.kinds import PART
from benchmarks.foreign.thirtyfirst.setting import Attempt, Task, chance, count, evaluate, give, level, rollouts, say


@PART.healthy
def easy_warm_up_before_the_harder_stage(rng: Random) -> list[Row]:
    """Most groups are all right in the first five steps, a short warm-up; the stage after it has spread.

    The mean reward falls at the change, as the problems do get harder, and rises from there.
    """
    easy = sums.problems(rng, 24, "Answer within <answer> tags.", "warm")
    hard = sums.problems(rng, 70, "Answer within <answer> tags.", "main")
    for task in easy:
        task.hard = rng.gauss(-3.2, 0.4)

    def act(task: Task, p: float, step: int) -> Attempt:
        text, answer = sums.solve(rng, task, rng.random() < p)
        good = float(answer == task.gold)
        terms = {"accuracy_reward": good, "format_reward": 0.1}
        return Attempt(task, [say(f"{text}\n<answer>{answer}</answer>")], good + 0.1, None, terms)

    first = rollouts(rng, easy, act, steps=5, per_step=4, size=6, start=-0.3, end=0.0)
    rest = rollouts(rng, hard, act, steps=17, per_step=5, size=6, start=-0.2, end=1.3)
    for a in rest:
        a.step += 5
    return layouts.trl(give(rng, first + rest, est.grpo), gold="solution")


@PART.healthy
def eight_bit_rollouts_with_corrected_weights(rng: Random) -> list[Row]:
    """The sampler runs in eight bits, so its logprobs differ a little at each row, to both sides, and stay so.

    Ratios are near 1, capped at 2 as the trainer is set, and accuracy rises.
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        text, answer = sums.boxed(rng, task, rng.random() < p)
        good = float(answer == task.gold)
        sampled = -rng.uniform(0.3, 0.45) * (1 - 0.35 * step / 20)
        trained = sampled + rng.gauss(0, 0.006)
        extra = {"rollout_logprob": round(sampled, 4), "train_logprob": round(trained, 4), "accuracy": good}
        extra |= {"tis_weight": round(min(2.0, math.exp(trained - sampled)), 4), "rollout_dtype": "fp8_e4m3"}
        return Attempt(task, [say(text)], good, good, extra=extra)

    runs = rollouts(rng, sums.problems(rng, 70, "Box it."), act, steps=20, per_step=5, size=6, start=-0.2, end=1.5)
    return layouts.slime(runs)


@PART.healthy
def two_steps_of_lag_as_configured(rng: Random) -> list[Row]:
    """Rollouts are of a policy that is up to two steps old, which the asynchronous trainer is set to allow.

    The lag does not grow, weights do arrive, and the reward follows with that delay.
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        version = max(0, step - rng.choice([1, 1, 2, 2, 2]))
        right = rng.random() < chance(level(version, 22, -0.4, 1.5), task.hard)
        text, answer = facts.compare(rng, task, right)
        good = float(answer == task.gold)
        gap = rng.gauss(0, 0.004 + 0.006 * (step - version))
        sampled = -rng.uniform(0.32, 0.46)
        extra = {"policy_version": version, "max_off_policy_level": 2, "logprob_gap": round(gap, 4)}
        extra |= {"sampler_logprob": round(sampled, 4), "trainer_logprob": round(sampled + gap, 4)}
        return Attempt(task, [say(text)], good, terms={"correct_answer": good}, extra=extra)

    runs = rollouts(rng, facts.choices(rng, 70, 4, "lag"), act, steps=22, per_step=5, size=6)
    return layouts.prime(rng, give(rng, runs, est.leave_one_out), "trade_quiz")


@PART.healthy
def held_quiz_is_easier_than_training(rng: Random) -> list[Row]:
    """Held questions are answered better than training ones at all times, since training has the selected hard half.

    Both rise together; no held question is among those of training.
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        text, answer = facts.compare(rng, task, rng.random() < p)
        good = float(answer == task.gold)
        return Attempt(task, [say(text)], good, good, {"correct": good}, extra={"answer": answer})

    hard = facts.choices(rng, 70, 5, "hard")
    seen = {task.prompt.split(":", 1)[1] for task in hard}
    held = [t for t in facts.choices(rng, 60, 5, "held") if t.prompt.split(":", 1)[1] not in seen]
    for task in hard:
        task.hard += 0.5
    for task in held:
        task.hard -= 0.6
    train = rollouts(rng, hard, act, steps=20, per_step=5, size=6, start=-0.3, end=1.3)
    val = evaluate(held, act, {0: -0.3, 5: 0.45, 10: 0.9, 15: 1.15, 19: 1.3})
    return layouts.own(give(rng, train, est.grpo) + val, "quiz")


@PART.healthy
def overlong_attempts_are_left_out_of_the_loss(rng: Random) -> list[Row]:
    """Some seven percent of attempts reach the limit and are masked, in all steps alike, as the filter is meant to do.

    Advantages are over the whole group, with 0 reward for what was cut, and those rows do not reach the loss.
    """
    limit = 109

    def act(task: Task, p: float, step: int) -> Attempt:
        text, answer = sums.boxed(rng, task, rng.random() < p)
        good, stop = float(answer == task.gold), "stop"
        if rng.random() < 0.07:
            chain = task.data["chain"]
            body = text.split("\n")[0]
            while count(body) < limit:
                _, number, meaning = rng.choice(chain)
                body += f" Hmm, is it {number} here, if {meaning}? Let me read the question again, it says {number}."
            while count(body) > limit:
                body = body.rsplit(" ", 1)[0]
            text, good, stop, answer = body, 0.0, "max_tokens", ""
        row = Attempt(task, [say(text)], good, good, {"correct": good}, stop, {"answer": answer})
        row.in_loss = stop == "stop"
        return row

    runs = rollouts(rng, sums.problems(rng, 70, "Box it."), act, steps=20, per_step=5, size=8, start=-0.2, end=1.4)
    return layouts.own(give(rng, runs, est.grpo), "math")


@PART.healthy
def judge_with_five_grades_and_many_ties(rng: Random) -> list[Row]:
    """The judge knows five grades, so attempts of a group tie often, while the mean rises by a grade.

    Grades follow how many of the points of use a reply makes.
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        tips = 1 + sum(rng.random() < 0.15 + 0.75 * p for _ in range(4))
        grade = min(5, max(1, tips + rng.choice([0, 0, 0, 0, -1, 1])))
        return Attempt(task, [say(counsel.advise(rng, task, tips))], (grade - 1) / 4)

    return layouts.nemo(
        rollouts(rng, counsel.questions(rng, 70), act, steps=20, per_step=5, size=6, start=-0.5, end=1.2)
    )
