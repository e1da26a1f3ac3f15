"""Questions to small databases: schemas, right and wrong SQL, and real result values."""

import random
import sqlite3

THINGS = (
    ("orders", "city", "amount", ("Turin", "Leeds", "Graz", "Lyon")),
    ("visits", "clinic", "minutes", ("North", "Harbour", "Mill", "Abbey")),
    ("parcels", "depot", "grams", ("Kiel", "Ghent", "Bilbao", "Cork")),
    ("matches", "league", "goals", ("First", "Second", "Youth", "Ladies")),
    ("sensors", "site", "reading", ("roof", "cellar", "yard", "attic")),
    ("loans", "branch", "days", ("East", "Central", "Docks", "Castle")),
)
ASKS = (
    ("How many {t} have {c} '{v}'?", "SELECT COUNT(*) FROM {t} WHERE {c} = '{v}'", "SELECT COUNT({c}) FROM {t}"),
    (
        "What is the sum of {n} over {t} with {c} '{v}'?",
        "SELECT SUM({n}) FROM {t} WHERE {c} = '{v}'",
        "SELECT SUM({n}) FROM {t} WHERE {c} <> '{v}'",
    ),
    (
        "What is the highest {n} among {t} with {c} '{v}'?",
        "SELECT MAX({n}) FROM {t} WHERE {c} = '{v}'",
        "SELECT MAX({n}) + 0 FROM {t} GROUP BY {c} ORDER BY 1 LIMIT 1",
    ),
    (
        "How many {t} with {c} '{v}' have {n} above {x}?",
        "SELECT COUNT(*) FROM {t} WHERE {c} = '{v}' AND {n} > {x}",
        "SELECT COUNT(*) FROM {t} WHERE {c} = '{v}' OR {n} > {x}",
    ),
    (
        "How many {t} with {c} other than '{v}' have {n} of at most {x}?",
        "SELECT COUNT(*) FROM {t} WHERE {c} <> '{v}' AND {n} <= {x}",
        "SELECT COUNT(*) FROM {t} WHERE {n} <= {x}",
    ),
)
PLANS = (
    "The filter belongs in the WHERE clause, so one table is enough.",
    "There is a single table and no join is needed.",
    "I only need one aggregate here.",
    "The column {c} holds the category and {n} the measure.",
    "Let me translate the condition on {c} first and then aggregate.",
    "{t} has the column {n}, which I aggregate.",
)


def problems(rng: random.Random, number: int) -> list[dict]:
    """Questions with schema, query and value."""
    out: dict[str, dict] = {}
    while len(out) < number:
        table, category, measure, values = rng.choice(THINGS)
        ask, right, wrong = rng.choice(ASKS)
        names = {"t": table, "c": category, "n": measure, "v": rng.choice(values), "x": rng.randint(20, 80)}
        schema = f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {category} TEXT, {measure} INTEGER, noted_on DATE);"
        rows = [(i, rng.choice(values), rng.randint(1, 99)) for i in range(1, rng.randint(30, 70))]
        query, other = right.format(**names), wrong.format(**names)
        base = sqlite3.connect(":memory:")
        base.execute(schema)
        base.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, NULL)", rows)
        gold, off = (base.execute(q).fetchone()[0] for q in (query, other))
        base.close()
        text = ask.format(**names)
        if gold is None or gold == off or text in out:
            continue
        out[text] = {
            "id": f"sql-{len(out):03d}",
            "text": text,
            "schema": schema,
            "right": query,
            "wrong": other,
            "gold": str(gold),
            "off": str(off),
            "hard": rng.gauss(0, 1),
            **names,
        }
    return list(out.values())


def reply(rng: random.Random, task: dict, right: bool) -> str:
    """A plan and a fenced query."""
    plan = " ".join(line.format(**task) for line in rng.sample(PLANS, rng.randint(1, 3)))
    query = task["right" if right else "wrong"]
    if rng.random() < 0.3:
        query = query.replace(" FROM", "\nFROM").replace(" WHERE", "\nWHERE")
    return f"{plan}\n\n```sql\n{query};\n```"


def prompt(task: dict) -> str:
    """The schema and the question."""
    return f"Database:\n{task['schema']}\n\nQuestion: {task['text']}\nAnswer with one SQLite query."
