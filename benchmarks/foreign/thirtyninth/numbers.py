"""Problems with a number as answer: shifts, doses, ponds, and science questions with four options."""

import random

from benchmarks.foreign.thirtyninth.policy import Problem

OPENERS = (
    "Let me set down what is known first.",
    "I start with the quantity that the question leaves implicit.",
    "Two things have to be worked out, one after the other.",
    "Reading it again, the order of the two operations matters.",
    "Okay, what is asked for is the final amount, not the one in between.",
    "First the part that does not depend on the rest.",
    "The units agree throughout, so plain numbers will do.",
)
CHECKS = (
    "Going backwards from {x} I come out at the start again.",
    "{x} has the right order of magnitude.",
    "A rough estimate also lands near {x}.",
    "That is what one would expect of such figures.",
    "Nothing else in the text changes {x}.",
    "I do not see a reason to round {x}.",
    "",
)
SHAPES = (
    (
        "scheduling",
        "{n} drivers of the {place} depot each take {a} tours a day. {b} tours are cancelled today, and every tour "
        "that remains takes {c} minutes. How many minutes are driven in all?",
        lambda v: v["n"] * v["a"] - v["b"],
        lambda v, m: m * v["c"],
        "{n} drivers times {a} tours, less the {b} cancelled, leaves {m} tours.",
        "At {c} minutes each, {m} tours make {x} minutes.",
    ),
    (
        "dosing",
        "A patient in {place} of {n} kg gets {a} mg of a drug per kg a day, split so that {b} mg are held back on the "
        "first day. The ampoules hold {c} mg more than the dose given. How many mg does the ampoule hold?",
        lambda v: v["n"] * v["a"] - v["b"],
        lambda v, m: m + v["c"],
        "The day's dose is {n} × {a} mg, and with {b} mg held back {m} mg are given.",
        "The ampoule has {c} mg on top, which is {x} mg.",
    ),
    (
        "ponds",
        "Near {place}, {n} ponds are stocked with {a} trout each. After a winter {b} trout are lost over all. Each "
        "trout that is left eats {c} grams a day. How many grams of feed are needed a day?",
        lambda v: v["n"] * v["a"] - v["b"],
        lambda v, m: m * v["c"],
        "There were {n} × {a} trout, and {m} of them live on after {b} are lost.",
        "Feeding {m} fish with {c} grams takes {x} grams.",
    ),
    (
        "printing",
        "A print shop in {place} runs {n} presses with {a} sheets a minute each. For {c} minutes they run at full "
        "speed, but {b} sheets a minute are spoiled. How many good sheets come out?",
        lambda v: v["n"] * v["a"] - v["b"],
        lambda v, m: m * v["c"],
        "Per minute {n} × {a} sheets are printed and {b} spoiled, so {m} good ones.",
        "Over {c} minutes that comes to {x} good sheets.",
    ),
    (
        "archive",
        "The archive of {place} has {n} shelves with {a} boxes, and {b} boxes are out on loan. {c} boxes more arrive "
        "from the court house. How many boxes stand there now?",
        lambda v: v["n"] * v["a"] - v["b"],
        lambda v, m: m + v["c"],
        "{n} shelves of {a} boxes, without the {b} on loan: {m} boxes.",
        "With the {c} new ones there are {x}.",
    ),
)
PLACES = ("Arles", "Gdynia", "Leiden", "Évora", "Pécs", "Turku", "Galway", "Linz", "Zadar", "Bergen", "Tartu")


def numeric(rng: random.Random, number: int, closing: str = "The answer is {x}.") -> Problem:
    """A two-step problem about amounts; wrong attempts slip in the first or the second step."""
    family, text, first, second, line_one, line_two = SHAPES[number % len(SHAPES)]
    v = {
        "n": rng.randint(8, 38),
        "a": rng.randint(6, 29),
        "b": rng.randint(3, 21),
        "c": rng.randint(4, 47),
        "place": rng.choice(PLACES),
    }
    gold = second(v, first(v))

    def solve(draw: random.Random, right: bool) -> str:
        middle = first(v)
        early = not right and draw.random() < 0.6
        if early:
            middle += draw.choice((v["b"], 2 * v["b"], -10, 10, -1, v["a"], -v["a"]))
        found = second(v, middle)
        if not right and not early:
            found += draw.choice((-100, 10, -10, v["c"], -v["c"], 1, 20))
        values = v | {"m": middle, "x": found}
        lines = [draw.choice(OPENERS), line_one.format(**values), line_two.format(**values), draw.choice(CHECKS)]
        return " ".join(line.format(**values) for line in [*lines, closing] if line)

    return Problem(f"{family}-{number}", family, text.format(**v), str(gold), rng.gauss(0, 0.9), solve, {"v": v})


def numerics(rng: random.Random, amount: int, closing: str = "The answer is {x}.") -> list[Problem]:
    """Many of them."""
    return [numeric(rng, number, closing) for number in range(amount)]


