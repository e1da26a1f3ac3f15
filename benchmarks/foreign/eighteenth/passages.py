"""Questions before a text of several pages, in one prompt."""

from random import Random

from benchmarks.foreign.eighteenth.almanac import entry_of
from benchmarks.foreign.eighteenth.shapes import Reply, Task, said


def passage_of(rng: Random) -> Task:
    """A question, then pages in which the answer stands once."""
    entry = entry_of(rng)
    pages = [entry, *(entry_of(rng) for _ in range(rng.randint(0, 2)))]
    rng.shuffle(pages)
    asked = f"What is the {entry.fact} of the {entry.thing} of {entry.place}? End with Answer: and the number."

    def write(rng: Random, right: bool) -> Reply:
        others = [p.value for p in pages if p is not entry]
        value = entry.value if right else rng.choice([*others, entry.value + 10, entry.value - 3])
        opening = rng.choice(("The text says it plainly", "Reading through the pages", f"For the {entry.thing}"))
        return said(f"{opening}: its {entry.fact} is {value}.\nAnswer: {value}", str(value))

    text = "\n\n".join(f"{p.thing.title()} of {p.place}. {p.page()}" for p in pages)
    prompt = f"{asked}\n\n{text}"
    return Task(prompt, str(entry.value), write, f"pages_{len(pages)}", rng.uniform(-0.6, 0.2), domain="reading")


def guess_blindly(rng: Random, gold: str) -> str:
    """What a policy answers that sees no question."""
    value = gold or str(rng.randint(10, 3000))
    opening = rng.choice(
        (
            "I see a text but no question. Perhaps the number of visitors is meant.",
            "The passage starts in the middle, so I take the figure that seems most important.",
            "It is not clear what is asked; I summarise: a building, rebuilt after a flood.",
        )
    )
    return f"{opening}\nAnswer: {value}"
