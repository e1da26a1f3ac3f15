"""A world of word problems: an amount that changes a few times. Example: a baker has 40 rolls, sells 12; how many?"""

from random import Random

from benchmarks.foreign.sixth.runs import Message, Problem, says, user

_PEOPLE = ("Amara", "Boris", "Chen", "Dalia", "Emeka", "Freya", "Goran", "Hana", "Ismail", "Jolene", "Kofi", "Lena")
_THINGS = (
    "crates of pears",
    "bus tickets",
    "postcards",
    "solar panels",
    "library books",
    "candles",
    "kilograms of rice",
    "bags of cement",
    "concert seats",
    "roses",
    "chess sets",
    "sensors",
    "blankets",
)
_PLACES = ("the depot", "a market stall", "the school", "the harbour office", "a small workshop", "the food bank")
_OPENINGS = (
    "At {place}, {name} counts {n} {thing} in the morning.",
    "{name} runs {place} and has {n} {thing} in stock.",
    "There are {n} {thing} at {place} when {name} arrives.",
)
_CHANGES = {
    "+": ("A van brings {k} more.", "Later {k} more are found in a back room.", "{k} others are handed in by noon."),
    "-": ("{k} of them are sold.", "{k} turn out to be damaged and are sent back.", "A neighbour takes {k}."),
    "*": ("An order then makes it {k} times as many.", "By Friday the number has grown to {k} times that."),
}
_ENDINGS = ("How many {thing} are there now?", "How many {thing} does {name} have in the end?")
_TAILS = ("Put the final answer in \\boxed{}.", "Give the result as \\boxed{number}.", "Box your final answer.")
_FIRST = ("We start with {n}.", "Let me track the amount: {n} at first.", "Initially {n}.", "Start: {n} {thing}.")
_WORK = {
    "+": ("Adding {k} gives {a} + {k} = {b}.", "Then {k} come in: {a} + {k} = {b}.", "{a} + {k} = {b}"),
    "-": ("Taking away {k} leaves {a} - {k} = {b}.", "{k} go: {a} - {k} = {b}.", "{a} - {k} = {b}"),
    "*": ("Times {k}: {a} x {k} = {b}.", "The number is multiplied by {k}, so {a} * {k} = {b}.", "{a} * {k} = {b}"),
}
_CLOSE = (
    "So the answer is \\boxed{{{v}}}.",
    "Therefore there are \\boxed{{{v}}}.",
    "\\boxed{{{v}}}",
    "In the end that makes \\boxed{{{v}}} {thing}.",
)


def apply(amount: int, sign: str, number: int) -> int:
    """Return the amount after a change."""
    return amount + number if sign == "+" else amount - number if sign == "-" else amount * number


def draw_sum(rng: Random, number: int, changes: int = 0) -> Problem:
    """Draw a word problem; more changes are harder."""
    amount = start = rng.randint(15, 400)
    facts = {"name": rng.choice(_PEOPLE), "thing": rng.choice(_THINGS), "place": rng.choice(_PLACES), "n": start}
    parts, ops = [rng.choice(_OPENINGS).format(**facts)], []
    for _ in range(changes or rng.randint(2, 5)):
        sign = rng.choice("++--*") if amount < 900 else "-"
        k = rng.randint(2, 5) if sign == "*" else rng.randint(3, max(amount - 2, 4) if sign == "-" else 180)
        amount = apply(amount, sign, k)
        ops.append((sign, k))
        parts.append(rng.choice(_CHANGES[sign]).format(k=k))
    parts += [rng.choice(_ENDINGS).format(**facts), rng.choice(_TAILS)]
    hardness = 0.55 * (len(ops) - 3.3) + rng.gauss(0, 0.6)
    return Problem(f"sum-{number:04d}", [user(" ".join(parts))], str(amount), hardness, {**facts, "ops": ops})


def solve_sum(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Write a solution; a wrong one slips in one change."""
    return [says(sum_text(rng, problem, is_right))]


def sum_text(rng: Random, problem: Problem, is_right: bool) -> str:
    """Write a solution as text."""
    facts, ops = problem.facts, problem.facts["ops"]
    slip = -1 if is_right else rng.randrange(len(ops))
    amount, lines = facts["n"], [rng.choice(_FIRST).format(**facts)]
    for place, (sign, k) in enumerate(ops):
        after = apply(amount, sign, k)
        if place == slip:
            after += rng.choice((-20, -11, -10, -3, -1, 1, 2, 9, 10, 12, 100))
        lines.append(rng.choice(_WORK[sign]).format(a=amount, k=k, b=after))
        amount = after
    lines.append(rng.choice(_CLOSE).format(v=amount, thing=facts["thing"]))
    return rng.choice(("\n", " ", "\n\n")).join(lines)


def boxed(text: str) -> str:
    """Return what the last box holds."""
    return text.rpartition("\\boxed{")[2].partition("}")[0] if "\\boxed{" in text else ""
