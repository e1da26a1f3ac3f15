"""Databases, spreadsheets and search over invented facts."""

import random

from benchmarks.foreign.thirtyeighth.core import Attempt, Talk, Task

TOWNS = ("Lyon", "Porto", "Gdansk", "Bergen", "Graz", "Ghent", "Turku", "Verona", "Leeds", "Brno")
GOODS = ("lamps", "kettles", "ladders", "violins", "tents", "globes", "rugs", "drills")
STATES = ("open", "shipped", "returned", "cancelled")


def sql_task(rng: random.Random, i: int) -> Task:
    """A question about a table of orders, with the table behind it."""
    table = [
        (rng.choice(TOWNS[:5]), rng.choice(GOODS[:4]), rng.choice(STATES), rng.randint(1, 40))
        for _ in range(rng.randint(60, 160))
    ]
    town, good, state = rng.choice(TOWNS[:5]), rng.choice(GOODS[:4]), rng.choice(STATES)
    table.append((town, good, state, rng.randint(1, 40)))
    gold = sum(n for t, g, s, n in table if (t, g, s) == (town, good, state))
    prompt = rng.choice(
        (
            f"How many {good} were ordered from {town} in orders that are {state}? Warehouse {i + 11}.",
            f"Warehouse {i + 11}: give the total quantity of {state} orders of {good} for {town}.",
            f"For warehouse {i + 11}, sum up the pieces of {good} in {town} whose order is {state}.",
        )
    )
    data = {"table": table, "town": town, "good": good, "state": state, "id": i + 11}
    return Task(
        f"wh-{i + 11}", prompt, str(gold), system="You answer questions with the tool `query` (SQL).", data=data
    )


def sql_play(rng: random.Random, task: Task, right: bool, tool: str = "query") -> Attempt:
    """Look at the columns, ask, and answer; the wrong way forgets a condition."""
    d, talk = task.data, Talk()
    table = f"orders_{d['id']}"
    if rng.random() < 0.7:
        text = rng.choice(("I do not know the columns yet.", "First the schema.", "Let me see how the table looks."))
        talk.call(
            text, tool, {"sql": f"PRAGMA table_info({table})"}, "town TEXT\ngood TEXT\nstate TEXT\npieces INTEGER"
        )
    wanted = {"town": d["town"], "good": d["good"], "state": d["state"]}
    if not right:
        wanted.pop(rng.choice(list(wanted)))
    names = ("town", "good", "state")
    total = sum(r[3] for r in d["table"] if all(r[names.index(k)] == v for k, v in wanted.items()))
    where = " AND ".join(f"{k} = '{v}'" for k, v in rng.sample(list(wanted.items()), len(wanted)))
    text = rng.choice(
        (f"I sum the pieces where {' and '.join(wanted)} fit.", f"The question restricts {', '.join(wanted)}.",
         "One aggregate over the filtered rows should do.", f"Filter by {' and '.join(wanted)}, then add up.")
    )  # fmt: skip
    talk.call(text, tool, {"sql": f"SELECT SUM(pieces) FROM {table} WHERE {where}"}, str(total))
    if rng.random() < 0.3:
        rows = sum(all(r[names.index(k)] == v for k, v in wanted.items()) for r in d["table"])
        talk.call(
            "How many rows does that rest on?", tool, {"sql": f"SELECT COUNT(*) FROM {table} WHERE {where}"}, str(rows)
        )
    end = rng.choice(("The total is", "That makes", "By the table it is", f"For {d['town']} the sum is"))
    talk.say(f"{end} {total} pieces.\n\nAnswer: {total}")
    return Attempt(task, talk.messages, str(total), float(str(total) == task.gold), tool_seconds=rng.uniform(0.2, 1.5))


FIRST = ("Ilse", "Marek", "Oona", "Tadeo", "Brisa", "Jorun", "Emeka", "Sunniva", "Pavel", "Noor", "Akira", "Lidia")
LAST = ("Varga", "Holm", "Quintero", "Abara", "Lindqvist", "Moreau", "Tanaka", "Petrov", "Sorley", "Bianchi")
RIVERS = ("the Arde", "the Lunna", "the Vesk", "the Tarrow", "the Ombra", "the Kalix", "the Dorn", "the Sele")
PLACES = ("Marlow Fen", "Ostrava Hill", "Pinhal", "Kestrel Bay", "Norrvik", "Castel Rosso", "Dunmere", "Alta Vega")
WORKS = (
    "the glass bridge",
    "the tidal clock",
    "the paper organ",
    "the salt museum",
    "the northern almanac",
    "the rope lift",
    "the wind harp",
    "the weir house",
    "the star hall",
)


def _birthplace(who: str) -> int:
    return sum(map(ord, who)) % len(PLACES)


