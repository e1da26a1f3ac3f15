"""Word problems with whole numbers as answers."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

PEOPLE = [
    "Amara",
    "Bastien",
    "Chiara",
    "Deniz",
    "Elif",
    "Farid",
    "Greta",
    "Hana",
    "Ivo",
    "Jelena",
    "Kofi",
    "Leonie",
    "Ravi",
]
TOWNS = ["Tromso", "Irkutsk", "Kiruna", "Yellowknife", "Oulu", "Ushuaia", "Nuuk"]
GOODS = ["lanterns", "notebooks", "kettles", "tulip bulbs", "bicycle bells", "jars of honey", "wool scarves"]


def _fair(rng: Random) -> tuple:
    who, good, price, count = rng.choice(PEOPLE), rng.choice(GOODS), rng.randint(4, 48), rng.randint(3, 30) * 20
    off = rng.choice([5, 10, 12, 15, 20, 25])
    cost = rng.randint(20, 260)
    total = price * count
    gold = total * (100 - off) // 100 - cost
    text = (
        f"{who} orders {count} {good} at {price} euros each for a fair. The supplier gives {off}% off the whole order, "
        f"and a voucher of {cost} euros is taken off after that. How many euros does {who} pay?"
    )
    lines = [
        f"Before the discount the order costs {count} * {price} = {total}.",
        f"{off}% of {total} is {total * off // 100}, which leaves {total - total * off // 100}.",
    ]
    return (
        text,
        gold,
        lines,
        f"Taking off the voucher: {total - total * off // 100} - {cost} =",
        [cost, -cost, 2 * cost],
    )


def _tank(rng: Random) -> tuple:
    one, two, out, hours = rng.randint(30, 95), rng.randint(20, 80), rng.randint(5, 28), rng.randint(4, 19)
    start = rng.randint(100, 900)
    text = (
        f"A tank holds {start} litres. One pipe adds {one} litres an hour, another {two} litres an hour, and a leak "
        f"loses {out} litres an hour. How many litres are in it after {hours} hours?"
    )
    net = one + two - out
    lines = [f"The net rate is {one} + {two} - {out} = {net} litres an hour.", f"In {hours} hours: {net * hours}."]
    return (
        text,
        start + net * hours,
        lines,
        f"With what was there: {start} + {net * hours} =",
        [hours * out, out, -start],
    )


def _series(rng: Random) -> tuple:
    first, gap, count = rng.randint(-40, 60), rng.choice([-9, -7, -4, 3, 6, 8, 11]), rng.randint(9, 40)
    last = first + gap * (count - 1)
    text = f"A sequence of equal steps is {first}, {first + gap}, {first + 2 * gap}. Sum its first {count} terms."
    lines = [
        f"The common difference is {gap}, so term {count} is {first} + {count - 1} * ({gap}) = {last}.",
        f"The sum is {count} * ({first} + ({last})) / 2.",
    ]
    return text, count * (first + last) // 2, lines, "This gives", [last, -last, gap]


def _trains(rng: Random) -> tuple:
    fast, slow, hours = rng.randint(80, 190), rng.randint(40, 79), rng.randint(2, 9)
    ahead = rng.randint(10, 200)
    text = (
        f"Train A runs at {fast} km/h and train B at {slow} km/h on parallel tracks, both eastwards. At noon "
        f"A is {ahead} km behind B. How many kilometres is A ahead of B after {hours} hours? (Negative if behind.)"
    )
    lines = [
        f"A gains {fast} - {slow} = {fast - slow} km each hour.",
        f"After {hours} hours it gained {(fast - slow) * hours}.",
    ]
    gold = (fast - slow) * hours - ahead
    return text, gold, lines, f"Less the {ahead} km at noon:", [ahead * 2, slow, -10]


def _change(rng: Random) -> tuple:
    noon, drop, rise, night = rng.randint(-6, 14), rng.randint(3, 22), rng.randint(1, 9), rng.randint(2, 19)
    town = rng.choice(TOWNS)
    text = (
        f"At noon it is {noon} degrees in {town}. By evening it falls by {drop} degrees, a front lifts it by {rise}, "
        f"and by dawn it falls {night} more. What is the temperature at dawn, in degrees?"
    )
    lines = [f"Evening: {noon} - {drop} = {noon - drop}.", f"After the front: {noon - drop + rise}."]
    return text, noon - drop + rise - night, lines, f"Dawn: {noon - drop + rise} - {night} =", [2 * night, rise, -rise]


def _remainder(rng: Random) -> tuple:
    base, power, mod = rng.randint(3, 19), rng.randint(5, 24), rng.choice([11, 13, 17, 19, 23, 29])
    square = base * base % mod
    text = f"What is the remainder when {base}^{power} is divided by {mod}?"
    lines = [
        f"Work modulo {mod}: {base}^2 is {square}, and {base}^4 is {square * square % mod}.",
        f"Write {power} in binary as {power:b} and multiply the squares that it needs.",
    ]
    return text, pow(base, power, mod), lines, "The product reduces to", [1, 2, -1]


FAMILIES = {
    "percentages": (_fair, 0.3),
    "rates": (_tank, -0.5),
    "sequences": (_series, 0.4),
    "motion": (_trains, 0.0),
    "signed": (_change, -0.2),
    "modular": (_remainder, 0.8),
}
OPENINGS = [
    "Let me set this up.",
    "We go step by step.",
    "First I note what is given.",
    "Okay, so what do we know here?",
    "I'll work through the quantities in order.",
    "",
]
CHECKS = [
    "Checking against the statement: the units and the order of steps agree.",
    "Quick check by redoing the last step another way gives the same.",
    "Wait, did I read the numbers right? Yes, they match the problem.",
    "An estimate with rounded numbers lands close to this.",
]


def make(rng: Random, names: tuple[str, ...] = tuple(FAMILIES)) -> Task:
    """A problem of one of the families."""
    name = rng.choice(names)
    draw, hard = FAMILIES[name]
    text, gold, lines, closing, slips = draw(rng)
    return Task(text, str(gold), name, hard, work={"lines": lines, "closing": closing, "slips": slips})


def wrong_answer(rng: Random, task: Task) -> str:
    """A number that a slip in the working leads to."""
    moved = rng.choice(task.work["slips"]) + rng.choice([0, 0, 1, -1]) * rng.choice([1, 10])
    return str(int(task.gold) + (moved or rng.choice([3, -4, 6])))


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """Working and a boxed answer; later policies check more."""
    answer = task.gold if right else wrong_answer(rng, task)
    return written(rng, task, answer, level)


def written(rng: Random, task: Task, answer: str, level: float) -> Reply:
    """The reply that ends in this answer."""
    parts = [rng.choice(OPENINGS), *task.work["lines"], f"{task.work['closing']} {answer}."]
    if rng.random() < 0.35 + 0.12 * level:
        parts.append(rng.choice(CHECKS))
    glue = rng.choice([" ", "\n", "\n\n"])
    end = rng.choice(["The answer is", "So the answer is", "Answer:", "Therefore,"])
    text = glue.join(p for p in parts if p) + f"\n\n{end} \\boxed{{{answer}}}" + rng.choice([".", "", ""])
    return Reply([{"role": "assistant", "content": text}], answer)


SUMS = World("wordmath", make, solve, "Solve the problem. Put the final answer within \\boxed{}.")
