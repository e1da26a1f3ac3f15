"""Chat that is graded in degrees: advice, sentences into Italian."""

from random import Random

from benchmarks.foreign.sixteenth.attempts import Task, World, Written, say

TOPICS: dict[str, tuple[str, ...]] = {
    "basil in a dark kitchen": (
        "Turn the pot each week.",
        "Water from below.",
        "A small lamp helps.",
        "Pinch the tips.",
        "Keep it warm.",
    ),
    "a squeaking bicycle brake": (
        "Clean the rim.",
        "Toe the pads in.",
        "Sand the glaze off.",
        "Check the bolts.",
        "Wipe oil away.",
    ),
    "sleeping before a night shift": (
        "Darken the room.",
        "Nap in the afternoon.",
        "Skip late coffee.",
        "Cool the room.",
        "Eat lightly.",
    ),
    "a first sourdough loaf": (
        "Feed the starter twice.",
        "Let the dough double.",
        "Bake in a hot pot.",
        "Salt comes late.",
        "Cool it fully.",
    ),
    "moving with two cats": (
        "Keep one room closed.",
        "Carry them last.",
        "Bring the old litter.",
        "Stay calm.",
        "Unpack their beds first.",
    ),
    "learning to read sheet music": (
        "Clap the rhythm.",
        "Name five notes a day.",
        "Sing along.",
        "Play slowly.",
        "Use easy pieces.",
    ),
    "fixing a damp cellar": (
        "Measure the air.",
        "Clear the gutter.",
        "Leave gaps behind shelves.",
        "Run a dryer.",
        "Seal cracks.",
    ),
    "a speech at a wedding": (
        "Tell one story.",
        "Keep it to four minutes.",
        "Thank the hosts.",
        "Avoid old jokes.",
        "Raise the glass.",
    ),
}
WHO = [
    "a student",
    "my father",
    "a small family",
    "someone on a budget",
    "a beginner",
    "an old friend",
    "my neighbour",
    "a busy nurse",
]
ASKS = ("What would you advise {w} about {t}?", "Tips for {w} on {t}, please.", "{w} asks me about {t}. What do I say?")


def _advice(rng: Random) -> Task:
    topic, who = rng.choice(list(TOPICS)), rng.choice(WHO)
    limit = rng.choice(
        ("", " Be brief.", f" In {rng.randint(3, 9)} sentences at most.", " I have little time.", " Plain words.")
    )
    prompt = rng.choice(ASKS).format(w=who, t=topic) + limit + rng.choice(("", f" We are {rng.randint(2, 9)} people."))
    return Task(prompt, "", topic.split()[-1], 0.0, "", {"topic": topic})


def _advise(rng: Random, task: Task, right: bool) -> Written:
    tips = TOPICS[task.secret["topic"]]
    picked = rng.sample(tips, rng.randint(3, 5) if right else rng.randint(1, 2))
    start = rng.choice(
        ("Here is what works.", "A few things:", "In short:", "Begin with the basics.", f"On {task.secret['topic']}:")
    )
    fill = (
        "It matters more than it seems.",
        "Most people forget this.",
        "Give it a week.",
        "Try it and see.",
        "That is cheap.",
    )
    lines = [f"{tip} {rng.choice(fill)}" if rng.random() < 0.6 else tip for tip in picked]
    shape = rng.choice(("\n- ", " ", "\n"))
    return [say(start + shape + shape.join(lines))], ""


SUBJECTS = (
    ("The postman", "Il postino"),
    ("My aunt", "Mia zia"),
    ("The baker", "Il fornaio"),
    ("The girl", "La ragazza"),
)
VERBS = (
    ("brings", "porta"),
    ("sells", "vende"),
    ("looks for", "cerca"),
    ("forgets", "dimentica"),
    ("paints", "dipinge"),
)
THINGS = (
    ("a letter", "una lettera"),
    ("two keys", "due chiavi"),
    ("the bread", "il pane"),
    ("a red boat", "una barca rossa"),
)
TIMES = (("today", "oggi"), ("every morning", "ogni mattina"), ("in winter", "d'inverno"), ("on Sunday", "di domenica"))
PLACES = (
    ("at the harbour", "al porto"),
    ("in the village", "nel villaggio"),
    ("near the church", "vicino alla chiesa"),
)


def _sentence(rng: Random) -> Task:
    parts = [rng.choice(pool) for pool in (SUBJECTS, VERBS, THINGS, PLACES, TIMES)]
    english, italian = (" ".join(pair[side] for pair in parts) + "." for side in (0, 1))
    return Task(f"Translate into Italian: {english}", italian, "en_it", 0.1, "Reply with the translation only.")


def _translate(rng: Random, task: Task, right: bool) -> Written:
    words = task.gold.split()
    if not right:
        for _ in range(rng.randint(1, 3)):
            words[rng.randrange(len(words))] = rng.choice(
                ("la", "una", "il", "questo", "nella", "casa", "sempre", "due")
            )
    elif rng.random() < 0.6:
        words = [*words[:-1], words[-1].rstrip(".") + rng.choice((".", "", "!"))]
    return [say(rng.choice(("", "", "Traduzione: ", "Ecco: ")) + " ".join(words))], " ".join(words)


ADVICE = World("chat-", _advice, _advise)
ITALIAN = World("it-", _sentence, _translate)
