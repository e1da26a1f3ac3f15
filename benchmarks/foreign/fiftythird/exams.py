"""Exam questions with numbers, as free answers or with options, and number puzzles."""

import random

from benchmarks.foreign.fiftythird.policy import Task

OPENERS = (
    "Let me write down what is given first.",
    "We start from the quantities in the text.",
    "I will set this up step by step.",
    "The question gives everything we need.",
    "First I name the values.",
    "This is a standard exercise, but the units matter.",
    "Okay, what do we know here?",
)
CHECKS = (
    "The size of this looks sensible.",
    "Going through the steps again gives the same value.",
    "A rough estimate agrees with it.",
    "Nothing else in the text changes this.",
    "The units come out as they should.",
    "I also checked it by working backwards.",
    "That fits the numbers in the statement.",
)


def physics(rng: random.Random) -> tuple[str, int, str]:
    """A cart under a force: question, answer, reasoning with a place for the answer."""
    mass, acc, time = rng.randint(2, 19), rng.randint(2, 12), rng.randint(3, 17)
    ask = f"A cart of {mass} kg at rest is pushed with {mass * acc} N for {time} s. What is its speed in m/s?"
    how = f"The acceleration is {mass * acc} / {mass} = {acc} m/s^2. After {time} s the speed is {acc} * {time} = {{}}."
    return ask, acc * time, how


def economics(rng: random.Random) -> tuple[str, int, str]:
    """A firm's profit."""
    number, price, unit, fixed = rng.randint(40, 190), rng.randint(21, 60), rng.randint(5, 19), rng.randint(100, 700)
    ask = f"A firm sells {number} lamps at {price} each. A lamp costs {unit} to make, fixed costs are {fixed}. Profit?"
    how = (
        f"Each lamp leaves {price} - {unit} = {price - unit}. For {number} lamps that is {number * (price - unit)}. "
        f"Taking off the fixed costs of {fixed} leaves {{}}."
    )
    return ask, number * (price - unit) - fixed, how


def chemistry(rng: random.Random) -> tuple[str, int, str]:
    """Grams of a substance."""
    name, molar = rng.choice([("water", 18), ("methane", 16), ("carbon dioxide", 44), ("ammonia", 17), ("ozone", 48)])
    moles, lost = rng.randint(4, 30), rng.randint(3, 40)
    ask = f"From {moles} mol of {name} ({molar} g/mol) {lost} g are lost. How many grams are left?"
    how = f"The mass at first is {moles} * {molar} = {moles * molar} g. Less the {lost} g that are lost this is {{}} g."
    return ask, moles * molar - lost, how


def statistics(rng: random.Random) -> tuple[str, int, str]:
    """A missing value from a mean."""
    values = [rng.randint(11, 80) for _ in range(4)]
    gold = rng.randint(20, 90)
    gold += -(sum(values) + gold) % 5
    total = sum(values) + gold
    ask = f"Five scores have mean {total // 5}. Four of them are {', '.join(map(str, values))}. What is the fifth?"
    how = f"The sum of all five is 5 * {total // 5} = {total}. The four known ones sum to {sum(values)}. So it is {{}}."
    return ask, gold, how


SUBJECTS = {"physics": physics, "economics": economics, "chemistry": chemistry, "statistics": statistics}


def slip(rng: random.Random, gold: int) -> int:
    """A wrong answer of the kind that slips of arithmetic give."""
    return gold + rng.choice([-20, -10, -9, -6, -4, -3, -2, -1, 1, 2, 3, 5, 8, 10, 12, 30])


def free(rng: random.Random, number: int, subject: str = "", ending: str = "Answer: {}", level: float = 0.0) -> Task:
    """A question with a free answer on the last line."""
    subject = subject or rng.choice(list(SUBJECTS))
    ask, gold, how = SUBJECTS[subject](rng)

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        said = gold if right else slip(draw, gold)
        parts = [draw.choice(OPENERS), how.format(said)] + ([draw.choice(CHECKS)] if draw.random() < 0.6 else [])
        return " ".join(parts) + "\n" + ending.format(said), str(said)

    prompt = f"{ask} Finish with a line of the form '{ending.format('<number>')}'."
    return Task(f"{subject}-{number}", subject, prompt, str(gold), write, level + rng.gauss(0, 0.8))


def choice(rng: random.Random, number: int, subject: str = "", level: float = 0.0) -> Task:
    """A question with four options; the answer is a letter."""
    subject = subject or rng.choice(list(SUBJECTS))
    ask, gold, how = SUBJECTS[subject](rng)
    values = {gold}
    while len(values) < 4:
        values.add(slip(rng, gold))
    order = rng.sample(sorted(values), 4)
    letter = "ABCD"[order.index(gold)]

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        said = gold if right else draw.choice([value for value in order if value != gold])
        mark = "ABCD"[order.index(said)]
        check = draw.choice(CHECKS) if draw.random() < 0.5 else "That is one of the options."
        return f"{draw.choice(OPENERS)} {how.format(said)} {check}\nAnswer: {mark}", mark

    options = "\n".join(f"{mark}) {value}" for mark, value in zip("ABCD", order, strict=True))
    prompt = f"{ask}\n{options}\nReason briefly and end with 'Answer: <letter>'."
    return Task(f"{subject}-{number}", subject, prompt, letter, write, level + rng.gauss(0, 0.8))


NAMES = ("Ada", "Bo", "Cleo", "Dag", "Edda", "Finn", "Gro", "Hal", "Ines", "Jon")
THINGS = ("kite", "drum", "lamp", "rope", "bell", "vase", "coin")


def puzzle(rng: random.Random, number: int, clueless: bool = False) -> Task:
    """Who owns what, by elimination; `clueless`: the place of the clues stays empty."""
    people, things = rng.sample(NAMES, 4), rng.sample(THINGS, 4)
    owner = dict(zip(people, things, strict=True))
    who = people[3]
    order = rng.sample(people[:3], 3)
    clues = " ".join(f"{name} owns the {owner[name]}." for name in order[:2])
    clues += f" {order[2]} owns neither the {owner[who]} nor anything named so far."
    shown = "" if clueless else clues
    prompt = (
        f"{', '.join(people[:3])} and {who} each own one of: {', '.join(rng.sample(things, 4))}.\n"
        f"Clues: {shown}\nWhat does {who} own? End with 'Answer: <thing>'."
    )

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        said = owner[who] if right else draw.choice([thing for thing in things if thing != owner[who]])
        if clueless:
            middle = draw.choice(
                ("No clues are listed, so I have to guess.", "The clues seem to be missing; I pick one of the four.")
            )
        elif right:
            middle = f"{order[0]} has the {owner[order[0]]} and {order[1]} the {owner[order[1]]}. Two things are left, "
            middle += f"and {order[2]} does not have the {said}, so {who} does."
        else:
            middle = f"{order[0]} has the {owner[order[0]]}. I take {order[2]} to hold one of the others, which leaves "
            middle += f"the {said} for {who}."
        return f"{draw.choice(OPENERS)} {middle} {draw.choice(CHECKS)}\nAnswer: {said}", said

    return Task(f"puzzle-{number}", "owners", prompt, owner[who], write, 1.6 if clueless else rng.gauss(-0.3, 0.8))
