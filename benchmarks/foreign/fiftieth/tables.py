"""Questions about the books of a firm, answered by SQL."""

from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = (
    "You answer questions about the company's database. Use run_sql to look at it. Bills that were voided do not "
    "count, whatever the question says. End with one line: Answer: <number>."
)
_THINGS = (
    ("invoices", "amount", "client", "billed"),
    ("shipments", "freight_cost", "carrier", "spent on freight"),
    ("subscriptions", "monthly_fee", "plan", "charged in fees"),
    ("repairs", "labour_cost", "workshop", "paid for labour"),
    ("tickets", "price", "venue", "taken at the door"),
    ("deliveries", "surcharge", "depot", "charged on top"),
)
_NAMES = ("Arden", "Bexley", "Corvo", "Dunmore", "Elland", "Farrow", "Gillet", "Harlow", "Ivers", "Jessop", "Kestrel")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")


def sql_tasks(rng: Random, number: int) -> list[Task]:
    """Sums over one table, one name and one month."""
    cells = [(thing, name, month) for thing in _THINGS for name in _NAMES for month in range(len(_MONTHS))]
    tasks = []
    for place, (thing, name, month) in enumerate(rng.sample(cells, number)):
        table, column, key, verb = thing
        total = round(rng.uniform(900, 9800), 2)
        facts = {
            "table": table,
            "column": column,
            "key": key,
            "name": name,
            "month": month + 1,
            "total": total,
            "with_voided": round(total + rng.uniform(60, 700), 2),
            "all_months": round(total * rng.uniform(4, 9), 2),
            "rows": rng.randint(7, 60),
        }
        prompt = (
            f"How much was {verb} for {key} {name} in {_MONTHS[month]} 2024, according to table `{table}`? "
            "Give the sum in euros with cents."
        )
        tasks.append(Task(f"sql-{place:04d}", _SYSTEM, prompt, f"{total:.2f}", facts, rng.gauss(0, 0.9)))
    return tasks


def query(facts: dict, voided: bool, every_month: bool = False) -> str:
    """The SQL of a sum, with or without the conditions that it should have."""
    parts = [f"{facts['key']} = '{facts['name']}'"]
    if not every_month:
        parts.append(f"strftime('%m', booked_on) = '{facts['month']:02d}'")
    if not voided:
        parts.append("status <> 'void'")
    return f"SELECT ROUND(SUM({facts['column']}), 2) FROM {facts['table']} WHERE {' AND '.join(parts)};"


def schema(facts: dict) -> str:
    """What the database says about the table."""
    return (
        f"CREATE TABLE {facts['table']} (id INTEGER PRIMARY KEY, {facts['key']} TEXT, booked_on DATE, "
        f"{facts['column']} REAL, status TEXT CHECK (status IN ('open', 'paid', 'void')));"
    )


def look_up(rng: Random, task: Task, skill: float, step: int) -> Episode:
    """Look at the table, sum, and answer; a wrong attempt forgets a condition."""
    f, right = task.facts, rng.random() < skill
    talk = Talk().call(
        one(
            rng,
            f"I do not know the columns of {f['table']} yet, so I look at its schema first.",
            f"The question is about {f['table']}. Before I sum anything I want to see how rows are stored.",
            f"Let me check which columns {f['table']} has, and how a month is written there.",
        )
        + some(rng, 0.4, f"I need the one that holds {f['name']}.", "There may be a status to mind."),
        "run_sql",
        schema(f),
        query=f"SELECT sql FROM sqlite_master WHERE name = '{f['table']}';",
    )
    if rng.random() < 0.35:
        talk.call(
            one(rng, "How many rows are there for this name?", f"I count what there is of {f['name']} first."),
            "run_sql",
            str(f["rows"]),
            query=f"SELECT COUNT(*) FROM {f['table']} WHERE {f['key']} = '{f['name']}';",
        )
    months = not right and rng.random() < 0.4
    value = f["total"] if right else f["all_months"] if months else f["with_voided"]
    reason = one(
        rng,
        f"Now I sum {f['column']} for {f['name']}.",
        f"The column is {f['column']}, and the filter is on {f['key']} and on booked_on.",
        f"With the schema known, one aggregate over {f['column']} will do.",
    )
    reason += some(rng, 0.8, "Voided rows are left out.", "Status void must not count.") if right else ""
    talk.call(reason, "run_sql", f"{value:.2f}", query=query(f, voided=not right, every_month=months))
    end = one(
        rng,
        f"The sum for {f['name']} is what the query gave.",
        f"That is the total over {f['table']} for {f['name']}.",
        "The query returned one value, which answers the question.",
        "I read the total off the last result.",
    )
    answer = f"{value:.2f}"
    talk.say(f"{end}{some(rng, 0.3, 'It is in euros.', 'Cents are kept.')}\nAnswer: {answer}")
    return Episode(talk.turns, right, answer)
