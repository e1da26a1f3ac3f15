"""Single-turn reasoning whose answers have forms that look odd: fractions, one word, drawings, probabilities."""

import math
import random
from fractions import Fraction

from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fortyfifth.credit import credit
from benchmarks.foreign.fortyfifth.kinds import PART
from benchmarks.foreign.fortyfifth.layouts import Row, nemo, openai, trl, verl
from benchmarks.foreign.fortyfifth.policy import Policy
from benchmarks.foreign.fortyfifth.runs import Problem, Try, course, say

LEADS = (
    "Bring both to one denominator.",
    "I use the common denominator of the two.",
    "Both shares refer to the same whole, so they may be combined.",
    "Let me expand the two before I combine them.",
)


def _shares(rng: random.Random) -> list[Problem]:
    out = []
    things = ("barrel", "field", "cake", "budget", "fence", "roof", "bolt of cloth", "stock of coal")
    while len(out) < 110:
        a, b = (Fraction(rng.randint(1, d - 1), d) for d in (rng.choice((4, 5, 8, 10, 20)) for _ in range(2)))
        if a + b >= 1:
            continue
        thing = rng.choice(things)
        text = f"{a} of a {thing} is used on Monday and {b} of the {thing} on Tuesday. Which share is left?"
        out.append(Problem(f"share-{len(out)}", text, str(1 - a - b), rng.gauss(0, 0.8), data={"a": a, "b": b}))
    return out


@PART.healthy
def fractions_and_decimals_are_the_same_number(rng: random.Random) -> list[Row]:
    """The reference is a fraction; replies give it as fraction, decimal or per cent, and the grader takes all three.

    Compared as strings, half of the rewarded answers differ from the reference.
    """
    policy = Policy(rng, -0.2, 1.5)
    rows = []
    for step, done, problem, attempt in course(rng, _shares(rng), 16, 7, 6):
        a, b = problem.data["a"], problem.data["b"]
        right = policy.succeeds(problem, done)
        den = math.lcm(a.denominator, b.denominator)
        left = 1 - a - b
        if not right:
            left = rng.choice(
                [x for x in (a + b, left + Fraction(1, den), left - Fraction(1, den)) if x > 0 and x != left]
            )
        forms = (f"\\frac{{{left.numerator}}}{{{left.denominator}}}", f"{float(left):g}", f"{float(left * 100):g}\\%")
        work = f"In parts of {den} the two days took {a * den} and {b * den}, so we end with {left * den} of {den}."
        end = rng.choice(("What remains is", "As a share this is", "The rest of the whole is", "The answer is"))
        text = f"{rng.choice(LEADS)} {work} {end} $\\boxed{{{rng.choice(forms)}}}$."
        rows.append(verl(Try(problem, step, attempt, say(text), float(right), float(right)), grader="math_verify"))
    return rows


@PART.healthy
def one_word_verdicts_coincide(rng: random.Random) -> list[Row]:
    """Claims are judged by one word, as the system prompt orders, so texts in a group coincide.

    Half a group is the same string, though sampling is alive: both words occur until the policy has learnt them.
    """
    animals = ("otters", "geese", "moths", "pikes", "goats", "newts", "owls", "hares")
    system = "Decide whether the conclusion follows. Reply with one word: true or false."
    forms = (
        ("All {a} are {b}. No {b} are {c}. Therefore no {a} are {c}.", "true"),
        ("Some {a} are {b}. Some {b} are {c}. Therefore some {a} are {c}.", "false"),
        ("All {a} are {b}. Some {c} are {a}. Therefore some {c} are {b}.", "true"),
        ("No {a} are {b}. All {c} are {b}. Therefore no {c} are {a}.", "true"),
        ("All {a} are {b}. All {c} are {b}. Therefore all {a} are {c}.", "false"),
        ("Some {a} are not {b}. All {c} are {b}. Therefore no {a} are {c}.", "false"),
    )
    problems = []
    for number in range(96):
        form, gold = forms[number % len(forms)]
        a, b, c = rng.sample(animals, 3)
        text = form.format(a=a, b=b, c=c) + f" (item {number + 301})"
        problems.append(Problem(f"claim-{number}", text, gold, rng.gauss(0, 0.5), system))
    policy = Policy(rng, 0.1, 1.6)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 15, 6, 8):
        right = policy.succeeds(problem, done)
        word = problem.gold if right else {"true": "false", "false": "true"}[problem.gold]
        shown = rng.choice((word, word, word, word.capitalize(), word + "."))
        tries.append(Try(problem, step, attempt, say(shown), float(right), None, {"accuracy_reward": float(right)}))
    return [trl(t, ground_truth=t.problem.gold) for t in credit(tries, grpo)]


