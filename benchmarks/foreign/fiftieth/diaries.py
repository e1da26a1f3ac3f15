"""Calendars: a meeting is to be put into the first hour that is free for two people."""

from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = (
    "You keep the calendars of an office. Working hours are 9:00 to 17:00. Tools: list_events, create_event. "
    "Meetings take one hour and start on the hour."
)
_PEOPLE = ("Aylin", "Bruno", "Chloe", "Dmitri", "Esra", "Felix", "Greta", "Hugo", "Irma", "Jamal", "Kira", "Lena")
_TOPICS = ("budget review", "release plan", "job interview", "vendor call", "design critique", "contract talk")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def meetings(rng: Random, number: int) -> list[Task]:
    """Meetings of two people on one day, with what both have on already."""
    tasks, seen = [], set()
    while len(tasks) < number:
        place = len(tasks)
        first, second = rng.sample(_PEOPLE, 2)
        day, week, topic = rng.choice(_DAYS), rng.randrange(1, 52), rng.choice(_TOPICS)
        start = rng.randrange(10, 16)
        busy = {first: set(), second: set()}
        for hour in range(9, start):
            busy[rng.choice((first, second))].add(hour)
        for hour in range(start + 1, 17):
            for person in busy:
                if rng.random() < 0.35:
                    busy[person].add(hour)
        facts = {"people": (first, second), "day": day, "week": week, "topic": topic, "start": start}
        facts["busy"] = {person: sorted(hours) for person, hours in busy.items()}
        prompt = one(
            rng,
            f"Put a {topic} for {first} and {second} on {day} of week {week}, in the first hour that both have free.",
            f"{first} and {second} need a {topic}. Book it on {day}, week {week}, as early as both can.",
            f"Please schedule: {topic}, {first} with {second}, {day} (week {week}), earliest hour free for both.",
        )
        if prompt in seen:
            continue
        seen.add(prompt)
        gold = f"{day} w{week} {start}:00 {first}+{second}"
        tasks.append(Task(f"cal-{place:04d}", _SYSTEM, prompt, gold, facts, rng.gauss(0, 0.8)))
    return tasks


def book(rng: Random, task: Task, skill: float, step: int, looks: float = 1.0) -> Episode:
    """List both calendars and book; a wrong attempt minds one of them only, or none."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    first, second = f["people"]
    blind = not right and rng.random() >= looks
    for person in () if blind else (first, second):
        lines = [f"{hour}:00-{hour + 1}:00 busy" for hour in f["busy"][person]] or ["no events"]
        thought = one(
            rng,
            f"I look at what {person} has on {f['day']}.",
            f"{person}'s {f['day']} comes next.",
            f"To find a common hour I need the calendar of {person}.",
        )
        talk.call(thought, "list_events", "\n".join(lines), person=person, day=f["day"], week=f["week"])
    start = f["start"]
    if not right:
        one_free = [h for h in range(9, 17) if h not in f["busy"][first] and h != start]
        start = rng.choice(one_free) if one_free else 16 if start != 16 else 9
    taken = ", ".join(f"{hour}:00" for hour in sorted({*f["busy"][first], *f["busy"][second]}) if hour < start)
    talk.call(
        (
            one(rng, f"{taken} are taken for one or the other.", f"Before {start}:00 there is no hour that both have.")
            if right
            else one(
                rng,
                f"{first} can at {start}:00.",
                f"{start}:00 looks good.",
                f"I take {start}:00 for the {f['topic']}.",
            )
        )
        + some(rng, 0.6, f"So {start}:00 it is.", f"I book {start}:00.", "I write it down."),
        "create_event",
        f"created: {f['topic']}, {f['day']} w{f['week']} {start}:00-{start + 1}:00, {first}, {second}",
        title=f["topic"],
        day=f["day"],
        week=f["week"],
        start=f"{start}:00",
        attendees=[first, second],
    )
    talk.say(
        one(
            rng,
            f"The {f['topic']} of {first} and {second} is on {f['day']} at {start}:00.",
            f"Booked: {f['day']}, {start}:00, {first} and {second}.",
            f"{first} and {second} meet at {start}:00 for the {f['topic']}.",
        )
        + some(rng, 0.4, "Both will get an invitation.", f"It is week {f['week']}.")
    )
    slot = f"{f['day']} w{f['week']} {start}:00 {first}+{second}"
    return Episode(talk.turns, right, slot, state={"event": slot})
