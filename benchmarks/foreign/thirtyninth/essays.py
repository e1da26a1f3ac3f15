"""Essays of pupils to be marked from 1 to 6, and the marking of them."""

import random

from benchmarks.foreign.thirtyninth.policy import Problem

TOPICS = (
    "uniform at school",
    "a car-free town",
    "homework at weekends",
    "learning to cook",
    "the zoo",
    "the phone ban",
)
GOOD = (
    "To begin with, {t} concerns not only those who decide but those who live with it every day.",
    "A study in our town found that two thirds had changed their mind on {t} once they had tried it.",
    "Admittedly, there are costs, and they are not the same for everybody.",
    "Yet it is hardly convincing to call {t} a matter of taste alone.",
    "For this reason I should weigh the long term more than the first weeks.",
    "On balance, {t} deserves a trial with a clear end.",
)
POOR = (
    "I think {t} is good because it is good.",
    "Some people like it and some people dont like it.",
    "Also my cousin says {t} are bad so.",
    "there is many reason and I will say it now.",
    "In the end everybody should do what he want.",
    "And then you can also think about other thing.",
)
REMARKS = {
    "good": (
        "The argument moves from a claim to evidence.",
        "It concedes a point before it answers it.",
        "Sentences are varied and linked.",
        "The close follows from what was said before.",
    ),
    "poor": (
        "Several claims are only repeated.",
        "There are slips of grammar that disturb the reading.",
        "The links between the sentences are missing.",
        "No reason is carried through.",
    ),
}


def essay(rng: random.Random, number: int) -> Problem:
    """An essay whose share of good sentences makes its mark."""
    topic = TOPICS[number % len(TOPICS)]
    good = rng.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 5))
    lines = rng.sample(GOOD, good) + rng.sample(POOR, 5 - good)
    rng.shuffle(lines)
    gold = 1 + good

    def judge(draw: random.Random, mark: int) -> str:
        kinds = ["good"] * round((mark - 1) * 3 / 5) + ["poor"] * (3 - round((mark - 1) * 3 / 5))
        said = [draw.choice(REMARKS[kind]) for kind in kinds]
        lead = draw.choice(
            (f"An essay on {topic}.", f"The pupil writes about {topic}.", f"On {topic}, five sentences.")
        )
        return " ".join([lead, *dict.fromkeys(said)]) + f"\nMark: {mark}"

    def solve(draw: random.Random, right: bool) -> str:
        return judge(draw, gold if right else draw.choice([x for x in range(1, 7) if x != gold]))

    text = " ".join(lines).format(t=topic)
    return Problem(
        f"essay-{number}",
        topic,
        f"Mark this essay from 1 (poor) to 6 (excellent), with a short reason:\n{text}",
        str(gold),
        rng.gauss(0, 0.5),
        solve,
        {"judge": judge},
    )
