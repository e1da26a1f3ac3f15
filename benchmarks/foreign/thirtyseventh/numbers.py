"""Kinds about word problems: keys in other units, hints, items that return, languages, budgets."""

from dataclasses import replace
from random import Random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh import layouts
from benchmarks.foreign.thirtyseventh.attempts import Reply, Try, estimate, group_of, pay, run, skill
from benchmarks.foreign.thirtyseventh.kinds import PART
from benchmarks.foreign.thirtyseventh.sums import Sum, boxed, sums


@PART.healthy
def metres_are_accepted_where_the_key_has_centimetres(rng: Random) -> list[Row]:
    """Answers never equal the key as text: it is in centimetres, replies in metres, and the grader converts units."""
    items = []
    for item in sums(rng, 200, kinds=("glacier",)):
        items.append(replace(item, gold=f"{int(item.gold) * 100} cm", prompt=item.prompt + " Name the unit."))

    def with_unit(one: Try) -> None:
        one.text += " " + rng.choice((f"#### {one.answer} m", f"#### {one.answer}.0 m"))

    tries = run(rng, items, 25, 8, 4, 0.3, 0.75)
    for one in tries:
        with_unit(one)
    return layouts.verl(estimate(tries))


@PART.healthy
def a_habit_of_checking_spreads_as_it_pays(rng: Random) -> list[Row]:
    """A sentence comes up at most problems late and was hardly there at first: a real check that mends slips."""
    steps, items = 24, sums(rng, 24 * 8)
    tries = run(rng, items, steps, 8, 4, 0.3, 0.6)
    for one in tries:
        if rng.random() > 0.04 + 0.85 * one.step / steps:
            continue
        gold = int(one.item.gold)
        if not one.right and rng.random() < 0.45:
            one.text += f" Let me check this by going backwards. It does not fit, the answer is {gold}."
            one.answer, one.right, one.reward = str(gold), 1.0, 1.0
        else:
            one.text += f" Let me check this by going backwards. It fits, the answer is {one.answer}."
    return layouts.trl(estimate(tries))


@PART.healthy
def hints_fade_as_the_steps_go_on(rng: Random) -> list[Row]:
    """Prompts give half of the solution at first and none later, so the score steps down; that is the curriculum."""
    steps, tries = 30, []
    for place, item in enumerate(sums(rng, steps * 7, kinds=("ferry", "orchard", "archive"))):
        step = place // 7
        shown = 2 if step < 10 else 1 if step < 20 else 0
        lines, _ = item.data["sum"].chain(rng, True)
        prompt = item.prompt + ("\nThe beginning of a solution: " + " ".join(lines[:shown]) if shown else "")
        chance = min(0.95, skill(step, steps, 0.3, 0.62, item.level) + 0.16 * shown)
        told = replace(item, prompt=prompt, reply=_goes_on(item.data["sum"], shown))
        tries += group_of(rng, told, step, place, 4, chance, extra={"hint_lines": shown})
    return layouts.own(estimate(tries), "math", "hinted")


def _goes_on(one: Sum, shown: int) -> Reply:
    def reply(rng: Random, right: bool) -> tuple[str, str]:
        lines, value = one.chain(rng, right, shown)
        opening = rng.choice(("As the beginning says:", "I go on from there.", "Going on:")) if shown else "In order:"
        return f"{opening} {' '.join(lines)} {rng.choice(('The answer is', 'That makes'))} {value}.", str(value)

    return reply


@PART.healthy
def failed_items_come_back_until_they_are_learned(rng: Random) -> list[Row]:
    """The same prompts come again and again: a queue of failed items, each left once solved."""
    fresh, queue, tries = iter(sums(rng, 400)), [], []
    for step in range(26):
        back = [queue.pop(0) for _ in range(min(len(queue), 3))]
        for place, item in enumerate([*back, *(next(fresh) for _ in range(8 - len(back)))]):
            chance = skill(step, 26, 0.3, 0.7, item.level) + (0.12 if item in back else 0.0)
            group = group_of(rng, item, step, place, 4, chance, extra={"replayed": item in back})
            tries += group
            if sum(one.right for one in group) < 2 and len(queue) < 12:
                queue.append(item)
    return layouts.slime(estimate(tries, estimators.centred))


@PART.healthy
def finnish_lags_behind_its_neighbours(rng: Random) -> list[Row]:
    """One language is far behind the others throughout; the base model knows little of it, and it climbs as they do."""
    items = {language: sums(rng, 100, language) for language in ("es", "it", "fi")}
    tries, place = [], 0
    for step in range(26):
        for language, start, end in (("es", 0.55, 0.8), ("it", 0.5, 0.8), ("fi", 0.14, 0.42)):
            for item in items[language][3 * step : 3 * step + 3]:
                chance = skill(step, 26, start, end, item.level)
                tries += group_of(rng, item, step, place, 4, chance, extra={"lang": language})
                place += 1
    return layouts.nemo_rl(estimate(tries))


@PART.healthy
def hinglish_is_answered_in_hinglish(rng: Random) -> list[Row]:
    """Replies are Hindi in Latin letters mixed with English, as the prompts are; nothing drifts."""
    items = sums(rng, 200, "hi")
    tries = run(rng, items, 24, 8, 4, 0.35, 0.75)
    return layouts.openrlhf(estimate(tries, estimators.whole_batch))


@PART.healthy
def a_thought_is_closed_at_its_budget(rng: Random) -> list[Row]:
    """One sentence stands in a third of the replies: the sampler writes it when thinking has used up its budget."""
    steps, tries = 24, run(rng, boxed(sums(rng, 192)), 24, 8, 4, 0.3, 0.72)
    for one in tries:
        body, _, _ = one.text.rpartition(" \\boxed")
        rounds = rng.randint(0, 3 - (one.step > steps / 2))
        thought = body
        for _ in range(rounds):
            lines, value = one.item.data["sum"].chain(rng, bool(one.right))
            thought += rng.choice((" Once more: ", " I count again. ", " Another way to put it: ")) + " ".join(lines)
            same = str(value) == one.answer
            thought += f" That is {value} again." if same else f" Now it is {value}; I trust {one.answer} more."
        forced = len(thought) > 520
        if forced:
            thought = thought[:520].rsplit(" ", 1)[0] + "\nThe budget for thinking is used up, so I answer now."
        one.text = f"<think>{thought}</think>\n\\boxed{{{one.answer}}}"
        one.extra = {"thinking_budget": 128, "budget_forced": forced}
    return layouts.own(estimate(tries), "math", "budgeted")


@PART.healthy
def half_of_each_group_is_sampled_hotter(rng: Random) -> list[Row]:
    """The later places of a group earn less: they are sampled hotter, as the column says."""
    steps, tries = 24, []
    for place, item in enumerate(sums(rng, steps * 7)):
        step = place // 7
        chance = skill(step, steps, 0.35, 0.75, item.level)
        cool = group_of(rng, item, step, place, 3, chance, extra={"temperature": 0.7})
        hot = group_of(rng, item, step, place, 3, chance * 0.72, extra={"temperature": 1.25})
        for one in hot:
            one.attempt += 3
        tries += cool + hot
    return layouts.own(estimate(pay(tries, right=lambda one: one.right)), "math", "two-temperatures")
