"""Calendars: find the first hour when all are free and put the meeting there. The calendar's state is checked."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool

_PEOPLE = ("Aylin", "Bruno", "Chidi", "Dagny", "Emeka", "Farah", "Goran", "Hanna", "Ivo", "Jun")
_TOPICS = ("budget review", "launch plan", "hiring loop", "quarterly numbers", "office move", "design critique")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def draw(rng: random.Random) -> Task:
    """Some people, what hours they are busy, and the first that suits all."""
    people, day, topic = rng.sample(_PEOPLE, rng.choice((2, 3))), rng.choice(_DAYS), rng.choice(_TOPICS)
    free = rng.randrange(11, 17)
    busy: dict[str, list[int]] = {p: [] for p in people}
    for hour in range(9, free):
        busy[rng.choice(people)].append(hour)
    names = ", ".join(people)
    prompt = rng.choice(
        (
            f"Set up a one-hour meeting '{topic}' with {names} on {day}, as early as all are free from 9 on.",
            f"Please book '{topic}' ({names}) on {day}: first full hour after 9:00 that suits everybody.",
            f"Find the first common free hour on {day} for {names} and invite them to '{topic}'.",
        )
    )
    facts = {"people": people, "day": day, "topic": topic, "busy": busy, "free": free}
    return Task(code_of(rng, "cal"), prompt, topic.replace(" ", "_"), rng.gauss(0, 1), f"{day} {free}:00", facts)


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """Look at each calendar, then make the event."""
    f = task.facts
    said: list[Message] = []
    for n, person in enumerate(f["people"]):
        think = rng.choice(
            (f"I need the hours of {person}.", f"Next, {person}'s {f['day']}.", f"When is {person} busy?")
        )
        said += [
            says(
                think if n else f"I collect what is taken on {f['day']}. {think}",
                "list_events",
                owner=person,
                day=f["day"],
            )
        ]
        taken = ", ".join(f"{h}:00-{h + 1}:00" for h in f["busy"][person]) or "nothing"
        said += [tool("list_events", f"{person}, {f['day']}: {taken}")]
    hour = f["free"] if right else rng.choice([h for h in range(9, 18) if h != f["free"]])
    when = f"{f['day']} {hour}:00"
    said += [
        says(
            (
                f"{rng.choice(('Laying these side by side,', 'Comparing all of them,'))} "
                f"{hour}:00 is the hour I take for '{f['topic']}'."
            ),
            "create_event",
            title=f["topic"],
            start=when,
            guests=", ".join(f["people"]),
        )
    ]
    said += [tool("create_event", f"created {code_of(rng, 'EV')}: {f['topic']}, {when}")]
    said += [
        says(
            rng.choice(
                (
                    f"'{f['topic']}' is in the calendar for {when}.",
                    f"Invited {', '.join(f['people'])} for {when}.",
                    f"Booked: {f['topic']}, {when}.",
                )
            )
        )
    ]
    return said, when


MEETINGS = World(
    "meetings", "You keep calendars and mail for a team. Tools: list_events, get_contact, create_event.", draw, play
)
"""Calendars."""
