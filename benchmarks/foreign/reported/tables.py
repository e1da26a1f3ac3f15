"""Questions to small databases. Queries are run by SQLite, so results are real."""

import sqlite3

from benchmarks.foreign.reported.run import Draw, Task

_TOWNS = ("Aveiro", "Bergen", "Cluj", "Delft", "Evora", "Fulda", "Gdynia", "Hull")
_FORMS = {
    "clinic": (
        "visits",
        "id INTEGER, ward TEXT, town TEXT, minutes INTEGER, cost INTEGER",
        ("surgery", "ortho", "eye", "ent"),
    ),
    "library": (
        "loans",
        "id INTEGER, shelf TEXT, town TEXT, days INTEGER, fine INTEGER",
        ("maps", "opera", "law", "crime"),
    ),
    "depot": (
        "parcels",
        "id INTEGER, class TEXT, town TEXT, grams INTEGER, stamps INTEGER",
        ("bulky", "frozen", "post", "fragile"),
    ),
}


def _columns(schema: str) -> list[str]:
    return [part.split()[0] for part in schema.split(", ")]


def draw(rng: Draw, name: str, rows: int = 30) -> Task:
    """Draw a database with a question and its query."""
    table, schema, kinds = _FORMS[rng.choice(tuple(_FORMS))]
    _, kind, _, size, pay = _columns(schema)
    data = [
        (i + 1, rng.choice(kinds), rng.choice(_TOWNS), rng.randint(3, 90), rng.randint(0, 400)) for i in range(rows)
    ]
    town, what, least = rng.choice(_TOWNS), rng.choice(kinds), rng.randint(10, 60)
    asks = (
        (f"How many {table} of {kind} '{what}' have more than {least} {size}?",
         f"SELECT COUNT(*) FROM {table} WHERE {kind} = '{what}' AND {size} > {least}"),
        (f"List the ids of {table} in {town} with {size} above {least}, lowest id first.",
         f"SELECT id FROM {table} WHERE town = '{town}' AND {size} > {least} ORDER BY id"),
        (f"What is the total {pay} of {table} in {town}, by {kind}, for those of at least {least} {size}?",
         f"SELECT {kind}, SUM({pay}) FROM {table} WHERE town = '{town}' AND {size} >= {least} "
         f"GROUP BY {kind} ORDER BY {kind}"),
        (f"Which towns have '{what}' {table} with {pay} over {least * 5}? Give each once, sorted.",
         f"SELECT DISTINCT town FROM {table} WHERE {kind} = '{what}' AND {pay} > {least * 5} ORDER BY town"),
    )  # fmt: skip
    ask, gold = rng.choice(asks)
    facts = {"schema": f"CREATE TABLE {table} ({schema})", "table": table, "data": data, "gold": gold}
    facts |= {"size": size, "pay": pay, "kind": kind, "least": least, "what": what, "town": town}
    prompt = f"-- {table}_{rng.randint(100, 9999)}.sqlite\n{facts['schema']};\n\n{ask}\nWrite one SQLite query."
    return Task(name, prompt, gold, table, None, facts)


def ran(task: Task, query: str) -> str:
    """What SQLite answers to a query."""
    base = sqlite3.connect(":memory:")
    base.execute(task.facts["schema"])
    base.executemany(f"INSERT INTO {task.facts['table']} VALUES (?, ?, ?, ?, ?)", task.facts["data"])
    try:
        return str(base.execute(query).fetchall())
    except sqlite3.Error as error:
        return f"Error: {error}"
    finally:
        base.close()


def query(rng: Draw, task: Task, right: bool, differs: bool = True) -> str:
    """A query that answers the question, or one of the usual mistakes, whose result differs if that is asked."""
    gold, f = str(task.facts["gold"]), task.facts
    if right:
        return gold if rng.random() < 0.5 else gold.replace(" AND ", "\n  AND ").replace(" FROM", "\nFROM")
    slips = [
        gold.replace(f"> {f['least']}", f"< {f['least']}").replace(">=", "<"),
        gold.replace(f["size"], f["pay"]),
        gold.split(" WHERE ")[0],
        gold.replace(f"'{f['what']}'", f"'{str(f['what']).upper()}'").replace(
            f"'{f['town']}'", f"'{str(f['town']).lower()}'"
        ),
        gold.replace(f["table"], f"{f['table']}_log"),
    ]
    wrong = [slip for slip in slips if slip != gold and (not differs or ran(task, slip) != ran(task, gold))]
    return rng.choice(wrong or slips)
