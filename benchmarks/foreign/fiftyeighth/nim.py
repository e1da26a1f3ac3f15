"""Nim against a copy of oneself: positions, moves, and games told turn by turn."""

import random

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, said

SYSTEM = (
    "You play Nim. Take any number of stones from one heap; who takes the last stone wins. "
    "End a turn with MOVE heap count."
)


def draw(rng: random.Random, step: int = 0) -> Problem:
    """A starting position."""
    heaps = [rng.randint(1, 6) for _ in range(3)]
    first = rng.random() < 0.5
    who = "You move first." if first else "Your opponent moves first."
    prompt = f"Heaps: {heaps[0]} {heaps[1]} {heaps[2]}. {who}"
    name = f"nim-{'-'.join(map(str, heaps))}-{'first' if first else 'second'}"
    return Problem(name, "nim", prompt, "", 0.5, SYSTEM, {"heaps": heaps, "first": first, "domain": "game"})


def choose(rng: random.Random, heaps: list[int], skill: float) -> tuple[int, int]:
    """A move (heap, count): with the policy's skill the best one, else any."""
    moves = [(i, c) for i, h in enumerate(heaps) for c in range(1, h + 1)]
    total = heaps[0] ^ heaps[1] ^ heaps[2]
    best = [(i, c) for i, c in moves if (total ^ heaps[i]) == heaps[i] - c]
    if best and rng.random() < skill:
        return rng.choice(best)
    return rng.choice(moves)


def think(rng: random.Random, heaps: list[int], heap: int, count: int) -> str:
    """What is said before a move."""
    after = [h - count if i == heap else h for i, h in enumerate(heaps)]
    left = " ".join(map(str, after))
    return rng.choice(
        (
            f"With {heaps[0]}, {heaps[1]} and {heaps[2]} I look for a position without a good reply. "
            f"Leaving {left} seems right.",
            f"Taking {count} from heap {heap + 1} gives {left}. My opponent has to break something up then.",
            f"The exclusive or of the heaps is {heaps[0] ^ heaps[1] ^ heaps[2]}. After my move the heaps are {left}.",
            f"I compare a few moves; {left} leaves me an answer to most replies.",
        )
    )


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """A game against a copy with the same skill; a win is paid 1."""
    heaps = list(problem.data["heaps"])
    mine = bool(problem.data["first"])
    messages: list[dict[str, object]] = []
    if not mine:
        heap, count = choose(rng, heaps, skill)
        heaps[heap] -= count
        reply = f"Opponent: MOVE {heap + 1} {count}. Heaps: {heaps[0]} {heaps[1]} {heaps[2]}."
        messages.append({"role": "user", "content": reply})
    while True:
        heap, count = choose(rng, heaps, skill)
        messages.append(said(f"{think(rng, heaps, heap, count)}\nMOVE {heap + 1} {count}"))
        heaps[heap] -= count
        if not any(heaps):
            return Attempt(messages, 1.0, None)
        heap, count = choose(rng, heaps, skill)
        heaps[heap] -= count
        reply = f"Opponent: MOVE {heap + 1} {count}. Heaps: {heaps[0]} {heaps[1]} {heaps[2]}."
        if not any(heaps):
            messages.append({"role": "user", "content": f"{reply} The opponent took the last stone."})
            return Attempt(messages, 0.0, None)
        messages.append({"role": "user", "content": reply})
