"""Questions to a small database: SQL agents whose statements are really run."""

import random
import sqlite3

from benchmarks.foreign.thirtyninth.policy import Problem, call, say, tool

THEMES = (
    ("orders", "region", "qty", ("north", "south", "coast", "hills")),
    ("shifts", "ward", "hours", ("surgery", "radiology", "maternity", "emergency")),
    ("loans", "branch", "books", ("harbour", "station", "old town", "campus")),
    ("trips", "line", "riders", ("blue", "green", "night", "airport")),
)
PLANS = (
    "I filter on {place} and add up.",
    "The question is about {place} alone, so a WHERE will do.",
    "Let me look only at {place}.",
    "One aggregate over the rows of {place}.",
    "Rows other than {place} do not matter here.",
    "This can be asked in a single statement.",
    "The column holds {place} as text, so I compare with quotes.",
    "No join is needed, the table has all of it.",
)
RESULTS = (
    "The query gives {x}.",
    "For {place} the table {table} yields {x}.",
    "So it is {x}, by the one row that came back.",
    "The database says {x} for {place}.",
    "I read {x} from the result.",
    "That makes {x} in {table}.",
)


def question(rng: random.Random, number: int) -> Problem:
    """How much of something at one place: a sum or a count of a table of 14 rows."""
    table, column, amount, places = THEMES[number % len(THEMES)]
    rows = [(k, rng.choice(places), rng.randint(1, 40)) for k in range(14)]
    place = rng.choice(sorted({row[1] for row in rows}))
    total = number % 2 == 0
    values = [row[2] for row in rows if row[1] == place]
    asked = f"the total of {amount}" if total else f"the number of rows with more than 5 {amount}"
    gold = sum(values) if total else sum(value > 5 for value in values)
    return Problem(
        f"{table}-{number}",
        table,
        f"Database shop_{number}: table {table}(id, {column}, {amount}). What is {asked} where {column} is '{place}'? "
        "Use run_sql, then answer with the number.",
        str(gold),
        rng.gauss(0, 0.8),
        parts={"rows": rows, "table": table, "column": column, "amount": amount, "place": place, "total": total},
    )


def fresh(problem: Problem) -> sqlite3.Connection:
    """The database of a problem as it should be."""
    base = sqlite3.connect(":memory:")
    p = problem.parts
    base.execute(f"CREATE TABLE {p['table']} (id INTEGER, {p['column']} TEXT, {p['amount']} INTEGER)")
    base.executemany(f"INSERT INTO {p['table']} VALUES (?, ?, ?)", p["rows"])
    return base


def statement(draw: random.Random, problem: Problem, right: bool) -> str:
    """A query for the question; a wrong one counts or filters something else."""
    p = problem.parts
    goal = f"SUM({p['amount']})" if p["total"] else "COUNT(*)"
    where = f"{p['column']} = '{p['place']}'" + ("" if p["total"] else f" AND {p['amount']} > 5")
    if right:
        return f"SELECT {goal} FROM {p['table']} WHERE {where}"
    if draw.random() < 0.5:
        return f"SELECT {goal} FROM {p['table']} WHERE {p['column']} <> '{p['place']}'"
    return f"SELECT MAX({p['amount']}) FROM {p['table']} WHERE {where}"


def ask(draw: random.Random, problem: Problem, right: bool, base: sqlite3.Connection, before: str = "") -> list[dict]:
    """The turns of an episode, with a statement before the query where one is given; the last has the answer."""
    turns = []
    if before:
        turns.append(call("I tidy the rows that the question does not need first.", "run_sql", sql=before))
        cursor = base.execute(before)
        turns.append(tool("run_sql", f"OK, {max(0, cursor.rowcount)} rows affected"))
    sql = statement(draw, problem, right)
    turns.append(call(draw.choice(PLANS).format(place=problem.parts["place"]), "run_sql", sql=sql))
    found = base.execute(sql).fetchone()[0]
    turns.append(tool("run_sql", f"1 row\n{'NULL' if found is None else found}"))
    said = draw.choice(RESULTS).format(x=found or 0, place=problem.parts["place"], table=problem.parts["table"])
    turns.append(say(f"{said}\nAnswer: {found or 0}"))
    return turns


def answer(turns: list[dict]) -> str:
    """The answer of the last turn."""
    return turns[-1]["content"].rsplit("Answer: ", 1)[-1]
