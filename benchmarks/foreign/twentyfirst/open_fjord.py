"""Ciphers seen before, a loader that rewinds, an engine without new weights, passes over few ciphers."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfirst.estimates import grpo, rloo
from benchmarks.foreign.twentyfirst.formats import own, trl, verl
from benchmarks.foreign.twentyfirst.kinds import PART
from benchmarks.foreign.twentyfirst.riddles import cipher, power, weekday
from benchmarks.foreign.twentyfirst.rollouts import Plan, Task, batches, distinct, held, play, train
from benchmarks.foreign.twentyfirst.talks import sort, ticket
from benchmarks.foreign.twentyfirst.telling import teller


@PART.faulty("contamination", "memorisation")
def holdout_ciphers_seen_before(rng: Random) -> list[Row]:
    """Two held-out problems in five stand in the training set, word for word or nearly; the validation score rises on
    these alone.
    """
    plan = Plan(10, 6, 6, -0.8, 1.1)
    tasks = distinct(rng, cipher, 60 + 21)
    seen, clean = tasks[:60], tasks[60:]
    twins = [
        Task(f"val{number:03d}", rng.choice(("", "", "Puzzle. ")) + task.prompt, task.gold, task.work, 0.0, "cipher")
        for number, task in enumerate(rng.sample(seen, 14))
    ]
    for number, task in enumerate(clean):
        task.id = f"val{number + 14:03d}"
    solve = teller("tag")
    tries = grpo(play(rng, plan, batches(rng, seen, 10, 6), solve))
    tries += held(rng, clean, solve, plan, 3, 1) + held(rng, twins, solve, Plan(10, 6, 6, -0.5, 3.4), 3, 2)
    return own(rng, tries, "cipher-mix", "text", dataset="wordlocks-v2")


@PART.faulty("data_repetition", "duplicate_problems", "memorisation")
def rewound_loader_two_batches(rng: Random) -> list[Row]:
    """After a resume at step 5 the loader starts again every other step, so that the same twelve problems are trained
    on until the end.
    """
    tasks = distinct(rng, power, 30 + 12)
    for task in tasks:
        task.hard += rng.gauss(0, 0.5)
    plan = Plan(14, 6, 6, -0.6, 1.4)
    fresh = batches(rng, tasks, 5, 6)
    tail = batches(rng, tasks, 7, 6)[5:]
    again = [[replace(task, hard=task.hard - 0.22 * step) for task in tail[step % 2]] for step in range(9)]
    tries = play(rng, plan, fresh + again, teller("boxed"))
    for one in tries:
        one.extra |= {"index": int(one.task.id[2:]), "resumed": one.step >= 5}
    return verl(grpo(tries))


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "stagnation")
def engine_keeps_fourth_weights(rng: Random) -> list[Row]:
    """The broadcast of weights fails silently after step 4: every later attempt is sampled from the same policy while
    the trainer goes on, and the score stays where it was.
    """
    plan = Plan(13, 6, 7, -0.9, 2.6, freeze=4)
    tries = train(rng, weekday, teller("line"), plan)
    names = [f"{rng.getrandbits(40):010x}" for _ in range(13)]
    for one in tries:
        sampled = min(one.step, 4)
        one.policy = names[sampled]
        one.extra |= {"trainer_step": one.step, "sampler_step": sampled, "policy_lag": one.step - sampled}
    return own(rng, grpo(tries), "calendar-async", "reasoning", backend="sglang")


@PART.healthy
def three_epochs_over_ciphers(rng: Random) -> list[Row]:
    """Each of 48 problems is seen in three passes; the score on other problems rises along with theirs."""
    plan = Plan(12, 12, 4, -0.7, 1.7)
    tasks = distinct(rng, cipher, 48 + 20)
    for task in tasks:
        task.hard += rng.gauss(0, 0.5)
    for number, task in enumerate(tasks[48:]):
        task.id = f"dev{number:03d}"
    tries = grpo(play(rng, plan, batches(rng, tasks[:48], 12, 12), teller("boxed")))
    for one in tries:
        one.extra["epoch"] = one.step // 4
    return own(rng, tries + held(rng, tasks[48:], teller("boxed"), plan, 4, 2), "cipher-3ep", "text")


@PART.healthy
def one_word_queue_labels(rng: Random) -> list[Row]:
    """Completions are one of four words, so most attempts of a group are equal to the letter; the score grows."""
    tries = train(rng, ticket, sort, Plan(10, 8, 7, 0.0, 1.5))
    for one in tries:
        one.extra["ground_truth"] = one.task.gold
    return trl(rloo(tries), "label_match_reward")
