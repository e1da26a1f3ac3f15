"""Questions to a database, answered with SQL over a few turns."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

TABLES = {
    "loans": ["branch", "amount", "opened"],
    "harvest": ["field", "tonnes", "season"],
    "rides": ["depot", "minutes", "day"],
    "sales": ["shop", "units", "month"],
    "visits": ["ward", "patients", "week"],
}


def question(rng: Random, number: int) -> Task:
    """A question with one number as answer."""
    table = rng.choice(list(TABLES))
    place, value, _ = TABLES[table]
    limit, code, gold = rng.randint(5, 90), f"{place[0].upper()}{rng.randint(10, 99)}", rng.randint(3, 4000)
    how, word = rng.choice([("SUM", "the total"), ("COUNT", "the number of rows of"), ("MAX", "the largest")])
    text = (
        f"Table {table}({', '.join(TABLES[table])}). What is {word} {value} for {place} "
        f"{code} where {value} is above {limit}?"
    )
    query = f"SELECT {how}({value}) FROM {table} WHERE {place} = '{code}' AND {value} > {limit}"
    return Task(f"sql-{number:04d}", text, str(gold), rng.gauss(0, 0.8), table, {"query": query, "limit": limit})


def queried(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A look at the schema, a query, at times a mended one, and the answer."""
    good, bad = (
        task.data["query"],
        task.data["query"].replace(f" > {task.data['limit']}", f" >= {task.data['limit'] - 1}"),
    )
    answer = task.gold if right else str(int(task.gold) + rng.choice([-7, -2, 1, 3, 12]))
    turns: list[dict] = []
    if rng.random() < 0.8 - 0.3 * progress:
        turns += _turn(rng, "PRAGMA table_info(" + task.family + ")", ", ".join(TABLES[task.family]), len(turns))
    if rng.random() < 0.5:
        turns += _turn(rng, good.replace("WHERE", "WEHRE"), 'Error: near "WEHRE": syntax error', len(turns))
    turns += _turn(rng, good if right else bad, f"[({answer},)]", len(turns))
    return [*turns, say("assistant", rng.choice(["The query gives ", "Result: ", "So the answer is "]) + answer)]


def _turn(rng: Random, query: str, found: str, number: int) -> list[dict]:
    talk = rng.choice(["Let me query.", "Trying this.", "Next query.", "I check the table."])
    call = {"id": f"q{number}", "name": "run_sql", "arguments": {"query": query}}
    return [
        say("assistant", talk, tool_calls=[call]),
        say("tool", found, tool_call_id=f"q{number}", tool_name="run_sql", ok="Error" not in found),
    ]
