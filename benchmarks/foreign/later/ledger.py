"""Questions to a small database, and an agent that answers them in SQL; every query is run by SQLite."""

import random
import sqlite3
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.later.course import Talk, Task

SYSTEM = (
    "You answer questions about a SQLite database. Look at the schema first, then query it. Finish with the answer."
)


@dataclass(frozen=True)
class Theme:
    """A table: its name, a column of words with their values, and two columns of numbers."""

    table: str
    word: str
    values: str
    first: str
    second: str


THEMES = (
    Theme("orders", "city", "Lyon,Gent,Turin,Graz,Malmo", "total", "items"),
    Theme("flights", "airline", "Blue,Kestrel,Nordic,Sable", "delay", "seats"),
    Theme("loans", "branch", "North,Harbour,Castle,Mill", "days", "pages"),
    Theme("readings", "sensor", "roof,cellar,yard,gate,barn", "level", "battery"),
    Theme("repairs", "garage", "Axle,Piston,Rim,Torque", "cost", "hours"),
    Theme("matches", "club", "Lions,Ravens,Foxes,Storm,Owls", "goals", "visitors"),
)
QUESTIONS = (
    (
        "How many {table} have {first} above {k}?",
        "SELECT COUNT(*) FROM {table} WHERE {first} > {k}",
        "SELECT COUNT(*) FROM {table} WHERE {second} > {k}",
    ),
    (
        "What is the largest {second} among the {table} of {value}?",
        "SELECT MAX({second}) FROM {table} WHERE {word} = '{value}'",
        "SELECT MAX({second}) FROM {table}",
    ),
    (
        "Which {word} has the highest sum of {first} over its {table}?",
        "SELECT {word} FROM {table} GROUP BY {word} ORDER BY SUM({first}) DESC LIMIT 1",
        "SELECT {word} FROM {table} ORDER BY {first} LIMIT 1",
    ),
    (
        "What do the {table} of {value} come to in {first}, all together?",
        "SELECT SUM({first}) FROM {table} WHERE {word} = '{value}'",
        "SELECT AVG({first}) FROM {table} WHERE {word} = '{value}'",
    ),
    (
        "For how many different values of {word} is there a row in {table} with {second} below {k}?",
        "SELECT COUNT(DISTINCT {word}) FROM {table} WHERE {second} < {k}",
        "SELECT COUNT({word}) FROM {table} WHERE {second} < {k}",
    ),
    (
        "What is the id of the row in {table} with the lowest {first}? Take the smaller id if there are two.",
        "SELECT id FROM {table} ORDER BY {first}, id LIMIT 1",
        "SELECT id FROM {table} ORDER BY {first} DESC LIMIT 1",
    ),
    (
        "Give the average {second} of the {table} whose {first} is at most {k}, rounded to one decimal.",
        "SELECT ROUND(AVG({second}), 1) FROM {table} WHERE {first} <= {k}",
        "SELECT ROUND(AVG({second}), 1) FROM {table} WHERE {first} > {k}",
    ),
    (
        "How many {table} of {value} are there?",
        "SELECT COUNT(*) FROM {table} WHERE {word} = '{value}'",
        "SELECT COUNT(*) FROM {table} WHERE {word} != '{value}'",
    ),
)
ENDS = ("The answer is {}.", "{}", "Result: {}", "It is {}.", "According to the table, {}.", "That gives {}.")
NOTES = (
    "Now the query itself.",
    "The columns are as I hoped.",
    "One aggregate is enough.",
    "A filter and an aggregate.",
    "",
    "With the names known, I can ask.",
)


def problem(rng: random.Random, is_empty: bool = False) -> Task:
    """Draw a table and a question; an empty table has columns alone."""
    theme, (asked, right, wrong) = rng.choice(THEMES), rng.choice(QUESTIONS)
    values = theme.values.split(",")
    names = {"table": theme.table, "word": theme.word, "first": theme.first, "second": theme.second}
    names |= {"value": rng.choice(values), "k": rng.randint(25, 75)}
    count = 0 if is_empty else rng.randint(25, 60)
    rows = [(place, rng.choice(values), rng.randint(1, 99), rng.randint(1, 99)) for place in range(1, count + 1)]
    base = open_base(theme, rows)
    if rows and ask(base, right.format(**names)) == ask(base, wrong.format(**names)):
        return problem(rng)
    facts = {"base": base, "right": right.format(**names), "wrong": wrong.format(**names), "theme": theme, "rows": rows}
    prompt = f"{asked.format(**names)} (database {theme.table}_{rng.randint(100, 999)})"
    return Task(prompt, ask(base, right.format(**names)), facts)


def open_base(theme: Theme, rows: list[tuple[int, str, int, int]]) -> sqlite3.Connection:
    """Make the database."""
    base = sqlite3.connect(":memory:")
    base.execute(
        f"CREATE TABLE {theme.table} (id INTEGER, {theme.word} TEXT, {theme.first} INTEGER, {theme.second} INTEGER)"
    )
    base.executemany(f"INSERT INTO {theme.table} VALUES (?, ?, ?, ?)", rows)
    return base


def ask(base: sqlite3.Connection, query: str) -> str:
    """Run a query and return what the tool would show."""
    try:
        found = base.execute(query).fetchall()
    except sqlite3.Error as error:
        return f"Error: {error}"
    return "\n".join(" | ".join(str(value) for value in row) for row in found[:8]) or "(0 rows)"


def styled(rng: random.Random, query: str) -> str:
    """Write a query in another hand: case, line breaks, a semicolon."""
    if rng.random() < 0.4:
        query = query.replace(" FROM", "\nFROM").replace(" WHERE", "\nWHERE").replace(" GROUP", "\nGROUP")
    if rng.random() < 0.3:
        query = query.replace("SELECT", "select").replace("FROM", "from").replace("WHERE", "where")
    return query + rng.choice(("", ";"))


def look(rng: random.Random, talk: Talk, facts: dict[str, Any]) -> None:
    """Ask for the schema."""
    thought = rng.choice(("I start with the schema.", "First the tables.", "", "What columns are there?"))
    query = rng.choice(("SELECT sql FROM sqlite_master", "SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    talk.use(thought, "run_sql", ask(facts["base"], query), query=query)


def solve(rng: random.Random, task: Task, right: bool, stumbles: float = 0.0) -> Talk:
    """Look at the schema, query, and answer; a stumble is a query with a wrong name, which is then mended."""
    facts, talk = task.facts, Talk(task.prompt, SYSTEM)
    look(rng, talk, facts)
    query = facts["right" if right else "wrong"]
    while rng.random() < stumbles:
        spoilt = query.replace(facts["theme"].table, rng.choice(("data", "main_table", facts["theme"].table[:-1])))
        talk.use(rng.choice(NOTES), "run_sql", ask(facts["base"], spoilt), query=styled(rng, spoilt))
        stumbles /= 2
    answer = ask(facts["base"], query)
    talk.use(rng.choice(NOTES), "run_sql", answer, query=styled(rng, query))
    talk.say(rng.choice(ENDS).format(answer))
    return talk
