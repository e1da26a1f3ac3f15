"""Small tables, questions about them, and queries that SQLite really runs: right, wrong, and wrongly annotated."""

import random
import sqlite3

from benchmarks.foreign.thirtyfourth.policy import Problem, speak

SHOPS = [
    ("orders", "city", ["Lyon", "Nantes", "Ghent", "Porto"], "amount", "euro ordered"),
    ("loans", "branch", ["Harbour", "North", "Castle", "Mill"], "books", "books lent"),
    ("catches", "vessel", ["Petrel", "Anna", "Skua", "Marit"], "kilos", "kilos of fish landed"),
    ("harvests", "field", ["Upper", "Marsh", "Chapel", "Quarry"], "sacks", "sacks of barley brought in"),
    ("visits", "ward", ["A1", "B2", "C3", "D4"], "minutes", "minutes of visits"),
]
LEADS = [
    "I filter the rows first.", "Only one column has to be summed.", "The table is small; one statement does.", "",
    "The condition on the year matters.", "Let me name the columns: all are in one table.", "No join is needed here.",
]  # fmt: skip


def run(rows: list[tuple], table: str, key: str, number: str, query: str) -> str:
    """What SQLite answers to a query on the table."""
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE {table} ({key} TEXT, year INTEGER, {number} INTEGER)")
    base.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows)
    answer = base.execute(query).fetchall()
    base.close()
    return str([list(row) for row in answer])


def _queries(rng: random.Random, table: str, key: str, values: list[str], number: str) -> tuple[str, str, list[str]]:
    value, other = rng.sample(values, 2)
    year = rng.randint(2016, 2019)
    form = rng.randrange(3)
    if form == 0:
        words = f"of {key} {value} in total, over all years"
        head, tail = f"SELECT SUM({number}) FROM {table}", f"WHERE {key} = '{value}'"
        wrong = [f"{head} WHERE {key} = '{other}'", f"SELECT COUNT({number}) FROM {table} {tail}", head]
        wrong.append(f"SELECT AVG({number}) FROM {table} {tail}")
    elif form == 1:
        words = f"over all rows after {year}"
        head, tail = f"SELECT SUM({number}) FROM {table}", f"WHERE year > {year}"
        wrong = [f"{head} WHERE year >= {year}", f"{head} WHERE year = {year}", f"{head} WHERE year < {year}", head]
    else:
        words = f"of {key} {value} in its best row"
        head, tail = f"SELECT MAX({number}) FROM {table}", f"WHERE {key} = '{value}'"
        wrong = [head, f"SELECT MIN({number}) FROM {table} {tail}", f"{head} WHERE {key} = '{other}'"]
        wrong.append(f"SELECT SUM({number}) FROM {table} {tail}")
    return words, f"{head} {tail}", wrong


def questions(rng: random.Random, count: int) -> list[Problem]:
    """Questions whose right query and wrong ones differ in their results."""
    out: list[Problem] = []
    while len(out) < count:
        table, key, values, number, what = rng.choice(SHOPS)
        rows = [(rng.choice(values), rng.randint(2015, 2021), rng.randint(10, 240)) for _ in range(9)]
        words, right, wrong = _queries(rng, table, key, values, number)
        results = {q: run(rows, table, key, number, q) for q in (right, *wrong)}
        wrong = [q for q in wrong if results[q] != results[right]]
        if len(wrong) < 2 or "None" in results[right]:
            continue
        listing = "\n".join(",".join(map(str, row)) for row in rows)
        prompt = (
            f"Table {table}({key}, year, {number}):\n{listing}\n"
            f"Question: how many {what} {words}? Write one SQL query in a fenced block."
        )
        data = {"right": right, "wrong": wrong, "results": results, "number": number}
        out.append(Problem(f"sql-{len(out):03d}", prompt, results[right], table, rng.gauss(0, 0.7), data))
    return out


def _styled(rng: random.Random, query: str) -> str:
    """The same statement as another hand writes it."""
    form = rng.randrange(4)
    if form == 1:
        query = query.replace(" FROM", "\nFROM").replace(" WHERE", "\nWHERE")
    elif form == 2:
        for word in ("SELECT", "FROM", "WHERE", "SUM", "COUNT", "MAX", "MIN", "AVG"):
            query = query.replace(word, word.lower())
    elif form == 3:
        query = query.replace(") FROM", ") AS answer FROM")
    return query


ENDS = [
    "",
    "That returns a single number.",
    "One row comes back.",
    "Nothing has to be grouped.",
    "The result is one value.",
]


def write(rng: random.Random, problem: Problem, right: bool) -> tuple[str, str]:
    """A reply with its query, and what the query answers."""
    query = problem.data["right"] if right else rng.choice(problem.data["wrong"])
    what = rng.choice(
        [f"The measure is {problem.data['number']}.", f"I read {problem.data['number']} from {problem.family}.", ""]
    )
    return speak(rng, LEADS, what, ENDS) + f"\n```sql\n{_styled(rng, query)};\n```", problem.data["results"][query]
