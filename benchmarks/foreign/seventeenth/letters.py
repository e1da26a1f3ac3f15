"""Everyday requests to an assistant, answered in prose."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

TOPICS: dict[str, tuple[str, ...]] = {
    "a leaking tap": (
        "Shut the valve under the sink first.",
        "Most often the washer is worn.",
        "Take it to the shop to match its size.",
        "Grease the thread before closing it.",
        "Open the valve slowly and watch for drops.",
    ),
    "sourdough that stays flat": (
        "Feed the starter twice on the day before.",
        "A warm corner of the kitchen helps more than flour.",
        "Let it rise until a dent stays.",
        "Fold the dough every half hour.",
        "Bake it in a closed pot at first.",
    ),
    "a noisy neighbour": (
        "Begin with a friendly talk, not a note.",
        "Name the hours that trouble you.",
        "Write down dates in case it goes on.",
        "The landlord is the next address.",
        "Offer something in return, such as quiet on your side.",
    ),
    "a first marathon": (
        "Add a tenth to your weekly distance, no more.",
        "The long run should feel easy.",
        "Try food on the long runs before race day.",
        "Sleep is part of the plan.",
        "Start slower than you would like.",
    ),
    "a shy child at school": (
        "Ask the teacher what happens in breaks.",
        "One friend at home is better than a party.",
        "Do not answer in the child's place.",
        "Praise the attempt and not the result.",
        "Give it a term before worrying.",
    ),
    "moving to a smaller flat": (
        "Measure the large pieces before anything else.",
        "Sort by room and not by kind.",
        "Keep one box for the first night.",
        "Sell early, since buyers are slow.",
        "Photograph cables before pulling them.",
    ),
    "learning the cello late": (
        "Twenty minutes a day beat two hours on Sunday.",
        "Rent the instrument for the first year.",
        "A teacher will save you a stiff thumb.",
        "Sing the line before bowing it.",
        "Record yourself once a month.",
    ),
    "a garden in the shade": (
        "Ferns and hostas ask for little sun.",
        "Water less than in the open.",
        "Pale leaves light up a dark corner.",
        "Feed the soil with leaf mould.",
        "Cut back branches before planting.",
    ),
    "an old dog that limps": (
        "See the vet before changing its walks.",
        "Short walks, and more of them, are kinder.",
        "Rugs on smooth floors prevent slips.",
        "Watch its weight closely.",
        "Warm bedding eases stiff joints.",
    ),
}
ASKING = (
    "How do I deal with {}?",
    "I need advice on {}.",
    "Write me a few lines about {}.",
    "What would you suggest about {}?",
)
WHO = (
    "for my mother",
    "for a beginner",
    "for our newsletter",
    "in plain words",
    "as a short letter",
    "for a colleague",
    "for my brother",
    "for the notice board",
)
OPENERS = (
    "Thanks for asking.",
    "Good that you ask.",
    "Here is what tends to help.",
    "Let me be brief.",
    "A few thoughts.",
)
CLOSERS = (
    "I hope that helps.",
    "Tell me how it goes.",
    "Write again if it does not work.",
    "Good luck with it.",
    "That should do for a start.",
)
EMPTY = (
    "Everybody is different, of course.",
    "There are many opinions about it.",
    "It depends on a lot of things.",
    "You will surely find a way.",
    "Much has been written on this.",
)


def advice(rng: Random, topic: str, quality: float) -> list[str]:
    """Sentences; the better the reply, the more of them say something."""
    known = rng.sample(TOPICS[topic], len(TOPICS[topic]))
    useful = known[: max(1, round(quality * 5))]
    filler = rng.sample(EMPTY, min(4, max(0, 4 - len(useful))))
    body = useful + filler
    rng.shuffle(body)
    return body


def letter_task(rng: Random, number: int) -> Task:
    """A request; the fact `quality` is what a careful reader would say of the reply, from 0 to 1."""
    topic, whom, age = rng.choice(list(TOPICS)), rng.choice(WHO), rng.randint(2, 60)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        quality = min(1.0, max(0.1, rng.gauss(0.72 if right else 0.38, 0.14)))
        body = [rng.choice(OPENERS), *advice(rng, topic, quality), rng.choice(CLOSERS)]
        return Reply([says(rng.choice((" ", "\n\n", " ")).join(body))], "", {"quality": round(quality, 2)})

    text = f"{rng.choice(ASKING).format(topic)} It should be {whom}. It has been going on for {age} weeks."
    return Task(f"letter-{number:04d}", topic.split()[-1], user(text), "", rng.gauss(0, 0.5), solve, {"topic": topic})
