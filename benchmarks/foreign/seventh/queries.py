"""Questions to a small database, answered in SQL that is really run."""

import sqlite3
from random import Random

from benchmarks.foreign.seventh.prose import FIRST, GOODS, TOWNS, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, call, said, told

_SCHEMA = (
    "CREATE TABLE customers(id INTEGER, name TEXT, town TEXT); CREATE TABLE orders(id INTEGER, customer_id "
    "INTEGER, item TEXT, qty INTEGER, cents INTEGER, day TEXT);"
)
_JOIN = "FROM orders o JOIN customers c ON c.id = o.customer_id"
_QUESTIONS = {
    "town_total": (
        "What is the total revenue in cents (qty * cents) from customers in {town}?",
        f"SELECT SUM(o.qty * o.cents) {_JOIN} WHERE c.town = '{{town}}'",
        f"SELECT SUM(o.cents) {_JOIN} WHERE c.town = '{{town}}'",
    ),
    "buyers": (
        "How many different customers bought {item}?",
        "SELECT COUNT(DISTINCT customer_id) FROM orders WHERE item = '{item}'",
        "SELECT COUNT(*) FROM orders WHERE item = '{item}'",
    ),
    "month": (
        "How many orders were placed in {month} 2023?",
        "SELECT COUNT(*) FROM orders WHERE day LIKE '2023-{mm}-%'",
        "SELECT COUNT(*) FROM orders WHERE day >= '2023-{mm}-01'",
    ),
    "best": (
        "Which item sold the most pieces in total? On a tie take the first in the alphabet.",
        "SELECT item FROM orders GROUP BY item ORDER BY SUM(qty) DESC, item LIMIT 1",
        "SELECT item FROM orders GROUP BY item ORDER BY SUM(qty), item LIMIT 1",
    ),
    "largest": (
        "What is the largest single order value (qty * cents) for {item}?",
        "SELECT MAX(qty * cents) FROM orders WHERE item = '{item}'",
        "SELECT MAX(qty) * MAX(cents) FROM orders WHERE item = '{item}'",
    ),
    "silent": (
        "How many customers have not ordered anything?",
        "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)",
        "SELECT COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id",
    ),
}
_MONTHS = ("January", "February", "March", "April", "May", "June")
_LOOKS = "[What tables are there?|Schema first.|[Let me|I will] [look at|read] the [tables|schema] [first|].|]"
_ASKS = (
    "[|Now the [question itself|query].|This should [do it|answer it][:|.]|[One|A single] query [is enough|will do]."
    "|[With|Using] [these columns|that schema]:]"
)
_CLOSINGS = "[The [result|value] is|Answer:|The database [says|returns]|[So|Hence]|Final answer:]"


def database(rng: Random) -> tuple[sqlite3.Connection, list[str], list[str]]:
    """Draw a filled database, its items and towns."""
    base = sqlite3.connect(":memory:")
    base.executescript(_SCHEMA)
    items, towns = rng.sample(GOODS, 4), rng.sample(TOWNS, 3)
    people = rng.sample(FIRST, 9)
    base.executemany(
        "INSERT INTO customers VALUES (?,?,?)", [(i, who, rng.choice(towns)) for i, who in enumerate(people, 1)]
    )
    orders = [
        (
            i,
            rng.randint(1, 7),
            rng.choice(items),
            rng.randint(1, 9),
            rng.randint(3, 90) * 100 + 50,
            f"2023-{rng.randint(1, 6):02d}-{rng.randint(1, 28):02d}",
        )
        for i in range(1, rng.randint(26, 44))
    ]
    base.executemany("INSERT INTO orders VALUES (?,?,?,?,?,?)", orders)
    return base, items, towns


def result(base: sqlite3.Connection, query: str) -> str:
    """Return the first cell of the result, or the database's complaint."""
    try:
        row = base.execute(query).fetchone()
    except sqlite3.Error as error:
        return f"Error: {error}"
    return str(row[0]) if row else "(no rows)"


def asked(rng: Random, base: sqlite3.Connection, query: str) -> Reply:
    """Return a reply that looks at the schema, perhaps errs, runs the query and answers."""
    messages = []
    if rng.random() < 0.6:
        messages += [call(say(rng, _LOOKS), "run_sql", query="SELECT sql FROM sqlite_master"), told("run_sql", _SCHEMA)]
    if rng.random() < 0.18:
        typo = query.replace("customer_id", "customerid").replace("cents", "cent").replace("item", "items", 1)
        answer = result(base, typo)
        if answer.startswith("Error"):
            messages += [call("", "run_sql", query=typo), told("run_sql", answer, False)]
    value = result(base, query)
    messages += [call(say(rng, _ASKS), "run_sql", query=query), told("run_sql", value)]
    messages.append(said(f"{say(rng, _CLOSINGS)} <answer>{value}</answer>"))
    return Reply(messages, value, {"sql": query})


def query_task(rng: Random, name: str) -> Task:
    """Draw a question with one cell as answer."""
    while True:
        base, items, towns = database(rng)
        family = rng.choice(list(_QUESTIONS))
        month = rng.randrange(5)
        fill = {"town": rng.choice(towns), "item": rng.choice(items), "month": _MONTHS[month], "mm": f"{month + 1:02d}"}
        ask, good, bad = (part.format(**fill) for part in _QUESTIONS[family])
        gold, wrong = result(base, good), result(base, bad)
        if gold != wrong and gold != "None" and wrong != "None" and not gold.startswith("Error"):
            break
    prompt = f"Database shop_{rng.randint(100, 9999)}. {ask} " + say(
        rng, "[Answer in <answer> tags.|Reply with <answer>value</answer>.]"
    )
    system = "Tool: run_sql(query) on a read-only SQLite database."
    return Task(
        name, family, "sql", prompt, gold, lambda r, ok: asked(r, base, good if ok else bad), system, rng.gauss(0, 0.8)
    )
