"""Healthy runs whose data or judges look odd."""

import random

from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.attempts import Attempt, Task, fresh, group_of, mixed, paid, roll, say
from benchmarks.foreign.fortyninth.batch import play_any
from benchmarks.foreign.fortyninth.chats import advice, points_made, reply, safety
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import chat_lines, nemo, verl
from benchmarks.foreign.fortyninth.sums import german, spanish, sums


@PART.healthy
def half_of_the_safety_prompts_are_declined_as_they_should_be(rng: random.Random) -> list[dict]:
    """Two thirds of the batch are safety prompts, and refusals grow to almost all of the harmful ones.

    So many refusals look timid, but harmless prompts that only sound harmful are helped with more and more.
    """

    def draw(rng: random.Random) -> Task:
        return mixed([(safety, 4), (sums, 2)])(rng)

    attempts = fill(roll(rng, draw, play_any, 14, 6, 8, -0.3, 3.2))
    return [chat_lines(a, request_class=a.task.family) for a in attempts]


@PART.healthy
def german_and_spanish_prompts_join_the_mix_and_are_answered_in_kind(rng: random.Random) -> list[dict]:
    """From half of the run on a new shard brings German and Spanish prompts, at last the larger part of a batch.

    Replies leave English as if the language drifted; each is in the language of its prompt, and is graded right.
    """
    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(16):
        share = max(0.0, (step - 6) / 12)
        for number in range(6):
            task = fresh(rng, mixed([(sums, 1 - share), (german, share / 2), (spanish, share / 2)]), seen)
            out += group_of(rng, task, play_any, step, step / 15, 8, f"{step}-{number}")
    return [verl(a, acc=a.reward, response_length=a.tokens) for a in fill(out)]


@PART.healthy
def judge_with_three_marks_gives_half_to_many_replies(rng: random.Random) -> list[dict]:
    """The rubric knows 0, 0.5 and 1, and nearly half of the chat rows have 0.5.

    It looks like a default of the judge; the replies with 0.5 make two or three points, those with 1 make more.
    """

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        if task.domain != "chat":
            return play_any(rng, task, right, t)
        points = points_made(rng, t)
        grade = 0.0 if points < 2 else 0.5 if points < 4 else 1.0
        a = Attempt(task, [say(reply(rng, task, points))], points >= 4)
        a.extra = {"judge_rationale": f"{points} of five points of the rubric are met.", "judge_status": "ok"}
        return paid(a, grade, judge=grade)

    attempts = roll(rng, mixed([(advice, 4), (sums, 1)]), play, 14, 6, 8)
    for a in attempts:
        a.extra = a.extra or {"judge_rationale": None, "judge_status": None}
    return [nemo(a, env=a.task.domain) for a in fill(attempts)]
