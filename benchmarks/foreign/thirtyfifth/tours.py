"""Rounds of a courier on a grid of streets: any order is valid, a short one is better."""

import itertools
import random

from benchmarks.foreign.thirtyfifth.course import Task

STOPS = (
    "bakery",
    "clinic",
    "depot",
    "florist",
    "garage",
    "hotel",
    "kiosk",
    "laundry",
    "museum",
    "notary",
    "pharmacy",
    "school",
)
Point = tuple[int, int]


def length(order: list[str], at: dict[str, Point]) -> int:
    """Blocks of a round from 0, 0 through all stops and back."""
    points = [(0, 0), *(at[name] for name in order), (0, 0)]
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in itertools.pairwise(points))


def tour_task(rng: random.Random, number: int) -> Task:
    """Ask for a round over six stops."""
    names = rng.sample(STOPS, 6)
    at = {name: (rng.randint(-9, 9), rng.randint(-9, 9)) for name in names}
    ranked = sorted((length(list(order), at), order) for order in itertools.permutations(names))
    best = ranked[0][0]
    listed = "; ".join(f"{name} at ({x}, {y})" for name, (x, y) in at.items())
    prompt = (
        f"A courier starts at (0, 0) and comes back to it. Stops: {listed}. Streets run along "
        f"the grid. Give an order of all stops "
        "that makes the round short, as names with commas."
    )

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        place = rng.randrange(12) if is_right else rng.randrange(6, 70)
        blocks, order = ranked[place]
        first, last = order[0], order[-1]
        text = rng.choice(
            (
                f"The {first} and the {last} lie well as the ends of the round.",
                f"I begin with the {first}, since it is on the way out.",
                f"To avoid crossing back I keep the {last} for the way home.",
            )
        )
        text += " " + rng.choice(
            (
                f"Adding up the legs I get {blocks} blocks.",
                f"The legs make {blocks} blocks in all.",
                f"This round has {blocks} blocks; I see no better one at a glance.",
            )
        )
        return text, ", ".join(order)

    more = {"at": at, "best": best}
    return Task(f"tour-{number:04d}", prompt, "", solve, "courier", rng.gauss(0.2, 0.6), "", more)
