"""Worlds with tools: SQL databases, repositories with issues, pages on the web, functions to call."""

import random

from benchmarks.foreign.fiftythird.policy import Task


def call(name: str, lead: str, /, **arguments: object) -> dict:
    """A message of the policy with one call."""
    return {"role": "assistant", "content": lead, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> dict:
    """What a tool answers."""
    return {"role": "tool", "content": content, "tool_name": name, "ok": ok}


def said(content: str) -> dict:
    """A message of the policy without a call."""
    return {"role": "assistant", "content": content}


TABLES = {
    "orders": ("amount", ["open", "paid", "sent", "void"]),
    "tickets": ("minutes", ["new", "held", "solved", "spam"]),
    "trips": ("km", ["bus", "rail", "bike", "boat"]),
    "plants": ("height", ["fern", "oak", "moss", "reed"]),
}


def sql(rng: random.Random, number: int) -> Task:
    """A count under two conditions over a table; facts hold the query's parts."""
    table = rng.choice(list(TABLES))
    column, kinds = TABLES[table]
    kind, bound, gold = rng.choice(kinds), rng.randint(10, 90), rng.randint(6, 140)
    wrong = gold + rng.randint(3, 60)

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        value = gold if right else wrong
        lead = draw.choice(("The query gives", "According to the database it is", "Counting the rows gives", "So:"))
        return f"{lead} {value}.\nAnswer: {value}", str(value)

    prompt = (
        f"Database shop{number}. Table {table}(id, kind, {column}). How many rows of kind '{kind}' have {column} above "
        f"{bound}? Use run_sql and end with 'Answer: <number>'."
    )
    facts = {"table": table, "column": column, "kind": kind, "bound": bound, "wrong": wrong}
    return Task(f"sql-{number}", table, prompt, str(gold), write, rng.gauss(0, 0.8), facts)


def query(rng: random.Random, task: Task, right: bool) -> str:
    """The query of an attempt: right, or with the bound included and the kind forgotten."""
    f = task.facts
    count = rng.choice(["count(*)", "COUNT(*)", "count(id)"])
    where = f"kind = '{f['kind']}' AND {f['column']} > {f['bound']}" if right else f"{f['column']} > {f['bound']}"
    return f"SELECT {count} FROM {f['table']} WHERE {where}"


LEADS_SQL = (
    "I filter by kind and by the bound.",
    "One count over the table should do.",
    "Let me ask the database directly.",
    "The two conditions go into the WHERE clause.",
    "First the count.",
)

MODULES = ("intervals", "ledger", "slugs", "quota", "calendar", "matrix", "tokens", "routes")
BUGS = (
    ("{f} leaves out the last element", "range(n - 1)", "range(n)", "range(n - 2)"),
    ("{f} fails for empty input", "return xs[0]", "return xs[0] if xs else None", "return xs[-1]"),
    ("{f} counts equal keys twice", "if a <= b:", "if a < b:", "if a >= b:"),
    ("{f} ignores the sign", "return abs(total)", "return total", "return -abs(total)"),
)


def issue(rng: random.Random, number: int) -> Task:
    """An issue of a small repository; facts hold the file, the old line and the right and wrong new ones."""
    module = rng.choice(MODULES)
    function = f"{rng.choice(['merge', 'load', 'split', 'total', 'find'])}_{module}"
    ask, old, good, bad = rng.choice(BUGS)
    path = f"src/{module}.py"
    prompt = (
        f"Issue {number + 300}: {ask.format(f=function + '()')}. See {path}. Fix it so that the test suite passes. "
        "Tools: bash, edit, submit."
    )

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        new = good if right else bad
        lead = draw.choice(("The line is changed.", f"Fixed {function}().", "Done, the change is small."))
        return f"{lead} It now reads `{new}` instead of `{old}`.", new

    facts = {"path": path, "function": function, "old": old, "module": module}
    return Task(f"issue-{number}", " ".join(ask.split()[1:3]), prompt, good, write, rng.gauss(0, 0.8), facts)


def show(rng: random.Random, task: Task) -> list[dict]:
    """The first turns at an issue: the file is searched and read."""
    f = task.facts
    lead = rng.choice(
        (f"I look for {f['function']} first.", "Let me see the named file.", f"Where is {f['module']} used?")
    )
    first = rng.choice([f"grep -n {f['function']} {f['path']}", f"cat {f['path']}", f"sed -n 1,60p {f['path']}"])
    body = f"{rng.randint(4, 40)}:def {f['function']}(xs, n):\n    ...\n    {f['old']}"
    return [call("bash", lead, command=first), told("bash", body)]


def change(rng: random.Random, task: Task, new: str) -> list[dict]:
    """An edit of the line."""
    f = task.facts
    lead = rng.choice((f"The fault is in `{f['old']}`.", "This line does not do what the issue asks.", "I change it."))
    return [call("edit", lead, path=f["path"], old=f["old"], new=new), told("edit", f"{f['path']}: 1 replacement made")]


def trial(rng: random.Random, task: Task, right: bool) -> list[dict]:
    """A run of the tests and the hand-in."""
    total = 9 + sum(map(ord, task.pid + task.facts["module"])) % 22
    bad = 0 if right else rng.randint(1, 3)
    out = f"{total - bad} passed" + (f", {bad} failed: tests/test_{task.facts['module']}.py" if bad else "")
    lead = rng.choice(("Now the tests.", "Let me run the suite.", "Checking."))
    command = rng.choice(["pytest -q", "python -m pytest -q tests", f"pytest tests/test_{task.facts['module']}.py"])
    return [call("bash", lead, command=command), told("bash", f"{out} in 0.{rng.randint(11, 98)}s")]


CITIES = ("Varna", "Tromsø", "Ghent", "Cork", "Graz", "Turku", "Braga", "Sopot", "Kotor", "Namur")
SUBJECTS = ("lighthouse", "tram depot", "botanical garden", "glass works", "swing bridge", "ropeway")


def browse(rng: random.Random, number: int) -> Task:
    """A year to be found on a page."""
    city, thing, year = rng.choice(CITIES), rng.choice(SUBJECTS), rng.randint(1790, 1975)
    prompt = (
        f"Question {number + 1}: in which year was the {thing} of {city} opened? Use search and open_page; end with "
        "'Answer: <year>'."
    )

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        value = year if right else year + draw.choice([-12, -7, -3, 2, 4, 9, 15])
        lead = draw.choice((f"The page on {city} says so.", "I take the date of the opening.", "That settles it."))
        return f"{lead} The {thing} of {city} was opened in {value}.\nAnswer: {value}", str(value)

    facts = {"city": city, "thing": thing, "year": year}
    return Task(f"web-{number}", thing, prompt, str(year), write, rng.gauss(0, 0.7), facts)
