"""Winning moves at Nim, and units to be converted."""

from random import Random

from benchmarks.foreign.twentyfirst.rollouts import Task

UNITS = (
    ("miles", "kilometres", 1.609),
    ("pounds", "kilograms", 0.4536),
    ("gallons", "litres", 3.785),
    ("feet", "metres", 0.3048),
    ("acres", "hectares", 0.4047),
    ("ounces", "grams", 28.35),
    ("knots", "kilometres per hour", 1.852),
    ("inches", "centimetres", 2.54),
)


def piles(rng: Random, number: int) -> Task:
    """A winning move at Nim."""
    while True:
        heap = [rng.randint(1, 19) for _ in range(3)]
        total = heap[0] ^ heap[1] ^ heap[2]
        moves = [(at, size - (size ^ total)) for at, size in enumerate(heap) if size ^ total < size]
        if total and len(moves) == 1:
            break
    (at, take) = moves[0]

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        where, many = at, take
        while not right and (where, many) == (at, take):
            where = rng.randrange(3)
            many = rng.randint(1, heap[where])
        left = [size - many * (place == where) for place, size in enumerate(heap)]
        lines = [f"The xor of {heap[0]}, {heap[1]} and {heap[2]} is {total}.", f"I want to leave {left}."]
        return lines, f"{'ABC'[where]}{many}"

    prompt = (
        f"Nim, last stone wins. Piles: A={heap[0]}, B={heap[1]}, C={heap[2]}. "
        "Give your move as pile and count, e.g. B3."
    )
    return Task(f"ni{number:04d}", prompt, f"{'ABC'[at]}{take}", work, 0.1, "nim")


def units(rng: Random, number: int) -> Task:
    """A conversion, to one decimal."""
    name, other, factor = rng.choice(UNITS)
    amount = rng.randint(3, 480) + rng.choice((0, 0.5, 0.25))

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        used = factor if right else rng.choice((1 / factor, factor * 1.1, factor * 0.9, factor + 0.07))
        return [
            f"1 {name} is {used:.4g} {other}.",
            f"{amount} x {used:.4g} = {amount * used:.1f}",
        ], f"{amount * used:.1f}"

    prompt = f"Convert {amount} {name} to {other} (1 {name} = {factor} {other}). Round to one decimal."
    return Task(f"un{number:04d}", prompt, f"{amount * factor:.1f}", work, 0.0, other)
