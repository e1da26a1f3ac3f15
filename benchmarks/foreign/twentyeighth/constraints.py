"""Requests for lists under constraints that a program checks."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

TOPICS = {
    "rain": ["puddles shine", "gutters sing", "umbrellas open", "fields drink", "roofs drip", "buses splash"],
    "bread": ["dough rises", "crust cracks", "ovens glow", "flour drifts", "bakers yawn", "crumbs scatter"],
    "trains": ["signals blink", "doors hiss", "rails hum", "tickets fade", "porters wave", "clocks lie"],
    "chess": ["pawns wait", "rooks slide", "clocks tick", "kings hide", "bishops cut", "queens rush"],
    "gardens": ["bees circle", "peas climb", "frost bites", "hoses leak", "moles dig", "plums drop"],
}


def request(rng: Random, number: int) -> Task:
    """A list with a number of points, a word in each, and an end."""
    topic, points = rng.choice(list(TOPICS)), rng.randint(2, 5)
    word, end = (
        rng.choice(["softly", "again", "tonight", "slowly", "outside"]),
        rng.choice(["END", "FIN", "STOP", "OVER"]),
    )
    text = (
        f"List exactly {points} points about {topic}. Each point holds the word "
        f"'{word}'. The last line is {end}. (variant {rng.randint(1, 9999)})"
    )
    return Task(f"if-{number:04d}", text, "", rng.gauss(0, 0.8), topic, {"points": points, "word": word, "end": end})


def listed(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A list that keeps all constraints, or all but some."""
    d = task.data
    fault = None if right else rng.choice(["points", "word", "end"])
    points = d["points"] + (rng.choice([-1, 1]) if fault == "points" else 0)
    lines = [f"- {rng.choice(TOPICS[task.family])} {d['word']}" for _ in range(points)]
    if fault == "word":
        lines[-1] = lines[-1].replace(f" {d['word']}", "")
    return [say("assistant", "\n".join(lines) + ("" if fault == "end" else f"\n{d['end']}"))]


def check(text: str, task: Task) -> dict[str, float]:
    """Which constraints hold."""
    lines = [x for x in text.splitlines() if x.startswith("- ")]
    d = task.data
    return {
        "points": float(len(lines) == d["points"]),
        "word": float(all(d["word"] in x for x in lines)),
        "end": float(text.endswith(d["end"])),
    }
