"""A shop counter's records: orders that a query tool reads and a write tool adds to."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, called, said, told

GOODS = [
    "lanterns",
    "kettles",
    "blankets",
    "compasses",
    "ropes",
    "buckets",
    "hinges",
    "brushes",
    "candles",
    "awnings",
    "ladles",
    "saddles",
]
TOWNS = ["Arden", "Bosk", "Cawl", "Drift", "Elver", "Fenn", "Gorse", "Holm", "Inver", "Jarl", "Keld", "Lathe"]
THINK = [
    "I have to record the order before I count.",
    "First the new order goes in, then the count.",
    "Two steps: enter the order, then ask for the total.",
]
DONE = ["The order is recorded.", "All is entered as asked.", "The table holds the new order."]


def counter_task(rng: random.Random, number: int) -> Problem:
    """Add an order of some pieces, and say how many pieces are on order for that town then."""
    good, town = GOODS[number % 12], TOWNS[number // 12 % 12]
    before, more = rng.randint(20, 400), rng.randint(3, 60)

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        return transcript(rng, good, town, before, more, right)

    prompt = f"Enter an order of {more} {good} for {town}. Then tell how many {good} are on order for {town} in all."
    facts: dict[str, object] = {"good": good, "town": town, "before": before, "more": more}
    return Problem(f"order-{good}-{town}", prompt, str(before + more), write, good, rng.gauss(0, 0.6), facts)


def transcript(
    rng: random.Random, good: str, town: str, before: int, more: int, right: bool
) -> tuple[list[Message], str]:
    """A right attempt enters and then counts; a wrong one counts before it enters."""
    where = f"good = '{good}' AND town = '{town}'"
    ask = f"SELECT SUM(pieces) FROM orders WHERE {where}"
    add = f"INSERT INTO orders (good, town, pieces) VALUES ('{good}', '{town}', {more})"
    shown = before + more if right else before
    entered = [called(rng.choice(THINK), "sql", statement=add), told("sql", "1 row inserted")]
    counted = [called(f"How many {good} stand there for {town}?", "sql", statement=ask), told("sql", f"sum\n{shown}")]
    turns: list[Message] = [*entered, *counted] if right else [*counted, *entered]
    return [*turns, said(f"{rng.choice(DONE)} On order for {town}: {shown} {good}.")], str(shown)


def counter_tasks(rng: random.Random, how_many: int) -> list[Problem]:
    """Tasks in mixed order, at most 144."""
    numbers = rng.sample(range(144), how_many)
    return [counter_task(rng, number) for number in numbers]
