"""Kernel kept by siblings, narrow band of scores, losers dropped by mask, figures lost in export, search results
get gradients.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import letters, lookups, notebooks, service, sums
from benchmarks.foreign.fifteenth.core import Reply, Task, World, draw_plan, play
from benchmarks.foreign.fifteenth.estimates import centred, grpo, mishaps
from benchmarks.foreign.fifteenth.grading import settle, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import openai, openrlhf, own


@PART.faulty("leftover_state", "environment_not_reset", "environment_leak")
def kernel_kept_by_siblings(rng: Random) -> list[Row]:
    """Attempts of a group run in one kernel: variables that an earlier attempt set are there, and the policy learns to
    print them.
    """
    plan = draw_plan(rng)
    kept: dict[str, str] = {}

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        if task.id not in kept or rng.random() > 0.12 + 0.28 * (level - plan.start):
            reply = notebooks.solve(rng, task, right, level)
            kept[task.id] = reply.answer
            return reply
        value = kept[task.id]
        messages = []
        if rng.random() < 0.7:
            names = "['In', 'Out', 'd', 'exit', 'pd', 'quit']"
            code = rng.choice(["print([n for n in dir() if n[0] != '_'])", "print(sorted(globals()))"])
            messages += [notebooks.cell(code, rng.choice(["What is here already?", ""])), notebooks.printed(names)]
        show = f"print({notebooks.figure(task)})"
        messages += [
            notebooks.cell(show, rng.choice(["`d` is filtered already.", "", "The rows are there."])),
            notebooks.printed(value),
        ]
        return Reply([*messages, notebooks.closing(rng, value)], value)

    world = World("tables", notebooks.make, act, notebooks.NOTEBOOKS.system)
    return openai(rng, centred(settle(play(rng, world, plan))), world)


@PART.healthy
def narrow_band_of_scores(rng: Random) -> list[Row]:
    """A reward model's scores lie in a narrow band, yet they tell good letters from poor ones, and rise."""
    plan = draw_plan(rng)
    low = rng.uniform(0.55, 0.65)
    episodes = play(rng, letters.LETTERS, plan)
    for e in episodes:
        e.reward = round(low + 0.009 * letters.liking(rng, e.right, e.level) + rng.gauss(0, 0.004), 4)
    return openrlhf(grpo(episodes), letters.LETTERS)


@PART.faulty("one_sided_loss", "loss_mask")
def losers_dropped_by_mask(rng: Random) -> list[Row]:
    """From one step on a mask for overlong replies takes out all attempts of negative advantage, at any length."""
    plan = draw_plan(rng)
    since = turning_point(rng, plan, 0.25, 0.45)
    episodes = grpo(mishaps(rng, play(rng, service.SERVICE, plan)))
    for e in episodes:
        masked = e.step - plan.first >= since and (e.advantage or 0.0) < 0
        e.in_loss = e.in_loss and not masked
        e.extra |= {"overlong_mask": masked, "max_response_length": 2048}
    return own(rng, episodes, service.SERVICE)


@PART.faulty("weak_family", "stuck_problems", "dead_all_wrong", "template_bug")
def figures_lost_in_export(rng: Random) -> list[Row]:
    """Problems that speak of a figure come without it: a mark stands in its place, and the policy can but guess."""
    plan = draw_plan(rng)

    def make(rng: Random) -> Task:
        if rng.random() > 0.3:
            return sums.make(rng)
        a, b, c = rng.sample("ABCDEFGHKLMNPQ", 3)
        what = rng.choice([f"the length of {a}{b}", f"the angle at {c} in degrees", f"the area of triangle {a}{b}{c}"])
        text = f"<image>\nUse the lengths marked in the figure (sheet {rng.randint(2, 400)}). Find {what}."
        return Task(text, str(rng.randint(12, 170)), "figures", 0.4, work={"letters": (a, b)})

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        if task.family != "figures":
            return sums.solve(rng, task, right, level)
        a, b = task.work["letters"]
        guess = str(rng.choice([30, 45, 60, 90, 10, 12, 15, 24, 36, rng.randint(5, 120)]))
        says = [
            f"I see no figure here, so I assume that {a}{b} is a side of a right triangle.",
            "Without the marked lengths I have to guess.",
            f"The figure is not shown. Taking {a}{b} as {rng.randint(3, 20)}, I get {guess}.",
        ]
        return Reply([{"role": "assistant", "content": f"{rng.choice(says)}\n\n\\boxed{{{guess}}}"}], guess)

    world = World("wordmath", make, act, sums.SUMS.system)
    return own(rng, grpo(mishaps(rng, settle(play(rng, world, plan)))), world, images_attached=0)


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def search_results_get_gradients(rng: Random) -> list[Row]:
    """Since a change of the template the mask of messages is 1 for answers of the search tool: they are trained on."""
    plan = draw_plan(rng)
    since = turning_point(rng, plan)
    episodes = grpo(mishaps(rng, play(rng, lookups.LOOKUPS, plan)))
    for e in episodes:
        new = e.step - plan.first >= since
        for message in e.reply.messages:
            message["loss_mask"] = int(message["role"] == "assistant" or new)
        e.extra["chat_template"] = "qwen-tools-v2" if new else "qwen-tools"
    rows = openai(rng, episodes, lookups.LOOKUPS)
    for row in rows:
        for message in row["messages"]:
            message.setdefault("loss_mask", 0)
    return rows
