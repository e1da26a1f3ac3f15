"""Conversations: requests with constraints, advice, a pupil's two questions."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task
from benchmarks.foreign.twentyfourth.voice import plain

TOPICS = {
    "a rain barrel": (
        "collects water off the roof",
        "keeps the garden green in dry weeks",
        "needs a lid against leaves",
    ),
    "a sourdough starter": ("wants flour and water each day", "smells sharp when hungry", "lifts a loaf without yeast"),
    "a hearing aid": ("makes soft voices clear", "takes a week to get used to", "lives on small batteries"),
    "a night bus": ("runs when the trams sleep", "stops on request after ten", "costs the same as by day"),
    "a cargo bike": ("carries two children", "climbs slowly but surely", "parks where a car cannot"),
    "a reading lamp": ("throws warm light on the page", "bends at the neck", "uses little power"),
    "a compost heap": ("turns peel into soil", "warms up from within", "likes air and some straw"),
    "a fire blanket": ("hangs beside the stove", "smothers burning oil", "must be checked each year"),
    "a wool coat": ("sheds light snow", "wants a brush rather than the wash", "lasts for decades"),
}
BANNED = ("very", "great", "because", "however", "really", "good", "often", "always")
FILLERS = (
    "It is easy to live with",
    "Neighbours tend to ask about it",
    "Few things are so plain",
    "It earns its place at home",
    "Start small and see",
)


def constrained(rng: Random, key: str) -> Task:
    """A few sentences on a topic without a certain word, within a number of words."""
    topic, word, limit = rng.choice(tuple(TOPICS)), rng.choice(BANNED), rng.randint(40, 75)
    reader = rng.choice(
        ("a neighbour", "a ten-year-old", "a new tenant", "a shop window", "a newsletter", "an aunt", "a flyer")
    )
    question = (
        f"Write about {topic} for {reader}. Stay under {limit} words, use no commas, and never use the word '{word}'."
    )

    def write(r: Random, right: bool) -> Reply:
        thing = topic.split(" ", 1)[1]
        facts = r.sample(TOPICS[topic], r.randint(2, 3))
        lines = [f"{r.choice(('A', 'Your', 'This', 'Our', 'The'))} {thing} {facts[0]}."] + [
            f"{r.choice(('It', 'It also', 'What is more it', 'Day after day it'))} {f}." for f in facts[1:]
        ]
        if r.random() < 0.6:
            lines.insert(r.randint(1, len(lines)), r.choice(FILLERS) + ".")
        if not right:
            slip = r.choice(("comma", "word", "word"))
            lines.append(f"It is {word} handy." if slip == "word" else f"Cheap, sturdy, and yours for {reader}.")
        return Reply(plain(" ".join(lines)), "")

    return Task(key, question, word, write, family=topic, extra={"forbidden": word, "limit": limit})


ADVICE = {
    "sleep badly before exams": (
        "set a fixed hour for bed",
        "write the worries down",
        "keep the phone in another room",
    ),
    "want to start running at fifty": (
        "walk and jog in turns",
        "rest every other day",
        "buy shoes in a shop that looks at your feet",
    ),
    "have a damp wall behind a wardrobe": (
        "pull it a hand's width off the wall",
        "air the room twice a day",
        "ask for the gutter to be checked",
    ),
    "must tell a friend that I lied": ("say it soon and in person", "leave out excuses", "ask what would help"),
    "have a cat that scratches the sofa": (
        "put a post next to the sofa",
        "trim the claws",
        "reward the post, ignore the sofa",
    ),
    "get headaches at my desk": ("raise the screen", "look far away each half hour", "drink water before coffee"),
}


def advice(rng: Random, key: str) -> Task:
    """Help with an everyday trouble, scored by a reward model."""
    trouble = rng.choice(tuple(ADVICE))
    who = rng.choice(
        (
            "I live alone.",
            "My partner is no help.",
            "I have little money.",
            "I tried a lot.",
            "It began in spring.",
            "I am new in town.",
        )
    )
    days, age = rng.randint(2, 40), rng.randint(17, 71)
    job = rng.choice(("nurse", "cook", "clerk", "driver", "student", "carpenter", "teacher", "gardener"))
    question = f"I {trouble}. {who} I am {age}, a {job}. It has gone on for {days} days. What should I do?"

    def write(r: Random, right: bool) -> Reply:
        tips = r.sample(ADVICE[trouble], 3 if right else r.randint(1, 2))
        start = r.choice(
            (
                "That sounds tiring.",
                "I'm sorry to hear it.",
                f"After {days} days it makes sense to act.",
                "You are not the only one.",
            )
        )
        body = [f"{n}. {tip[0].upper()}{tip[1:]}." for n, tip in enumerate(tips, 1)]
        end = r.choice(
            (
                "Try one thing this week and see.",
                "If it stays, ask somebody who can look at it.",
                "Small steps will do.",
                "",
            )
        )
        return Reply(plain("\n".join(p for p in (start, *body, end) if p)), "")

    return Task(key, question, "", write, family=trouble)


def pupil(rng: Random, key: str) -> Task:
    """A pupil asks for an area, then what follows when a side changes; the second answer counts."""
    a, b, more = rng.randint(3, 40), rng.randint(3, 40), rng.randint(1, 9)
    shape = rng.choice(("garden", "poster", "field", "tabletop", "rug", "window", "courtyard"))
    gold = (a + more) * b
    question = f"A {shape} is {a} by {b} metres. What is its area, and how do I find it?"

    def write(r: Random, right: bool) -> Reply:
        second = gold if right else r.choice((a * b + more, (a + more) * (b + more), gold - b, gold + more))
        first = r.choice(
            (
                f"Multiply the sides: {a} * {b} = {a * b} square metres.",
                f"Its area is {a} times {b}, so {a * b} square metres.",
            )
        )
        after = r.choice(
            (
                f"Now the longer side is {a + more}.",
                f"Add {more} first: {a + more} metres.",
                f"The {shape} grows on one side only.",
                f"{a} + {more}, then times {b}.",
            )
        )
        last = r.choice(
            (
                f"The new area is {second} square metres.",
                f"{second} square metres.",
                f"Then it has {second} square metres.",
                f"It grows to {second} square metres.",
            )
        )
        ask = f"And if the side of {a} m grows by {more} m? Only the new area, please."
        think = r.choice(("Sides are given, the product is asked.", "A rectangle.", f"{a} and {b}, multiply."))
        think += r.choice(
            ("", f" The {shape} has four corners.", " Name the rule too.", f" {a * b} then.", " Keep it short.")
        )
        turns = [
            {"role": "assistant", "content": f"<think>{think}</think>\n{first}"},
            {"role": "user", "content": ask},
            {"role": "assistant", "content": f"<think>{after}</think>\n{last}"},
        ]
        return Reply(turns, str(second))

    return Task(key, question, str(gold), write, "You tutor maths.", family=shape)
