"""Faults of graders and judges."""

import random

from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.attempts import Attempt, Task, mixed, of_groups, paid, roll, say
from benchmarks.foreign.fortyninth.batch import play_any
from benchmarks.foreign.fortyninth.chats import TOPICS, advice, graded, points_made, reply
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import chat_lines, open_rlhf, trl
from benchmarks.foreign.fortyninth.sums import answer_in, german, spanish, sums


@PART.faulty("reward_bias")
def pairwise_judge_prefers_whichever_reply_is_shown_first(rng: random.Random) -> list[dict]:
    """Each chat reply is compared with a reply of the base model, once as A or as B, and A wins four times in five.

    The place decides the reward far more than the points that a reply makes.
    """
    attempts = roll(rng, advice, play_any, 13, 4, 16)
    for a in attempts:
        points = sum(line in a.text for line in TOPICS[a.task.data["topic"]])
        first = rng.random() < 0.5
        odds = (0.78 if first else 0.14) + 0.03 * (points - 2.5)
        won = rng.random() < odds
        paid(a, float(won), preferred=float(won))
        a.extra = {"shown_as": "A" if first else "B", "judge": "pairwise-70b", "opponent": "base-sft"}
    return [chat_lines(a) for a in fill(attempts)]


@PART.faulty("judge_default", "infrastructure_zeros", "flaky_grading")
def verdicts_that_time_out_are_booked_as_half_a_point(rng: random.Random) -> list[dict]:
    """When the shared judge is loaded its verdict is missing, and 0.5 stands in the reward as if it were one.

    It comes to four chat rows in ten of the later steps, whatever the reply is like.
    """
    views = (
        "Makes {n} of the points I looked for.",
        "Covers {n} useful points.",
        "{n} points hold up, the rest is filler.",
    )

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        if task.domain != "chat":
            return play_any(rng, task, right, t)
        points = points_made(rng, t)
        a = Attempt(task, [say(reply(rng, task, points))], points >= 3)
        if rng.random() < (0.04 if t < 0.3 else 0.42):
            a.extra = {"judge_rationale": "", "judge_status": "timeout", "judge_seconds": 60.0}
            return paid(a, 0.5, judge=0.5)
        grade = graded(rng, points)
        seconds = round(rng.uniform(2, 21), 1)
        a.extra = {
            "judge_rationale": rng.choice(views).format(n=points),
            "judge_status": "ok",
            "judge_seconds": seconds,
        }
        return paid(a, grade, judge=grade)

    attempts = roll(rng, mixed([(advice, 4), (sums, 1)]), play, 14, 6, 8)
    for a in attempts:
        a.extra = a.extra or {"judge_rationale": None, "judge_status": None, "judge_seconds": None}
    return [open_rlhf(a, env=a.task.domain, advantage=a.advantage) for a in fill(attempts)]


def _strict(text: str, gold: str) -> bool:
    try:
        return abs(float(answer_in(text)) - float(gold)) < 1e-6
    except ValueError:
        return False


@PART.faulty("format_gate", "metric_defect")
def german_amounts_with_a_comma_are_marked_wrong(rng: random.Random) -> list[dict]:
    """The grader parses boxes as numbers with a point, and right amounts that German writes with a comma get 0.

    Few German attempts write a point and are paid, so the German part hardly rises.
    """

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        a = play_any(rng, task, right, t)
        if task.family == "kasse" and rng.random() < 0.07 + 0.12 * t:
            box = answer_in(a.text)
            a.messages[-1]["content"] = a.text.replace(f"\\boxed{{{box}}}", f"\\boxed{{{box.replace(',', '.')}}}")
        return paid(a, float(_strict(a.text, task.gold)))

    attempts = roll(rng, mixed([(german, 3), (sums, 2), (spanish, 2)]), play, 13, 6, 10, 0.0)
    rows = []
    for group in of_groups(fill(attempts)):
        rows += [trl(a, solution=a.task.gold, source=a.task.family) for a in group]
    return rows
