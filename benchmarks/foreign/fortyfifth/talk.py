"""Questions of daily life with the points that a good reply makes, and replies that make more or fewer of them."""

import random

from benchmarks.foreign.fortyfifth.runs import Problem

TOPICS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sourdough": (
        ("My bread comes out flat. What can I do?", "Why is my sourdough so dense lately?"),
        (
            "Watch the dough and not the clock: it should have grown by half before you shape it.",
            "A starter that does not double within six hours is too weak to lift a loaf.",
            "Flour with more protein holds the gas better, so try strong bread flour.",
            "Shape it tightly, so that the skin carries the loaf as it rises in the oven.",
            "Bake under a lid for the first twenty minutes to keep the crust soft.",
            "If the crumb is gummy at the bottom, the dough has fermented too little.",
        ),
    ),
    "bicycle": (
        ("My brakes squeal in the rain. How do I fix it?", "How do I stop my bike brakes from screeching?"),
        (
            "Wipe the rim with alcohol, since a film of oil is the usual cause.",
            "Toe the pads in, so that their front touches first.",
            "Sand the glazed surface of the pads until it is dull again.",
            "Look for play in the brake arms and tighten the bolts.",
            "Pads harden within a few years, and new ones are cheap.",
            "Disc brakes want bedding in: twenty firm stops from walking speed.",
        ),
    ),
    "neighbour": (
        ("My neighbour plays music late. How do I raise it?", "How can I ask next door to be quieter at night?"),
        (
            "Go over on a quiet afternoon and not while you are angry at midnight.",
            "Say what you hear and when, and leave out what you think of it.",
            "Ask whether they know how thin the wall is, since most people do not.",
            "Offer something in return, such as a message before your own parties.",
            "Keep a short list of dates in case talking does not help.",
            "The house rules or the landlord are the next step, a lawyer is the last.",
        ),
    ),
    "interview": (
        ("I have an interview on Monday. How should I prepare?", "What do I do the week before a job interview?"),
        (
            "Pick four stories from your work that show a problem, your part and the result.",
            "Read the advertisement again and match each demand with one of them.",
            "Practise aloud, since a sentence that reads well may be hard to say.",
            "Prepare two questions about the team that the website does not answer.",
            "Check the route and the time on the day before.",
            "If you do not know something, say how you would find it out.",
        ),
    ),
    "garden": (
        ("Slugs eat my lettuce. What helps without poison?", "How do I keep slugs off my salad?"),
        (
            "Water in the morning, because slugs travel on wet soil at night.",
            "Lay a board beside the bed and turn it over at dawn to collect them.",
            "Young plants are at most risk, so keep them in pots until they are sturdy.",
            "A collar of copper tape works on pots, less so in open beds.",
            "Beetles and hedgehogs eat the eggs, and they like a heap of leaves.",
            "Sow twice as much as you need and accept a part as lost.",
        ),
    ),
    "sleep": (
        ("I wake at four every night. Any advice?", "How can I sleep through until morning?"),
        (
            "Keep the hour at which you rise, even after a poor night.",
            "Coffee after noon lingers for eight hours in many people.",
            "If you lie awake for long, get up and do something dull in low light.",
            "A cool room helps, eighteen degrees is about right.",
            "Alcohol brings sleep early and takes it away at four.",
            "See a doctor when it goes on for more than a month.",
        ),
    ),
    "moving": (
        ("I move house in three weeks. Where do I begin?", "How do I plan a move without chaos?"),
        (
            "Start with the cellar, because nothing there is needed before the day.",
            "Number the boxes and keep a list of what is in which.",
            "Heavy books go into small boxes, pillows into large ones.",
            "Pack one bag as if for a weekend, with papers, chargers and a towel.",
            "Read the meters on both sides and take a picture.",
            "Tell the bank and the insurers two weeks ahead.",
        ),
    ),
    "guitar": (
        ("My fingers hurt when I play chords. Is this normal?", "How long do sore fingers last on the guitar?"),
        (
            "Sore tips are normal and pass within three or four weeks.",
            "Play fifteen minutes twice a day and not an hour at once.",
            "Press just behind the fret, where the least force is needed.",
            "A shop can lower the strings for little money.",
            "Lighter strings make the first months much easier.",
            "Pain in the wrist is another matter, so stop and change your posture.",
        ),
    ),
}

STARTS = (
    "That is a common trouble, and it can be mended.",
    "A few things usually help here.",
    "I would go about it like this.",
    "There is no trick, but an order that works.",
    "Happy to help with that.",
    "Most people find the cause within a day or two.",
)
PADS = (
    "Take it slowly.",
    "It depends on many things, of course.",
    "Everyone is different in this.",
    "You will manage.",
    "Do not worry too much about it.",
    "It gets easier with time.",
)
ENDS = (
    "Tell me how it goes.",
    "If you say more, I can be more exact.",
    "Start with the first, it costs nothing.",
    "One change at a time shows you what helped.",
    "Good luck with it.",
)
WHO = (
    "I live in a small flat.",
    "I am sixty and retired.",
    "I am a student with little money.",
    "I have two small children.",
    "Please keep it practical.",
    "I have tried the obvious things.",
    "I only have the weekend.",
    "My partner thinks it is hopeless.",
)


def questions(rng: random.Random, prefix: str = "chat", system: str = "") -> list[Problem]:
    """Each wording of each topic by several people."""
    out = []
    for topic, (wordings, _) in TOPICS.items():
        for wording in wordings:
            for who in WHO:
                name = f"{prefix}-{len(out)}"
                out.append(Problem(name, f"{wording} {who}", hard=rng.gauss(0, 0.6), system=system))
                out[-1].data = {"topic": topic}
    return out


def points_of(rng: random.Random, done: float, low: float = 1.4, high: float = 4.2) -> int:
    """How many good points a reply makes at a share `done` of the run."""
    return min(6, max(0, round(rng.gauss(low + (high - low) * done, 1.1))))


def advise(rng: random.Random, problem: Problem, points: int, frame: bool = True) -> str:
    """A reply with so many points, padded where they are few."""
    chosen = rng.sample(TOPICS[problem.data["topic"]][1], points)
    parts = chosen + rng.sample(PADS, max(0, min(3, 3 - points)))
    rng.shuffle(parts)
    return " ".join([rng.choice(STARTS), *parts, rng.choice(ENDS)] if frame else parts)
