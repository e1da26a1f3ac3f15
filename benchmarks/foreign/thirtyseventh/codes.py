"""Tasks whose answer is a program, a query or a record: drawn statements, with right and wrong answers to them."""

import json
from random import Random

from benchmarks.foreign.thirtyseventh.attempts import Item

WHAT = {
    "sum": ("the sum of the numbers", "sum(numbers)", "sum(numbers[1:])"),
    "range": ("the largest minus the smallest number", "max(numbers) - min(numbers)", "max(numbers) - numbers[0]"),
    "evens": ("how many numbers are even", "sum(n % 2 == 0 for n in numbers)", "sum(n % 2 for n in numbers)"),
    "last": ("the last number times the count", "numbers[-1] * len(numbers)", "numbers[-1] * (len(numbers) - 1)"),
    "mean": ("the mean rounded down", "sum(numbers) // len(numbers)", "round(sum(numbers) / len(numbers))"),
}
RESULTS = {
    "sum": sum,
    "range": lambda line: max(line) - min(line),
    "evens": lambda line: sum(n % 2 == 0 for n in line),
    "last": lambda line: line[-1] * len(line),
    "mean": lambda line: sum(line) // len(line),
}
SLIPS = {
    "sum": lambda line: sum(line[1:]),
    "range": lambda line: max(line) - line[0],
    "evens": lambda line: sum(n % 2 for n in line),
    "last": lambda line: line[-1] * (len(line) - 1),
    "mean": lambda line: round(sum(line) / len(line)),
}
WORDS = ("INVALID", "BAD LINE", "ERROR", "unreadable", "?", "none")


def line_program(rng: Random, number: int) -> Item:
    """A line of numbers is read, and a word printed where it cannot be."""
    kind, word = rng.choice(list(WHAT)), rng.choice(WORDS)
    what, good, bad = WHAT[kind]
    sign, name = rng.choice((("a comma", ","), ("a semicolon", ";"), ("a slash", "/"))), rng.choice("abcdefgh")
    prompt = (
        f"Task {number + 1}{name}. One line holds integers separated by {sign[0]}. Print {what}. If any part of it "
        f'is no integer, or the line is empty, print "{word}" instead. Write a Python program.'
    )
    lines = [[1]]
    while sum(RESULTS[kind](line) != SLIPS[kind](line) for line in lines) < 2:
        lines = [[rng.randint(1, 60) for _ in range(rng.randint(3, 6))] for _ in range(3)]
    tests = {
        "inputs": [*(sign[1].join(map(str, line)) for line in lines), f"4{sign[1]}x", ""],
        "outputs": [*(str(RESULTS[kind](line)) for line in lines), word, word],
    }

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        var = rng.choice(("numbers", "values", "parts", "xs"))
        careless = not right and rng.random() < 0.4
        body = (good if right or careless else bad).replace("numbers", var)
        read = f'{var} = [int(part) for part in input().split("{sign[1]}")]'
        if careless:
            code = f"{read}\nprint({body})"
            lead = "The line is split and the numbers are put together."
        elif rng.random() < 0.5:
            code = f'try:\n    {read}\n    print({body})\nexcept ValueError:\n    print("{word}")'
            lead = rng.choice(
                ("int() complains of anything else, and that is caught.", "A bad part raises ValueError.")
            )
        else:
            code = (
                f'def main():\n    try:\n        {read}\n    except ValueError:\n        return "{word}"\n'
                f"    return {body}\n\n\nprint(main())"
            )
            lead = rng.choice(("Reading may fail, so it stands in a try.", "I separate reading from computing."))
        ending = rng.choice(("", f"\nThat prints {what}.", "\nAn empty line fails in int() as well."))
        return f"{lead}\n```python\n{code}\n```{'' if careless else ending}", ""

    return Item(f"lines-{number:04d}", prompt, json.dumps(tests), reply, kind, rng.random())


