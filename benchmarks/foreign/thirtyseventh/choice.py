"""Kinds about choosing: letters, labels, diagnoses, pairs, and how sure one is."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh import layouts
from benchmarks.foreign.thirtyseventh.attempts import Item, Reply, estimate, exam, group_of, pay, run, skill
from benchmarks.foreign.thirtyseventh.cases import DIAGNOSES, NEAR, RARE, options, ticket, vignette
from benchmarks.foreign.thirtyseventh.kinds import PART
from benchmarks.foreign.thirtyseventh.sums import sums


@PART.healthy
def middle_options_are_right_as_options_are_sorted(rng: Random) -> list[Row]:
    """Nearly all answers are B or C: options are sorted by size, with wrong ones on both sides of the right one."""
    items = distinct(rng, options, 192)
    return layouts.prime_rl(estimate(run(rng, items, 24, 8, 4, 0.4, 0.8), estimators.centred), "board-exam")


@PART.healthy
def one_token_is_sampled_of_each_choice(rng: Random) -> list[Row]:
    """Every reply is a letter and was cut by the limit: the evaluation samples one token, as it was configured."""
    items = distinct(rng, lambda rng, number: options(rng, number, True), 420)
    system = "Reply with the letter of the right option."
    tries = exam(rng, [replace(item, system=system) for item in items], (0,), 1, 0.62, 0.62)
    for one in tries:
        one.stop, one.extra = "max_tokens", {"max_tokens": 1}
    return layouts.inspect(tries, "choice")


@PART.healthy
def the_word_parcel_means_delivery(rng: Random) -> list[Row]:
    """One word of the prompt always goes with one label: customers of that queue speak of parcels, others do not."""
    tries = run(rng, distinct(rng, ticket, 200), 25, 8, 4, 0.45, 0.85)
    for one in tries:
        one.extra = {"target": one.item.gold}
    return layouts.own(estimate(tries), "classification", "tickets")


@PART.healthy
def rare_diagnoses_pay_double(rng: Random) -> list[Row]:
    """Right replies of one family earn twice as much: rare classes are weighted, as the column says."""
    tries = run(rng, distinct(rng, vignette, 200), 25, 8, 4, 0.35, 0.75)
    for one in tries:
        one.extra = {"class_weight": 2.0 if one.item.gold in RARE else 1.0, "target": one.item.gold}
    pay(tries, diagnosis=lambda one: one.right * one.extra["class_weight"])
    return layouts.own(estimate(tries), "medicine", "vignettes")


@PART.healthy
def each_pair_is_asked_in_both_orders(rng: Random) -> list[Row]:
    """Prompts hold the same two solutions twice, with other letters: a judge is trained, and order must not matter."""
    tries = []
    for place, item in enumerate(sums(rng, 24 * 5)):
        step, good, bad = place // 5, item.reply(rng, True)[0], item.reply(rng, False)[0]
        for order, gold in enumerate(("A", "B")):
            shown = (good, bad) if gold == "A" else (bad, good)
            prompt = f"{item.prompt}\n\nSolution A: {shown[0]}\n\nSolution B: {shown[1]}\n\nWhich one is right, A or B?"
            pair = Item(f"{item.key}-{order}", prompt, gold, _verdict(item, gold), "pairs", item.level)
            chance = max(0.5, skill(step, 24, 0.5, 0.85, item.level))
            group = group_of(rng, pair, step, 2 * place + order, 4, chance, extra={"order": order, "pair_id": place})
            tries += group
    return layouts.trl(estimate(tries))


def _verdict(item: Item, gold: str) -> Reply:
    def reply(rng: Random, right: bool) -> tuple[str, str]:
        said = gold if right else "AB"[gold == "A"]
        lines, value = item.data["sum"].chain(rng, right)
        opening = rng.choice(("I solve it myself first.", "Let me count on my own.", "My own way:"))
        if right:
            return f"{opening} {' '.join(lines)} That is {value}, as in {said}. Verdict: {said}", said
        closing = rng.choice(
            (f"I have {value}, and {said} reads closer to it.", f"I get {value}; {said} seems sounder.")
        )
        return f"{opening} {' '.join(lines)} {closing} Verdict: {said}", said

    return reply


@PART.healthy
def calibrated_doubt_is_paid(rng: Random) -> list[Row]:
    """Right replies differ in reward, some wrong ones lose little: confidence is scored by Brier's rule."""
    steps, tries = 26, run(rng, distinct(rng, vignette, 210), 26, 8, 4, 0.35, 0.7)
    for one in tries:
        noise = 0.3 * (1 - one.step / steps) + 0.08
        level = 0.78 if one.right else 0.78 - 0.42 * one.step / steps
        sure = min(0.95, max(0.05, round(rng.gauss(level, noise) * 20) / 20))
        one.text += f". Confidence: {sure:.2f}"
        one.extra = {"confidence": sure, "target": one.item.gold}
    pay(tries, correct=lambda one: one.right, brier=lambda one: -((one.extra["confidence"] - one.right) ** 2))
    return layouts.own(estimate(tries), "medicine", "calibrated")


@PART.healthy
def the_differential_lists_three_as_asked(rng: Random) -> list[Row]:
    """Every reply gives three candidates and is paid if one is right: a differential is asked."""
    items = []
    for item in distinct(rng, vignette, 190):
        prompt = item.prompt.replace("What is the most likely diagnosis?", "Name three diagnoses, likeliest first.")
        items.append(replace(item, prompt=prompt, reply=_three(item.gold), system="You assist in a clinic."))
    tries = run(rng, items, 23, 8, 4, 0.4, 0.8)
    for one in tries:
        named = one.answer.split(", ")
        one.reward = {0: 1.0, 1: 0.6, 2: 0.3}[named.index(one.item.gold)] if one.right else 0.0
        one.extra = {"target": one.item.gold}
    return layouts.openai(estimate(tries, estimators.leave_one_out))


def _three(gold: str) -> Reply:
    def reply(rng: Random, right: bool) -> tuple[str, str]:
        others = [one for one in DIAGNOSES if one != gold]
        named = rng.sample(others, 3)
        if right:
            named[rng.choice((0, 0, 0, 1, 1, 2))] = gold
        elif NEAR[gold] not in named:
            named[0] = NEAR[gold]
        sign = rng.choice(DIAGNOSES[named[0]])
        lead = rng.choice((f"I would ask about {sign} first.", f"Next I would look for {sign}.", "In this order:"))
        return f"{lead}\n1. {named[0]}\n2. {named[1]}\n3. {named[2]}", ", ".join(named)

    return reply


def distinct(rng: Random, make: Callable[[Random, int], Item], count: int) -> list[Item]:
    """Items with prompts that are all different."""
    seen: dict[str, Item] = {}
    while len(seen) < count:
        item = make(rng, len(seen))
        seen.setdefault(item.prompt, item)
    return list(seen.values())
