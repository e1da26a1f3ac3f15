"""Questions on the weather, answered with a tool."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import say, town

FIELDS = ("temperature", "wind", "humidity")
UNITS = {"temperature": "°C", "wind": "km/h", "humidity": "%"}


def task(rng: Random) -> Task:
    """Two towns compared on a day."""
    while True:
        (first, second), field = (town(rng), town(rng)), rng.choice(FIELDS)
        values = (rng.randint(3, 38), rng.randint(3, 38))
        if first != second and values[0] != values[1]:
            break
    day = f"{rng.randint(1, 28)} {rng.choice(('March', 'May', 'July', 'October'))}"
    question = (
        f"How large is the difference of {field} between {first} and {second} on {day}? Give "
        f"a number in {UNITS[field]}."
    )
    facts = {"towns": dict(zip((first, second), values, strict=True)), "field": field, "day": day}
    return Task(question, str(abs(values[0] - values[1])), family=field, facts=facts)


def asked_for(rng: Random, task: Task, place: str) -> dict:
    """The call for one town."""
    field, day = task.facts["field"], task.facts["day"]
    note = say(
        rng,
        f"[I need|Now to|Let me get|Let us look up|We want|Fetching] the {field} of {place}[ on {day}| for that day|]"
        f"[, then compare|, in {UNITS[field]}|, as asked|]. [The tool has it.|One call is "
        f"enough.|A look at the records.|]",
    ).strip()
    return call(note, "get_weather", city=place, day=task.facts["day"], field=task.facts["field"])


def shown(task: Task, place: str) -> dict:
    """What the tool says of it."""
    field = task.facts["field"]
    return told(
        "get_weather", f'{{"city": "{place}", "{field}": {task.facts["towns"][place]}, "unit": "{UNITS[field]}"}}'
    )


def concluded(rng: Random, task: Task, right: bool) -> tuple[dict, str]:
    """The last message with its number."""
    value = task.gold if right else str(max(0, int(task.gold) + rng.choice((-3, -2, -1, 1, 2, 4, 10))))
    return speak(
        say(rng, f"[The difference is|They differ by|That makes] {value} {UNITS[task.facts['field']]}.")
    ), value


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Both towns are looked up."""
    turns = []
    for place in task.facts["towns"]:
        turns += [asked_for(rng, task, place), shown(task, place)]
    ending, value = concluded(rng, task, right)
    return Reply([*turns, ending], value)


WEATHER = Domain(task, reply)