def table_program(rng: Random, number: int) -> Item:
    """A word's worth by a table that the statement gives."""
    letters = rng.sample("abcdefghijklmnoprstuvw", 6)
    table = {letter: rng.randint(1, 12) for letter in letters}
    rest = rng.choice((0, 1, 2))
    rows = ", ".join(f"{letter} = {value}" for letter, value in table.items())
    how = rng.choice(("added", "multiplied"))
    prompt = (
        f"In village {number + 1} letters are worth: {rows}; any other letter is worth {rest}. The worths of a "
        f"word's letters, large or small, are {how}. Write `worth(word)` in Python."
    )

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        name = rng.choice(("TABLE", "WORTH", "POINTS", "VALUES"))
        shown, default, lower = dict(table), rest, ".lower()"
        if not right:
            slip = rng.choice(("case", "rest", "value"))
            lower = "" if slip == "case" else lower
            default = rest + 1 if slip == "rest" else rest
            if slip == "value":
                shown[rng.choice(letters)] += 1
        entries = ", ".join(f'"{letter}": {value}' for letter, value in shown.items())
        if how == "added":
            body = f"    return sum({name}.get(letter, {default}) for letter in word{lower})"
        else:
            body = (
                f"    product = 1\n    for letter in word{lower}:\n        product *= {name}.get(letter, {default})\n"
                "    return product"
            )
        lead = rng.choice(
            ("The table goes into a dictionary.", "I write the table down as it is.", "A lookup does it.")
        )
        return f"{lead}\n```python\n{name} = {{{entries}}}\n\n\ndef worth(word):\n{body}\n```", ""

    return Item(f"worth-{number:04d}", prompt, json.dumps(table), reply, how, rng.random())


TABLES = {
    "members": ("city", "fee", ("Turku", "Graz", "Leiden", "Porto", "Bergen", "Gdansk")),
    "boats": ("harbour", "length", ("Kiel", "Brest", "Split", "Cork", "Visby", "Bari")),
    "plants": ("bed", "height", ("north", "pond", "wall", "slope", "gate", "shade")),
    "loans": ("branch", "days", ("centre", "east", "port", "mill", "park", "hill")),
}


def query(rng: Random, number: int) -> Item:
    """A question to a table: the key is one query, and replies write others that fetch the same rows."""
    table = rng.choice(list(TABLES))
    where, amount, places = TABLES[table]
    place, least = rng.choice(places), rng.randint(10, 90)
    prompt = (
        f"Table {table}(id, name, {where}, {amount}). List the names, each once, with {where} {place} and {amount} "
        f"of at least {least}."
    )
    gold = f"SELECT DISTINCT name FROM {table} WHERE {where} = '{place}' AND {amount} >= {least}"
    short = table[0]
    same = (
        f"SELECT name FROM {table} WHERE {where} = '{place}' AND {amount} >= {least} GROUP BY name",
        f"SELECT DISTINCT {short}.name FROM {table} AS {short} WHERE {short}.{amount} > {least - 1} "
        f"AND {short}.{where} IN ('{place}')",
        f"SELECT name FROM {table} WHERE {where} = '{place}' INTERSECT SELECT name FROM {table} WHERE id IN "
        f"(SELECT id FROM {table} WHERE {amount} >= {least} AND {where} = '{place}')",
        f"WITH here AS (SELECT name, {amount} FROM {table} WHERE {where} = '{place}')\n"
        f"SELECT DISTINCT name FROM here WHERE NOT {amount} < {least}",
    )
    other = (
        f"SELECT DISTINCT name FROM {table} WHERE {where} = '{place}' AND {amount} > {least}",
        f"SELECT name FROM {table} WHERE {where} = '{place}' AND {amount} >= {least}",
        f"SELECT DISTINCT name FROM {table} WHERE {where} = '{place}' OR {amount} >= {least}",
        f"SELECT DISTINCT name FROM {table} WHERE {amount} >= {least}",
    )

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        sql = rng.choice(same if right else other)
        lead = rng.choice(
            (
                f"I filter {table} by {where} and then by {amount}.",
                f"Each name once, so doubles in {table} must go.",
                f"Only rows of {place} count, and {least} is the bound for {amount}.",
            )
        )
        return f"{lead}\n```sql\n{sql};\n```", sql

    return Item(f"sql-{number:04d}", prompt, gold, reply, table, rng.random())
