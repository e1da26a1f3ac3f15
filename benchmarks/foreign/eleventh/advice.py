"""Questions for advice with points that a good reply should name."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say

TOPICS = {
    "houseplants": [
        "check the soil before watering",
        "turn the pot each week",
        "repot in spring",
        "avoid cold drafts",
        "wipe the leaves",
    ],
    "first marathon": [
        "raise the distance slowly",
        "keep one rest day",
        "practise drinking on the run",
        "taper for two weeks",
        "sleep well",
    ],
    "moving flat": [
        "label each box by room",
        "photograph the meters",
        "cancel old contracts",
        "measure the stairs",
        "pack a first-night bag",
    ],
    "job interview": [
        "read the advert closely",
        "prepare three stories",
        "ask about the team",
        "arrive early",
        "send a short thank-you",
    ],
    "sourdough": [
        "feed the starter daily",
        "weigh the flour",
        "let it rest cold",
        "bake with steam",
        "wait before cutting",
    ],
    "used bicycle": [
        "check the frame for cracks",
        "spin both wheels",
        "ask for the receipt",
        "test the brakes",
        "look at the chain",
    ],
    "night photography": ["use a tripod", "shoot in raw", "set the focus by hand", "keep the ISO low", "use a timer"],
    "small budget": [
        "write down each expense",
        "set aside rent first",
        "cook in batches",
        "review it monthly",
        "keep a cushion",
    ],
}
PEOPLE = ["my sister", "my neighbour", "a friend", "my father", "a colleague", "my flatmate", "our club"]
WHY = [
    "because it matters most",
    "since that is where most go wrong",
    "as a habit",
    "before anything else",
    "if you can",
    "even when in a hurry",
    "and note what happens",
]
TRIVIA = [
    "Many people enjoy this a lot.",
    "There are several opinions on that.",
    "It depends on the case.",
    "Time will tell.",
    "Opinions differ here.",
]


def make(rng: Random, name: str) -> Task:
    """A topic, for whom, and which limits."""
    topic = rng.choice(list(TOPICS))
    limit = rng.randint(2, 60)
    prompt = (
        f"{rng.choice(PEOPLE).capitalize()} wants help with: {topic}. There are {limit} days left. What should be done?"
    )
    return Task(
        name, prompt, "", topic.replace(" ", "_"), facts={"points": TOPICS[topic], "topic": topic, "limit": limit}
    )


def body(rng: Random, task: Task, count: int) -> list[str]:
    """Sentences, so many of them with a point; the others say little."""
    points = rng.sample(task.facts["points"], count)
    said = [f"{p[0].upper() + p[1:]}, {rng.choice(WHY)}." for p in points]
    said += rng.sample(TRIVIA, rng.randint(1, 3))
    rng.shuffle(said)
    return said


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Good replies name three points and more."""
    count = rng.choice([3, 4, 4, 5]) if right else rng.choice([0, 1, 2, 2])
    lead = rng.choice(
        ["With {d} days left:", "For {t}, this helps.", "A plan for {t}:", "In {d} days one can do a lot."]
    )
    lines = [lead.format(d=task.facts["limit"], t=task.facts["topic"]), *body(rng, task, count)]
    return Reply([say(" ".join(lines))], "", {"points_named": count})


ADVICE = Domain(make, solve)
