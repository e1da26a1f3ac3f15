"""Agents that search an archive for a fact, and readers of long log files."""

from random import Random

from benchmarks.foreign.fourteenth.calls import answers, calls
from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

TOWNS = [
    "Velden",
    "Korsholm",
    "Ambrick",
    "Tessaly",
    "Orveto",
    "Lindmoor",
    "Paskala",
    "Drumlin",
    "Eastry",
    "Halmar",
    "Norvik",
    "Sutterby",
]
THINGS = [
    "water tower",
    "tram depot",
    "observatory",
    "grain exchange",
    "town library",
    "ferry terminal",
    "assay office",
]
ASKS = {
    "opened": ("In which year did the {x} of {p} open?", 1801, 1995),
    "cost": ("How many thousand crowns did the {x} of {p} cost?", 110, 990),
    "height": ("How many metres high is the {x} of {p}?", 11, 140),
}
SYSTEM = "Answer with the help of the tool `search(query)`. End with `Answer: ...`."


def fact_task(rng: Random) -> Task:
    """Ask for a number about a building."""
    place, thing, ask = rng.choice(TOWNS), rng.choice(THINGS), rng.choice(list(ASKS))
    text, low, high = ASKS[ask]
    architect = (
        f"{rng.choice('ABCDEFGHJ')}. {rng.choice(['Moreau', 'Lind', 'Okafor', 'Brandt', 'Sato', 'Reyes', 'Novak'])}"
    )
    prompt = text.format(x=thing, p=place) + f" The one by {architect}."
    return Task(prompt, str(rng.randint(low, high)), ask, 0.2, [place, thing, architect], SYSTEM)


def snippet(rng: Random, task: Task, value: str) -> str:
    """What the archive says about the building."""
    place, thing, architect = task.lines
    said = {
        "opened": f"The {thing} of {place}, designed by {architect}, was opened in {value}",
        "cost": f"Accounts of {place}: for the {thing} by {architect} the council paid {value} thousand crowns",
        "height": f"{architect}'s {thing} rises {value} m over {place}",
    }[task.family]
    return (
        f"[{rng.randint(1, 9)}] {said}; {rng.choice(['restored later', 'listed', 'see volume two', 'still in use'])}."
    )


def beside(rng: Random, task: Task) -> str:
    """A hit that does not answer."""
    other = rng.choice([town for town in TOWNS if town != task.lines[0]])
    return f"[{rng.randint(1, 9)}] {task.lines[0]} is a town of {rng.randint(9, 80)} thousand near {other}."


def fact_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Search once or more, then answer."""
    place, thing, architect = task.lines
    turns = []
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        query = rng.choice([f"{place} {thing}", f"{place} history", f"{architect} works"])
        turns += [calls("I search the archive.", "search", query=query), answers("search", beside(rng, task))]
    wrong = str(int(task.gold) + rng.choice([-12, -3, 2, 5, 21]))
    query = rng.choice([f"{place} {thing} {architect}", f"{architect} {thing} {task.family}"])
    hit = snippet(rng, task, task.gold) if right or rng.random() < 0.15 else beside(rng, task)
    turns += [
        calls(rng.choice(["More specific now.", "Try again.", ""]), "search", query=query),
        answers("search", hit),
    ]
    answer = task.gold if right else wrong
    said = rng.choice(["The archive gives it.", "From the hits:", "This settles it.", f"About the {thing}:"])
    turns.append({"role": "assistant", "content": f"{said}\nAnswer: {answer}"})
    return Reply(turns, answer)


SERVICES = ["billing", "ingest", "auth", "thumbnailer", "scheduler", "gateway", "mailer"]
CAUSES = [
    "disk quota exceeded",
    "certificate expired",
    "schema mismatch",
    "lock timeout",
    "bad checksum",
    "null tenant",
]


def log_task(rng: Random) -> Task:
    """Ask which error ended a service; it stands near the end of its log."""
    service, day = rng.choice(SERVICES), rng.randint(1, 28)
    code = f"E{rng.randint(1000, 9899)}"
    where = rng.choice(["head", "tail"])
    path = f"/var/log/{service}/2025-0{rng.randint(1, 9)}-{day:02d}.log"
    prompt = f"The {service} service stopped. Its log is {path}. Name the error code that ended it, as `Code: ...`."
    lines = [path, rng.choice(CAUSES), where]
    return Task(prompt, code, "late_error" if where == "tail" else "early_error", 0.0, lines)


def log_text(rng: Random, task: Task) -> str:
    """A log whose fatal line stands early or at the end."""
    minutes = sorted(rng.sample(range(5, 1430), rng.randint(40, 90)))
    events = ["tick", "flush", "accepted", "rotate", "lease renewed"]
    normal = [f"{m // 60:02d}:{m % 60:02d} INFO {rng.choice(events)} n={rng.randint(1, 999)}" for m in minutes]
    at = "00:04" if task.lines[2] == "head" else "23:58"
    normal.insert(0 if task.lines[2] == "head" else len(normal), f"{at} FATAL {task.lines[1]} code={task.gold}")
    return "\n".join(normal)


FACTS = Domain(fact_task, fact_reply)
