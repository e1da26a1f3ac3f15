"""Word problems whose quantity goes through a chain of changes, and worked solutions, right or with a slip."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, Write, say

_STORIES = (
    ("bakery", "loaves", "A bakery in {place} begins the day with {n} loaves.", "A second oven brings out {k} more.",
     "A café collects {k} of them.", "Before the fair the baker multiplies the stock by {k}."),
    ("library", "books", "The library of {place} holds {n} books.", "A donor leaves {k} books.",
     "The damp ruins {k} of them.", "A merger makes the holding {k} times as large."),
    ("nursery", "seedlings", "A nursery near {place} plants {n} seedlings.", "Volunteers plant another {k}.",
     "Frost kills {k} seedlings.", "By cuttings the gardeners turn each plant into {k}."),
    ("ferry", "passengers", "A ferry leaves {place} with {n} passengers.", "At the next pier {k} people board.",
     "At the lighthouse {k} people get off.", "For the regatta the line runs {k} such ferries, all equally full."),
    ("depot", "crates", "A depot outside {place} stores {n} crates.", "A train delivers {k} crates.",
     "Lorries take away {k} crates.", "A new hall lets the depot hold {k} times what it had, and it fills up."),
    ("orchard", "apples", "Pickers in {place} fill a cart with {n} apples.", "Late pickers add {k} apples.",
     "The press refuses {k} bruised ones.", "The farm has {k} carts filled in just this way."),
    ("museum", "coins", "A museum in {place} shows {n} coins.", "A diver finds {k} further coins.",
     "It lends {k} coins to a school.", "Each remaining coin is shown in {k} casts."),
    ("workshop", "chairs", "A workshop in {place} has {n} chairs ready.", "The apprentices finish {k} more.",
     "A theatre buys {k} of them.", "A large order makes it produce {k} times this number in all."),
)  # fmt: skip
_PLACES = ("Arden", "Bruges", "Calla", "Dunmore", "Essen", "Fjell", "Graz", "Hvar", "Ilkley", "Jena", "Kotor", "Lund")
_OPEN = (
    "Let me follow the number of {unit} through the story.",
    "I track the {unit} one change at a time.",
    "The quantity that matters is the count of {unit}.",
    "First I write down what is known about the {unit}.",
    "We need the final number of {unit}, so I go event by event.",
)
_START = ("We start with {n}.", "At the outset there are {n}.", "The initial count is {n}.", "It begins at {n}.")
_GO = {
    "+": ("Then {k} are added: {a} + {k} = {b}.", "Adding {k} gives {b}.", "{a} and {k} make {b}."),
    "-": ("Then {k} go away: {a} - {k} = {b}.", "Taking {k} from {a} leaves {b}.", "Without those {k} we have {b}."),
    "*": ("Multiplying by {k}: {a} * {k} = {b}.", "{k} times {a} is {b}.", "The factor {k} turns {a} into {b}."),
}
_CHECK = (
    "A quick look back: every event of the text has been used.",
    "I check the order of the events once more, and it agrees.",
    "Nothing else in the text changes the number.",
    "Going backwards from the result, the steps undo one another.",
    "The size of this seems reasonable for the story.",
)
_CLOSE = ("So the answer is {m}.", "Hence we get {m}.", "The final count is {m}.", "Therefore: {m}.")
_DO = {"+": lambda a, k: a + k, "-": lambda a, k: a - k, "*": lambda a, k: a * k}


def problems(rng: random.Random, count: int, lengths: tuple[int, int] = (2, 5), prefix: str = "sum") -> list[Problem]:
    """Word problems of chains of that many changes."""
    out = []
    for i in range(count):
        family, unit, *phrases = rng.choice(_STORIES)
        n, length = rng.randint(23, 180), rng.randint(*lengths)
        value, chain, multiplied = n, [], 0
        for _ in range(length):
            op = rng.choice("++--*" if multiplied < 2 else "+-")
            multiplied += op == "*"
            k = rng.randint(3, 9) if op == "*" else rng.randint(7, max(8, min(value - 2, 90)))
            if op == "-" and k >= value:
                op = "+"
            chain.append((op, k))
            value = _DO[op](value, k)
        told = [phrases["+-*".index(op) + 1].format(k=k) for op, k in chain]
        text = " ".join([phrases[0].format(place=rng.choice(_PLACES), n=n), *told])
        text += f" How many {unit} does that come to in the end?"
        level = (length - 1) / 6
        out.append(
            Problem(f"{prefix}-{i:04d}", text, str(value), level, family, {"n": n, "chain": chain, "unit": unit})
        )
    return out


def work(rng: random.Random, problem: Problem, right: bool, checks: int = 1) -> tuple[list[str], int]:
    """Sentences of a solution, and what it arrives at."""
    data = problem.data
    slip = None if right else rng.randrange(len(data["chain"]))
    value = data["n"]
    told = [rng.choice(_OPEN).format(unit=data["unit"]), rng.choice(_START).format(n=value)]
    for i, (op, k) in enumerate(data["chain"]):
        after = _DO[op](value, k)
        if i == slip:
            after += rng.choice((-10, -9, -1, 1, 2, 9, 10) if after > 30 else (1, 2, 9, 10))
        told.append(rng.choice(_GO[op]).format(a=value, k=k, b=after))
        value = after
    told += rng.sample(_CHECK, rng.randint(0, min(checks, len(_CHECK))))
    return told, value


def solver(mark: str = "\\boxed{{{m}}}", checks: int = 1) -> Write:
    """A writer of solutions whose answers stand in this mark."""

    def write(rng: random.Random, problem: Problem, right: bool) -> Attempt:
        told, value = work(rng, problem, right, checks)
        if mark.startswith("#"):
            told[-1] += "\n" + mark.format(m=value)
        else:
            told.append(rng.choice(_CLOSE).format(m=mark.format(m=value)))
        answer = str(value)
        return Attempt(problem, [say(" ".join(told))], answer, float(answer == problem.gold))

    return write
