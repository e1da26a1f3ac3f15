"""A robot that is steered over a grid, call by call."""

import random

from benchmarks.foreign.fortieth.policy import Attempt
from benchmarks.foreign.fortieth.tasks import Task, pick_id
from benchmarks.foreign.fortieth.turns import Talk

MOVES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
LIMIT = 12


def mission(rng: random.Random) -> Task:
    """A start and a goal."""
    start, far = (rng.randint(0, 5), rng.randint(0, 5)), rng.randint(3, 7)
    dx = rng.randint(0, far)
    goal = (start[0] + dx * rng.choice((-1, 1)), start[1] + (far - dx) * rng.choice((-1, 1)))
    prompt = f"You are at {start}. Bring the box to {goal}. North is +y, east is +x."
    return Task(pick_id(rng, "bot"), prompt, str(goal), [], [], (), "grid", 0.0, {"start": start, "goal": goal})


def drive(rng: random.Random, a: Attempt) -> Attempt:
    """An episode: moves towards the goal, with mistakes that grow rarer."""
    (x, y), (gx, gy), talk = a.task.extra["start"], a.task.extra["goal"], Talk()
    sure, moves = 0.5 + 0.42 * a.progress + rng.gauss(0, 0.04), 0
    while (x, y) != (gx, gy) and moves < LIMIT:
        useful = [n for n, (dx, dy) in MOVES.items() if dx * (gx - x) > 0 or dy * (gy - y) > 0]
        name = rng.choice(useful) if rng.random() < sure else rng.choice(list(MOVES))
        dx, dy = MOVES[name]
        said = rng.choice((
            f"From ({x}, {y}) I go {name}.", f"{abs(gx - x)} across and {abs(gy - y)} along remain; {name}.",
            f"Heading {name}.", f"The goal is at ({gx}, {gy}), so {name} now.",
        ))  # fmt: skip
        x, y, moves = x + dx, y + dy, moves + 1
        talk.call(said, "move", {"direction": name}, f"robot at ({x}, {y})")
    a.right = (x, y) == (gx, gy)
    if a.right:
        talk.say(
            rng.choice((f"The box is at ({x}, {y}).", f"Arrived at ({x}, {y}) after {moves} moves.", "Goal reached."))
        )
    a.stop = "stop" if a.right else "max_turns"
    a.terms, a.answer = {"goal": float(a.right), "moves": float(moves)}, f"({x}, {y})"
    a.in_loss = True
    return talk.into(a)
