"""Requests for advice and replies that are made of points."""

from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

THINGS = (
    "a balcony full of tomatoes",
    "a flat shared with two nurses",
    "an old racing bike",
    "a sourdough starter",
    "a choir of twelve",
    "a small podcast",
    "a rescue dog",
    "a damp cellar",
    "a night-shift job",
    "a stamp collection",
    "a first marathon",
)
TROUBLES = (
    "it takes more time than I have",
    "I keep losing interest",
    "the costs are creeping up",
    "my partner is against it",
    "I do not know where to begin",
    "it went badly last month",
    "everyone tells me something else",
)
ASKS = ("What would you do?", "Any ideas?", "How do I go on?", "Please be frank.", "Where do I start?")
POINTS = (
    "Write down what you spent on {x} over the last four weeks, in hours and in money.",
    "Pick one evening a week for {x} and keep the others free of it.",
    "Ask somebody who has had {x} for five years what they stopped doing.",
    "Set a date, say in six weeks, on which you decide whether {x} stays.",
    "Do the smallest useful part of it first, and leave the rest for Sunday.",
    "Tell the people around you what you need from them, in one sentence.",
    "Borrow what you can before you buy anything new for {x}.",
    "Keep a short log: what worked, what did not, what you would try next.",
    "If it still feels heavy after that, giving up {x} is a fair choice.",
    "Look for a local group; most towns have one that knows {x} well.",
)
FILLER = (
    "It is also important to remember that every situation is different and that there are many aspects to consider.",
    "In addition, it can be helpful to take a step back and look at the broader picture from several perspectives.",
    "Moreover, communication, planning and consistency are key pillars of success in almost any area of life.",
    "Furthermore, do not forget to take care of yourself, as self-care is the foundation of everything else.",
    "All in all, a holistic and balanced approach will serve you well in the short, medium and long term.",
    "That being said, there is no one-size-fits-all solution, and what works for some may not work for others.",
)
STARTS = ("", "", "I see.", "That sounds tiring.", "Short version first:", "Fair question.", "Let me be practical.")


def request(rng: Random, index: int) -> Task:
    """A request for advice."""
    thing, trouble = rng.choice(THINGS), rng.choice(TROUBLES)
    years = rng.randint(2, 30)
    prompt = f"I have had {thing} for {years} {rng.choice(('weeks', 'months'))} and {trouble}. {rng.choice(ASKS)}"

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return [
            said(
                reply(rng, thing, rng.randint(3, 5) if right else rng.randint(1, 2), 0 if right else rng.randint(0, 2))
            )
        ]

    task = Task(f"adv{index:04d}", "advice", prompt, "", rng.gauss(0, 0.6), lambda rng: "", work)
    task.extra = {"topic": thing}
    return task


def reply(rng: Random, thing: str, points: int, filler: int) -> str:
    """A reply of some points and some filler."""
    parts = [p.format(x=thing if rng.random() < 0.4 else "it") for p in rng.sample(POINTS, points)]
    for sentence in rng.sample(FILLER, filler):
        parts.insert(rng.randint(1, len(parts)), sentence)
    start = rng.choice(STARTS)
    return rng.choice((" ", "\n", "\n\n")).join([*([start] if start else []), *parts])
