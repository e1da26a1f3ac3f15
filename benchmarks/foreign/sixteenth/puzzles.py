"""Puzzles: numbers to reach, knights and knaves, questions with four options."""

from itertools import product
from random import Random

from benchmarks.foreign.sixteenth.attempts import Task, World, Written, say

ELEMENTS = [
    "hydrogen",
    "helium",
    "lithium",
    "beryllium",
    "boron",
    "carbon",
    "nitrogen",
    "oxygen",
    "fluorine",
    "neon",
    "sodium",
    "magnesium",
    "aluminium",
    "silicon",
    "phosphorus",
    "sulfur",
    "chlorine",
    "argon",
    "potassium",
    "calcium",
    "scandium",
    "titanium",
    "vanadium",
    "chromium",
    "manganese",
    "iron",
    "cobalt",
    "nickel",
    "copper",
    "zinc",
    "gallium",
    "germanium",
    "arsenic",
    "selenium",
    "bromine",
    "krypton",
    "rubidium",
    "strontium",
    "yttrium",
    "zirconium",
]
NAMES = [
    "Ana",
    "Bert",
    "Cleo",
    "Dina",
    "Egon",
    "Faye",
    "Gus",
    "Hana",
    "Ivo",
    "Judy",
    "Kai",
    "Lena",
    "Milo",
    "Nora",
    "Otis",
    "Petra",
]


def _numbers(rng: Random) -> Task:
    parts = rng.sample(range(2, 60), 4)
    a, b, c, d = parts
    text, value = rng.choice(((f"{a} * {b} + {c} - {d}", a * b + c - d), (f"({a} + {b}) * {c} - {d}", (a + b) * c - d)))
    shown = rng.sample(parts, 4)
    prompt = f"Use each of the numbers {shown} exactly once with + - * / and brackets to reach {value}."
    system = "Think inside <think> tags, then write the expression inside <answer> tags."
    return Task(prompt, str(value), f"four_numbers_{'sum' if '(' in text else 'product'}", 0.2, system, {"made": text})


def _reach(rng: Random, task: Task, right: bool) -> Written:
    made = task.secret["made"]
    numbers = made.replace("(", "").replace(")", "").split()[::2]
    guess = " ".join(
        w for pair in zip(rng.sample(numbers, 4), [*rng.choices("+-*", k=3), ""], strict=True) for w in pair
    )
    answer = made if right else guess.strip()
    tries = []
    for _ in range(rng.randint(1, 5)):
        x, y = rng.sample(numbers, 2)
        sign, value = rng.choice((("+", int(x) + int(y)), ("*", int(x) * int(y)), ("-", int(x) - int(y))))
        comment = rng.choice(("too far", "not enough", "could work", "off by a bit", "no use for the rest", "close"))
        tries.append(f"{x} {sign} {y} = {value}, {comment}.")
    lead = rng.choice(("I need", "Target", "The goal is", "Let me aim for"))
    think = (
        f"{lead} {task.gold}. " + " ".join(tries) + rng.choice((" Got it.", " That should do.", " Let me write it."))
    )
    return [say(f"<think>{think}</think>\n<answer>{answer}</answer>")], answer


def _statement(rng: Random, speaker: int, people: list[str]) -> tuple[str, tuple]:
    other = rng.choice([place for place in range(3) if place != speaker])
    third = 3 - speaker - other
    a, b = people[other], people[third]
    return rng.choice(
        (
            (f"{a} is a knight", (speaker, "is", other, third)),
            (f"{a} is a knave", (speaker, "not", other, third)),
            (f"{a} and {b} are of the same kind", (speaker, "same", other, third)),
            (f"exactly one of {a} and {b} is a knight", (speaker, "one", other, third)),
        )
    )


def _holds(kinds: tuple[bool, ...], claim: tuple) -> bool:
    speaker, what, a, b = claim
    truth = {"is": kinds[a], "not": not kinds[a], "same": kinds[a] == kinds[b], "one": kinds[a] != kinds[b]}[what]
    return truth == kinds[speaker]


def _knights(rng: Random) -> Task:
    while True:
        people = rng.sample(NAMES, 3)
        said = [_statement(rng, place, people) for place in range(3)]
        fits = [k for k in product((True, False), repeat=3) if all(_holds(k, claim) for _, claim in said)]
        if len(fits) == 1:
            break
    text = " ".join(f'{name} says: "{line}."' for name, (line, _) in zip(people, said, strict=True))
    prompt = f"Knights always tell the truth and knaves always lie. {text} Who is what?"
    gold = ", ".join(f"{name}: {'knight' if k else 'knave'}" for name, k in zip(people, fits[0], strict=True))
    return Task(prompt, gold, f"{sum(fits[0])}_knights", 0.1, "Answer in the form 'Ana: knight, Bert: knave'.")


def _judge_people(rng: Random, task: Task, right: bool) -> Written:
    pairs = [part.split(": ") for part in task.gold.split(", ")]
    flips = [False] * 3 if right else rng.choice([f for f in product((True, False), repeat=3) if any(f)])
    swap = {"knight": "knave", "knave": "knight"}
    done = [(name, swap[kind] if flip else kind) for (name, kind), flip in zip(pairs, flips, strict=True)]
    lines = []
    for name, kind in rng.sample(done, rng.randint(2, 3)):
        ending = rng.choice(("the others contradict", "all three lines fit", "it stays consistent", "no clash appears"))
        lines.append(f"{rng.choice(('Suppose', 'Assume', 'Say', 'Try:'))} {name} is a {kind}; then {ending}.")
    answer = ", ".join(f"{name}: {kind}" for name, kind in done)
    close = rng.choice(("So", "Answer:", "Therefore", "I conclude:"))
    return [say(" ".join(lines) + f"\n{close} {answer}")], answer


def _options(rng: Random) -> Task:
    picked = rng.sample(range(len(ELEMENTS)), 4)
    gold = rng.randrange(4)
    number = picked[gold] + 1
    ask = rng.choice(
        (
            f"Which element has the atomic number {number}?",
            f"An atom with {number} protons is one of",
            f"A neutral atom with {number} electrons belongs to which element?",
        )
    )
    lines = "\n".join(f"{letter}) {ELEMENTS[place]}" for letter, place in zip("ABCD", picked, strict=True))
    return Task(f"{ask}\n{lines}", "ABCD"[gold], "elements", -0.3, "Reply with the letter alone.")


def _letter(rng: Random, task: Task, right: bool) -> Written:
    answer = task.gold if right else rng.choice([letter for letter in "ABCD" if letter != task.gold])
    return [say(rng.choice((answer, answer, answer, f"{answer})", f"{answer}.")))], answer


COUNTDOWN = World("cd-", _numbers, _reach)
KNIGHTS = World("kk-", _knights, _judge_people)
OPTIONS = World("mc-", _options, _letter)
