"""A game: taking stones from one heap."""

import random

from benchmarks.foreign.fiftysixth.policy import Problem


def stones(rng: random.Random, number: int) -> Problem:
    """Nim with one heap: who takes the last stone wins. The reply is a move alone."""
    most = rng.randint(3, 7)
    heap = rng.randint(9, 60)
    while heap % (most + 1) == 0:
        heap = rng.randint(9, 60)
    gold = heap % (most + 1)
    prompt = (
        f"There are {heap} stones. You and I take turns and each takes 1 to {most}. Who takes the last one wins. "
        "Your move; reply with `take N` and nothing else."
    )

    def write(r: random.Random, right: bool) -> str:
        moves = [n for n in range(1, most + 1) if n != gold]
        return f"take {gold if right else r.choice(moves)}"

    return Problem(f"nim-{heap}-{most}", prompt, f"take {gold}", "nim", rng.gauss(0, 1.4), write)
