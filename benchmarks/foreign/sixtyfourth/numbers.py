"""Word problems of two steps of arithmetic, in English and German, with worked answers."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, said

NAMES = ["Ines", "Tarek", "Oksana", "Bheki", "Marit", "Yusuf", "Paloma", "Dov", "Leilani", "Anselm", "Ruta", "Kofi"]
STORIES = [
    ("{n} bakes {a} trays of {b} rolls and sells {c} of them before noon. How many rolls are left?", "-"),
    ("A kiln of {n} fires {a} batches of {b} tiles, and {c} older tiles are in store. How many are there?", "+"),
    ("{n} stacks {a} crates with {b} jars each; {c} jars break on the way. How many jars arrive whole?", "-"),
    ("A choir led by {n} has {a} rows of {b} singers and {c} guests join. How many people sing?", "+"),
    ("{n} prints {a} booklets of {b} pages and a cover letter of {c} pages. How many pages is that?", "+"),
    ("A reservoir gains {b} litres a minute for {a} minutes, then {n} drains {c} litres. What is its net gain?", "-"),
    ("{n} walks {b} steps on each of {a} days, less {c} steps that the meter counted twice. How many steps?", "-"),
]
GERMAN = [
    ("{n} kauft {a} Säcke Saatgut zu je {b} Euro und zahlt {c} Euro Fracht. Wie viel kostet das zusammen?", "+"),
    ("Ein Verein von {n} nimmt an {a} Abenden je {b} Euro ein und gibt {c} Euro aus. Was bleibt?", "-"),
]
OPEN = [
    "Let me set the quantities out first.",
    "There are two things to work out here.",
    "First I look at what is counted.",
    "I start with the groups of equal size.",
    "The question asks for one total, so I go in order.",
    "Okay, what do we know?",
]
FIRST = [
    "{a} times {b} makes {r}.",
    "With {a} lots of {b} I get {r}.",
    "Multiplying, {b} x {a} = {r}.",
    "The product of {a} and {b} is {r}.",
]
SECOND = {
    "-": ["Taking {c} away leaves {s}.", "From that I subtract {c}: {r} - {c} = {s}.", "Less {c}, it is {s}."],
    "+": ["Adding {c} gives {s}.", "Then {c} more come to it: {r} + {c} = {s}.", "With the further {c} it is {s}."],
}
CHECK = [
    "The size looks reasonable for {n}.",
    "I see nothing else in the text that would change the count.",
    "Going back over the wording, no other amount is mentioned.",
    "Rounded, {a} by {b} is in the same range.",
    "",
]


def _slip(rng: random.Random, a: int, b: int) -> int:
    return a * b + rng.choice([-b, b, 10, -10, a, -a, 2, -2])


def reasoning(rng: random.Random, facts: dict[str, object], right: bool) -> tuple[str, int]:
    """Worked steps and the result that they reach."""
    a, b, c, op = int(str(facts["a"])), int(str(facts["b"])), int(str(facts["c"])), str(facts["op"])
    first = a * b if right else _slip(rng, a, b)
    last = first - c if op == "-" else first + c
    parts = [rng.choice(OPEN), rng.choice(FIRST), rng.choice(SECOND[op]), rng.choice(CHECK)]
    return " ".join(p.format(a=a, b=b, c=c, r=first, s=last, n=facts["n"]) for p in parts if p), last


def word_problem(rng: random.Random, number: int, big: int = 60) -> Problem:
    """One problem; `big` bounds its factors and makes it hard."""
    facts: dict[str, object] = {"n": rng.choice(NAMES), "a": rng.randint(6, big), "b": rng.randint(12, big + 30)}
    facts["c"] = rng.randint(11, 66)
    story = rng.randrange(len(STORIES))
    text, facts["op"] = STORIES[story]
    product = int(str(facts["a"])) * int(str(facts["b"]))
    gold = product + int(str(facts["c"])) * (1 if facts["op"] == "+" else -1)

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        body, last = reasoning(rng, facts, right)
        return [said(f"{body} {rng.choice(['So the answer is', 'This gives', 'Hence we have'])} \\boxed{{{last}}}.")], (
            str(last)
        )

    prompt = text.format(**facts) + " Put the final number in \\boxed{}."
    return Problem(
        f"word-{number}", prompt, str(gold), write, f"story{story}", rng.gauss(0, 0.7) + (big - 60) / 60, facts
    )


def word_problems(rng: random.Random, how_many: int, big: int = 60) -> list[Problem]:
    """Problems of which no two have the same prompt."""
    out: dict[str, Problem] = {}
    while len(out) < how_many:
        problem = word_problem(rng, len(out), big)
        out.setdefault(problem.prompt, problem)
    return list(out.values())


def german_problem(rng: random.Random, number: int) -> Problem:
    """A problem about euros and cents; answers come with a comma or a point, as the policy likes."""
    a, b, n = rng.randint(3, 40), rng.randint(200, 9000), rng.choice(NAMES)
    c = rng.randint(100, min(9000, a * b - 50))
    text, op = rng.choice(GERMAN)
    cents = a * b + (c if op == "+" else -c)

    def euro(value: int, sign: str) -> str:
        return f"{value // 100}{sign}{value % 100:02d}" if value >= 0 else f"-{euro(-value, sign)}"

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        first = a * b if right else a * b + rng.choice([-b, b, 100, -100, 10])
        last = first + c if op == "+" else first - c
        sign = "," if rng.random() < 0.6 else "."
        opener = rng.choice(["Zuerst rechne ich das Produkt aus.", "Ich gehe der Reihe nach vor.", "Zwei Schritte:"])
        then = "Dazu kommen" if op == "+" else "Davon gehen ab"
        body = f"{opener} {a} mal {euro(b, sign)} sind {euro(first, sign)} Euro. {then} {euro(c, sign)} Euro."
        tail = rng.choice(["Damit ist alles berücksichtigt.", "Weitere Beträge nennt der Text nicht.", ""])
        return [said(f"{body} {tail} Antwort: {euro(last, sign)}")], euro(last, sign)

    prompt = text.format(n=n, a=a, b=euro(b, ","), c=euro(c, ",")) + " Schließe mit 'Antwort:' und dem Betrag."
    return Problem(f"euro-{number}", prompt, euro(cents, "."), write, "euro", rng.gauss(0, 0.5))
