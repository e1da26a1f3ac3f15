"""Word problems that are chains of sums, with worked answers that may slip at one place."""

import random

STORIES = (
    (
        "A bakery fills {a} trays with {b} rolls each. {c} rolls burn, and later {d} more come from the sister shop. "
        "How many rolls can be sold?",
        ("rolls on the trays", "rolls left after the burnt ones", "rolls for sale"),
        "*-+",
    ),
    (
        "A school orders {a} boxes of {b} pencils. It gives away {c} pencils and loses {d} on a trip. How many pencils "
        "remain?",
        ("pencils delivered", "pencils after the gift", "pencils that remain"),
        "*--",
    ),
    (
        "A cyclist rides {a} km a day for {b} days, then {c} km on the last day, of which a train covers {d} km. "
        "How many km were ridden?",
        ("km in the full days", "km of the whole tour", "km actually ridden"),
        "*+-",
    ),
    (
        "A reservoir receives {a} litres an hour for {b} hours. {c} litres evaporate and {d} litres are pumped out. "
        "How many litres of this water are left?",
        ("litres received", "litres after evaporation", "litres left"),
        "*--",
    ),
    (
        "A print shop makes {a} posters in each of {b} shifts. A rush order adds {c}, and {d} are rejected. "
        "How many good posters are there?",
        ("posters from the shifts", "posters with the order", "good posters"),
        "*+-",
    ),
    (
        "A choir sells {a} tickets for {b} euros each, pays {c} euros for the hall and receives {d} euros as a grant. "
        "How many euros does it have?",
        ("euros from tickets", "euros after the hall", "euros in the end"),
        "*-+",
    ),
    (
        "An orchard has {a} rows of {b} trees. {c} trees fall in a storm and {d} saplings are planted. How many trees "
        "stand there now?",
        ("trees at first", "trees after the storm", "trees now"),
        "*-+",
    ),
    (
        "A ferry makes {a} crossings with {b} cars each. {c} further cars take the night boat, and {d} cars turn back. "
        "How many cars arrive?",
        ("cars on day crossings", "cars that set out", "cars that arrive"),
        "*+-",
    ),
)
OPENINGS = (
    "Let me work through this.",
    "We take it one quantity at a time.",
    "First I write down what is known.",
    "Okay, so the order of events matters here.",
    "I will keep a running total.",
    "Start with the product.",
)
LINKS = (
    "So there are {r} {what}: {l} {o} {x} = {r}.",
    "{l} {o} {x} gives {r} {what}.",
    "That makes {l} {o} {x} = {r}, the {what}.",
    "Next, {l} {o} {x} = {r} {what}.",
    "Computing {l} {o} {x}, I get {r} {what}.",
)
CHECKS = (
    "",
    "The size is plausible for the story.",
    "Every number of the text has been used once.",
    "Checking the last step again, it holds.",
    "Nothing else changes the total.",
)


def _apply(left: int, sign: str, right: int) -> int:
    return {"*": left * right, "+": left + right, "-": left - right}[sign]


def problem(rng: random.Random, name: str, big: bool = False) -> dict:
    """One word problem with its gold answer, chain and hardness."""
    at = rng.randrange(len(STORIES))
    text, labels, signs = STORIES[at]
    low, high = (40, 99) if big else (6, 48)
    a, b, d = rng.randint(low, high), rng.randint(low, high), rng.randint(3, 25)
    c = rng.randint(5, max(8, a * b // 3))
    if text.startswith("A cyclist"):
        c = rng.randint(30, 95)
    values, total = (b, c, d), a
    for sign, value in zip(signs, values, strict=True):
        total = _apply(total, sign, value)
    if total < 1:
        return problem(rng, name, big)
    chain = [a, *zip(signs, values, labels, strict=True)]
    return {
        "id": name,
        "text": text.format(a=a, b=b, c=c, d=d),
        "gold": str(total),
        "chain": chain,
        "hard": rng.gauss(0, 1.1),
        "topic": text.split()[1],
    }


def problems(rng: random.Random, number: int, prefix: str = "m", big: bool = False) -> list[dict]:
    """Many problems without double texts."""
    out: dict[str, dict] = {}
    while len(out) < number:
        one = problem(rng, f"{prefix}{len(out):03d}", big)
        out.setdefault(one["text"], one)
    return list(out.values())


def worked(rng: random.Random, task: dict, right: bool) -> tuple[list[str], str]:
    """Sentences of an answer, and its number; a wrong one slips once and goes on from there."""
    slip = -1 if right else rng.randrange(3)
    total, lines = task["chain"][0], [rng.choice(OPENINGS)]
    for at, (sign, value, what) in enumerate(task["chain"][1:]):
        new = _apply(total, sign, value)
        if at == slip:
            new += rng.choice((-10, 10, -1, 1, 100, -2, 20)) * rng.randint(1, 2)
        lines.append(rng.choice(LINKS).format(l=total, o="×" if sign == "*" else sign, x=value, r=new, what=what))
        total = new
    check = rng.choice(CHECKS)
    return lines + ([check] if check else []), str(total)


def boxed(rng: random.Random, task: dict, right: bool) -> str:
    """An answer of several sentences that ends in a box."""
    lines, number = worked(rng, task, right)
    end = rng.choice(("The answer is", "Therefore the result is", "Final answer:"))
    return " ".join(lines) + f"\n\n{end} \\boxed{{{number}}}."
