"""Requests for advice, answered in a chat and judged: how good a reply is stands in what it covers."""

import random
from dataclasses import dataclass

from benchmarks.foreign.thirtyfifth.course import Task


@dataclass(frozen=True)
class Topic:
    """What somebody wants help with: points that a good reply makes, and points that are wrong."""

    name: str
    asks: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]


TOPICS = (
    Topic(
        "ficus",
        (
            "My ficus drops its leaves since I moved it to the {place}. What should I do?",
            "After {days} days in the {place} the ficus is losing leaves. Help?",
        ),
        (
            "Leave the plant where it is for some weeks, since each move costs it leaves.",
            "Check the soil with a finger and water only once the top is dry.",
            "Keep it out of the draught from doors and windows.",
            "Look under the leaves for scale insects.",
            "Wait with feeding until new shoots appear.",
        ),
        (
            "Move it to a new spot every few days until it likes one.",
            "Water it twice a day whatever the soil is like.",
            "Cut the roots by half.",
        ),
    ),
    Topic(
        "sourdough",
        (
            "My sourdough from the {place} is flat after {days} days of feeding. Why?",
            "The starter is {days} days old and bubbles, but loaves proofed in the {place} stay dense.",
        ),
        (
            "Feed the starter until it doubles within six hours before baking with it.",
            "Let the bulk rise go on until the dough has grown by half.",
            "Use an oven that was heated for three quarters of an hour.",
            "Weigh the water, as cups mislead.",
            "Shape it tighter so that the skin holds the gas.",
        ),
        (
            "Add a spoon of vinegar, which wakes the yeast.",
            "Bake it straight after mixing.",
            "Keep the starter in the freezer between feeds of the same day.",
        ),
    ),
    Topic(
        "landlord",
        (
            "The landlord ignores the mould in the {place} for {days} days. What can I do?",
            "For {days} days there is mould in the {place} and no answer from the landlord.",
        ),
        (
            "Send a dated letter with photographs and keep a copy.",
            "Set a deadline of two weeks for a reply.",
            "Ask the local tenants' union about a rent reduction before you withhold anything.",
            "Note the humidity every morning, as it shows the cause.",
            "Ask the council for an inspection if the deadline passes.",
        ),
        (
            "Stop paying rent altogether from today.",
            "Paint over the mould and say nothing.",
            "Change the locks so that nobody comes in.",
        ),
    ),
    Topic(
        "bicycle",
        (
            "My chain slips since I cleaned it in the {place} {days} days ago.",
            "The bike stood in the {place} for {days} days and now the chain jumps under load.",
        ),
        (
            "Measure the chain for wear and replace it beyond three quarters of a percent.",
            "Look at the cassette, whose teeth wear along with the chain.",
            "Turn the barrel adjuster by a quarter at a time.",
            "Check that the hanger is straight.",
            "Oil the rollers and wipe off the rest.",
        ),
        (
            "Tighten the chain with a hammer.",
            "Put grease from the kitchen on the cassette.",
            "Ride it until it stops by itself.",
        ),
    ),
    Topic(
        "toddler",
        (
            "Our toddler wakes every night since {days} days, after we painted the {place}.",
            "We changed the {place} and for {days} days the child will not sleep through.",
        ),
        (
            "Keep the same order of bath, story and song each evening.",
            "Let the room air for some nights, as fresh paint smells.",
            "Bring back one thing from the old room that she knows.",
            "Answer her calls briefly and in the dark.",
            "Move the nap earlier if she sleeps late in the afternoon.",
        ),
        (
            "Let her watch films until she falls asleep.",
            "Skip naps for two weeks altogether.",
            "Give her a cough syrup each evening.",
        ),
    ),
)
ROOMS = ("balcony", "kitchen", "hallway", "attic", "bathroom", "cellar", "north room", "porch", "garage", "bedroom")
LINKS = ("First, ", "Then ", "Besides, ", "It also helps to know: ", "I would add this: ", "Above all, ")


def advice_task(rng: random.Random, number: int) -> Task:
    """A request for advice."""
    topic = TOPICS[number % len(TOPICS)]
    place, days = rng.choice(ROOMS), rng.randint(3, 60)
    prompt = rng.choice(topic.asks).format(place=place, days=days)

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        number = rng.randint(3, 4) if is_right else rng.randint(1, 2)
        points = rng.sample(topic.good, number) + ([] if is_right else rng.sample(topic.bad, rng.randint(1, 2)))
        rng.shuffle(points)
        links = rng.sample(LINKS, len(points))
        said = [link + point[0].lower() + point[1:] for link, point in zip(links, points, strict=True)]
        begins = rng.choice(
            (
                f"A {days}-day-old trouble can be mended.",
                f"The {place} may well play a part here.",
                f"That is a common thing with a {topic.name}, and it can be dealt with.",
                f"Thank you for telling me about the {place}.",
            )
        )
        return " ".join([begins, *said]), ""

    more = {"topic": topic, "place": place, "days": days}
    return Task(f"{topic.name}-{number:03d}", prompt, "", solve, topic.name, rng.gauss(0, 0.6), "", more)


def merit(task: Task, text: str) -> int:
    """Points of advice that a reply makes less those that are wrong, between 1 and 5."""
    topic = task.more["topic"]
    low = text.lower()
    good = sum(point[1:].lower() in low for point in topic.good)
    bad = sum(point[1:].lower() in low for point in topic.bad)
    return max(1, min(5, 1 + good - bad))