def _automaton(rule: int, width: int, first: str, rows: int) -> list[str]:
    out = [first]
    for _ in range(rows):
        line = out[-1]
        cells = [4 * (line[i - 1] == "#") + 2 * (line[i] == "#") + (line[(i + 1) % width] == "#") for i in range(width)]
        out.append("".join("#" if rule >> c & 1 else "." for c in cells))
    return out


@PART.healthy
def automata_are_drawn_row_by_row(rng: random.Random) -> list[Row]:
    """The task is to draw a cellular automaton, so replies are rows of two signs that often repeat.

    To a detector of repetition they look degenerate; the drawing is the work, and is graded cell by cell.
    """
    problems = []
    for number in range(90):
        rule, width = rng.choice((4, 30, 54, 90, 110, 126, 150, 184, 204, 250)), rng.randint(13, 23)
        first = "".join("#" if rng.random() < 0.25 else "." for _ in range(width))
        lines = _automaton(rule, width, first, 9)
        text = (
            f"Draw nine more generations of the elementary automaton with rule {rule}, cells wrapping around. "
            f"Generation 0 is\n{first}\nSay in a sentence how you go about it, then give one generation a line."
        )
        problems.append(Problem(f"auto-{number}", text, "\n".join(lines[1:]), rng.gauss(0, 0.8), data={"rule": rule}))
    ways = (
        "Each new cell depends on its left neighbour, itself and its right one; rule {r} in binary is {b:08b}.",
        "I read the rule {r} as {b:08b}, from the pattern ### down to the pattern ... and apply it.",
        "With {b:08b} as the table of outcomes I go from left to right and wrap at the ends.",
    )
    policy = Policy(rng, -0.6, 1.2)
    rows = []
    for step, done, problem, attempt in course(rng, problems, 14, 5, 8):
        lines = problem.gold.splitlines()
        if not policy.succeeds(problem, done):
            at = rng.randrange(9)
            cell = rng.randrange(len(lines[0]))
            flip = "." if lines[at][cell] == "#" else "#"
            bent = lines[at][:cell] + flip + lines[at][cell + 1 :]
            rest = _automaton(problem.data["rule"], len(bent), bent, 8 - at)
            lines = lines[:at] + rest
        right = "\n".join(lines) == problem.gold
        way = rng.choice(ways).format(r=problem.data["rule"], b=problem.data["rule"])
        one = Try(problem, step, attempt, say(way + "\n" + "\n".join(lines)), float(right), float(right))
        rows.append(nemo(one, expected_answer=problem.gold, accuracy=float(right)))
    return rows


