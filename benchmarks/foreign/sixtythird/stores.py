"""Tools: questions about stocks that a lookup answers."""

import random

from benchmarks.foreign.sixtythird.attempts import Message, Task
from benchmarks.foreign.sixtythird.repositories import call

GOODS = (
    "copper wire",
    "hinges",
    "oak boards",
    "lamp oil",
    "rivets",
    "canvas",
    "gaskets",
    "roof tiles",
    "twine",
    "valves",
)
MONTHS = ("January", "March", "April", "June", "August", "September", "November")
PLACES = ("Arden", "Brill", "Corby", "Dunmow", "Ely", "Frome", "Goole", "Hythe")


def stores(rng: random.Random, n: int, hard: float = 0.3, start: int = 0, rows: int = 4) -> list[Task]:
    """Questions about stocks, numbered from `start`; the wanted depot is anywhere in the table."""
    out: list[Task] = []
    for i in range(n):
        good, places = rng.choice(GOODS), rng.sample(PLACES, rows)
        table = [(p, rng.randint(12, 480), rng.randint(2, 39)) for p in places]
        at = rng.randrange(rows)
        place, units, price = table[at]
        day = f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(2021, 2025)}"
        prompt = (
            f"What was the stock of {good} at depot {place} worth on {day}, in euros? "
            "Use the tool, and end with 'Answer: N'."
        )
        facts = {"good": good, "place": place, "units": units, "price": price, "table": table, "at": at, "day": day}
        other = table[(at + 1) % rows]
        wrongs = tuple(str(w) for w in (units + price, other[1] * price) if w != units * price)
        name = f"tool-stock-{start + i}"
        out.append(Task(name, "tool", prompt, str(units * price), hard + rng.gauss(0, 0.5), (), (), wrongs, facts))
    return out


def table_text(task: Task) -> str:
    """The answer of the tool."""
    lines = [
        f"{p} | {task.facts['good']} | units {u} | price {e} | counted by the depot's own staff"
        for p, u, e in task.facts["table"]
    ]
    return "\n".join(lines)


def ask(task: Task, rng: random.Random, answer: str, ok: bool = True) -> list[Message]:
    """Look the good up."""
    good = task.facts["good"]
    place, day = task.facts["place"], task.facts["day"]
    plan = (
        f"I look up {good} over all depots.",
        f"The register should list {good}.",
        f"First fetch the rows for {good}.",
        f"The question is about {place}, so I ask the register for {good} on {day}.",
        f"I need units and price of {good} at {place}; the tool has both.",
        f"Let me see what was counted on {day}.",
        f"Without the count of {day} I cannot say anything, so I call the lookup.",
    )
    return call(rng.choice(plan), "stock_lookup", {"item": good, "date": task.facts["day"]}, answer, ok)


def conclude(task: Task, ok: bool, rng: random.Random) -> tuple[list[Message], str]:
    """Compute and answer."""
    f = task.facts
    good, place, units, price = f["good"], f["place"], f["units"], f["price"]
    seen = rng.choice(
        (
            f"The row of {place} is the one that counts.",
            f"Among the depots listed, I need {place}.",
            f"The other depots do not matter for {good} at {place}.",
            f"Here is the count of {f['day']}.",
            "",
        )
    )
    if ok:
        answer = task.gold
        ways = (
            f"{place} holds {units} units at {price} euros, which makes {units} * {price} = {answer}.",
            f"{units} units times {price} euros is {answer}.",
            f"At {price} euros each, the {units} units of {good} are worth {answer} euros.",
            f"Units: {units}. Price: {price}. Product: {answer}.",
        )
    else:
        answer = rng.choice(task.wrong_answers)
        ways = (
            f"Taking the figures for {good} at {place} together gives {answer}.",
            f"From the table I get {answer} euros.",
            f"Going down the columns, units and price come to {answer}.",
            f"So the {good} there are worth {answer} euros.",
        )
    text = f"{seen} {rng.choice(ways)}".strip()
    return [{"role": "assistant", "content": f"{text} Answer: {answer}"}], answer


def speak_store(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """Look up, compute, answer."""
    end, answer = conclude(task, ok, rng)
    return ask(task, rng, table_text(task)) + end, answer
