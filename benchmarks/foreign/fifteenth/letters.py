"""Letters and posts to write, scored by a judge."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

TOPICS = {
    "complaint": ["a late parcel", "a noisy boiler", "a double booking", "a broken zip", "a wrong invoice"],
    "thanks": ["a lent trailer", "help with the move", "three years of piano lessons", "a loan of books"],
    "notice": ["the new opening hours", "roof work in May", "a lost tabby cat", "the street party", "bin collection"],
    "advice": ["learning to swim at forty", "a first allotment", "sleeping on trains", "keeping sourdough alive"],
}
TO = ["my landlord", "our neighbours", "a shop", "the school office", "an old colleague", "the town library", "my aunt"]
TONES = ["friendly", "brief", "formal", "warm but firm", "plain", "cheerful"]
OPEN = ["I am writing about {t}.", "A few words on {t}.", "This concerns {t}.", "You will have heard about {t}."]
BODY = [
    "It has gone on since {d}, and I would like to settle it soon.",
    "On {d} we spoke about it, and nothing has changed since.",
    "What would help most is a short reply by {d}.",
    "I have kept the papers from {d} in case they are of use.",
    "For {t}, small steps work better than grand plans.",
    "Nobody is to blame; still, {t} needs some attention.",
    "I can come by on {d} if that is easier.",
    "With {t} it is patience that counts, and a little luck.",
    "Please tell {r} as well, so that all know.",
]
VAGUE = [
    "There are many aspects to consider.",
    "It is what it is.",
    "Things could be better.",
    "As one says, time will tell.",
]
CLOSE = ["With kind regards", "Many thanks in advance", "Yours sincerely", "All the best", "Until soon"]
GREETINGS = ["Hello,", "Good day,", "Dear all,", "Dear reader,", "To whom it concerns,", "Hello again,"]
DAYS = [
    "Monday",
    "the 3rd",
    "last week",
    "the 14th of March",
    "Friday",
    "the end of the month",
    "the holidays",
    "the 21st",
]


def make(rng: Random) -> Task:
    """A text to write."""
    family = rng.choice(list(TOPICS))
    topic, to, tone = rng.choice(TOPICS[family]), rng.choice(TO), rng.choice(TONES)
    words = rng.randint(5, 14) * 10
    detail = rng.choice(["", f" Mention {rng.choice(DAYS)}.", " Do not use bullet points.", " End with a question."])
    text = f"Write a {tone} {family} note to {to} about {topic}, about {words} words.{detail}"
    return Task(text, "", family, rng.gauss(0, 0.3), work={"topic": topic, "to": to, "words": words})


def sentences(rng: Random, task: Task, right: bool, count: int) -> list[str]:
    """Sentences of the body: to the point where it is right, vague where not."""
    pool = BODY if right else BODY[:3] + VAGUE
    picks = rng.sample(pool, min(count, len(pool)))
    return [p.format(t=task.work["topic"], d=rng.choice(DAYS), r=task.work["to"]) for p in picks]


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """An opening, a body and a close."""
    parts = [rng.choice(OPEN).format(t=task.work["topic"])] if right or rng.random() < 0.5 else []
    parts += sentences(rng, task, right, rng.randint(3, 6))
    text = f"{rng.choice(GREETINGS)}\n\n{' '.join(parts)}\n\n{rng.choice(CLOSE)}"
    return Reply([{"role": "assistant", "content": text}], "")


def liking(rng: Random, right: bool, level: float) -> float:
    """A judge's score from 1 to 10."""
    return round(min(10.0, max(1.0, rng.gauss(6.3 + 0.5 * level if right else 4.1 + 0.3 * level, 1.0))), 1)


LETTERS = World("letters", make, solve)