@PART.healthy
def brier_loss_never_reaches_zero(rng: random.Random) -> list[Row]:
    """Forecasts are paid by minus the squared error of a probability.

    All rewards are negative and none is full, and confident forecasts that fail are punished most, as they should be.
    """
    topics = (
        (
            "Will the river gauge at {p} pass {n} cm in {m}?",
            "The gauge has passed that mark in {k} of the last 10 years",
        ),
        ("Will more than {n} ships call at {p} in {m}?", "In {k} of 10 years that number was passed"),
        ("Will {p} have {n} hours of sun in {m}?", "{k} of the last 10 such months had as many"),
        ("Will the {p} line run with under {n} late trains in {m}?", "It stayed under that number {k} times in 10"),
    )
    places = ("Tarn", "Ostend", "Linz", "Porto", "Kaunas", "Bergen", "Split", "Graz", "Ghent")
    months = ("March", "May", "July", "October", "December")
    problems = []
    for number in range(120):
        ask, base = rng.choice(topics)
        k = rng.randint(1, 9)
        told = {"p": rng.choice(places), "n": rng.randint(40, 480), "m": rng.choice(months), "k": k}
        text = f"{ask.format(**told)} {base.format(**told)}. End with a line `p = ...`."
        happened = rng.random() < k / 10
        problems.append(Problem(f"fc-{number}", text, str(int(happened)), data={"k": k}))
    notes = (
        "The base rate is the best anchor I have.",
        "Ten years are few, so I pull a little towards even odds.",
        "Nothing in the question points to an unusual year.",
        "A recent trend could matter, yet none is given.",
        "I avoid the extremes, since a miss there is costly.",
    )
    tries = []
    for step, done, problem, attempt in course(rng, problems, 16, 7, 6):
        k = problem.data["k"]
        spread = 0.30 - 0.2 * done
        p = round(min(0.97, max(0.03, (k + 1) / 12 + rng.gauss(0.12 * (1 - done), spread))), 2)
        thought = " ".join(rng.sample(notes, rng.randint(2, 3)))
        text = f"{thought} It happened {k} times of ten, which suggests about {k / 10:.0%}.\np = {p}"
        loss = -((p - int(problem.gold)) ** 2)
        tries.append(Try(problem, step, attempt, say(text), round(loss, 4)))
        tries[-1].extra = {"forecast": p, "outcome": int(problem.gold), "scoring": "brier"}
    return [openai(t) for t in credit(tries, leave_one_out)]


@PART.healthy
def first_hours_of_an_adapter_solve_one_in_twenty(rng: random.Random) -> list[Row]:
    """The first steps of a LoRA run on hard puzzles, under a long warm-up: most groups hold no winner yet.

    Most advantages are zero and the reward is nearly flat; what is solved grows, and the puzzles are meant to be hard.
    """
    problems = []
    for number in range(140):
        a, b, c = (rng.randint(2, 13) for _ in range(3))
        text = (
            f"Three whole numbers from 2 to 13 have the sum {a + b + c}, the product {a * b * c} "
            f"and squares that add up to {a * a + b * b + c * c}. Give them in rising order, as x, y, z."
        )
        gold = ", ".join(map(str, sorted((a, b, c))))
        problems.append(Problem(f"trio-{number}", text, gold, rng.gauss(0, 0.5), data={"trio": (a, b, c)}))
    tactics = (
        "I factor the product and look for splits with the right sum.",
        "Squares grow fast, so the largest number is bounded.",
        "Trying the largest one first narrows it down.",
        "The parity of the sum rules out some cases.",
        "From sum and squares I get the sum of the pairwise products.",
    )
    policy = Policy(rng, -3.7, -2.3, spread=0.5)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 14, 10, 8):
        trio = sorted(problem.data["trio"])
        right = policy.succeeds(problem, done)
        while not right and sorted(trio) == sorted(problem.data["trio"]):
            i, j = rng.sample(range(3), 2)
            by = rng.choice((1, 1, 2))
            trio[i], trio[j] = trio[i] + by, trio[j] - by
        got = ", ".join(map(str, sorted(trio)))
        text = f"{' '.join(rng.sample(tactics, 3))} The sum fits: {'+'.join(map(str, trio))} = {sum(trio)}.\n{got}"
        one = Try(problem, step, attempt, say(text), float(right), None, {"accuracy_reward": float(right)})
        one.extra = {"learning_rate": round(2e-5 * step / 40, 9), "lora_rank": 32, "solution": problem.gold}
        tries.append(one)
    return [trl(t) for t in credit(tries, centred)]
