"""Questions to tables and to a corpus: SQL over small schemas, and a search agent."""

import random

from benchmarks.foreign.fortysecond.attempts import Task, call, say

SCHEMAS = (
    ("orders", "order_id, customer, city, amount, placed_on", "amount", "city", ("Gent", "Porto", "Turku", "Brno")),
    ("shipments", "shipment_id, carrier, weight_kg, sent_on", "weight_kg", "carrier", ("Nordfrakt", "Lenz", "Ouro")),
    ("visits", "visit_id, clinic, minutes, seen_on", "minutes", "clinic", ("Harbour", "Elm", "Station")),
    ("readings", "reading_id, meter, kwh, read_on", "kwh", "meter", ("M-17", "M-40", "M-52", "M-88")),
)
WANTS = (
    ("the sum of {m} where {c} is '{v}'", "SELECT SUM({m}) FROM {t} WHERE {c} = '{v}'"),
    ("the largest {m} where {c} is '{v}'", "SELECT MAX({m}) FROM {t} WHERE {c} = '{v}'"),
    ("how many rows have {m} above {n} and {c} '{v}'", "SELECT COUNT(*) FROM {t} WHERE {m} > {n} AND {c} = '{v}'"),
    (
        "the mean {m} of every {c} whose mean exceeds {n}",
        "SELECT {c}, AVG({m}) FROM {t} GROUP BY {c} HAVING AVG({m}) > {n}",
    ),
)
SLIPS = (("SUM", "COUNT"), ("MAX", "MIN"), (" > ", " >= "), ("HAVING", "WHERE"))
THOUGHTS = (
    "The question is about {t}; the measure is {m} and the condition falls on {c}.",
    "I need {m} out of {t}, restricted or grouped by {c}.",
    "Everything stands in {t}. Column {c} selects, column {m} is what is asked for.",
)


def sql_tasks(rng: random.Random, count: int) -> list[Task]:
    """Questions to one table; `about` is table, columns, measure, column and the query's place in WANTS."""
    out, seen = [], set()
    while len(out) < count:
        table, columns, measure, column, values = rng.choice(SCHEMAS)
        want, number, value = rng.randrange(len(WANTS)), rng.randint(5, 95) * 5, rng.choice(values)
        words = {"t": table, "m": measure, "c": column, "v": value, "n": number}
        text, gold = (part.format(**words) for part in WANTS[want])
        if text in seen:
            continue
        seen.add(text)
        prompt = f"Schema:\nCREATE TABLE {table} ({columns});\n\nQuestion: give {text}.\nAnswer with one SQL query."
        out.append(Task(f"sql-{len(out):03d}", prompt, gold, table, rng.gauss(0, 0.7), (words, want)))
    return out


def query(rng: random.Random, task: Task, right: bool, table: str = "", thought: bool = True) -> str:
    """A reply with a query; a wrong one has the slip that is usual for its kind."""
    words, want = task.about
    sql = task.answer if right else task.answer.replace(*SLIPS[want])
    sql = sql.replace(f"FROM {words['t']}", f"FROM {table or words['t']}")
    lead = rng.choice(THOUGHTS).format(**{**words, "t": table or words["t"]}) + "\n\n" if thought else ""
    return f"{lead}```sql\n{sql}{rng.choice((';', ''))}\n```"


def failure(task: Task) -> str:
    """What running a wrong query against the database says."""
    return 'sqlite3.OperationalError: near "WHERE": syntax error' if task.about[1] == 3 else "rows differ"


PLACES = ("Arvik", "Dunmarsh", "Colvera", "Pellstad", "Ostrava Bay", "Hyllan", "Tamberg", "Quessin", "Nordhal", "Vissa")
THINGS = (
    ("funicular", "opened to the public"),
    ("lighthouse", "was first lit"),
    ("public library", "moved into its present house"),
    ("tram line", "was closed"),
    ("botanical garden", "was laid out"),
    ("observatory", "received its large mirror"),
)
FILLER = (
    "It is visited mostly in summer.",
    "Local papers wrote about it at length.",
    "The council paid two thirds of the cost.",
    "Its keeper published a short memoir.",
    "A plaque near the entrance recalls the builders.",
)


def search_tasks(rng: random.Random, count: int) -> list[Task]:
    """Questions for a year that stands in one document of a corpus."""
    out = []
    for place, (thing, event) in rng.sample([(p, t) for p in PLACES for t in THINGS], count):
        year = rng.randint(1851, 1989)
        prompt = (
            f"In which year was it that the {thing} of {place} {event}? Search the corpus, then answer with the year."
        )
        out.append(
            Task(
                f"{place}-{thing}".replace(" ", "_"), prompt, str(year), thing, rng.gauss(0, 0.6), (place, thing, event)
            )
        )
    return out


def page(rng: random.Random, task: Task, year: str) -> str:
    """A document about the thing with a year."""
    place, thing, event = task.about
    return (
        f"[doc {rng.randint(1000, 9999)}] The {thing} of {place}. {rng.choice(FILLER)} In {year} it {event}. "
        f"{rng.choice(FILLER)}"
    )


def beside(rng: random.Random, task: Task) -> str:
    """A document that does not help."""
    place, thing, _ = task.about
    other = rng.choice([p for p in PLACES if p != place])
    return f"[doc {rng.randint(1000, 9999)}] The {thing} of {other} is of another age. {rng.choice(FILLER)}"


def searched(
    rng: random.Random, task: Task, reply: str, wording: int = 0, ok: bool = True, again: str = ""
) -> list[dict]:
    """One call of the search tool."""
    place, thing, event = task.about
    words = (f"{thing} {place} year {event.split()[-1]}", f"{place} {thing} history", f"when {thing} of {place}")[
        wording % 3
    ]
    lead = (
        f"I look for the {thing} of {place}.",
        "That was not it yet; I try other words.",
        f"One more attempt, this time asking plainly about {place}.",
    )[wording % 3]
    lead = again or lead
    return call(lead, "search", {"query": words}, reply, ok)


def told(rng: random.Random, task: Task, year: str) -> list[dict]:
    """The closing answer."""
    place, thing, event = task.about
    forms = (
        f"According to the document, the {thing} of {place} {event} in {year}.\nAnswer: {year}",
        f"The corpus gives {year} for the year in which the {thing} {event}.\nAnswer: {year}",
        f"I found one passage on the {thing} of {place}. It says {year}.\nAnswer: {year}",
    )
    return say(rng.choice(forms))
