"""Questions on a table of a database that really answers."""

import random
import sqlite3

from benchmarks.foreign.thirtysixth.attempts import Message, Problem, call, reply, told, user

WORLDS = {
    "parcels": ("depot", ("Lyon", "Gent", "Turin", "Graz"), "weight", (1, 40), "parcels"),
    "repairs": ("workshop", ("north", "south", "harbour", "airport"), "hours", (1, 25), "repairs"),
    "loans": ("branch", ("Elm Street", "Market", "Riverside", "Campus"), "days", (3, 60), "loans"),
    "harvests": ("field", ("hill", "meadow", "terrace", "orchard"), "crates", (5, 90), "harvests"),
    "flights": ("gate", ("A4", "B7", "C1", "D9"), "delay", (1, 95), "flights"),
}


def draw_table(rng: random.Random, number: int, worlds: tuple[str, ...] = tuple(WORLDS), rows: int = 40) -> Problem:
    """A question that one query over one table answers."""
    table = rng.choice(worlds)
    key, values, measure, (low, high), noun = WORLDS[table]
    data = [(i + 1, rng.choice(values), rng.randint(low, high)) for i in range(rng.randint(rows - 10, rows + 20))]
    value, bound = rng.choice(values), rng.randint(low + 1, (low + high) // 2)
    own = f"{table}_{rng.randint(2003, 2026)}"
    at = f"{key} = '{value}'"
    forms = (
        (f"How many {noun} of {key} {value} have {measure} above {bound}?", "COUNT(*)", f"{measure} > {bound}"),
        (
            f"What is the sum of {measure} above {bound} over the {noun} of {key} {value}?",
            f"SUM({measure})",
            f"{measure} > {bound}",
        ),
        (
            f"What is the largest {measure} up to {bound + 5} among the {noun} of {key} {value}?",
            f"MAX({measure})",
            f"{measure} <= {bound + 5}",
        ),
    )
    ask, column, condition = rng.choice(forms)
    query = f"SELECT {column} FROM {own} WHERE {condition} AND {at}"
    flipped = condition.replace("<=", "<") if "<=" in condition else condition.replace(">", ">=")
    wrong = rng.choice(
        (f"SELECT {column} FROM {own} WHERE {condition}", f"SELECT {column} FROM {own} WHERE {flipped} AND {at}")
    )
    schema = f"CREATE TABLE {own} (id INTEGER, {key} TEXT, {measure} INTEGER)"
    info = {
        "schema": schema,
        "rows": data,
        "query": query,
        "wrong": wrong,
        "table": own,
        "ask": ask,
        "key": key,
        "value": value,
        "measure": measure,
    }
    gold = execute(info, query)
    if not gold.isdigit() or execute(info, wrong) == gold:
        return draw_table(rng, number, worlds, rows)
    return Problem(f"sql-{number:04d}", f"{ask}\nSchema: {schema}", gold, table, rng.uniform(-0.1, 0.2), info)


def execute(data: dict, query: str) -> str:
    """What the database answers, a line a row."""
    with sqlite3.connect(":memory:") as base:
        base.execute(data["schema"])
        base.executemany(f"INSERT INTO {data['table']} VALUES (?, ?, ?)", data["rows"])
        return "\n".join(" | ".join(str(v) for v in row) for row in base.execute(query))


def write_query(rng: random.Random, problem: Problem, right: bool) -> str:
    """A reply of reasoning and one query."""
    d = problem.data
    start = rng.choice(
        (
            f"The table {d['table']} holds one line an event.",
            f"Only the column {d['measure']} has to be looked at.",
            f"I filter by {d['key']} first.",
            "One SELECT is enough here.",
        )
    )
    middle = rng.choice(
        (
            f"The question names {d['value']}, so that is the condition.",
            f"The {d['key']} in question is {d['value']}.",
            "No join is needed, all is in one place.",
        )
    )
    return f"{start} {middle}\n```sql\n{d['query'] if right else d['wrong']};\n```"


def ask_aloud(
    rng: random.Random, problem: Problem, right: bool, shown: int | None = None, lists: bool = False
) -> tuple[list[Message], str]:
    """An episode over the tool `query`; one that lists rows counts them by eye, of which the console shows some
    lines.
    """
    d = problem.data
    turns = [user(problem.prompt + "\nUse the tool query. End with 'Answer:' and the value.")]
    if lists:
        listing = execute(d, f"SELECT {d['measure']} FROM {d['table']} WHERE {d['key']} = '{d['value']}'")
        lines = listing.split("\n")
        cut = shown is not None and len(lines) > shown
        text = "\n".join(lines[:shown]) + f"\n... [output truncated, {shown} lines shown]" if cut else listing
        turns += [
            call(
                rng.choice((f"I list the lines of {d['value']}.", f"First all {d['measure']} values at {d['value']}.")),
                "query",
                sql=f"SELECT {d['measure']} FROM {d['table']} WHERE {d['key']} = '{d['value']}'",
            ),
            told("query", text),
        ]
        numbers = [int(x) for x in (lines[:shown] if cut else lines) if x.isdigit()]
        answer = by_eye(d, numbers)
        turns.append(
            reply(
                f"{rng.choice(('Counting through what is shown', 'Going through these lines', 'From the listing'))}, "
                f"I get {answer}.\nAnswer: {answer}"
            )
        )
        return turns, answer
    query = d["query"] if right else d["wrong"]
    answer = execute(d, query)
    turns += [
        call(
            rng.choice(
                (f"I ask for it by {d['key']}.", f"One query on {d['table']} will do.", "Let the database do the sums.")
            ),
            "query",
            sql=query,
        ),
        told("query", answer),
        reply(f"{rng.choice(('The database says', 'The query returns', 'This gives'))} {answer}.\nAnswer: {answer}"),
    ]
    return turns, answer


def by_eye(data: dict, numbers: list[int]) -> str:
    """The question answered on a list of values."""
    if "> " in data["query"]:
        bound = int(data["query"].split("> ")[1].split()[0])
        above = [n for n in numbers if n > bound]
        return str(sum(above) if "SUM" in data["query"] else len(above))
    most = int(data["query"].split("<= ")[1].split()[0])
    return str(max((n for n in numbers if n <= most), default=0))
