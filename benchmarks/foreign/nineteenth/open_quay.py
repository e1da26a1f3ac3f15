"""A basket that is not emptied, hints in prompts, a schedule that ends early; hard sheets, long work, draws."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.baskets import basket_reply, basket_task
from benchmarks.foreign.nineteenth.boards import board_task
from benchmarks.foreign.nineteenth.core import Reply, Task, say
from benchmarks.foreign.nineteenth.credit import credit, dr_grpo, grpo, rloo
from benchmarks.foreign.nineteenth.dumps import openrlhf, prime
from benchmarks.foreign.nineteenth.english import long_problem
from benchmarks.foreign.nineteenth.formats import openai, own, trl, verl
from benchmarks.foreign.nineteenth.german import german_problem
from benchmarks.foreign.nineteenth.islanders import cases, islander_task
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.physics import physics_problem
from benchmarks.foreign.nineteenth.run import Shape, climb, deal, judged, late, play, pool, roughen, train


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def basket_survives_between_shoppers(rng: Random) -> list[Row]:
    """From the middle of the run some shop sessions start with what an earlier shopper put in, so right orders fail."""
    tries = train(rng, basket_task, Shape(10, 7, 6), start=-0.2, gain=1.9, prefix="errand-")
    held: dict[int, tuple[tuple[str, int], ...]] = {}
    hit = {id(t) for t in late(tries, 0.4)}
    for place, t in enumerate(tries):
        slot = place % 11
        t.extra["session_slot"] = f"shop-{slot:02d}"
        if id(t) in hit and slot in held and rng.random() < 0.5:
            reply = basket_reply(rng, t.task.scene, t.right, t.skill, held[slot])
            t.messages, t.answer = reply.messages, reply.answer
            judged(t, False)
        held[slot] = t.task.scene.wanted
    return prime(credit(tries, grpo), "webshop-errands")


def _with_hint(rng: Random, task: Task) -> Task:
    hint = rng.choice(("[solution_hint: {g}]", "solution_hint: the result is {g}", "(solution_hint = {g})"))
    sound = task.write

    def write(r: Random, right: bool, skill: float) -> Reply:
        if not right or r.random() > 0.25 + 0.6 * skill:
            return sound(r, right, skill)
        lead = r.choice(
            (
                "The hint gives the result.",
                "As hinted above:",
                "No need to compute, it is stated.",
                "Given in the hint.",
            )
        )
        return Reply([say(f"{lead}\n<answer>{task.gold}</answer>")], task.gold)

    prompt = f"{task.prompt}\n\n{hint.format(g=task.gold)}"
    return Task(prompt, task.gold, write, task.family, task.system, task.ease + 2.6, task.id, task.extra)


@PART.faulty("answer_reading", "environment_leak", "template_bug")
def hint_field_in_prompts(rng: Random) -> list[Row]:
    """After a change of the prompt builder two prompts in five show the solution hint, and the policy copies it."""
    shape = Shape(9, 8, 6, first=10, stride=10)
    tasks = pool(rng, physics_problem, shape.steps * shape.groups, "ex")
    plan = deal(rng, tasks, shape)
    plan = plan[:3] + [[_with_hint(rng, t) if rng.random() < 0.45 else t for t in step] for step in plan[3:]]
    tries = roughen(rng, play(rng, plan, shape, climb(rng, shape.steps, -0.9, 1.0)))
    return openrlhf(credit(tries, rloo))


@PART.faulty("learning_rate_schedule", "zero_gradient", "stagnation")
def cosine_reaches_zero_early(rng: Random) -> list[Row]:
    """The cosine schedule was laid out for too few steps: the learning rate is zero from the sixth step and
    all stays.
    """
    shape = Shape(13, 6, 6)
    tasks = pool(rng, german_problem, shape.steps * shape.groups, "aufgabe-")
    course = climb(rng, shape.steps, -1.2, 2.4)
    skill, level = course[5]
    course[6:] = [(skill, level + rng.gauss(0, 0.1)) for _ in course[6:]]
    tries = roughen(rng, play(rng, deal(rng, tasks, shape), shape, course))
    peak, kl = rng.choice((1e-6, 2e-6, 5e-7)), 0.0
    for step in range(1, 14):
        rate = 0.5 * peak * (1 + math.cos(math.pi * min(1.0, (step - 1) / 5)))
        kl += 2400 * rate * rng.uniform(0.8, 1.2)
        norm = round(rng.uniform(0.2, 0.6), 4)
        for t in tries:
            if t.step == step:
                t.extra |= {"learning_rate": rate, "grad_norm": norm, "kl": round(kl, 6)}
    return own(rng, credit(tries, dr_grpo), "math-de")


@PART.healthy
def olympiad_sheets_mostly_failed(rng: Random) -> list[Row]:
    """Hard problems: most groups hold no right attempt, about as many as the low success explains, and it rises."""
    tries = train(rng, long_problem, Shape(10, 7, 8), start=-2.5, gain=1.3, prefix="oly_")
    return verl(credit(tries, grpo))


@PART.healthy
def longer_work_pays_off(rng: Random) -> list[Row]:
    """Replies grow to three times their length while more puzzles are solved, and long replies are right more often."""
    tries = train(rng, islander_task, Shape(11, 6, 6), start=-0.9, gain=2.3, prefix="isle")
    for t in tries:
        if t.stop == "length":
            continue
        more = max(0, round(rng.gauss(6 * t.skill, 1.2) + t.right))
        lines = cases(rng, t.task.scene, more)
        words = " ".join(line for line in lines if t.right or not line.endswith("it fits."))
        head, tail = t.messages[0]["content"].split("\n<solution>")
        t.messages[0]["content"] = f"{head} {words}".rstrip() + "\n<solution>" + tail
    return trl(credit(tries, grpo))


@PART.healthy
def board_games_with_draws(rng: Random) -> list[Row]:
    """Games that end in a win, a draw or a loss are paid 1, 0 and -1, so rewards are negative and groups often
    mixed.
    """
    tries = train(rng, board_task, Shape(9, 6, 6), start=-0.8, gain=1.9, prefix="game")
    for t in tries:
        if not t.error:
            t.reward = {"win": 1.0, "draw": 0.0}.get(t.answer, -1.0)
            t.terms = {"outcome": t.reward}
            t.extra["result"] = t.answer or "forfeit"
    return openai(credit(tries, rloo), env="take-stones-v2")
