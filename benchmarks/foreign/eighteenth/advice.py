"""Open questions of a chat, whose answers hold more or fewer of the points that matter."""

from random import Random

from benchmarks.foreign.eighteenth.people import NAMES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, said

TOPICS = {
    "sleep": (
        "fall asleep more easily",
        "keep the same hour of rising on all days",
        "leave screens out of the last hour",
        "take no coffee after noon",
        "cool the room a little",
        "get up again if sleep does not come in twenty minutes",
    ),
    "bread": (
        "bake bread with an open crumb",
        "let the dough rest before kneading",
        "use more water than feels right",
        "ferment it overnight in the cold",
        "heat the oven well before",
        "steam the first ten minutes",
    ),
    "running": (
        "start running again after a long break",
        "begin with short walks between the runs",
        "add no more than a tenth each week",
        "buy shoes that fit in the evening",
        "rest a day after each run",
        "stop at any sharp pain",
    ),
    "savings": (
        "begin to put money aside",
        "write down all spending for a month",
        "move the money on payday",
        "pay the dearest debt first",
        "keep three months of costs at hand",
        "compare the fees of accounts",
    ),
    "garden": (
        "grow tomatoes on a balcony",
        "choose a pot of at least twenty litres",
        "water the soil and not the leaves",
        "break out the side shoots",
        "feed every other week",
        "give six hours of sun",
    ),
    "meeting": (
        "make the weekly meeting of the team shorter",
        "send the agenda a day before",
        "end each point with one decision",
        "invite only those who decide",
        "stand instead of sitting",
        "move reports into a written note",
    ),
}
JOINTS = ("First, {}.", "It also helps to {}.", "I would {}.", "Then {}.", "Most people gain much if they {}.")
HEADS = ("Here is what usually works.", "A few things matter most.", "Good question; it can be done.", "In short:", "")


def advise(rng: Random, points: list[str]) -> str:
    """A reply that holds these points."""
    lines = [rng.choice(JOINTS).format(p) for p in points]
    return " ".join(x for x in [rng.choice(HEADS), *lines] if x)


def advice_of(rng: Random) -> Task:
    """One question of somebody, with a reply of four or five points where right, of one to three where not."""
    topic = rng.choice(list(TOPICS))
    aim, *points = TOPICS[topic]
    who, age, why = (
        rng.choice(NAMES),
        rng.randint(17, 74),
        rng.choice(("for a month", "twice", "since spring", "never")),
    )

    def write(rng: Random, right: bool) -> Reply:
        held = rng.sample(points, rng.randint(4, 5) if right else rng.randint(1, 3))
        reply = said(advise(rng, held), "")
        reply.extra["points_held"] = len(held)
        return reply

    prompt = rng.choice(
        (
            f"I am {who}, {age}, and want to {aim}. I have tried {why}. What would you do?",
            f"How can a person of {age} like my friend {who} {aim}? Tried so far: {why}.",
        )
    )
    return Task(prompt, f"{len(points)} points", write, topic, rng.uniform(-0.3, 0.5), domain="chat")
