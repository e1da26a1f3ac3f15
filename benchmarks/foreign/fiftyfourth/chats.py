"""Wishes of users, and replies that are better or worse, longer or shorter."""

import random

TOPICS = {
    "keeping basil alive indoors": (
        "Basil wants a bright sill and dislikes draughts.",
        "Water it from below when the top soil is dry.",
        "Pinch the tips so that it branches.",
        "Supermarket pots are crowded, so divide them.",
        "Cold windows in winter blacken the leaves.",
    ),
    "learning to swim as an adult": (
        "Begin in water where you can stand.",
        "Practise breathing out under water before any stroke.",
        "A few lessons save months of bad habits.",
        "Float on your back until it bores you.",
        "Short visits twice a week beat one long one.",
    ),
    "choosing a used bicycle": (
        "Check the frame for cracks near the welds.",
        "Spin the wheels and watch the rims for wobble.",
        "A worn chain tells of worn sprockets.",
        "Ride it in every gear before you pay.",
        "Ask for the receipt of the first owner.",
    ),
    "asking for a pay rise": (
        "Collect results of the last year with figures.",
        "Name a number and give the reason in one sentence.",
        "Pick a time after a success and not before a holiday.",
        "Be silent after your offer.",
        "Have a second wish ready.",
    ),
    "getting a toddler to sleep": (
        "Keep the same order every evening.",
        "Dim the light half an hour before.",
        "Stay calm and dull when the child calls.",
        "A late nap is often the cause.",
        "Write down the times for one week.",
    ),
    "writing a short speech for a wedding": (
        "Tell one story that only you know.",
        "Three minutes are plenty.",
        "Speak to the couple and not to the hall.",
        "End with the toast, glass in hand.",
        "Read it aloud twice at home.",
    ),
    "starting a compost heap": (
        "Mix wet kitchen scraps with dry leaves.",
        "Turn it every other week.",
        "Leave out meat and bread.",
        "It should feel like a wrung sponge.",
        "A smell means too little air.",
    ),
    "planning a first hike with friends": (
        "Choose a loop with a place to shorten it.",
        "Count one hour for four kilometres.",
        "The slowest sets the pace.",
        "Tell someone where you go.",
        "Turn round when the weather does.",
    ),
}
ASKS = (
    "What is your advice on {t}?",
    "I need help with {t}. Where do I begin?",
    "Give me practical tips for {t}.",
    "My friend asks about {t}; what should I tell her?",
    "Be brief: {t}?",
)
FILLER = (
    "There are of course many sides to this.",
    "It is worth taking a step back here.",
    "Every situation is different.",
    "Many people wonder about exactly this.",
    "With patience, things tend to improve.",
)
LEADS = ("Happy to help.", "In short:", "Here is what works for most people.", "A few things matter.", "")


def problems(rng: random.Random, number: int) -> list[dict]:
    """Wishes over topics."""
    pairs = rng.sample([(t, a) for t in TOPICS for a in ASKS], min(number, 40))
    return [
        {"id": f"chat-{i:02d}", "topic": t, "text": a.format(t=t), "hard": rng.gauss(0, 0.8)}
        for i, (t, a) in enumerate(pairs)
    ]


def reply(rng: random.Random, task: dict, good: bool, padding: int = 0) -> str:
    """Advice that is to the point when good, mostly filler when not, with some padding."""
    facts = rng.sample(TOPICS[task["topic"]], rng.randint(3, 5) if good else 1)
    lines = [rng.choice(LEADS), *facts, *rng.choices(FILLER, k=0 if good else 2)]
    for _ in range(padding):
        lines.insert(rng.randrange(1, len(lines) + 1), rng.choice(FILLER))
    return " ".join(line for line in lines if line)
