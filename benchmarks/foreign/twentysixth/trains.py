"""Train journeys in text with tags: the policy asks a timetable, waits, and answers."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import near, pick

STOPS = ("Basel", "Bern", "Chur", "Fribourg", "Geneva", "Lausanne", "Lugano", "Lucerne", "Olten", "Sion", "Thun", "Zug")
SYSTEM = "Look trains up with <ask>from|to|after</ask>; the timetable answers in <table>...</table>. "
SYSTEM += "End with <answer>HH:MM</answer>."


def clock(minutes: int) -> str:
    """Minutes of a day as a clock shows them."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def task(rng: Random) -> Task:
    """Arrival of the first train after a time."""
    a, b = rng.sample(STOPS, 2)
    after, wait, ride = rng.randint(300, 1200), rng.randint(3, 50), rng.randint(25, 150)
    ask = pick(rng, "When does the first train arrive?", "At what time am I there at the earliest?")
    prompt = f"I am in {a} and want to go to {b}, after {clock(after)}. {ask}"
    extra = {"from": a, "to": b, "after": after, "leaves": after + wait, "ride": ride}
    return Task(a, prompt, clock(after + wait + ride), system=SYSTEM, extra=extra)


def asks(rng: Random, t: Task) -> str:
    """The policy's question to the timetable."""
    e = t.extra
    thought = pick(rng, "I look it up. ", "Timetable first. ", f"{e['from']} to {e['to']}. ", "")
    return f"{thought}<ask>{e['from']}|{e['to']}|{clock(e['after'])}</ask>"


def table(rng: Random, leaves: int, ride: int) -> str:
    """What a timetable shows."""
    later = leaves + rng.randint(20, 60)
    kind = pick(rng, "IC", "IR", "RE")
    first = f"{kind} {rng.randint(1, 90)} {clock(leaves)} - {clock(leaves + ride)}"
    return f"<table>{first}; {kind} {rng.randint(1, 90)} {clock(later)} - {clock(later + ride + 4)}</table>"


def answers(rng: Random, t: Task, value: str) -> str:
    """The policy's answer."""
    lead = pick(rng, "You arrive at", "The first one is there at", "Arrival in " + t.extra["to"] + ":", "It gets in at")
    return f"{lead} {value}. <answer>{value}</answer>"


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Ask, read, answer; wrong ones give the departure, the later train or a misread minute."""
    e = t.extra
    shown = table(Random(t.prompt), e["leaves"], e["ride"])
    value = t.gold if right else clock(near(rng, e["leaves"] + rng.choice((0, e["ride"])), 14))
    messages = [
        {"role": "assistant", "content": asks(rng, t)},
        {"role": "user", "content": shown},
        {"role": "assistant", "content": answers(rng, t, value)},
    ]
    return Reply(messages, value)


WORLD = World(task, reply)
