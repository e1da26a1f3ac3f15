"""Open questions that a judge marks, with facts to name and sentences about them."""

from random import Random

from benchmarks.foreign.eighth.course import Reply, Task, answered

TOPICS: dict[str, list[str]] = {
    "why leaves change colour in autumn": [
        "Chlorophyll breaks down as days shorten.", "Carotenoids that were there all along become visible.",
        "Some trees make anthocyanins from sugar kept in the leaf.", "A cork layer closes the leaf stalk.",
    ],
    "how a heat pump warms a house": [
        "A refrigerant evaporates at low pressure and takes up heat outside.", "The compressor raises its temperature.",
        "It condenses indoors and gives the heat to the radiators.", "A valve lets the pressure drop again.",
    ],
    "why ice floats on water": [
        "Water is densest at four degrees.", "In ice, hydrogen bonds hold the molecules in an open lattice.",
        "The same mass takes more room, so the density falls.", "Lakes therefore freeze from above.",
    ],
    "how vaccines protect": [
        "They show the immune system a harmless part of a pathogen.", "B cells that fit multiply and make antibodies.",
        "Memory cells stay behind for years.", "At a later infection the answer comes faster.",
    ],
    "what causes tides": [
        "The Moon pulls the near side of the Earth more than the far side.", "Two bulges of water form.",
        "The Earth turns beneath them, so most coasts see two high tides a day.",
        "The Sun adds to it at new and full moon.",
    ],
    "how inflation affects savers": [
        "Money in an account buys less each year.", "What counts is the interest rate less inflation.",
        "Fixed bonds lose value when rates rise.", "Shares and real estate may keep up, with more risk.",
    ],
    "why the sky is blue": [
        "Air scatters short waves more strongly than long ones.", "Scattering goes with the fourth power of frequency.",
        "Violet is absorbed higher up and our eyes see it less.", "At sunset the long way removes the blue.",
    ],
    "how a hash table finds a key": [
        "A hash function turns the key into a number.", "The number, modulo the size, names a bucket.",
        "Collisions are kept in a list or in the next free slot.", "Growing the table keeps the buckets short.",
    ],
}  # fmt: skip
READERS = [
    "a pupil of twelve",
    "a colleague",
    "a newspaper reader",
    "someone in a hurry",
    "a first-year student",
    "my uncle",
]
FORMS = [
    "Explain {t} to {r}.",
    "In your own words: {t}? Write for {r}.",
    "Please tell {r} {t}.",
    "{r} wants to know {t}.",
]
PADDING = [
    "It is worth pausing here, because this point is often overlooked and deserves a closer look.",
    "There are, of course, many ways to look at the matter, and each of them has its own merits.",
    "To put it differently, and to make sure that nothing is left unclear, let us go over it once more.",
    "In a broader context, this shows how many things in our world are connected with one another.",
    "As many people have noted over the years, the subject is richer than it appears at first sight.",
    "Before moving on, it may help to summarise what has been said so far in slightly other terms.",
    "This is a fascinating question, and a thorough answer has to take several aspects into account.",
    "All in all, a careful reader will see that the details matter as much as the general picture.",
    "One could say much more on this, and indeed whole books have been written about it.",
    "It should also be kept in mind that everyday experience can mislead us in such matters.",
    "With this in mind, the overall structure of the explanation becomes more transparent.",
    "Let us therefore approach the question step by step, with due attention to every stage.",
]
WRONG = [
    "It is mainly a matter of temperature alone.",
    "Scientists do not know why this is so.",
    "The cause is that pressure rises with age.",
    "This only happens in the northern half of the world.",
]


def essay_task(rng: Random) -> Task:
    """A question whose four facts can be checked; right: three or four of them are named."""
    topic, reader = rng.choice(sorted(TOPICS)), rng.choice(READERS)
    limit = rng.choice(["", " Keep it short.", " Give one example.", f" Use about {rng.randint(6, 20) * 10} words."])
    form = rng.choice(FORMS).format(t=topic, r=reader)

    def solve(rng: Random, right: bool) -> Reply:
        facts = TOPICS[topic]
        kept = sorted(rng.sample(range(4), rng.choice([3, 4]) if right else rng.choice([1, 2])))
        sentences = [facts[k] for k in kept]
        if not right:
            sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(WRONG))
        return answered(" ".join(sentences), "", facts_named=len(kept), facts_total=4)

    return Task(form[0].upper() + form[1:] + limit, "", topic.split()[-1], 0.0, solve)


def padded(rng: Random, text: str, count: int) -> str:
    """A text with sentences that say nothing put between its own."""
    parts = text.split(". ")
    for said in rng.sample(PADDING, min(count, len(PADDING))):
        parts.insert(rng.randrange(len(parts) + 1), said.rstrip("."))
    return ". ".join(parts)
