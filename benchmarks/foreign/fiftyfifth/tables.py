"""Questions to a database: an agent looks at a table, queries it, and answers with a number."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told

SYSTEM = "Answer the question from the database with the tool run_sql. End with a line 'Answer: <number>'."
THEMES = (
    ("sales", "region", ("north", "south", "coast", "hills"), "amount"),
    ("trips", "line", ("red", "green", "harbour", "airport"), "riders"),
    ("harvest", "field", ("mill", "ridge", "creek", "barn"), "kilos"),
    ("loans", "branch", ("main", "east", "campus", "mobile"), "items"),
)
STATES = ("final", "draft", "void")


def problem(rng: random.Random, number: int) -> Problem:
    """A table of a few dozen rows and a question with two conditions."""
    table, column, values, amount = rng.choice(THEMES)
    rows = [(rng.choice(values), rng.choice(STATES), rng.randint(3, 480)) for _ in range(rng.randint(24, 60))]
    value = rng.choice(values)
    kind = rng.choice(("SUM", "MAX", "COUNT"))
    word = {"SUM": f"total of {amount}", "MAX": f"largest {amount}", "COUNT": "number of rows"}[kind]
    data = {"table": table, "column": column, "value": value, "amount": amount, "rows": rows, "kind": kind}
    prompt = (
        f"Table {table}_{number}({column}, state, {amount}); state is one of final, draft, void.\n"
        f"What is the {word} where {column} is '{value}'? Only rows with state 'final' count."
    )
    return Problem(f"sql-{number}", kind.lower(), SYSTEM, prompt, str(result(data, True)), data)


def result(data: dict, strict: bool) -> int:
    """What the query gives, with or without the condition on the state."""
    kept = [n for v, s, n in data["rows"] if v == data["value"] and (s == "final" or not strict)]
    return {"SUM": sum(kept), "MAX": max(kept, default=0), "COUNT": len(kept)}[data["kind"]]


def query(problem: Problem, strict: bool) -> str:
    """The text of the query."""
    d, number = problem.data, problem.pid.rsplit("-", 1)[1]
    what = "COUNT(*)" if d["kind"] == "COUNT" else f"{d['kind']}({d['amount']})"
    state = " AND state = 'final'" if strict else ""
    return f"SELECT {what} FROM {d['table']}_{number} WHERE {d['column']} = '{d['value']}'{state}"


def peek(rng: random.Random, problem: Problem) -> list[dict]:
    """The first rows of the table."""
    d, number = problem.data, problem.pid.rsplit("-", 1)[1]
    shown = "\n".join(f"{v} | {s} | {n}" for v, s, n in d["rows"][:3])
    text = pick(
        rng,
        "A look at the rows before I count.",
        f"What do rows of {d['table']} look like?",
        "I check the format first.",
    )
    return [
        call(text, "run_sql", query=f"SELECT * FROM {d['table']}_{number} LIMIT 3"),
        told("run_sql", f"{d['column']} | state | {d['amount']}\n{shown}"),
    ]


def final(rng: random.Random, problem: Problem, value: str) -> dict:
    """The answer in the form that was asked for."""
    d = problem.data
    lead = pick(
        rng,
        f"The query over {d['column']} '{d['value']}' gives {value}.",
        f"So for '{d['value']}' in {d['table']} the result is {value}.",
        f"One row came back, with {value} in it, and nothing else is to be done.",
    )
    return say(f"{lead}\nAnswer: {value}")


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """A wrong attempt forgets the state, or where that makes no difference misreads the result."""
    d = problem.data
    value = result(d, right)
    messages = peek(rng, problem) if rng.random() < 0.6 else []
    why = pick(
        rng,
        f"I filter {d['column']} by '{d['value']}' and aggregate {d['amount']}.",
        f"The question is about '{d['value']}' alone, one aggregate suffices.",
        f"This is a {d['kind']} with a condition on {d['column']}" + (" and one on state." if right else "."),
    )
    messages += [call(why, "run_sql", query=query(problem, right)), told("run_sql", str(value))]
    if not right and str(value) == problem.gold:
        value += rng.randint(1, 9)
    return [*messages, final(rng, problem, str(value))], str(value)
