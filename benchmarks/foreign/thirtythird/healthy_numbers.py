"""Healthy runs on word problems that look odd in their numbers."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import own_columns, slime, trl, verl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, chance, cut, evaluate, fresh, say, train
from benchmarks.foreign.thirtythird.sums import reason, sums


def _sum(rng: random.Random, task: Task, progress: float, extra: int = 1) -> Attempt:
    text, total = reason(rng, task, rng.random() < chance(task, progress), extra)
    hit = float(str(total) == task.gold)
    return Attempt(task, [say(f"{text}\nThe answer is \\boxed{{{total}}}.")], hit, hit, {"accuracy_reward": hit})


@PART.healthy
def greedy_validation_repeats_itself(rng: random.Random) -> list[Row]:
    """The four validation attempts at a problem are the same word for word: evaluation is greedy, training is not."""
    tasks = sums(rng, 76)

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, progress, rng.randint(0, 2))
        attempt.extra = {"decoding": "sampled"}
        return attempt

    attempts = assign(train(fresh(rng, tasks[:60], 5), 24, 4, write))
    for held in evaluate(tasks[60:], [0, 8, 16, 23], 24, 1, write):
        held.extra = {"decoding": "greedy", "temperature": 0.0}
        for number in range(4):
            copy = Attempt(held.task, held.turns, held.reward, held.correct, held.terms, held.extra, system=held.system)
            copy.step, copy.number, copy.split = held.step, number, "validation"
            attempts.append(copy)
    return own_columns(attempts, "math")


@PART.healthy
def third_epoch_over_a_small_set(rng: random.Random) -> list[Row]:
    """Each prompt comes three times, as the three epochs over a small set that were asked for, each in an order of its
    own; scores rise within epochs, not at their borders."""
    tasks = sums(rng, 60)

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, progress, rng.randint(0, 2))
        attempt.terms, attempt.extra = {}, {"epoch": min(2, int(progress * 29) // 10), "total_epochs": 3}
        return attempt

    return verl(train(fresh(rng, tasks, 6), 30, 4, write))


@PART.healthy
def whole_batch_standardised_on_purpose(rng: random.Random) -> list[Row]:
    """Advantages do not follow the group: the run uses REINFORCE++, which standardises over the batch, so groups that
    are all right have advantages too."""

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, progress, rng.randint(0, 2))
        attempt.extra = {"adv_estimator": "reinforce_plus_plus"}
        return attempt

    attempts = train(fresh(rng, sums(rng, 60), 8), 22, 4, write)
    return own_columns(assign(attempts, estimators.whole_batch), "math")


@PART.healthy
def long_solutions_learn_to_fit(rng: random.Random) -> list[Row]:
    """A quarter of the first attempts are cut at the limit; the share falls to almost none while the policy learns
    to be brief, and cut attempts are rightly paid nothing."""

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, progress, max(0, round(rng.gauss(5 - 4 * progress, 1.4))))
        if attempt.tokens > 120:
            attempt.turns, attempt.reward, attempt.correct = [say(cut(attempt.text, 120))], 0.0, 0.0
            attempt.stop = "max_tokens"
        attempt.extra = {"max_response_len": 120}
        return attempt

    return slime(assign(train(fresh(rng, sums(rng, 60), 5), 24, 5, write)))


@PART.healthy
def harder_stage_begins(rng: random.Random) -> list[Row]:
    """The score falls at once at the middle of the run: the second stage of the curriculum has harder problems, as its
    column says, and the score rises again."""
    easy, hard = sums(rng, 40, tag="stage1"), sums(rng, 40, big=True, tag="stage2")
    for task in hard:
        task.hard += 2.2
    first, second = fresh(rng, easy, 5), fresh(rng, hard, 5)

    def draw(step: int) -> list[Task]:
        return first(step) if step < 15 else second(step)

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, 0.2 + progress, rng.randint(0, 2))
        attempt.terms, attempt.extra = {}, {"curriculum_stage": int(task.id[5]), "data_source": task.id[:6]}
        return attempt

    return verl(train(draw, 30, 5, write))


@PART.healthy
def one_step_off_policy_by_design(rng: random.Random) -> list[Row]:
    """Rollouts are of the weights one step before and the logprobs of sampler and trainer differ a little: the pipeline
    is asynchronous by one step, and the difference stays as small as it began."""

    def write(task: Task, progress: float) -> Attempt:
        attempt, step = _sum(rng, task, progress, rng.randint(0, 2)), round(progress * 21)
        sampled = [round(-rng.expovariate(4), 4) for _ in range(attempt.tokens)]
        trained = [round(min(0.0, value + rng.gauss(0, 0.006)), 4) for value in sampled]
        attempt.extra = {"rollout_log_probs": sampled, "log_probs": trained, "weight_version": max(0, step - 1)}
        return attempt

    return slime(assign(train(fresh(rng, sums(rng, 48), 4), 22, 4, write)))


@PART.healthy
def kl_settles_at_a_plateau(rng: random.Random) -> list[Row]:
    """KL to the reference grows from nothing by a factor of thirty; it levels off at a few hundredths of a nat, as it
    does while a policy learns under a penalty."""

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, progress, rng.randint(0, 2))
        kl = 0.045 * (1 - 2.718 ** (-5 * progress)) + 0.0015
        attempt.terms = {}
        attempt.extra = {"kl": round(kl * rng.lognormvariate(0, 0.2), 5), "kl_coef": 0.02, "uid": f"{task.id}"}
        return attempt

    return verl(train(fresh(rng, sums(rng, 60), 6), 28, 4, write))


@PART.healthy
def groups_without_spread_left_out(rng: random.Random) -> list[Row]:
    """No group is all right or all wrong and steps differ in size: dynamic sampling drops such groups before they are
    logged, which is what it is for."""
    groups: dict[tuple[int, str], list[Attempt]] = {}
    for attempt in train(fresh(rng, sums(rng, 80), 10), 22, 6, lambda task, progress: _sum(rng, task, progress)):
        groups.setdefault((attempt.step, attempt.task.id), []).append(attempt)
    kept = [a for group in groups.values() if len({a.reward for a in group}) > 1 for a in group]
    for attempt in kept:
        attempt.extra = {"dynamic_sampling": True}
    return trl(assign(kept))


@PART.healthy
def validation_is_another_exam(rng: random.Random) -> list[Row]:
    """Validation lies far below training from the first step on: its problems are harder by choice, and both rise."""
    tasks, exam = sums(rng, 60), sums(rng, 20, big=True, tag="exam")
    for task in exam:
        task.hard += 1.9

    def write(task: Task, progress: float) -> Attempt:
        return _sum(rng, task, progress, rng.randint(0, 2))

    attempts = assign(train(fresh(rng, tasks, 5), 26, 4, write), estimators.centred)
    return own_columns(attempts + evaluate(exam, [0, 5, 10, 15, 20, 25], 26, 2, write), "math")


@PART.healthy
def reasoning_grows_with_accuracy(rng: random.Random) -> list[Row]:
    """Completions double in length: the added sentences check the result, accuracy rises with them, and no reward looks
    at length."""

    def write(task: Task, progress: float) -> Attempt:
        return _sum(rng, task, progress, max(0, round(rng.gauss(5 * progress, 0.8))))

    return trl(assign(train(fresh(rng, sums(rng, 60), 5), 26, 5, write)))
