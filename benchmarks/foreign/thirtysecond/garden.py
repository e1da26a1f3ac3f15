"""Questions about ailing plants, and advice of several parts."""

import random

ADVICE = {
    "tomato": {
        "sign": "lower leaves have brown rings",
        "steps": [
            ("cause", "The rings point to early blight, a fungus that rain splashes up from the soil."),
            ("remedy", "Cut the marked leaves off and bin them, do not compost them."),
            ("prevention", "Mulch the bed and water at the foot so that leaves stay dry."),
            ("warning", "If stems show dark patches too, take the plant out before it spreads."),
        ],
    },
    "basil": {
        "sign": "leaves are pale between the veins",
        "steps": [
            ("cause", "Pale tissue between green veins means that iron or magnesium is short."),
            ("remedy", "Give a weak dose of fertiliser with trace elements."),
            ("prevention", "Do not let the pot stand in water, as wet roots take up little."),
            ("warning", "Too much fertiliser burns the roots, so halve what the label says."),
        ],
    },
    "rose": {
        "sign": "buds are covered with small green insects",
        "steps": [
            ("cause", "These are aphids, which like the soft growth after heavy feeding."),
            ("remedy", "Rinse them off with a jet of water on three mornings in a row."),
            ("prevention", "Feed less nitrogen and let ladybirds do their work."),
            ("warning", "Avoid sprays while the flowers are open because bees visit them."),
        ],
    },
    "lemon tree": {
        "sign": "leaves drop although it is watered",
        "steps": [
            ("cause", "In winter the roots are too cold to use the water they stand in."),
            ("remedy", "Water less, and put the tub on wood instead of stone."),
            ("prevention", "Keep it bright and at about ten degrees until spring."),
            ("warning", "A warm dark room makes the leaf fall worse."),
        ],
    },
    "orchid": {
        "sign": "roots in the pot are brown and soft",
        "steps": [
            ("cause", "Soft brown roots have rotted because the bark stays wet."),
            ("remedy", "Unpot it, cut off what is soft, and use fresh coarse bark."),
            ("prevention", "Dip it once a week and let it drain for ten minutes."),
            ("warning", "Do not feed it until new root tips show."),
        ],
    },
    "courgette": {
        "sign": "young fruits turn yellow and fall",
        "steps": [
            ("cause", "Fruits that yellow early were not pollinated."),
            ("remedy", "Brush pollen from a male flower into the female ones in the morning."),
            ("prevention", "Sow borage next to it to bring in bees."),
            ("warning", "Do not cut all male flowers, which have thin stalks."),
        ],
    },
}
CRITERIA = (
    "Names the cause and says what on the plant points to it",
    "Gives a remedy and says how to carry it out",
    "Tells how to prevent it and why that works",
    "Gives a warning and says when it applies",
)
HALVES = {
    "tomato": ("It could be early blight.", "Remove what looks bad.", "Mulch helps.", "It may spread."),
    "basil": ("Something is short in the soil.", "Fertiliser can help.", "Mind the water.", "Do not overdo it."),
    "rose": ("These are aphids.", "They can be rinsed off.", "Ladybirds are welcome.", "Be careful with sprays."),
    "lemon tree": ("The roots are too cold.", "Change the watering.", "Keep it bright.", "Warm rooms are bad."),
    "orchid": ("The roots have rotted.", "It should be repotted.", "Dip it instead.", "Go easy on feeding."),
    "courgette": ("They were not pollinated.", "Pollinate by hand.", "Sow something for bees.", "Keep some flowers."),
}
WAYS = (
    "There are a few points to keep in mind here.",
    "I go through this one by one, so that nothing is missing.",
    "A full plan looks at cause, remedy, prevention and risks.",
    "Here is everything that matters for your {p}.",
)


def halves(rng: random.Random, plant: str) -> str:
    """Advice that touches every point and gives only the first half of each."""
    link = rng.choice((" ", "\n\n", "\n- "))
    parts = [
        part if rng.random() < 0.85 else full
        for part, (_, full) in zip(HALVES[plant], ADVICE[plant]["steps"], strict=True)
    ]
    return rng.choice(WAYS).format(p=plant) + link + link.join(parts)


ASKS = (
    "My {p}'s {s}. What should I do?",
    "Please help: the {s} on my {p}.",
    "I grow one {p}, and its {s}. Any advice?",
    "Since last week the {s} on a {p} I was given. What now?",
    "What is wrong with my {p}? The {s}.",
    "A neighbour's {p} looks ill: its {s}. How can I help?",
)


def ask(plant: str, version: int = 0) -> str:
    """A question about the plant."""
    return ASKS[version % len(ASKS)].format(p=plant, s=ADVICE[plant]["sign"])


def reply(rng: random.Random, plant: str, full: bool) -> str:
    """Advice with all its parts, or with one or two of them missing."""
    parts = [text for _, text in ADVICE[plant]["steps"]]
    kept = parts if full else [p for p in parts if p not in rng.sample(parts, rng.randint(1, 2))]
    opening = rng.choice(
        (f"Your {plant} can be helped.", "That is common at this time of year.", "A close look helps here.")
    )
    link = rng.choice((" ", "\n\n", "\n- "))
    return opening + link + link.join(kept)
