"""Calls of functions: what a user wants, the tool that serves it, and how a policy writes the call."""

import json
import random

from benchmarks.foreign.thirtythird.policy import Task

CITIES = ("Tartu", "Oaxaca", "Kisumu", "Hobart", "Plovdiv", "Nagano", "Cusco", "Tromsø", "Salta", "Pune")
WANTS = {
    "get_forecast": ("What will the weather be in {city} {n} days from now?", ("city", "days")),
    "book_table": ("Please book a table for {n} people in {city}.", ("city", "people")),
    "find_rooms": ("I need {n} hotel rooms in {city} for tonight.", ("city", "rooms")),
    "count_trams": ("How many trams of line {n} leave {city} this hour?", ("city", "line")),
}
OPEN = (
    "The user names a place and a number, so both have to go into the call.",
    "I look through the tools for the one that serves this request.",
    "One of the four functions fits what is asked.",
    "There is no need for more than one call here.",
    "The place must be spelt as the user spelt it.",
)


def wants(rng: random.Random, count: int) -> list[Task]:
    """Requests that one call serves."""
    places = [(tool, city, n) for tool in WANTS for city in CITIES for n in range(2, 14)]
    tasks = []
    for number, (tool, city, n) in enumerate(rng.sample(places, count)):
        text, (place, amount) = WANTS[tool]
        listed = ", ".join(f"{name}({', '.join(names)})" for name, (_, names) in WANTS.items())
        text = f"Tools: {listed}.\n{text.format(city=city, n=n)}"
        gold = json.dumps({"name": tool, "parameters": {place: city, amount: n}}, ensure_ascii=False)
        data = {"tool": tool, "city": city, "n": n, "names": (place, amount)}
        tasks.append(Task(f"call-{number:03d}", text, gold, tool, rng.gauss(0, 1), data))
    return tasks


def write_call(rng: random.Random, task: Task, right: bool) -> str:
    """A short thought and the call; a wrong one takes another tool or another number."""
    tool, city, n, names = (task.data[key] for key in ("tool", "city", "n", "names"))
    if not right and rng.random() < 0.5:
        tool = rng.choice([name for name in WANTS if name != tool])
        names = WANTS[tool][1]
    elif not right:
        n += rng.choice((-1, 1, 10))
    made = json.dumps({"name": tool, "parameters": {names[0]: city, names[1]: n}}, ensure_ascii=False)
    thought = f"{rng.choice(OPEN)} {tool} takes {names[0]} and {names[1]}: {city} and {n}."
    return f"<think> {thought} </think>\n<tool_call>\n{made}\n</tool_call>"
