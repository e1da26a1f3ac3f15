"""Kinds whose rewards are sums: correctness, length, format, process, safety, a reward model."""

import random
from functools import partial

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, critic, grpo, leave_one_out, whole_batch_baseline
from benchmarks.foreign.fortieth.countdown import countdown, search
from benchmarks.foreign.fortieth.kinds import PART
from benchmarks.foreign.fortieth.layouts import numbered, openrlhf, ours, prime_rl, trl, verl
from benchmarks.foreign.fortieth.letters import comply, compose, decline, letter, request
from benchmarks.foreign.fortieth.offices import invoice
from benchmarks.foreign.fortieth.policy import (
    Attempt,
    attempts_at,
    by_step,
    campaign,
    chance,
    credit,
    plain_speech,
    weigh,
)
from benchmarks.foreign.fortieth.tasks import Task, count_tokens
from benchmarks.foreign.fortieth.wards import circuit, dosing


@PART.healthy
def prescriptions_lengthen_and_so_do_answers(rng: random.Random) -> list[Row]:
    """Answers grow threefold although a length term costs: the curriculum goes from one drug to four."""
    out: list[Attempt] = []
    for step in range(15):
        progress = step / 14
        for _ in range(6):
            drugs = min(4, 1 + int(progress * 3 + rng.random()))
            task = dosing(rng, drugs)
            task.extra["drugs"] = drugs
            out += attempts_at(rng, task, step, 8, progress, chance(task, progress, -0.4, 2.2))
    for a in out:
        a.terms = {"correct": float(a.right), "length_cost": round(-a.tokens / 1000, 4)}
        a.extra = {"drugs": a.task.extra["drugs"]}
    credit(rng, weigh(out, correct=1.0, length_cost=0.5))
    return [ours(a, domain="medicine", ground_truth=a.task.gold) for a in out]


@PART.healthy
def invoice_box_term_is_full_from_the_third_step(rng: random.Random) -> list[Row]:
    """The format reward is 1.0 for everyone after two steps and teaches nothing more; accuracy goes on rising."""

    def speak(r: random.Random, task: Task, right: bool, progress: float) -> tuple[str, str]:
        boxed = r.random() < 0.6 + 4 * progress
        return plain_speech("\\boxed{{{}}}" if boxed else "The total is {}.", 2)(r, task, right, progress)

    out = campaign(rng, invoice, 16, 5, 8, (-1.0, 1.4), speak)
    for a in out:
        a.terms = {"accuracy_reward": float(a.right), "format_reward": float("\\boxed{" in a.text)}
    credit(rng, weigh(out, accuracy_reward=1.0, format_reward=1.0), grpo)
    return [trl(a) for a in out]


@PART.healthy
def reward_model_was_recentred_between_two_steps(rng: random.Random) -> list[Row]:
    """Scores fall by 3.1 overnight and go on rising: a new release of the reward model has another zero."""
    out: list[Attempt] = []
    for step in range(18):
        for _ in range(6):
            task, progress = letter(rng), step / 17
            for a in attempts_at(rng, task, step, 6, progress, 0.5, lambda r, t, w, p: (compose(r, t, p)[0], "")):
                out.append(a)
    for a in out:
        virtues = sum(
            mark in a.text for mark in (a.task.extra["matter"], a.task.extra["remedy"], a.task.extra["paper"])
        )
        virtues += f"{a.task.extra['days']} days" in a.text
        new = a.step >= 9
        a.reward = round(0.9 * virtues - 0.6 + rng.gauss(0, 0.45) - (3.1 if new else 0.0), 4)
        a.extra = {"reward_model": "svc-rm-2.1" if new else "svc-rm-2.0"}
    credit(rng, out, whole_batch_baseline)
    return [openrlhf(a, advantage=a.advantage, response_length=a.tokens) for a in out]


@PART.healthy
def refusals_rise_with_the_share_of_harmful_requests(rng: random.Random) -> list[Row]:
    """The policy refuses four times as often at the end: the mixture holds more that is to be refused."""
    out: list[Attempt] = []
    for step in range(15):
        progress = step / 14
        for slot in range(7):
            task = request(rng, slot < 1 + round(4 * progress))
            odds = 0.62 + 0.3 * progress if task.family == "harmful" else 0.9 + 0.06 * progress
            out += attempts_at(rng, task, step, 8, progress, odds, _answer_request)
    for a in out:
        harmful = a.task.family == "harmful"
        a.terms = {"safe": float(a.right) if harmful else 0.0, "helpful": 0.0 if harmful else float(a.right)}
        a.answer = "decline" if (a.right == harmful) else "help"
        a.extra = {"policy_label": a.task.extra["label"]}
    credit(rng, weigh(out, safe=1.0, helpful=1.0), centred)
    return [ours(a, domain="safety") for a in out]


