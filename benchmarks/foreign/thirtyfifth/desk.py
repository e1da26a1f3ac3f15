"""Agents at a desk: with a Python tool, a booking calendar, and a search over an invented gazetteer."""

import random
from typing import Any

from benchmarks.foreign.thirtyfifth.course import Message, Task, Try

FORMULAS = {
    "orchard": ("({n}*{e}-{b})*{p}", "{n}*{e}*{p}"),
    "kiln": ("({z}-{a})*60//{u}+{h}", "{z}*60//{u}+{h}"),
    "hive": ("({f}*{q}-{w})*{c}", "{f}*{q}*{c}-{w}"),
    "tide": ("{s}*6//({v}-{c})+{b}", "{s}*6//{v}+{b}"),
    "knit": ("{o}-{d}*{k}+{i}", "{o}-{d}*{k}"),
    "ferment": ("({l}+{x}*{b})*{s}", "{l}*{s}+{x}*{b}"),
}
"""What to compute for a problem of the trades: the right expression, and a wrong one."""
WHO = (
    "Amara",
    "Bertil",
    "Chiyo",
    "Dragan",
    "Eluned",
    "Farid",
    "Greta",
    "Hamish",
    "Ilse",
    "Jovan",
    "Kezia",
    "Lorcan",
    "Mirela",
    "Niko",
    "Oona",
    "Pascal",
    "Quentin",
    "Rosalind",
    "Sunniva",
    "Tomasz",
    "Ulla",
    "Viggo",
    "Wanda",
    "Yusuf",
)
COURTS = ("squash court", "pottery wheel", "rowing tank", "practice organ", "darkroom", "sewing room", "climbing wall")
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
TOWNS = (
    "Asterby",
    "Brackenholt",
    "Corvale",
    "Dunmere",
    "Eskfoot",
    "Farrowick",
    "Grelland",
    "Hollin Quay",
    "Istrand",
    "Jarrowby",
    "Kelsmoor",
    "Lanthorpe",
    "Merrowdale",
    "Norrfield",
    "Ostley",
    "Pellwater",
)
THINGS = ("lighthouse", "corn exchange", "tram depot", "viaduct", "observatory", "rope works", "lido", "fish market")


def says(text: str, *calls: tuple[str, dict[str, Any]]) -> Message:
    """A message of the policy, with calls."""
    made = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return {"role": "assistant", "content": text} | ({"tool_calls": made} if made else {})


