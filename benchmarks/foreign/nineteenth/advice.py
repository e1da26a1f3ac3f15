"""Advice in a chat, scored by a reward model."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

TOPICS = (
    (
        "a squeaking door",
        ("take the pin out and grease it", "check whether the frame rubs", "tighten the upper screws"),
    ),
    (
        "moving house with a cat",
        ("set up one quiet room first", "keep the old litter for some days", "carry the cat last"),
    ),
    ("a first 10 km run", ("alternate running with walking", "add a tenth a week at most", "rest two days before it")),
    ("learning to bake sourdough", ("feed the starter daily", "weigh the flour", "bake in a lidded pot")),
    (
        "a shared kitchen that is never clean",
        ("agree on one fixed evening", "label shelves", "speak before it boils over"),
    ),
    ("a job interview by video", ("test sound the day before", "put notes beside the camera", "prepare two questions")),
    (
        "mould on a bathroom ceiling",
        ("air for ten minutes after showers", "clean with alcohol", "look for a cold bridge"),
    ),
    (
        "a pension form nobody understands",
        ("call the office with the form at hand", "copy all pages", "note the deadline"),
    ),
    ("growing tomatoes on a balcony", ("use deep pots", "water at the root", "pinch out side shoots")),
    ("a child who will not sleep", ("dim lights early", "keep the same order each night", "stay boring when called")),
)
WHO = (
    "I'm a nurse",
    "I'm retired",
    "I share a flat",
    "I work nights",
    "I live in the country",
    "I've two small children",
    "I'm a student",
)
LIMITS = (
    "have little money",
    "have no tools",
    "only have weekends",
    "get nervous easily",
    "need it done by Friday",
    "tried twice already",
)
OPEN = (
    "Here is what usually helps.",
    "A few things to try:",
    "Short answer first.",
    "I'd go about it like this.",
    "That is common.",
)
TURNS = ("{x}.", "Then {x}.", "Also, {x}.", "It helps to {x}.", "If that fails, {x}.", "Most of all, {x}.")
SINCE = ("Write back if it does not work.", "Start with the first one.", "Good luck.", "That should do.", "")
IDLE = (
    "You could look at some tips online.",
    "It depends on many things.",
    "Everyone is different there.",
    "Maybe wait a bit.",
)


def advice_task(rng: Random) -> Task:
    """Draw a question for advice."""
    topic, tips = rng.choice(TOPICS)
    ask = rng.choice(("Any advice about", "How do I deal with", "What would you do about"))
    prompt = f"{rng.choice(WHO)} and {rng.choice(LIMITS)}. {ask} {topic}?"
    return Task(prompt, "", lambda r, right, skill: _reply(r, tips, right), family=topic.split()[-1], scene=tips)


def _reply(rng: Random, tips: tuple[str, ...], right: bool) -> Reply:
    told = [rng.choice(TURNS).format(x=t) for t in rng.sample(tips, len(tips) if right else 1)]
    idle = [] if right else rng.sample(IDLE, rng.randrange(1, 3))
    text = " ".join([rng.choice(OPEN), *(s[0].upper() + s[1:] for s in told), *idle, rng.choice(SINCE)]).strip()
    return Reply([say(text)], "")
