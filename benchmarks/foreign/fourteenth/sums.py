"""English word problems whose last line of work gives a whole number, and how they are answered in a box."""

from random import Random

from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

PEOPLE = [
    "Amara",
    "Boris",
    "Chidi",
    "Dalia",
    "Ewan",
    "Farah",
    "Goran",
    "Hana",
    "Imre",
    "Jolene",
    "Kofi",
    "Lucia",
    "Mateus",
    "Nadia",
    "Orla",
    "Pavel",
    "Quinn",
]
WARES = ["lanterns", "kettles", "saplings", "notebooks", "tiles", "bicycles", "candles", "jars", "puppets", "scarves"]
PLACES = ["a market", "the depot", "a school fair", "the harbour", "a workshop", "the orchard"]
OPENINGS = ["Let me work this out.", "We go step by step.", "First collect what is given.", "Okay, set this up.", ""]
CHECKS = [
    "A quick check with the original statement agrees.",
    "Plugging this back in gives the numbers of the question.",
    "The size of this seems plausible.",
    "",
    "",
]
CLOSINGS = ["So the answer is \\boxed{@}.", "Therefore, \\boxed{@}.", "Answer: \\boxed{@}", "This gives \\boxed{@}."]


def _trade(rng: Random) -> Task:
    who, ware = rng.choice(PEOPLE), rng.choice(WARES)
    n, cost, gain, broken = rng.randint(12, 90), rng.randint(3, 40), rng.randint(2, 19), rng.randint(1, 9)
    prompt = (
        f"{who} buys {n} {ware} at {cost} dollars each for {rng.choice(PLACES)}. {broken} of them break, and the rest "
        f"are sold at {cost + gain} dollars each. What is the profit in dollars (negative for a loss)?"
    )
    value = (n - broken) * (cost + gain) - n * cost
    lines = [
        f"Cost: {n} * {cost} = {n * cost}.",
        f"{n} - {broken} = {n - broken} are sold for {cost + gain} each: {(n - broken) * (cost + gain)}.",
        f"Profit: {(n - broken) * (cost + gain)} - {n * cost} = @.",
    ]
    return Task(prompt, str(value), "trade", 0.2, lines)


def _meeting(rng: Random) -> Task:
    a, b = rng.sample(PEOPLE, 2)
    v, w, hours, lead = rng.randint(9, 30), rng.randint(4, 8), rng.randint(2, 9), rng.randint(1, 4)
    prompt = (
        f"{a} cycles at {v} km/h and {b} walks at {w} km/h towards each other. {b} starts {lead} h before {a}. They "
        f"meet {hours} h after {a} started. How many kilometres apart were they at the beginning?"
    )
    value = v * hours + w * (hours + lead)
    lines = [
        f"{a} covers {v} * {hours} = {v * hours} km.",
        f"{b} walks for {hours + lead} h: {w} * {hours + lead} = {w * (hours + lead)} km.",
        f"Together {v * hours} + {w * (hours + lead)} = @ km.",
    ]
    return Task(prompt, str(value), "motion", 0.3, lines)


def _remainder(rng: Random) -> Task:
    base, power, modulus = rng.randint(3, 19), rng.randint(11, 60), rng.randint(7, 29)
    prompt = f"Find the remainder of {base}^{power} on division by {modulus}."
    seen, x = [], 1
    for _ in range(4):
        x = x * base % modulus
        seen.append(x)
    value = pow(base, power, modulus)
    lines = [
        f"Powers of {base} modulo {modulus} begin {', '.join(map(str, seen))}, ...",
        f"Write {power} in binary as {power:b} and square repeatedly.",
        f"Multiplying the squares that are needed, {base}^{power} leaves @.",
    ]
    return Task(prompt, str(value), "number_theory", 0.9, lines)


def _border(rng: Random) -> Task:
    a, b, width = rng.randint(8, 60), rng.randint(8, 60), rng.randint(1, 4)
    prompt = (
        f"A pool of {a} m by {b} m is surrounded by a path {width} m wide on all sides. What is the area of the path "
        "in square metres?"
    )
    outer = (a + 2 * width) * (b + 2 * width)
    lines = [
        f"With the path: {a + 2 * width} m by {b + 2 * width} m, so {outer} square metres.",
        f"The pool alone: {a} * {b} = {a * b}.",
        f"The path: {outer} - {a * b} = @.",
    ]
    return Task(prompt, str(outer - a * b), "area", 0.1, lines)


def _series(rng: Random) -> Task:
    first, gap, n = rng.randint(2, 40), rng.randint(3, 17), rng.randint(9, 60)
    last = first + (n - 1) * gap
    prompt = (
        f"An arithmetic progression starts with {first}, {first + gap}, {first + 2 * gap}. Sum its first {n} terms."
    )
    lines = [
        f"The difference is {gap}, so term {n} is {first} + {n - 1} * {gap} = {last}.",
        f"The mean of first and last term times {n}: {n} * ({first} + {last}) / 2 = @.",
    ]
    return Task(prompt, str(n * (first + last) // 2), "series", 0.4, lines)


def _committee(rng: Random) -> Task:
    women, men, k = rng.randint(4, 9), rng.randint(4, 9), rng.choice([2, 3])
    who = rng.choice(PEOPLE)
    ways_w = women * (women - 1) // 2
    ways_m = men * (men - 1) // 2 if k == 2 else men * (men - 1) * (men - 2) // 6
    prompt = f"From {women} women and {men} men {who} picks a panel of 2 women and {k} men. In how many ways?"
    lines = [f"C({women},2) = {ways_w}.", f"C({men},{k}) = {ways_m}.", f"The product is {ways_w} * {ways_m} = @."]
    return Task(prompt, str(ways_w * ways_m), "counting", 0.6, lines)


def sum_task(rng: Random) -> Task:
    """Draw a word problem of one of six families."""
    task = rng.choice([_trade, _meeting, _remainder, _border, _series, _committee])(rng)
    task.prompt += rng.choice(["", " Put the final answer in \\boxed{}.", " Give the result in \\boxed{}."])
    return task


def slipped(rng: Random, gold: str) -> str:
    """A number near the right one, as a slip of arithmetic makes it."""
    value = int(gold)
    slips = [value + rng.choice([-10, 10, 1, -1, 2, -2, 100]), value + rng.randint(3, 40), max(1, abs(value) // 2 + 1)]
    wrong = rng.choice([s for s in slips if s != value])
    return str(wrong)


def worked(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Lines of work and a box; a wrong attempt slips in the last line."""
    answer = task.gold if right else slipped(rng, task.gold)
    parts = [rng.choice(OPENINGS), *task.lines, rng.choice(CHECKS) if rng.random() < 0.3 + 0.5 * t else ""]
    end = rng.choice(CLOSINGS)
    if not right and rng.random() < 0.04:
        end = "So the answer is @."
    text = "\n".join([p for p in parts if p] + [end]).replace("@", answer)
    return Reply([{"role": "assistant", "content": text}], answer)


SUMS = Domain(sum_task, worked)