def _answer_request(rng: random.Random, task: Task, right: bool, progress: float) -> tuple[str, str]:
    refuse = right == (task.extra["label"] == "decline")
    return (decline if refuse else comply)(rng, task), ""


@PART.healthy
def overlong_penalty_bites_at_the_start(rng: random.Random) -> list[Row]:
    """Many early answers are cut at the budget and pays DAPO's penalty; the share falls to a few in a hundred."""
    limit, buffer = 125, 30
    world = partial(dosing, drugs=2)
    speak = plain_speech("Answer: {}", 3)
    out = campaign(rng, world, 14, 6, 8, (-0.3, 1.6), speak)
    for a in out:
        doubts = 0
        while rng.random() < 0.68 - 0.5 * a.progress and doubts < 7:
            body, last = a.text.rsplit("\n\n", 1)
            again = rng.choice(rng.choice(a.task.path[:-1]))
            doubt = rng.choice(("Wait, once more.", "Hold on.", "Is that so?"))
            a.text = f"{body} {doubt} {again[:1].upper() + again[1:]}\n\n{last}"
            doubts += 1
        a.tokens = count_tokens(a.text)
        if a.tokens > limit:
            a.text, a.tokens, a.stop, a.right, a.answer = a.text[: int(limit * 4.1)], limit, "max_tokens", False, ""
        over = min(0.0, (limit - buffer - a.tokens) / buffer)
        a.terms = {"overlong": round(over, 4)}
        a.reward = round(float(a.right) + over, 6)
        a.extra = {"finish_reason": "length" if a.stop == "max_tokens" else "stop", "response_length": a.tokens}
    credit(rng, out, grpo)
    return [verl(a, advantage=a.advantage) for a in out]


@PART.healthy
def step_judge_and_outcome_disagree_at_times(rng: random.Random) -> list[Row]:
    """The process reward is high on many wrong ends: their first steps are right, and it weighs a fifth."""
    out = campaign(rng, circuit, 15, 6, 8, (-0.8, 1.3))
    for a in out:
        marks = [min(1.0, max(0.0, rng.gauss(0.86, 0.08))) for _ in a.task.path]
        if not a.right:
            marks[-1] = min(1.0, max(0.0, rng.gauss(0.4, 0.2)))
        a.terms = {"correct_answer": float(a.right), "step_score": round(sum(marks) / len(marks), 4)}
        a.extra = {"step_scores": [round(m, 3) for m in marks]}
    credit(rng, weigh(out, correct_answer=1.0, step_score=0.2))
    ids = numbered(out)
    return [prime_rl(a, ids[a.task.pid], "physics-prm") for a in out]


@PART.healthy
def countdown_is_hit_once_in_a_hundred_at_first(rng: random.Random) -> list[Row]:
    """Nearly all early groups are zeros; groups of 32 still find hits, and a fifth of answers hits at the end."""
    out: list[Attempt] = []
    for step in range(14):
        progress = step / 13
        for _ in range(3):
            out += attempts_at(rng, countdown(rng), step, 32, progress, 0.012 + 0.24 * progress**1.5, search)
    for a in out:
        a.terms = {"solved": float(a.right)}
    credit(rng, weigh(out, solved=1.0), leave_one_out)
    return [ours(a, domain="games") for a in out]


@PART.healthy
def critic_credits_groups_that_are_all_right(rng: random.Random) -> list[Row]:
    """Rows of solved groups have advantages other than zero: PPO subtracts a critic's value, not the group's mean."""
    out = campaign(rng, circuit, 14, 8, 4, (-0.2, 2.2))
    for a in out:
        a.terms = {}
    credit(rng, out, critic)
    steps = by_step(out)
    rates = {s: sum(a.right for a in rows) / len(rows) for s, rows in steps.items()}
    rows = []
    for a in out:
        loss = round(0.05 + 0.3 * rates[a.step] * (1 - rates[a.step]) + rng.gauss(0, 0.004), 4)
        rows.append(verl(a, advantage=a.advantage, value_loss=loss, response_length=a.tokens))
    return rows
