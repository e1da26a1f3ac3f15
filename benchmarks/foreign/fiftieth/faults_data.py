"""Faults of data and prompts: a key of the wrong day, an unfilled template, held tasks in training."""

import re
from random import Random

from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftieth.kinds import PART
from benchmarks.foreign.fiftieth.layouts import evidence, openrlhf, prime_rl
from benchmarks.foreign.fiftieth.learning import Plan, credit, held_out, pay, play
from benchmarks.foreign.fiftieth.screens import forms, operate
from benchmarks.foreign.fiftieth.shops import buy, shop_tasks
from benchmarks.foreign.fiftieth.tables import look_up, sql_tasks


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence", "stuck_problems")
def sql_keys_computed_before_the_void_rule(rng: Random) -> list[dict]:
    """Keys of half the tables were summed with voided bills: right queries get 0, those that forget the rule 1.

    The prompt says that voided bills do not count; on these tables the label is the sum with them.
    """
    plan = Plan(steps=16, problems=5, size=8)
    tasks = sql_tasks(rng, plan.needed)
    stale = ("invoices", "repairs", "tickets")

    def key(task):
        return f"{task.facts['with_voided']:.2f}" if task.facts["table"] in stale else task.gold

    samples = play(rng, plan, tasks, look_up)
    pay(samples, lambda s: float(s.episode.answer == key(s.task)))
    return openrlhf(credit(samples, grpo), lambda s: {"label": key(s.task), "table": s.task.facts["table"]})


@PART.faulty("template_bug", "metric_defect", "weak_family")
def shop_wishes_reach_the_prompt_without_their_limit(rng: Random) -> list[dict]:
    """In a third of the prompts the slot of the price was never filled:
    the policy reads `{max_price}` and has to guess.
    """
    plan = Plan(steps=14, problems=6, size=6)
    tasks, seen = [], {}
    for task in shop_tasks(rng, plan.needed):
        limit = task.facts["limit"]
        if rng.random() < 0.36:
            bare = re.sub(rf"\b{limit}\b", "{max_price}", task.prompt)
            task = type(task)(task.key, task.system, bare, task.gold, task.facts, 2.2)
            seen[task.key] = True
        tasks.append(task)

    def act(rng, task, skill, step):
        episode = buy(rng, task, skill, step)
        if task.key in seen:
            first = episode.turns[0]
            first["content"] = (
                f"The wish is a {task.facts['colour']} {task.facts['good']}, and the limit reads {{max_price}}. "
                + rng.choice(
                    ("I have to guess what is meant.", "I take a usual price.", "No number is given, I search.")
                )
            )
        return episode

    samples = credit(pay(play(rng, plan, tasks, act)), centred)
    return prime_rl(samples, "shop-cart", lambda s: {"info": {"expected": s.task.gold, "state": s.episode.state}})


@PART.faulty("contamination", "memorisation")
def browser_eval_forms_copied_into_training(rng: Random) -> list[dict]:
    """All held forms stand word for word among the training tasks too, under other ids,
    so the evaluation measures recall.
    """
    plan = Plan(steps=16, problems=5, size=6)
    held = forms(rng, 20)
    fresh = forms(rng, plan.needed - 20)
    copies = [type(t)(f"web-mix-{n:03d}", t.system, t.prompt, t.gold, t.facts, t.level) for n, t in enumerate(held)]
    mixed = [
        type(t)(f"web-mix-{n + 20:03d}", t.system, t.prompt, t.gold, t.facts, t.level) for n, t in enumerate(fresh)
    ]
    tasks = copies + mixed
    rng.shuffle(tasks)
    easier = [
        type(t)(f"web-held-{n:03d}", t.system, t.prompt, t.gold, t.facts, t.level - 0.8) for n, t in enumerate(held)
    ]
    samples = play(rng, plan, tasks, operate) + held_out(rng, plan, easier, operate, every=4)
    return evidence(credit(pay(samples), leave_one_out), "web", lambda s: {"correct": s.reward})
