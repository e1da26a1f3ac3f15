"""A game of finding a hidden number, played with one tool."""

from random import Random

from benchmarks.foreign.eighteenth.people import PLACES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, call, told

THOUGHTS = (
    "Halve the range.",
    "Try the middle.",
    "Between {a} and {b}.",
    "It is at least {a}.",
    "At most {b} now.",
    "",
    "",
)


def hunt(rng: Random, top: int, secret: int, skilled: bool, limit: int) -> tuple[list[dict], bool]:
    """Guesses with the answers of the game; the unskilled guess anywhere in the range."""
    low, high, messages = 1, top, []
    for _ in range(limit):
        guess = (low + high) // 2 if skilled else rng.randint(low, high)
        thought = rng.choice(THOUGHTS).format(a=low, b=high)
        messages.append(call("guess", thought, number=guess))
        if guess == secret:
            messages.append(told("guess", f"{guess} is right."))
            return messages, True
        messages.append(told("guess", f"{guess} is too {'low' if guess < secret else 'high'}."))
        low, high = (guess + 1, high) if guess < secret else (low, guess - 1)
    return messages, False


def hunt_of(rng: Random) -> Task:
    """One hidden number; the limit of guesses is what halving needs."""
    top = rng.choice((40, 60, 100, 150, 250, 400))
    secret, place = rng.randint(1, top), rng.choice(PLACES)
    limit = top.bit_length() + 1

    def write(rng: Random, right: bool) -> Reply:
        messages, won = hunt(rng, top, secret, True, limit) if right else ([], True)
        while won and not right:
            messages, won = hunt(rng, top, secret, False, limit)
        last = f"Found it, the number was {secret}." if won else "I am out of guesses."
        return Reply([*messages, {"role": "assistant", "content": last}], str(secret) if won else "")

    prompt = (
        f"The keeper of {place} thinks of a number from 1 to {top}, seed {rng.randint(1, 99999)}. "
        f"Find it in at most {limit} guesses."
    )
    return Task(
        prompt, str(secret), write, f"range_{top}", rng.uniform(-0.3, 0.5), domain="games", extra={"limit": limit}
    )
