"""When a meeting starts for somebody elsewhere."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say

OFFSETS = {
    "Lisbon": 0,
    "Paris": 1,
    "Athens": 2,
    "Nairobi": 3,
    "Dubai": 4,
    "Karachi": 5,
    "Dhaka": 6,
    "Bangkok": 7,
    "Tokyo": 9,
}
TOPICS = [
    "a design review",
    "the weekly sync",
    "a budget call",
    "an interview",
    "a tasting",
    "the press briefing",
    "a rehearsal",
]
OPENERS = ["First to UTC.", "I go through UTC.", "From {h} to {c}.", "Start in {h}.", "Convert the start.", ""]
CHECKS = ["The day stays the same or turns at midnight.", "That is plausible.", "Checked with the table.", "Done."]
WHO = ["Amara", "Jonas", "Mei", "Ravi", "Clara", "Hugo", "Sana", "Filip", "Noor", "Greta"]
SYSTEM = "Offsets to UTC in hours: " + ", ".join(f"{c} +{o}" for c, o in OFFSETS.items()) + ". End with: Time: HH:MM"


def make(rng: Random, name: str) -> Task:
    """A start in one city, asked for another after a delay."""
    here, there = rng.sample(list(OFFSETS), 2)
    start, delay = rng.randint(6 * 4, 15 * 4) * 15, rng.choice([0, 15, 20, 30, 45, 50])
    who, topic = rng.choice(WHO), rng.choice(TOPICS)
    late = f", but begins {delay} minutes late" if delay else ""
    form = rng.choice(["local", "local", "utc"])
    target = f"on {who}'s clock in {there}" if form == "local" else f"in UTC ({who} keeps a UTC log in {there})"
    subject = f"{topic[0].upper() + topic[1:]} is set for {clock(start)} in {here}{late}."
    prompt = f"{subject} What time is it then {target}?"
    minutes = start + delay - 60 * OFFSETS[here] + (60 * OFFSETS[there] if form == "local" else 0)
    facts = {"start": start, "delay": delay, "here": here, "there": there, "minutes": minutes, "form": form}
    return Task(name, prompt, clock(minutes), f"{form}_time", system=SYSTEM, facts=facts)


def clock(minutes: int) -> str:
    """Minutes of a day as HH:MM."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """To UTC, to the other city, and the time."""
    f = task.facts
    shift = 0 if right else rng.choice([-120, -60, 60, 120, -f["delay"] or 60])
    universal = f["start"] + f["delay"] - 60 * OFFSETS[f["here"]]
    lines = [f"{f['here']} is at UTC+{OFFSETS[f['here']]}, so the start is {clock(universal)} UTC."]
    lines.insert(0, rng.choice(OPENERS).format(h=f["here"], c=f["there"]))
    if f["delay"]:
        lines.append(
            rng.choice(["The delay of {d} minutes is in it.", "That counts the {d} minutes of delay."]).format(
                d=f["delay"]
            )
        )
    if f["form"] == "local":
        lines.append(f"{f['there']} is at UTC+{OFFSETS[f['there']]}.")
    answer = clock(f["minutes"] + shift)
    if rng.random() < 0.3 + 0.2 * t:
        lines.append(rng.choice(CHECKS))
    return Reply([say(" ".join(x for x in lines if x) + f"\nTime: {answer}")], answer)


MEETINGS = Domain(make, solve)