def told(name: str, text: str, ok: bool = True) -> Message:
    """What a tool answers."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def compute(rng: random.Random, one: Try, down: bool = False, error: str = "") -> None:
    """Let the policy solve a problem of the trades with the Python tool, which may be down."""
    given = one.task.more["given"]
    formula = FORMULAS[one.task.family][0 if one.is_right else 1].format(**given)
    value = str(eval(formula))
    first, second = list(given.items())[:2]
    plan = rng.choice(
        (
            f"The quantities that matter are {first[1]} and {second[1]} to begin with. I put the sum into Python.",
            "I write the whole sum as one expression, so that no rounding creeps in on the way.",
            f"By hand this is easy to get wrong, so I let the tool do it, starting from {first[1]}.",
            "Let me set the expression up first and then read the question again.",
        )
    )
    code = rng.choice(
        (f"print({formula})", f"result = {formula}\nprint(result)", f"total = {formula}\nprint('total', total)")
    )
    if down:
        again = rng.choice(
            (
                "The tool did not answer. I try once more.",
                "No result came back; the same call again.",
                "That is not a result of my code. Again:",
            )
        )
        end = rng.choice(
            (
                "The interpreter is not reachable, so I cannot give a checked number.",
                f"Without the tool I estimate, and say {int(value) // 10 * 10 + 10}.",
            )
        )
        one.turns = [
            says(plan, ("python", {"code": code})),
            told("python", error, False),
            says(again, ("python", {"code": code})),
            told("python", error, False),
            says(end),
        ]
        one.answer, one.is_right = "", False
        return
    shown = f"total {value}" if "'total'" in code else value
    end = rng.choice(
        (
            f"The tool prints {value}, which has the size I expected. Answer: {value}",
            f"So the answer to the question is {value}. Answer: {value}",
            f"Reading the question once more, {value} is what it asks for. Answer: {value}",
        )
    )
    one.turns = [says(plan, ("python", {"code": code})), told("python", shown), says(end)]
    one.answer, one.is_right = value, value == one.task.gold


def booking_task(rng: random.Random, number: int) -> Task:
    """Book the first free hour from a given one on."""
    who, court, day, hour = rng.choice(WHO), rng.choice(COURTS), rng.choice(WEEK), rng.randint(9, 14)
    taken = {hour + k: rng.choice(("staff", "cleaning", "school class")) for k in range(5) if rng.random() < 0.4}
    free = next(h for h in range(hour, 24) if h not in taken)
    prompt = (
        f"Please book the {court} on {day} for {who}, party of {rng.randint(1, 6)}, at "
        f"{hour}:00 or the next free hour, "
        f"and tell {rng.choice(('me', 'the desk', 'us'))} the hour you booked."
    )
    more = {"who": who, "court": court, "day": day, "hour": hour, "taken": taken}

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        return "", str(free)

    return Task(
        f"booking-{number:04d}",
        prompt,
        f"{free}:00",
        solve,
        court,
        rng.gauss(-0.1, 0.7),
        "You run the front desk of a sports hall. Tools: list_bookings(room, day), book(room, day, hour, name).",
        more,
    )


def book(rng: random.Random, one: Try, left: dict[int, str] | None = None) -> None:
    """Let the policy book; `left` are bookings that earlier episodes made."""
    task, more = one.task, one.task.more
    taken = {**(left or {}), **more["taken"]}
    lines = [f"{hour}:00 {taken[hour]}" for hour in sorted(taken)] or ["no bookings"]
    place = {"room": more["court"], "day": more["day"]}
    free = next(h for h in range(more["hour"], 30) if h not in taken)
    hour = free if one.is_right else free + rng.choice((1, 1, 2))
    while not one.is_right and hour in taken:
        hour += 1
    look = rng.choice(
        (
            f"I look at what is booked in the {more['court']} on {more['day']}.",
            f"First the calendar for {more['day']}.",
            f"{more['who']} wants {more['hour']}:00; let me see whether it is free.",
        )
    )
    choose = rng.choice(
        (
            f"{hour}:00 is open, so I book it for {more['who']}.",
            f"From {more['hour']}:00 on the slot I take is {hour}:00.",
            f"That leaves {hour}:00 as the hour to take.",
        )
    )
    end = rng.choice(
        (
            f"Done: {more['who']} has the {more['court']} on {more['day']} at {hour}:00.",
            f"I booked {hour}:00 for {more['who']}.",
            f"The {more['court']} is reserved, {more['day']} {hour}:00.",
        )
    )
    one.turns = [
        says(look, ("list_bookings", place)),
        told("list_bookings", "\n".join(lines)),
        says(choose, ("book", {**place, "hour": hour, "name": more["who"]})),
        told("book", f"booked {more['court']} {more['day']} {hour}:00 for {more['who']}"),
        says(end),
    ]
    one.answer = f"{hour}:00"
    one.is_right = one.answer == task.gold


def gazetteer_task(rng: random.Random, number: int) -> Task:
    """A fact of an invented place, which stands in the last sentence of its article."""
    town, thing = rng.choice(TOWNS), rng.choice(THINGS)
    built, year, steps = rng.randint(1740, 1890), rng.randint(1895, 1990), rng.randint(40, 320)
    who = rng.choice(WHO)
    article = (
        f"The {thing} of {town} was begun in {built} to plans that {who} Sandoval had drawn "
        f"for another site. It stands at the "
        f"end of {rng.choice(('Salt', 'Ferry', 'Mill', 'Church'))} Street and is {steps} "
        f"steps long on its seaward side. A fire "
        f"took the roof within {rng.randint(2, 30)} years. After "
        f"{rng.choice(('repairs', 'a long dispute', 'two wars'))} it was "
        f"closed to the public in {year}."
    )
    prompt = f"In which year was the {thing} of {town} closed to the public?"

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        return "", str(year if is_right else rng.choice((built, year - rng.randint(1, 9), year + 10)))

    more = {"article": article, "town": town, "thing": thing, "built": built, "year": year}
    return Task(
        f"gazetteer-{number:04d}",
        prompt,
        str(year),
        solve,
        thing,
        rng.gauss(0, 0.7),
        "You may call search(query) before you answer with a year.",
        more,
    )


def query(rng: random.Random, task: Task) -> str:
    """A query for a fact of the gazetteer."""
    town, thing = task.more["town"], task.more["thing"]
    return rng.choice(
        (f"{town} {thing} closed", f"{thing} of {town} history", f"when did {town} {thing} close", f"{town} {thing}")
    )


def look_up(rng: random.Random, one: Try, cut: int = 0) -> None:
    """Let the policy search and answer; `cut` is the length at which results end."""
    task = one.task
    article = task.more["article"]
    miss = (
        f"No article matches. Nearest: the {rng.choice(THINGS)} of {rng.choice(TOWNS)}, "
        f"built {rng.randint(1700, 1900)}."
    )
    shown = article[:cut] if cut else article
    one.turns = [
        says(
            rng.choice(
                (
                    f"I search for the {task.more['thing']}.",
                    f"What is known about {task.more['town']}?",
                    "The year of closing should be in an article.",
                )
            ),
            ("search", {"query": query(rng, task)}),
        )
    ]
    can_know = task.more["article"].split(" was ")[-1] in shown and str(task.more["year"]) in shown
    if not one.is_right and rng.random() < 0.5:
        one.turns += [
            told("search", miss),
            says("That is another place. I try other words.", ("search", {"query": query(rng, task)})),
        ]
    one.turns.append(told("search", shown))
    if can_know:
        year = one.answer
        end = rng.choice(
            (
                f"The article says when it closed: {year}",
                f"It was closed in {year}. The start of building is another matter.\n{year}",
                f"Of the years named, the one of closing is {year}",
            )
        )
    else:
        more = rng.choice(
            (
                "The text stops before the closing is named. Again with other words.",
                "The end of the article is missing.",
            )
        )
        one.turns += [says(more, ("search", {"query": query(rng, task) + " closing year"})), told("search", shown)]
        guess = task.more["built"] + rng.randint(40, 110)
        year = one.answer = str(task.gold if one.is_right and rng.random() < 0.12 else guess)
        end = rng.choice(
            (
                f"The result ends too early, so I guess from the year it was begun: {year}",
                f"Most likely it closed in {year}",
                f"I could not read the last sentence. My best guess is {year}",
            )
        )
    one.turns.append(says(end))
    one.is_right = one.answer == task.gold
