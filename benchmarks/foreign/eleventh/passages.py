"""Short texts with a question that they answer, or leave open."""

from random import Random

from benchmarks.foreign.eleventh.lookup import aside, place
from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say

FACTS = [
    ("The mill of {p} grinds {n} sacks a day", "How many sacks does the mill of {p} grind in {k} days?", "sacks"),
    (
        "The ferry to {p} carries {n} cars at a time",
        "How many cars can the ferry to {p} carry in {k} crossings?",
        "cars",
    ),
    (
        "A ticket to the baths of {p} costs {n} crowns",
        "What do {k} tickets to the baths of {p} cost in crowns?",
        "crowns",
    ),
    (
        "The choir of {p} has {n} singers in each voice",
        "How many singers does the choir of {p} have in {k} voices?",
        "singers",
    ),
    ("Each lamp in {p} burns {n} litres of oil a year", "How many litres do {k} lamps in {p} burn a year?", "litres"),
]
CITES = ["The text says", "We read", "It is written", "One sentence matters", "From the text", "Relevant"]
TAILS = ["", "The rest of the text is beside the point.", "Nothing else is needed.", "The years do not matter here."]
UNTOLD = [
    "The text gives no number for it.",
    "The amount is never told.",
    "No figure is given.",
    "The text is vague there.",
]
OPEN = "cannot be determined"


def make(rng: Random, name: str, open_share: float = 0.0) -> Task:
    """A text and a question; in open ones the needed number is not told."""
    told_fact, question, unit = rng.choice(FACTS)
    where, n, k = place(rng), rng.randint(11, 94), rng.randint(3, 19)
    is_open = rng.random() < open_share
    fact = told_fact.format(p=where, n=n) + "."
    if is_open:
        fact = fact.replace(f"{n} ", rng.choice(["a steady number of ", "the usual count of ", "many "]))
    text = [aside(rng) for _ in range(3)]
    text.insert(rng.randrange(4), fact)
    ask = " If the text does not tell, say that it cannot be determined." if open_share else ""
    prompt = f"Read the text.\n\n{' '.join(text)}\n\n{question.format(p=where, k=k)}{ask} End with: Answer: ..."
    facts = {"n": n, "k": k, "unit": unit, "open": is_open, "fact": fact}
    family = "open" if is_open else "told"
    return Task(name, prompt, OPEN if is_open else str(n * k), family, facts=facts)


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """The fact is cited, and the product given."""
    f = task.facts
    guess = f["k"] * rng.randint(11, 94)
    if f["open"]:
        answer = OPEN if right else str(guess)
        why = rng.choice(UNTOLD) if right else f"I assume about {guess // f['k']} {f['unit']} each."
    else:
        n = f["n"] if right else f["n"] + rng.choice([-10, -1, 1, 9, 10])
        answer = str(n * f["k"]) if right or rng.random() < 0.8 else OPEN
        cited = f"{rng.choice(CITES)}: “{f['fact']}”"
        why = f"{cited} {n} times {f['k']} is {n * f['k']}."
    return Reply([say(f"{why} {rng.choice(TAILS)}\nAnswer: {answer}")], answer)


PASSAGES = Domain(make, solve)
UNANSWERABLE = Domain(lambda rng, name: make(rng, name, 0.4), solve)