def search_task(rng: random.Random, i: int) -> Task:
    """A question of two hops, over facts that exist nowhere else."""
    while True:
        firsts, lasts = rng.sample(FIRST, 2), rng.sample(LAST, 2)
        person, namesake = (f"{a} {b}" for a, b in zip(firsts, lasts, strict=True))
        at = [_birthplace(who) for who in (person, namesake)]
        if at[0] != at[1]:
            break
    places, rivers = [PLACES[k] for k in at], [RIVERS[k] for k in at]
    work = f"{WORKS[i % len(WORKS)]} of {TOWNS[i // len(WORKS) % len(TOWNS)]}"
    year = rng.randint(1780, 1960)
    prompt = rng.choice(
        (
            f"Which river flows past the birthplace of the designer of {work} ({year})?",
            f"Who designed {work} in {year} was born in a village by a river. Which river?",
            f"Name the river at the birthplace of the person who designed {work}, finished {year}.",
        )
    )
    data = {"person": person, "other": namesake, "places": places, "rivers": rivers, "work": work, "year": year}
    data["later"] = rng.randint(20, 60)
    return Task(f"hop-{i}", prompt, rivers[0], system="Use the search tool. Finish with 'Answer: ...'.", data=data)


def search_play(rng: random.Random, task: Task, right: bool, tool: str = "search") -> Attempt:
    """Search the designer, then the village; the wrong way follows the restorer."""
    d, talk = task.data, Talk()
    n = 0 if right else 1
    who = d["person"] if right else d["other"]
    first = (
        f"[1] {d['work'][0].upper()}{d['work'][1:]} was designed by {d['person']} and finished in {d['year']}. "
        f"[2] It was restored by {d['other']} {d['later']} years later."
    )
    text = rng.choice(
        ("First I need the designer.", f"Who designed {d['work']}?", "Two hops: designer, then birthplace.")
    )
    query = rng.choice((f"{d['work']} designer", f"who designed {d['work']}", f"{d['work']} {d['year']} architect"))
    talk.call(text, tool, {"query": query}, first)
    text = rng.choice((f"It was {who}. Now the birthplace.", f"{who}, then. Where was {who.split()[0]} born?"))
    talk.call(text, tool, {"query": f"{who} born in"}, f"[1] {who} was born in {d['places'][n]}, as a miller's child.")
    text = rng.choice((f"Which river is at {d['places'][n]}?", f"The village is {d['places'][n]}; next its river."))
    talk.call(
        text,
        tool,
        {"query": f"{d['places'][n]} river"},
        f"[1] {d['places'][n]} lies on {d['rivers'][n]}, below a weir.",
    )
    if rng.random() < 0.6:
        text = rng.choice((f"{who} was born in {d['places'][n]}, which lies on {d['rivers'][n]}.",
                           f"The sources agree: {who}, {d['places'][n]}, {d['rivers'][n]}."))  # fmt: skip
    else:
        text = f"The chain is {d['work']}, {who}, {d['places'][n]}, {d['rivers'][n]}."
    talk.say(f"{text}\nAnswer: {d['rivers'][n]}")
    return Attempt(task, talk.messages, d["rivers"][n], float(right), tool_seconds=rng.uniform(1, 5))


def sheet_task(rng: random.Random, i: int) -> Task:
    """A budget sheet in which a cell is to be filled."""
    rows = [(rng.choice(GOODS), rng.randint(2, 30), rng.randint(5, 90)) for _ in range(rng.randint(3, 6))]
    percent = rng.choice((5, 10, 15, 20, 25))
    total = sum(n * price for _, n, price in rows) * (100 - percent) / 100
    listing = "; ".join(f"A{k + 2}={g}, B{k + 2}={n}, C{k + 2}={p}" for k, (g, n, p) in enumerate(rows))
    prompt = (
        f"Sheet 'Order {i + 301}': {listing}. B holds pieces, C the price of one. "
        f"Put the total after a discount of {percent} % into E1 and tell me the value."
    )
    return Task(f"sheet-{i}", prompt, f"{total:.2f}", data={"rows": rows, "percent": percent})


def sheet_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Write a formula, read the cell, answer; the wrong way forgets the discount or the last row."""
    rows, percent, talk = task.data["rows"], task.data["percent"], Talk()
    last = len(rows) + 1
    factor, used, note = f"*(1-{percent}%)", rows, f"The sum of products, less {percent} %."
    if not right and rng.random() < 0.5:
        used, note = rows[:-1], "Pieces times price, summed, with the discount on top."
    elif not right:
        factor, percent, note = f"-{percent}%", 0, f"I take the products together and subtract {percent} %."
    total = sum(n * price for _, n, price in used) * (100 - percent) / 100
    if not right and percent == 0:
        total -= task.data["percent"] / 100
    end = last if used is rows else last - 1
    form = rng.choice((f"=SUMPRODUCT(B2:B{end},C2:C{end}){factor}", f"=SUMPRODUCT(C2:C{end},B2:B{end}){factor}"))
    if rng.random() < 0.5:
        first = ", ".join(f"{n}x{price}={n * price}" for _, n, price in used[:3])
        note += f" By hand the rows begin {first}."
    talk.call(note, "set_cell", {"cell": "E1", "value": form}, "ok")
    text = rng.choice(("Let me read it back.", "What does the cell show now?", "I check the value."))
    talk.call(text, "get_cell", {"cell": "E1"}, f"{total:.2f}")
    closing = rng.choice(("E1 now shows", "The discounted total is", "I filled E1; it comes to", "E1 evaluates to"))
    talk.say(f"{closing} {total:.2f}.")
    return Attempt(
        task, talk.messages, f"{total:.2f}", float(f"{total:.2f}" == task.gold), tool_seconds=rng.uniform(0.2, 1)
    )
