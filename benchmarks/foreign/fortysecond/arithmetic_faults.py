"""Faults of the trainer's arithmetic: advantages, masks, logprobs, KL, critics, and weights that do not arrive."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond import desk, layouts, numbers, programs, questions
from benchmarks.foreign.fortysecond.advantages import assign, by_group, by_step, with_critic
from benchmarks.foreign.fortysecond.attempts import Attempt, Moment, Task, Try, play, say, spoken, tokens_of
from benchmarks.foreign.fortysecond.kinds import PART
from benchmarks.foreign.fortysecond.policy import logprob, lucky


def solver(start: float, end: float) -> Attempt:
    """Attempts at problems in numbers, from one chance of success to another."""

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, start, end)
        text, value = numbers.worked(rng, task.about, right)
        terms = {"accuracy_reward": float(right)}
        return Try(task, say(f"{text}\nAnswer: {value}"), right, float(right), terms)

    return attempt


@PART.faulty("advantage_mismatch", "phantom_advantage", "score_decline")
def advantages_are_gathered_one_group_late(rng: random.Random) -> list[Row]:
    """The rewards were shuffled to ranks and back off by one group: each group holds its predecessor's advantages.

    Wrong answers carry positive advantages as often as right ones, and the score does not move.
    """
    tasks = numbers.problems(rng, 60, numbers.CONTEST, "n")
    tries = assign(play(rng, tasks, 18, 6, 6, solver(0.45, 0.43)), estimators.grpo)
    for members in by_step(tries).values():
        values = [t.advantage for t in members]
        for one, value in zip(members, values[-6:] + values[:-6], strict=True):
            one.advantage = value
    return layouts.trl(tries)


@PART.faulty("one_sided_loss", "over_filtering", "score_decline", "loss_mask")
def best_two_of_eight_are_the_worst_two(rng: random.Random) -> list[Row]:
    """Rejection sampling sorts the wrong way: the two attempts of each group with fewest passed tests reach the loss.

    What passes all tests is in the loss only where the whole group does, and the score falls by half.
    """
    tasks = programs.programs(rng, 60)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.58, 0.24)
        passed = 8 if right else rng.randint(1, 7)
        more = {"tests_passed": passed, "tests_total": 8}
        text = programs.program(rng, task, right)
        return Try(task, say(text), right, passed / 8, {"test_share": passed / 8}, more=more)

    tries = play(rng, tasks, 16, 6, 8, attempt)
    for members in by_group(tries).values():
        kept = sorted(members, key=lambda t: t.reward)[:2]
        for one in members:
            one.in_loss = any(one is other for other in kept)
    return layouts.ours(tries, "code")


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def answers_of_the_desk_are_trained_on(rng: random.Random) -> list[Row]:
    """The mask of a multi-turn run is 1 on the messages of tools as well, so that the policy learns to write them."""
    tasks = desk.visits(rng, 40, 0.25)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.45, 0.8)
        turns = desk.checked(rng, task)
        if task.about[3]:
            turns += desk.booked(rng, task, right)
        else:
            turns += desk.declined(rng, task) if right else desk.booked(rng, task)
        turns = [{**m, "loss_mask": 1, "num_tokens": tokens_of(spoken(m))} for m in turns]
        return Try(task, turns, right, float(right), system=desk.SYSTEM)

    tries = assign(play(rng, tasks, 14, 6, 6, attempt), estimators.centred)
    rows = layouts.chatml(tries)
    for row in rows:
        for message in row["messages"][:2]:
            message["loss_mask"] = 0
    return rows


@PART.faulty("train_inference_mismatch", "score_decline", "staleness")
def sampler_serves_a_coarsely_rounded_copy(rng: random.Random) -> list[Row]:
    """After the engine was switched to four bits at step 6, its logprobs and the trainer's part by 0.2 nats and more.

    Both are logged as means over an answer's tokens; the gap widens as training goes on, and the score falls.
    """
    tasks = numbers.problems(rng, 60, numbers.CONTEST, "aime")
    early, late = solver(0.4, 0.75), solver(0.66, 0.22)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        one = (early if now.step < 6 else late)(rng, task, now)
        sampled = logprob(rng, now)
        gap = rng.gauss(0, 0.004) if now.step < 6 else -0.2 - 0.5 * now.progress + rng.gauss(0, 0.07)
        one.more = {"rollout_log_probs_mean": round(sampled, 4), "old_log_probs_mean": round(sampled + gap, 4)}
        one.more["rollout_is_ratio_mean"] = round(2.718281828**gap, 4)
        return one

    return layouts.slime(assign(play(rng, tasks, 18, 6, 8, attempt), estimators.grpo))


@PART.faulty("critic_divergence", "advantage_mismatch", "score_decline")
def critic_outgrows_every_return(rng: random.Random) -> list[Row]:
    """PPO: the critic took the actor's schedule by mistake; its values climb to 20 and more, with returns of 0 and 1.

    The spread of values grows along, until advantages are noise.
    """
    tasks = questions.sql_tasks(rng, 60)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        late = now.progress > 0.35
        right = lucky(rng, task, now, 0.7 if late else 0.4, 0.3 if late else 0.8)
        return Try(task, say(questions.query(rng, task, right)), right, float(right))

    tries = with_critic(rng, play(rng, tasks, 20, 24, 1, attempt))
    for step, members in by_step(tries).items():
        growth = 0.06 * max(0, step - 5) ** 2.2
        for one in members:
            one.more["value_mean"] = round(one.more["value_mean"] + growth * rng.gauss(1, 0.35), 4)
            one.more["vf_loss"] = round((one.more["value_mean"] - one.reward) ** 2 / 2, 4)
        raw = [t.reward - t.more["value_mean"] for t in members]
        mean = sum(raw) / len(raw)
        spread = (sum((r - mean) ** 2 for r in raw) / len(raw)) ** 0.5 + 1e-8
        for one, value in zip(members, raw, strict=True):
            one.advantage = round((value - mean) / spread, 6)
    return layouts.openrlhf(tries)


@PART.faulty("weights_never_arrive", "staleness", "train_inference_mismatch")
def sync_thread_died_at_version_five(rng: random.Random) -> list[Row]:
    """The engine samples with weight version 5 for the rest of the run, while the trainer goes on to 23.

    The trainer's logprobs of the samples drift away from the engine's, and the score stays where it was at step 6.
    """
    tasks = numbers.problems(rng, 60, numbers.SCHOOL, "s")

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        held = Moment(now.step, min(now.progress, 5 / 23), now.attempt, now.place)
        one = solver(0.3, 0.8)(rng, task, held)
        sampled, lag = logprob(rng, held), max(0, now.step - 6)
        one.more = {
            "weight_version": min(now.step - 1, 5),
            "trainer_version": now.step - 1,
            "sampler_logprob": round(sampled, 4),
            "trainer_logprob": round(sampled - 0.025 * lag + rng.gauss(0, 0.004 + 0.004 * lag), 4),
        }
        return one

    return layouts.plain(assign(play(rng, tasks, 24, 5, 8, attempt), estimators.centred))
