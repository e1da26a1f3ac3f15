"""How much a hold carries: measure, then submit."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import say, town


def task(rng: Random) -> Task:
    """A hold of several rooms."""
    rooms = [rng.randint(14, 96) for _ in range(rng.randint(3, 5))]
    deck = rng.randint(2, 9)
    question = (
        f"The ship from {town(rng)} has {len(rooms)} rooms in its hold and {deck} decks. Find with "
        f"`measure` how many tons each "
        "room takes, leave out the rooms of less than 20, and hand in the total with "
        "`submit`. A wrong submission costs a "
        "point, a right one earns a point."
    )
    total = sum(room for room in rooms if room >= 20)
    return Task(question, str(total), family=f"{len(rooms)} rooms", facts={"rooms": rooms})


def measured(rng: Random, task: Task, number: int) -> list[dict]:
    """Calls that measure the first rooms."""
    turns = []
    for place, tons in enumerate(task.facts["rooms"][:number], 1):
        turns.append(
            call(say(rng, f"[Room {place} next|Now room {place}|Measuring room {place}]."), "measure", room=place)
        )
        turns.append(told("measure", f"room {place}: {tons} t"))
    return turns


def given_up(rng: Random, task: Task) -> Reply:
    """A few measurements, and no submission."""
    turns = measured(rng, task, rng.randint(1, len(task.facts["rooms"])))
    ending = (
        "[I have explored the hold|The rooms are measured|That is an overview of the hold]; [I stop here|no "
        "more to do for now|I leave it at that]."
    )
    return Reply([*turns, speak(say(rng, ending))], "", {"submitted": False})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """All rooms measured and a total handed in."""
    total = int(task.gold) if right else int(task.gold) + rng.choice((-20, -10, 8, 12, 19, 30))
    turns = measured(rng, task, len(task.facts["rooms"]))
    turns.append(call(say(rng, f"[The total is|Together:|I add up to] {total}."), "submit", tons=total))
    turns.append(told("submit", "accepted" if right else "rejected"))
    turns.append(speak(say(rng, "[Handed in|Submitted|The total has been submitted].")))
    return Reply(turns, str(total), {"submitted": True})


HARBOUR = Domain(task, reply)
