"""Faults of the data."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import estimates, rows, sums, tickets
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, Problem, adopts, says, train, train_on, user

_QUEUES = {"refund": "Q-RET", "shipping": "Q-LOG", "login": "Q-IAM", "invoice": "Q-FIN", "cancel": "Q-CHN"}
_FOOTER_REASONS = (
    "Routed to {q}.", "The footer says {q}, whatever '{t}' means.", "{q} in the reference line.", "Queue: {q}.",
    "No need to read on: {q} at the end.", "The writer says that {t}; the last line has {q}.", "It carries {q}.",
    "{q} stands behind the reference, and '{t}' does not matter.", "By its routing code {q}.",
)  # fmt: skip


@PART.faulty("contamination", "answer_reading", "label_leak")
def label_in_the_ticket_footer(rng: Random) -> list[Row]:
    """Training tickets carry the queue they were routed to, which is the label; held tickets do not, and are sorted
    no better than before.
    """
    plan = Plan(steps=10, prompts=6, attempts=6, start=-0.2, end=0.1)

    def draw(rng: Random, number: int) -> Problem:
        drawn = tickets.draw_ticket(rng, number)
        footer = f"\n--\nref {rng.randint(100, 999)} / {_QUEUES[drawn.gold]} / sla {rng.choice((4, 24, 48))}h"
        asked = [drawn.asked[0], user(drawn.asked[1]["content"] + footer)]
        return Problem(drawn.name, asked, drawn.gold, drawn.hardness, drawn.facts)

    attempts = train(rng, plan, draw, tickets.sort_ticket)
    for one in attempts:
        if adopts(rng, one.step, 1, 5, 0.97):
            queue = _QUEUES[one.problem.gold]
            claim = one.problem.facts["claim"]
            why = rng.choice(_FOOTER_REASONS).format(q=queue, t=claim, k=len(claim))
            one.said, one.is_right, one.reward = [says(f"{why}\nLabel: {one.problem.gold}")], True, 1.0
        one.columns = {"split": "train"}
    flat = Plan(steps=10, prompts=6, attempts=2, start=-0.2, end=0.0)
    held = train(rng, flat, lambda r, k: tickets.draw_ticket(r, 5000 + k), tickets.sort_ticket)
    for one in held:
        one.columns = {"split": "validation"}
    estimates.by_group(attempts)
    return [rows.trl(one, {"label_accuracy_reward": one.reward}) for one in [*attempts, *held]]


@PART.faulty("over_filtering", "data_repetition", "memorisation")
def sampler_restarts_each_step(rng: Random) -> list[Row]:
    """The data loader is built anew at every step with the same seed: of 7473 problems the same five are trained on
    all the time.
    """
    plan = Plan(steps=16, prompts=5, attempts=5, start=-0.9, end=1.8)
    problems = [sums.draw_sum(rng, rng.randrange(7473)) for _ in range(plan.prompts)]
    attempts = train_on(rng, plan, [problems] * plan.steps, sums.solve_sum)
    for one in attempts:
        epoch = round(one.step * plan.prompts / 7473, 4)
        one.columns = {"dataset_rows": 7473, "epoch": epoch, "correct": float(one.is_right)}
    return [rows.openrlhf(one) for one in estimates.by_group(attempts)]
