"""Short essays on questions of a town, built of parts that a judge can count."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

TOPICS = {
    "closing the old town to cars": (
        "deliveries come by handcart",
        "shops fear for customers",
        "Vitoria did it in 2006",
        "the air at the school gate",
    ),
    "opening the library on Sundays": (
        "families are free that day",
        "staff need their rest",
        "the branch in Oulu tried it",
        "the reading room stands empty",
    ),
    "a fee for disposable cups": (
        "bins overflow by noon",
        "small stands have thin margins",
        "Freiburg lends cups for a deposit",
        "the square after a market",
    ),
    "free buses for pupils": (
        "children learn to travel alone",
        "the town must fill the gap in its budget",
        "Tallinn let its people ride free",
        "the morning queue of cars",
    ),
    "lights out in the park at eleven": (
        "moths and bats return",
        "late workers feel unsafe",
        "Fulda dimmed its lamps",
        "the path along the pond",
    ),
    "a swimming hall instead of a stadium": (
        "every school needs lessons",
        "the club draws crowds",
        "Leiden shares one pool among nine schools",
        "the waiting list for courses",
    ),
    "beehives on public roofs": (
        "blossom sets better fruit",
        "some people are allergic",
        "the opera in Paris sells its honey",
        "the roof of the town hall",
    ),
    "a day without phones at school": (
        "talk comes back to the yard",
        "parents want to reach their children",
        "a school in Tartu holds it on Wednesdays",
        "the break at ten",
    ),
}


def draw_topic(rng: random.Random, number: int) -> Problem:
    """A question to write on."""
    topic = rng.choice(list(TOPICS))
    words = rng.choice((60, 80, 100, 120))
    reader = rng.choice(("the council", "a school paper", "the local radio", "a neighbour", "the mayor"))
    return Problem(
        f"essay-{number:04d}",
        f"Write about {words} words for {reader} on {topic}. Take a side.",
        "",
        "essays",
        rng.uniform(-0.1, 0.1),
        {"topic": topic, "reader": reader},
    )


def compose(rng: random.Random, problem: Problem, skill: float) -> tuple[str, list[bool]]:
    """An essay and which of its five merits it has: side, reason, example, objection, scene."""
    topic = problem.data["topic"]
    reason, doubt, case, scene = TOPICS[topic]
    side = rng.choice(("I am for", "I speak for", "There is much to be said for"))
    merits = [
        (f"{side} {topic}.", f"Much has been written on {topic}."),
        (
            rng.choice(
                (f"The plain reason is that {reason}.", f"Above all, {reason}, and that counts for more than comfort.")
            ),
            "It would simply be better in many ways.",
        ),
        (
            rng.choice(
                (
                    f"It has been shown elsewhere: {case}.",
                    f"Look at an example: {case}, and nobody there wants it undone.",
                )
            ),
            "Everybody knows examples of this.",
        ),
        (
            rng.choice(
                (
                    f"It is true that {doubt}, yet that can be eased step by step.",
                    f"Some object that {doubt}. The worry is fair, but it passes.",
                )
            ),
            "There is nothing to be said against it.",
        ),
        (
            rng.choice(
                (
                    f"Think of {scene}: that is where we would notice it first.",
                    f"Whoever has seen {scene} knows what is at stake.",
                )
            ),
            "That is my opinion on the matter.",
        ),
    ]
    has = [rng.random() < skill for _ in merits]
    return " ".join(good if h else weak for h, (good, weak) in zip(has, merits, strict=True)), has


PRAISE = (
    "the side taken is clear",
    "the reason is a strong one",
    "the example carries the argument",
    "the objection is met",
    "the scene at the end stays in mind",
)
BLAME = (
    "no side is taken at first",
    "the reasons stay general",
    "an example is missing",
    "it never meets an objection",
    "the ending is flat",
)


def remark(rng: random.Random, has: list[bool]) -> str:
    """What a judge writes beside its mark: one merit that is there, one that lacks."""
    good = [p for p, h in zip(PRAISE, has, strict=True) if h]
    bad = [b for b, h in zip(BLAME, has, strict=True) if not h]
    lead = rng.choice(("As a whole", "On reading it", "To my mind", "In short"))
    if good and bad:
        return f"{lead}, {rng.choice(good)}, but {rng.choice(bad)}."
    return f"{lead}, {rng.choice(good or bad)}."
