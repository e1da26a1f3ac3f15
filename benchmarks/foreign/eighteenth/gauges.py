"""Readings of sensors, asked for in tags within the text."""

from random import Random

from benchmarks.foreign.eighteenth.people import PLACES
from benchmarks.foreign.eighteenth.shapes import Reply, Task

SENSORS = (("thermometer", "tenths of a degree"), ("river gauge", "centimetres"), ("anemometer", "metres a minute"))
CLOSING = ("The reading went from {a} to {b}.", "{b} after {a}.", "First {a}, then {b}.", "Later {b}, earlier {a}.")
SYSTEM = "You may call a sensor with <call>station, hour</call>; the station answers in <result>...</result>."


def asks(station: str, hour: int, thought: str) -> dict:
    """A message that calls a sensor."""
    return {"role": "assistant", "content": f"{thought} <call>{station}, {hour}</call>".strip()}


def answers(value: int) -> dict:
    """What the station says."""
    return {"role": "tool", "content": f"<result>{value}</result>", "tool_name": "sensor", "ok": True}


def reading_of(rng: Random) -> Task:
    """The change of a reading between two hours."""
    (kind, unit), station = rng.choice(SENSORS), f"{rng.choice(PLACES)} {rng.randint(2, 40)}"
    one, two = sorted(rng.sample(range(24), 2))
    a, b = rng.sample(range(60, 480), 2)

    def write(rng: Random, right: bool) -> Reply:
        thought = rng.choice((f"The {kind} first.", "I need both hours.", f"Reading {station}.", "Two calls.", ""))
        later = rng.choice(("Now the later hour.", "And the second one.", f"Then {two}:00.", "", "Next."))
        messages = [asks(station, one, thought), answers(a), asks(station, two, later), answers(b)]
        value = b - a if right else rng.choice((a - b, a + b, b - a + 10, b - a - 1))
        said = f"{rng.choice(CLOSING).format(a=a, b=b)}\nAnswer: {value}"
        return Reply([*messages, {"role": "assistant", "content": said}], str(value))

    prompt = f"By how many {unit} did the {kind} of {station} change from {one}:00 to {two}:00? (later minus earlier)"
    facts = {"station": station, "hours": [one, two]}
    return Task(
        prompt, str(b - a), write, kind.replace(" ", "_"), rng.uniform(-0.3, 0.5), SYSTEM, domain="tools", extra=facts
    )
