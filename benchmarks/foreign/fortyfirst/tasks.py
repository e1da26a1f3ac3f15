"""Tasks of one turn with their texts."""

import random
from math import comb

from benchmarks.foreign.fortyfirst.policy import Message, Problem, says
from benchmarks.foreign.fortyfirst.words import NAMES, closing, opening, slip, so


def tanks(rng: random.Random, i: int, pipes: int = 2, hard: float | None = None) -> Problem:
    """A tank with several pipes: how much is in it after some hours."""
    rates = [rng.randint(7, 68) for _ in range(pipes)]
    hours, drain, held = rng.randint(3, 14), rng.randint(2, 6), rng.randint(20, 190)
    gold = held + hours * (sum(rates) - drain)
    listed = ", ".join(str(r) for r in rates)
    prompt = (
        f"A tank holds {held} litres. {pipes} pipes fill it at {listed} litres an hour, and a leak loses {drain} litres"
        f" an hour. How many litres does it hold after {hours} hours? Put the number in \\boxed{{}}."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        total, net = sum(rates), sum(rates) - drain
        gain = net * hours if right else slip(rng, net * hours)
        steps = [opening(rng), f"The pipes together bring {total} litres an hour."]
        if rng.random() < 0.6:
            steps.append(f"Adding them one by one: {' + '.join(map(str, rates))} = {total}.")
        steps.append(f"{so(rng)} the net rate is {total} - {drain} = {net}.")
        steps.append(f"Over {hours} hours that is {net} * {hours} = {gain}, and {held} + {gain} = {held + gain}.")
        return says(" ".join(steps) + f" {closing(rng)}\\boxed{{{held + gain}}}")

    return Problem(f"tank-{i}", prompt, str(gold), rng.gauss(0, 0.7) if hard is None else hard, write)


def committees(rng: random.Random, i: int) -> Problem:
    """Committees of two departments."""
    a, b = rng.randint(5, 13), rng.randint(4, 11)
    p, q = rng.randint(2, 4), rng.randint(1, 3)
    gold = comb(a, p) * comb(b, q)
    who = rng.choice(("hospital", "theatre", "harbour office", "school", "newspaper", "lab"))
    prompt = (
        f"A {who} has {a} seniors and {b} juniors. In how many ways can it pick a committee of {p} seniors and {q}"
        " juniors? Answer with \\boxed{}."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        first, second = comb(a, p), comb(b, q)
        if right:
            end, text = gold, f"{so(rng)} the product rule gives {first} * {second} = {gold}."
        elif rng.random() < 0.5 and first + second != gold:
            end, text = first + second, f"Adding both counts gives {first} + {second} = {first + second}."
        else:
            end = slip(rng, gold)
            text = f"{so(rng)} the product is {first} * {second} = {end}."
        body = f"Seniors can be picked in C({a},{p}) = {first} ways and juniors in C({b},{q}) = {second} ways."
        return says(f"{opening(rng)} {body} {text} {closing(rng)}\\boxed{{{end}}}")

    return Problem(f"committee-{i}", prompt, str(gold), rng.gauss(0, 0.8), write)


def chances(rng: random.Random, i: int) -> Problem:
    """Drawing from an urn: a fraction that may be written as a decimal."""
    red, total = rng.choice(((1, 4), (3, 8), (2, 5), (7, 20), (9, 25), (3, 16), (11, 40), (13, 50), (5, 8), (17, 80)))
    times = rng.randint(3, 40)
    what = rng.choice(("red", "striped", "cracked", "numbered", "glass"))
    prompt = (
        f"A box has {total * times} marbles, {red * times} of them {what}. What is the chance that a marble drawn"
        " blindly is one of those? End with 'Answer:'."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        n, d = (red, total) if right else (red, total - red)
        form = rng.choice((f"{n}/{d}", f"{n / d:.6g}", f"{n * times}/{d * times}", f"{100 * n / d:.6g}%"))
        why = f"There are {n * times} {what} ones against {d * times}" + (" in all." if right else " others.")
        return says(f"{opening(rng)} {why} {so(rng)} the chance is their ratio. {closing(rng)}\nAnswer: {form}")

    return Problem(f"urn-{i}", prompt, f"{red}/{total}", rng.gauss(0, 0.7), write)


def knights(rng: random.Random, i: int) -> Problem:
    """Whether a statement about a row of houses is true: yes or no, and nothing more."""
    who = rng.sample(NAMES, 4)
    order = rng.sample(who, 4)
    x, y = rng.sample(who, 2)
    gold = "yes" if order.index(x) < order.index(y) else "no"
    facts = [f"{a} lives directly left of {b}." for a, b in zip(order, order[1:], strict=False)]
    rng.shuffle(facts)
    prompt = f"{' '.join(facts)} Does {x} live somewhere to the left of {y}? Reply with yes or no alone."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        return says(gold if right else "no" if gold == "yes" else "yes")

    return Problem(f"row-{i}", prompt, gold, rng.gauss(0, 0.9), write)


def queries(rng: random.Random, i: int) -> Problem:
    """SQL over a small shop: short answers of few shapes."""
    table = rng.choice(("orders", "returns", "visits", "repairs", "bookings", "parcels"))
    key = rng.choice(("city", "branch", "clerk", "month", "channel"))
    floor, word = rng.randint(2, 90), rng.choice(("cost", "weight", "minutes", "items"))
    prompt = (
        f"Table {table}(id, {key}, {word}). Write one SQL query: for each {key} the number of {table} with {word} of"
        f" more than {floor}, most first."
    )
    gold = f"SELECT {key}, COUNT(*) AS n FROM {table} WHERE {word} > {floor} GROUP BY {key} ORDER BY n DESC"

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        wrong = (gold.replace(" DESC", ""), gold.replace(">", ">="), gold.replace("COUNT(*)", f"SUM({word})"))
        query = gold if right else rng.choice(wrong)
        if rng.random() < 0.4:
            query = query.replace(" AS n", " AS total").replace("BY n", "BY total")
        return says(f"```sql\n{query};\n```")

    return Problem(f"sql-{i}", prompt, gold + ";", rng.gauss(0, 0.6), write)