LAWS = (
    (
        "mechanics",
        "A sledge of {a} kg is pulled over ice with an acceleration of {b} m/s². Which net force acts on it?",
        lambda a, b: a * b,
        "N",
        "Newton's second law gives the force as mass times acceleration",
    ),
    (
        "electricity",
        "A heater with a resistance of {a} Ω carries a current of {b} A. Which voltage lies across it?",
        lambda a, b: a * b,
        "V",
        "Ohm's law multiplies resistance and current",
    ),
    (
        "waves",
        "A wave in a tank has a wavelength of {a} cm and a frequency of {b} Hz. How fast does it travel?",
        lambda a, b: a * b,
        "cm/s",
        "speed is wavelength times frequency",
    ),
    (
        "chemistry",
        "{b} mol of a compound of molar mass {a} g/mol are weighed out. Which mass is that?",
        lambda a, b: a * b,
        "g",
        "mass is amount of substance times molar mass",
    ),
    (
        "genetics",
        "In a cross, {a} families have {b} pups each, and a quarter of all pups shows the recessive trait. How many "
        "pups are there in all?",
        lambda a, b: a * b,
        "pups",
        "only the total is asked, so the quarter does not enter and one multiplies",
    ),
)


def options_of(rng: random.Random, number: int) -> dict:
    """Stem, law and four different options, the right one first."""
    family, text, law, unit, why = LAWS[number % len(LAWS)]
    a, b = rng.randint(6, 60), rng.randint(3, 24)
    right = law(a, b)
    others = [x for x in {a + b, right + a, right - b, right * 2, right + 10, max(1, right // 2)} if x != right]
    picked = [right, *rng.sample(sorted(others), 3)]
    return {
        "family": family,
        "stem": text.format(a=a, b=b),
        "why": why,
        "a": a,
        "b": b,
        "options": [f"{x} {unit}" for x in picked],
    }


REFUSED = (
    "Option {l} looks like the result of a slip.",
    "{l} does not come out of these two figures.",
    "I can leave {l} aside.",
    "With {l} the units would fit, the number does not.",
)


def choice(rng: random.Random, number: int) -> Problem:
    """A science question with options A to D; an attempt names the option that it reasons to."""
    made = options_of(rng, number)
    order = rng.sample(range(4), 4)
    shown = [made["options"][k] for k in order]
    lines = "\n".join(f"{letter}) {text}" for letter, text in zip("ABCD", shown, strict=True))
    gold = "ABCD"[order.index(0)]

    def solve(draw: random.Random, right: bool) -> str:
        letter = gold if right else draw.choice([x for x in "ABCD" if x != gold])
        aside = draw.choice([x for x in "ABCD" if x not in (letter, gold)])
        value = shown["ABCD".index(letter)]
        parts = [draw.choice(OPENERS), f"Here {made['why']}.", f"With {made['a']} and {made['b']} I get {value}."]
        if draw.random() < 0.7:
            parts.append(draw.choice(REFUSED).format(l=aside))
        return " ".join(parts) + f"\nAnswer: {letter}"

    return Problem(
        f"{made['family']}-{number}",
        made["family"],
        f"{made['stem']}\n{lines}\nReason briefly, then give the letter.",
        gold,
        rng.gauss(-0.1, 0.8),
        solve,
        {"order": order, "shown": shown},
    )


def choices(rng: random.Random, amount: int) -> list[Problem]:
    """Many of them."""
    return [choice(rng, number) for number in range(amount)]


def countdown(rng: random.Random, number: int) -> Problem:
    """A puzzle: make a target of four numbers, each used once."""
    a, b, c, d = rng.sample(range(2, 26), 4)
    shape = rng.choice(("{a} * {b} + {c} - {d}", "({a} + {b}) * {c} - {d}", "{a} * {b} + {c} + {d}"))
    made = shape.format(a=a, b=b, c=c, d=d)
    target = eval(made)  # noqa: S307
    pool = rng.sample((a, b, c, d), 4)
    shots = (f"{a} * {c} + {b} - {d}", f"({a} + {d}) * {c} - {b}", f"{b} * {d} + {a} + {c}", f"({c} + {b}) * {a} - {d}")
    misses = [text for text in shots if eval(text) != target]  # noqa: S307

    def solve(draw: random.Random, right: bool) -> str:
        last = made if right else draw.choice(misses)
        rest = [text for text in misses if text != last]
        seen = draw.sample(rest, min(len(rest), draw.randint(1, 3)))
        lines = [f"I need {target} from {pool[0]}, {pool[1]}, {pool[2]} and {pool[3]}."]
        lines += [f"{text} is {eval(text)}, not it." for text in seen]  # noqa: S307
        lines.append(f"What about {last}? {draw.choice(('That is', 'This makes', 'It comes to'))} {target}.")
        return " ".join(lines) + f"\n<answer>{last}</answer>"

    return Problem(
        f"countdown-{number}",
        "countdown",
        f"Use each of the numbers {', '.join(map(str, pool))} exactly once, with + - * and brackets, to make "
        f"{target}. Give the expression in <answer></answer>.",
        made,
        rng.gauss(0, 0.8),
        solve,
        {"target": target, "pool": pool, "made": made, "misses": misses},
    )
