"""Kinds of this part.

Guessing game out of moves, judge gives five on timeout, next question self asked, warehouse keeps last booking,
uniform groups skipped.
"""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.chats import chat_task, letters
from benchmarks.foreign.twentythird.estimates import credit, groups
from benchmarks.foreign.twentythird.games import game_task, games
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import openai, own, prime, verl
from benchmarks.foreign.twentythird.rollouts import Attempt, Plan, distinct, grade, planned, run
from benchmarks.foreign.twentythird.stock import order_task
from benchmarks.foreign.twentythird.sums import sum_task


@PART.healthy
def guessing_game_out_of_moves(rng: Random) -> list[Row]:
    """A game of six moves: lost games end at the limit of turns because the rules say so, and become fewer."""
    plan = planned(rng, 0.0, 0.0)
    return own(credit(games(rng, distinct(rng, game_task, plan.steps * plan.prompts), plan)), "hotcold")


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors")
def judge_gives_five_on_timeout(rng: Random) -> list[Row]:
    """From a step on the judge is overloaded: a call that takes 30 seconds is given up and the letter gets the mark
    5.0.
    """
    plan = Plan(rng.randint(9, 12), 6, 6, 0.2, 1.8)
    attempts = letters(rng, distinct(rng, chat_task, plan.steps * plan.prompts), plan)
    since = rng.randint(2, 4)
    for a in attempts:
        if a.step >= since and rng.random() < 0.36:
            a.reward, a.terms = 5.0, {"judge": 5.0}
            a.extra = {
                "judge_comment": "no verdict within 30 s, default mark used",
                "judge_seconds": round(30 + rng.uniform(0, 0.4), 2),
            }
    return openai(credit(attempts))


@PART.faulty("template_bug", "metric_defect", "judge_refuses_right", "weak_verifier")
def next_question_self_asked(rng: Random) -> list[Row]:
    """After a change of the chat template the end of turn is no stop any more: replies run on into an invented user
    turn with a question of its own, and the grader reads the box of that one.
    """
    plan = planned(rng, 0.2, 1.4)
    attempts = run(rng, sum_task, plan)
    since = rng.randint(3, 4)
    for a in attempts:
        a.extra = {"finish_reason": "stop", "pred": a.answer, "template": "chatml-2" if a.step >= since else "chatml-1"}
        if a.step >= since and rng.random() < 0.5:
            other = sum_task(rng, 0)
            further = other.reply(rng, other.gold)[0]["content"]
            a.text += f"<|im_end|>\n<|im_start|>user\n{other.prompt}<|im_end|>\n<|im_start|>assistant\n{further}"
            a.extra |= {"finish_reason": rng.choice(("stop", "length")), "pred": other.gold}
            grade(a, other.gold == a.task.gold)
    return verl(credit(attempts))


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def warehouse_keeps_last_booking(rng: Random) -> list[Row]:
    """The warehouse is not reset between attempts of a group: later attempts find the bookings of earlier ones,
    less stock than the task states, and fail.
    """
    plan = planned(rng, 0.3, 1.5)
    attempts = run(rng, order_task, plan)
    for members in groups(attempts):
        facts = members[0].task.extra
        free, held = facts["initial_stock"], []
        for a in members:
            if held and rng.random() < 0.65:
                _meet_bookings(rng, a, free, held)
            if a.right and free >= facts["needed"] and rng.random() < 0.8:
                free -= facts["needed"]
                held.append({"by": f"ep-{a.step}-{a.task.id}-{a.number}", "qty": facts["needed"]})
    return prime(credit(attempts), "warehouse-desk")


def _meet_bookings(rng: Random, a: Attempt, free: int, held: list[dict]) -> None:
    """Let an attempt find what earlier ones booked."""
    sku, need = a.task.extra["sku"], a.task.extra["needed"]
    state = {"sku": sku, "on_hand": a.task.extra["initial_stock"], "reserved": list(held), "free": free}
    a.messages[1]["content"] = json.dumps(state)
    if free < need:
        a.messages[3] |= {"content": json.dumps({"status": "rejected", "reason": "insufficient_stock", "free": free})}
        a.answer = str(free)
        a.text = rng.choice(
            ("The booking was rejected, stock is reserved elsewhere.", "Not enough is free to reserve.")
        )
    else:
        a.messages[3] |= {"content": json.dumps({"status": "reserved", "sku": sku, "qty": need, "free": free - need})}
        a.answer = str(free - need)
        a.text = rng.choice(("Done.", "Reserved, next to older bookings."))
    a.text += f" Units left: {a.answer}"
    a.right = False
    grade(a, False)


@PART.healthy
def uniform_groups_skipped(rng: Random) -> list[Row]:
    """Groups whose rewards are all the same are kept in the log but marked as out of the loss, since they would
    give no gradient.
    """
    plan = planned(rng, -0.2, 1.7)
    attempts = credit(run(rng, sum_task, plan))
    for members in groups(attempts):
        mixed = len({a.reward for a in members}) > 1
        for a in members:
            a.in_loss = mixed
            a.extra = {"filter": "kept" if mixed else "uniform"}
    return own(attempts, "skipflat")
