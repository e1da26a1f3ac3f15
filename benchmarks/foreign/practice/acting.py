"""Problems worked on with tools, and two of them: a database, a web shop."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.practice.stories import PLACES, WHO, Draw, Task

Message = dict[str, Any]


@dataclass(frozen=True)
class Scene:
    """How problems are drawn, and how an episode goes: right or wrong, with more or less words between calls."""

    draw: Callable[[Draw, str], Task]
    play: Callable[[Draw, Task, bool, float], list[Message]]


def call(tool: str, arguments: dict[str, Any], text: str = "") -> Message:
    """An assistant message with one call in OpenAI's form."""
    inner = {"name": tool, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": text, "tool_calls": [{"type": "function", "function": inner}]}


def answered(text: str) -> Message:
    """What the tool said."""
    return {"role": "tool", "content": text}


def said(text: str) -> Message:
    """What the policy wrote without a call."""
    return {"role": "assistant", "content": text}


def opened(task: Task, system: str) -> list[Message]:
    """System prompt and problem."""
    return [{"role": "system", "content": system}, {"role": "user", "content": task.prompt}]


def aside(rng: Draw, talk: float, *about: str) -> str:
    """A sentence before a call, more often with more talk."""
    if rng.random() > talk:
        return ""
    it = rng.choice(about)
    return rng.choice(
        (
            f"I will look at {it} first.",
            f"Next, {it}.",
            f"That did not settle {it}; let me see.",
            f"{it} seems relevant here.",
            f"Checking {it} before going on.",
            f"The question hinges on {it}.",
            f"I want to be certain about {it}.",
            f"Let me open {it}.",
            f"Perhaps {it} tells more.",
            f"So far so good, now {it}.",
            f"I still need {it}.",
        )
    )


def fixed(task: Task, *about: str) -> Draw:
    """Draws of the environment itself: the same for all attempts at a problem."""
    return random.Random("|".join((task.name, task.prompt, *about)))


# a database

TABLES = {
    "rentals": ("borough", "nights", ("Hackney", "Brent", "Camden", "Ealing")),
    "sensors": ("station", "reading", ("Kiel", "Husum", "Emden", "Jever")),
    "patients": ("ward", "age", ("east", "north", "cardio", "day")),
    "harvests": ("valley", "tonnes", ("Elqui", "Maipo", "Itata", "Choapa")),
    "flights": ("origin", "delay_min", ("OSL", "GVA", "LIS", "KEF")),
}


def draw_sql(rng: Draw, name: str) -> Task:
    """Draw a count over one table."""
    table = rng.choice(list(TABLES))
    key, number, values = TABLES[table]
    value, limit, count = rng.choice(values), rng.randint(5, 95), rng.randint(0, 400)
    ask = rng.choice(
        (
            f"How many {table} of {key} {value} have {number} above {limit}?",
            f"Count the {table} with {key} = {value} and {number} over {limit}.",
            f"We need the number of {table} in {value} where {number} exceeds {limit}.",
        )
    )
    others = rng.sample([one for one in TABLES if one != table], 2)
    facts = {"table": table, "key": key, "number": number, "value": value, "limit": limit, "others": others}
    return Task(name, "sql", ask, str(count), rng.gauss(0, 0.8), facts)


def play_sql(rng: Draw, task: Task, right: bool, talk: float) -> list[Message]:
    """List, describe, query; sometimes a column is misspelt and repaired."""
    f = task.facts
    row = opened(task, "You answer questions about a database. Reply with the number.")
    tables = "\n".join(sorted([f["table"], *f["others"]]))
    if rng.random() < 0.6:
        row += [call("list_tables", {}, aside(rng, talk, "the schema", "the tables")), answered(tables)]
    about = f"id INTEGER, {f['key']} TEXT, {f['number']} REAL, noted_on DATE"
    if rng.random() < 0.8:
        row += [call("describe", {"table": f["table"]}, aside(rng, talk, f["table"], "the columns")), answered(about)]
    number = f["number"]
    if rng.random() < 0.3:
        bad = f"SELECT COUNT(*) FROM {f['table']} WHERE {f['key']}='{f['value']}' AND {number}_val > {f['limit']}"
        row += [
            call("run_query", {"sql": bad}, aside(rng, talk, "the count")),
            answered(f"Error: no such column: {number}_val"),
        ]
    sign = ">" if right else rng.choice((">=", "<", "> 1 +"))
    sql = rng.choice(
        (
            "SELECT COUNT(*) FROM {t} WHERE {k} = '{v}' AND {n} {s} {l}",
            "select count(id) from {t} where {n} {s} {l} and {k}='{v}'",
        )
    )
    sql = sql.format(t=f["table"], k=f["key"], v=f["value"], n=number, s=sign, l=f["limit"])
    count = (
        int(task.answer)
        if right
        else max(0, int(task.answer) + fixed(task, sql).choice((-40, -7, -3, -1, 1, 2, 5, 33)))
    )
    row += [call("run_query", {"sql": sql}, aside(rng, talk, "the count", f["value"])), answered(f"count\n{count}")]
    row.append(said(rng.choice((f"{count}", f"The count is {count}.", f"There are {count}.", f"Answer: {count}"))))
    return row


# a web shop

GOODS = [
    "kettle",
    "tripod",
    "hammock",
    "toaster",
    "headset",
    "backpack",
    "monitor",
    "lampshade",
    "router",
    "drill",
    "scooter",
    "blender",
]
BRANDS = ["Norvik", "Altera", "Quillon", "Bexley", "Tamuro", "Ossia", "Vantec", "Murello"]


def draw_web(rng: Draw, name: str) -> Task:
    """Draw a price to be found in a shop."""
    brand, good, price = (
        rng.choice(BRANDS),
        rng.choice(GOODS),
        f"{rng.randint(12, 480)}.{rng.choice(('00', '49', '90', '99'))}",
    )
    ask = rng.choice(
        (
            f"Find the price of the {brand} {good} on shop.example.",
            f"What does a {brand} {good} cost at shop.example?",
            f"Look up the {brand} {good} in the shop and report its price.",
        )
    )
    return Task(name, "web", ask, price, rng.gauss(0, 0.8), {"brand": brand, "good": good})


def page(rng: Draw, task: Task) -> str:
    """A page of results, the wanted one among others."""
    rows = [
        f"[{rng.randint(10, 99)}] {rng.choice(BRANDS)} {rng.choice(GOODS)} - {rng.randint(12, 480)}.99"
        for _ in range(rng.randint(2, 6))
    ]
    rows.insert(rng.randrange(len(rows) + 1), f"[7] {task.facts['brand']} {task.facts['good']} - see product page")
    return f"Results for your search ({len(rows)})\n" + "\n".join(rows)


def play_web(rng: Draw, task: Task, right: bool, talk: float) -> list[Message]:
    """Open, search, follow, read; a page may fail and is opened again."""
    good = f"{task.facts['brand']} {task.facts['good']}"
    row = opened(task, "You control a browser. Report the price as a number.")
    row += [
        call("open_url", {"url": "https://shop.example"}, aside(rng, talk, "the shop")),
        answered("Home | Search [3] | Cart [4] | Deals of the day"),
    ]
    row += [
        call(
            "type_text",
            {"element": 3, "text": rng.choice((good, task.facts["good"], good.lower()))},
            aside(rng, talk, good),
        ),
        answered(page(fixed(task, "results"), task)),
    ]
    if rng.random() < 0.25:
        row += [
            call("click", {"element": rng.randint(10, 99)}, aside(rng, talk, "this entry")),
            answered("404 - the page is gone"),
        ]
        row += [call("go_back", {}, aside(rng, talk, "the list")), answered(page(fixed(task, "results"), task))]
    price = task.answer if right else f"{rng.randint(12, 480)}.{rng.choice(('00', '49', '99'))}"
    seen = good if right else f"{rng.choice(BRANDS)} {task.facts['good']}"
    row += [
        call("click", {"element": 7 if right else rng.randint(10, 99)}, aside(rng, talk, good)),
        answered(f"{seen}\nPrice {price} EUR\n{len(price) * 7} in stock, {len(seen)} reviews"),
    ]
    if rng.random() < 0.4:
        row += [
            call("scroll", {"pixels": rng.choice((300, 600, 900))}),
            answered(
                f"Reviews: {rng.choice(WHO)} gave {rng.randint(1, 5)} stars. Delivered from {rng.choice(PLACES)}."
            ),
        ]
    row.append(said(rng.choice((price, f"It costs {price} EUR.", f"The price is {price}.", f"Price: {price}"))))
    return row


SQL = Scene(draw_sql, play_sql)
WEB = Scene(draw_web, play_web)
