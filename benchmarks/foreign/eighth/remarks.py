"""What a policy says between the steps of a working."""

import re
from random import Random

TURNS = [
    "Hold on, did I read the question correctly?",
    "Let me try another way to be sure.",
    "Suppose I had it the other way round; what would change?",
    "I should double-check this product.",
    "Maybe a small case shows whether the idea holds.",
    "That looks plausible, but I want to see it from another side.",
    "Let me restate what is asked.",
    "I could also estimate first.",
    "Another thought: the order of the two operations matters.",
    "Let me not rush this.",
]


def numbers_in(steps: list[str]) -> list[int]:
    """The whole numbers above 2 that steps speak of."""
    return [n for n in map(int, re.findall(r"\d{1,6}", " ".join(steps))) if n > 2] or [6, 14]


def check_product(rng: Random, steps: list[str]) -> str:
    """A product of numbers of the steps taken apart, as one does in thought."""
    found = numbers_in(steps)
    a, b = rng.choice(found), rng.choice(found)
    tens, rest = a // 10 * 10, a % 10
    return rng.choice([
        f"{a} * {b}: {tens} * {b} is {tens * b}, and {rest} * {b} is {rest * b}, together {a * b}.",
        f"For comparison, {a} times {b} would be {a * b}, so we know the range.",
        f"If {a} and {b} were to be multiplied we'd be at {a * b}, which is not what is asked.",
        f"{a} and {b} add up to {a + b} and differ by {abs(a - b)}; neither is needed here.",
        f"Is {a} used rightly? With {a + 1} in its place things would not fit.",
        f"The {a} comes from the text, the {b} I have used as well.",
    ])  # fmt: skip
