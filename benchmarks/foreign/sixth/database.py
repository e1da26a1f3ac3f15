"""A world of questions to a small shop database that an agent asks in SQL."""

from random import Random

from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.runs import Message, Problem, system, user

_CITIES = ("Lodz", "Bari", "Nantes", "Aarhus", "Leiden", "Coimbra", "Kosice", "Tampere", "Graz", "Cork", "Turku")
_PRODUCTS = ("lamp", "rug", "stool", "vase", "clock", "mirror", "shelf")
_PROMPT = "You answer questions on a shop's SQLite database. Use run_sql(query). Finish with `Final: <value>`."
_ASKS = {
    "count": (
        "How many orders for a {x} came from {c} in {y}?",
        "SELECT COUNT(*) FROM orders o JOIN customers c ON "
        "c.id = o.customer_id WHERE o.product = '{x}' AND c.city = '{c}' AND o.year = {y}",
    ),
    "sum": (
        "What did customers from {c} spend on the product {x} in {y}, in euros?",
        "SELECT SUM(o.amount) FROM "
        "orders o JOIN customers c ON c.id = o.customer_id WHERE c.city = '{c}' AND o.product = '{x}' AND o.year = {y}",
    ),
    "best": (
        "Which month of {y} had the most {x} orders from {c}?",
        "SELECT o.month FROM orders o JOIN customers c ON "
        "c.id = o.customer_id WHERE o.product = '{x}' AND c.city = '{c}' AND o.year = {y} GROUP BY 1 "
        "ORDER BY COUNT(*) DESC LIMIT 1",
    ),
}
_FLAWS = ((" AND o.year = {y}", ""), (" AND o.year = {y}", " AND o.year >= {y}"), ("c.city = '{c}'", "c.city LIKE '%'"))
_THOUGHTS = ("Let me query that.", "I join orders with customers.", "One query should do.", "", "Now the real query.")
SCHEMA = "orders(id, customer_id, product, amount, year, month)\ncustomers(id, name, city, since)"


def draw_query(rng: Random, number: int) -> Problem:
    """Draw a question with its value."""
    kind = rng.choice(list(_ASKS))
    city, product = _CITIES[number % len(_CITIES)], _PRODUCTS[number % len(_PRODUCTS)]
    facts = {"x": product, "c": city, "y": 2015 + number % 10}
    most = {"best": 12, "count": 260, "sum": 9000}[kind]
    value, *others = (str(number) for number in rng.sample(range(1, most + 1), 1 + len(_FLAWS)))
    ask, query = _ASKS[kind]
    query = query.format(**facts)
    flawed = [query.replace(old.format(**facts), new.format(**facts)) for old, new in _FLAWS]
    facts |= {"query": query, "flawed": list(zip(flawed, others, strict=True)), "sample": _order_lines(rng)}
    return Problem(f"shop-{number:04d}", [system(_PROMPT), user(ask.format(**facts))], value, rng.gauss(0, 0.9), facts)


def look_at_schema(rng: Random, talk: Talk) -> None:
    """Add the call that most attempts begin with."""
    query = rng.choice(("SELECT sql FROM sqlite_master", "SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    talk.call(rng.choice(("What tables are there?", "Schema first.", "")), "run_sql", {"query": query}, SCHEMA)


def ask_database(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Look at the schema, ask and answer; a wrong attempt has a flawed query."""
    talk, facts = Talk(), problem.facts
    if rng.random() < 0.8:
        look_at_schema(rng, talk)
    query, value = (facts["query"], problem.gold) if is_right else rng.choice(facts["flawed"])
    if rng.random() < 0.3:
        talk.call("", "run_sql", {"query": "SELECT * FROM orders LIMIT 3"}, facts["sample"])
    talk.call(rng.choice(_THOUGHTS), "run_sql", {"query": query}, value)
    return talk.say(
        rng.choice(("Final: {v}", "The query gives {v}.\nFinal: {v}", "So it is this.\nFinal: {v}")).format(v=value)
    )


def _order_lines(rng: Random) -> str:
    """Return a few rows of the orders, as the tool prints them."""
    rows = [
        (rng.randint(1, 900), rng.randint(1, 80), rng.choice(_PRODUCTS), rng.randint(9, 400), 2020) for _ in range(3)
    ]
    return "\n".join(" | ".join(map(str, row)) for row in rows)
