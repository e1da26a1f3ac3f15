"""Questions that are answered by querying a database."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told

TOWNS = (
    "Aveiro",
    "Bergen",
    "Cork",
    "Delft",
    "Evora",
    "Faro",
    "Ghent",
    "Hilo",
    "Izmir",
    "Jena",
    "Kotor",
    "Lund",
    "Malmo",
)
TABLES = (
    ("orders", "town", "status", ("shipped", "returned", "open"), "orders"),
    ("patients", "clinic", "ward", ("surgery", "maternity", "cardiology"), "patients"),
    ("bookings", "port", "class", ("cabin", "deck", "suite"), "bookings"),
    ("loans", "branch", "kind", ("car", "home", "study"), "loans"),
)


@dataclass(frozen=True)
class Scene:
    """A question, its columns, and what a right and a careless query find."""

    table: str
    place: str
    column: str
    town: str
    value: str
    year: int
    right: int
    wrong: int


def query_task(rng: Random) -> Task:
    """Draw a question to a database."""
    table, place, column, values, noun = rng.choice(TABLES)
    right = rng.randrange(7, 900)
    year = rng.randrange(2011, 2025)
    scene = Scene(
        table, place, column, rng.choice(TOWNS), rng.choice(values), year, right, right + rng.randrange(3, 300)
    )
    prompt = rng.choice(
        (
            f"How many {noun} of {place} {scene.town} with {column} '{scene.value}' were entered in {year}?",
            f"Count the {scene.value} {noun} ({column}) at {scene.town} for the year {year}.",
        )
    )
    return Task(
        f"Table {table}(id, {place}, {column}, entered_on, amount).\n{prompt}",
        str(right),
        lambda r, good, skill: query_reply(r, scene, good, skill),
        family=table,
        system="Answer from the database. Use run_sql; end with 'Answer: N'.",
        extra={"db": f"{table}_{year % 7}.sqlite"},
        scene=scene,
    )


def query_reply(rng: Random, scene: Scene, right: bool, skill: float) -> Reply:
    """Query, mend a misspelt column now and then, answer."""
    s, messages = scene, []
    base = f"SELECT COUNT(*) FROM {s.table} WHERE {s.place} = '{s.town}'"
    dated = rng.choice((f" AND strftime('%Y', entered_on) = '{s.year}'", f" AND entered_on LIKE '{s.year}%'"))
    full = base + f" AND {s.column} = '{s.value}'" + dated
    careless = rng.choice((base + dated, base + f" AND {s.column} = '{s.value}'"))
    if rng.random() < 0.4 * (1 - skill) + 0.05:
        misspelt = rng.choice(("entry_date", "created_at", "date"))
        bad = full.replace("entered_on", misspelt)
        messages += [
            call(rng.choice(("Let me count.", "Query first.", "")), "run_sql", query=bad),
            told("run_sql", f"Error: no such column: {misspelt}", ok=False),
        ]
    elif rng.random() < 0.3:
        messages += [
            call("A look at the columns.", "run_sql", query=f"SELECT * FROM {s.table} LIMIT 2"),
            told(
                "run_sql",
                f"1|{s.town}|{s.value}|{s.year}-0{rng.randrange(1, 10)}-1{rng.randrange(10)}|{rng.randrange(9, 999)}",
            ),
        ]
    found = s.right if right else s.wrong
    note = rng.choice(
        ("Now the count itself.", "Filter and count.", "This should do.", "Counting with the conditions given.")
    )
    messages += [call(note, "run_sql", query=full if right else careless), told("run_sql", str(found))]
    close = rng.choice(("The query returns {n}.", "There are {n} of them.", "{n} rows match.")).format(n=found)
    return Reply([*messages, say(f"{close}\nAnswer: {found}")], str(found))
