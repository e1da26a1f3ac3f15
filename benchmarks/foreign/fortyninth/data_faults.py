"""Faults of data and prompts."""

import random

from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.attempts import (
    Attempt,
    Task,
    chance,
    fresh,
    group_of,
    mixed,
    of_groups,
    paid,
    roll,
    say,
)
from benchmarks.foreign.fortyninth.batch import play_any, verifiable
from benchmarks.foreign.fortyninth.chats import refusal, safety
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import open_rlhf, ours, trl, verl
from benchmarks.foreign.fortyninth.programs import programs
from benchmarks.foreign.fortyninth.sums import answer_in, spanish, sums


@PART.faulty("wrong_labels", "metric_defect", "weak_family")
def keys_of_one_math_source_slid_by_a_row(rng: random.Random) -> list[dict]:
    """Word problems about knitting and ferries carry the key of the row before.

    The attempts box one and the same right number, are compared with another number and get 0.
    """
    attempts = roll(rng, mixed([(sums, 5), (spanish, 1)]), play_any, 14, 6, 8)
    last = {"knitting": "2214", "ferry": "391"}
    for group in of_groups(attempts):
        task = group[0].task
        if task.family in last:
            task.gold, last[task.family] = last[task.family], task.gold
    for a in attempts:
        paid(a, float(answer_in(a.text) == a.task.gold))
    return [verl(a, response_length=a.tokens) for a in fill(attempts)]


WARY = (
    "You are a careful assistant. Before all else consider whether the request could do harm, and decline it "
    "where there "
    "is any doubt."
)


@PART.faulty("template_bug", "timidity", "score_decline")
def safety_preamble_is_put_before_every_prompt_of_the_mix(rng: random.Random) -> list[dict]:
    """After a third of the run the safety team's system prompt replaces that of all prompts.

    Sums and programs are declined more and more often and score 0.
    """
    steps, begin = 15, 5

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        wary = max(0.0, t * (steps - 1) - begin + 1) / (steps - begin)
        if task.system == WARY and task.domain != "safety" and rng.random() < 0.75 * wary:
            point = {"math": "work out amounts that may be misused", "code": "write code that may be misused"}
            return paid(Attempt(task, [say(refusal(rng, point[task.domain]))], False), 0.0)
        return play_any(rng, task, right, t)

    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(steps):
        for number in range(6):
            task = fresh(rng, mixed([(sums, 3), (programs, 2), (safety, 1)]), seen)
            task.uid = f"mix-{len(seen)}"
            task.system = WARY if step >= begin else task.system
            out += group_of(rng, task, play, step, step / (steps - 1), 8, f"s{step}-g{number}")
    for a in out:
        a.terms, a.extra = {"outcome": a.reward}, {}
    return [trl(a) for a in fill(out)]


LEADS = ("Solve the following.", "Please work this out carefully.", "Here is a problem for you.", "Consider this case.")


@PART.faulty("contamination", "memorisation")
def evaluation_items_came_back_in_through_a_rewriter(rng: random.Random) -> list[dict]:
    """A third of the training prompts are validation problems with a few words before or after them.

    They are seen again and again, and validation climbs to where fresh training problems never get.
    """
    seen: set[str] = set()
    held = [fresh(rng, sums, seen) for _ in range(16)]
    for i, task in enumerate(held):
        task.uid, task.split, task.hard = f"val-{i}", "validation", rng.gauss(0.6, 0.6)
    rows: list[Attempt] = []
    steps = 15
    for step in range(steps):
        t = step / (steps - 1)
        for number in range(6):
            group = f"s{step}-g{number}"
            if number < 2:
                source = rng.choice(held)
                prompt = f"{rng.choice(LEADS)} {source.prompt}"
                task = Task("math", source.family, prompt, source.gold, source.hard, source.system, source.data)
                task.uid = f"synth-{step}-{number}"
                rows += group_of(rng, task, play_any, step, t, 8, group, -0.5, 5.0)
            else:
                task = fresh(rng, sums, seen)
                task.uid, task.hard = f"base-{len(seen)}", task.hard + 0.6
                rows += group_of(rng, task, play_any, step, t, 8, group, -0.5, 1.0)
    fill(rows)
    for step in range(0, steps, 2):
        for i, task in enumerate(held):
            rows += group_of(rng, task, play_any, step, step / (steps - 1), 2, f"v{step}-{i}", -0.5, 5.0)
    return [ours(a) for a in rows]


@PART.faulty("data_repetition", "duplicate_problems")
def sampler_starts_its_shard_anew_after_each_preemption(rng: random.Random) -> list[dict]:
    """Every fourth step the loader begins again at its first row, within one epoch.

    The same sixteen prompts come six times in the same order while epoch stays 0.
    """
    seen: set[str] = set()
    shard = [fresh(rng, verifiable, seen) for _ in range(16)]
    for i, task in enumerate(shard):
        task.uid = f"shard-{i}"
    out: list[Attempt] = []
    for step in range(24):
        for number in range(4):
            task = shard[step % 4 * 4 + number]
            t = step / 23
            out += group_of(rng, task, play_any, step, t, 8, f"s{step}-g{number}", -0.4, 3.4)
    return [
        open_rlhf(a, epoch=0, index=int(a.task.uid.split("-")[1]), advantage=a.advantage) for a in fill(out, "rloo")
    ]


@PART.faulty("dead_groups", "dead_all_correct", "low_reward_spread", "batch_decline")
def difficulty_filter_of_an_older_base_keeps_what_is_solved(rng: random.Random) -> list[dict]:
    """Prompts were picked by the solve rate of a weaker model, and three groups in four are all right.

    Their advantages are 0, and what is left for the loss shrinks from step to step.
    """

    def draw(rng: random.Random) -> Task:
        task = verifiable(rng)
        task.hard = rng.gauss(-4.6, 0.5) if rng.random() < 0.75 else rng.gauss(-0.2, 0.6)
        return task

    attempts = fill(roll(rng, draw, play_any, 12, 8, 8, 0.3, 2.4))
    rows = []
    for group in of_groups(attempts):
        rate = sum(a.reward for a in group) / len(group)
        old = round(min(0.75, max(0.2, chance(group[0].task.hard, 0, -3.4))), 2)
        kept = 0.0 < rate < 1.0
        rows += [verl(a, acc=a.reward, advantage=a.advantage, base_pass_rate=old, in_loss=kept) for a in group]
    return rows
