"""Questions to a database, answered with one query."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

TABLES = {
    "shipments": ("carrier", "weight_kg", ("DHL", "GLS", "Posti", "UPS", "Correos")),
    "visits": ("clinic", "minutes", ("North", "Harbour", "Hill", "Station", "Park")),
    "loans": ("branch", "amount", ("Lyon", "Turin", "Gdansk", "Porto", "Ghent")),
    "matches": ("team", "goals", ("Rovers", "United", "Athletic", "Wanderers", "City")),
    "readings": ("sensor", "celsius", ("roof", "cellar", "boiler", "yard", "attic")),
}
MONTHS = ("2023-02", "2023-05", "2023-08", "2023-11", "2024-01", "2024-03", "2024-06", "2024-09")


def task(rng: Random) -> Task:
    """A count, sum or largest value for one name and month above a limit."""
    table = rng.choice(list(TABLES))
    column, value, names = TABLES[table]
    name, month, limit = rng.choice(names), rng.choice(MONTHS), rng.randint(2, 90)
    what, words = rng.choice([("count(*)", "How many"), ("id", "List the ids of the"), ("id", "Give the ids of all")])
    prompt = (
        f"Schema: {table}(id, {column} TEXT, {value} REAL, day DATE).\n"
        f"{words} {table} with {column} '{name}' in {month} and {value} above {limit}? "
        "Answer with one SQL query in a ```sql block."
    )
    where = f"{column} = '{name}' AND {value} > {limit} AND strftime('%Y-%m', day) = '{month}'"
    empty = what == "id" and rng.random() < 0.6
    result = "[]" if empty else f"[({rng.randint(1, 260)},)]"
    extra = {"table": table, "where": where, "select": what, "gold_result": result}
    return Task(table, prompt, f"SELECT {what} FROM {table} WHERE {where}", extra=extra)


def query(t: Task, where: str) -> str:
    """The query with another condition."""
    return f"SELECT {t.extra['select']} FROM {t.extra['table']} WHERE {where}"


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """A sentence and a query; wrong ones leave out a condition or turn it round."""
    where, result = t.extra["where"], t.extra["gold_result"]
    if not right:
        parts = where.split(" AND ")
        where = rng.choice([" AND ".join(parts[:2]), where.replace(" > ", " < "), " AND ".join(parts[1:])])
        result = f"[({Random(where).randint(1, 900)},)]"
    talk = pick(
        rng, "The month is taken from the date.", "All conditions go into WHERE.", "One pass over the table does."
    )
    more = pick(rng, " No join is needed.", " An index on the day would help.", "") if progress > 0.3 else ""
    sql = query(t, where) + pick(rng, ";", "")
    return Reply([say(f"{talk}{more}\n```sql\n{sql}\n```")], sql.rstrip(";"), {"result": result})


WORLD = World(task, reply)
