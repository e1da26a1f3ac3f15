"""A game of stones: who takes the last one wins; the right move leaves a multiple of the limit and one."""

import random

from benchmarks.foreign.fortyninth.attempts import Attempt, Task, say


def stones(rng: random.Random) -> Task:
    """A position to move from, one that can be won."""
    limit = rng.randint(3, 7)
    heap = rng.randint(12, 140)
    heap += heap % (limit + 1) == 0
    prompt = (
        f"There are {heap} stones. Two players take 1 to {limit} in turn, and who takes the last stone wins. It "
        f"is your "
        "move. How many do you take? Reply with the number only."
    )
    gold = heap % (limit + 1)
    return Task("games", "stones", prompt, str(gold), rng.gauss(0, 0.8), "", {"heap": heap, "limit": limit})


def play_stones(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """A move, paid where it wins."""
    gold, limit = int(task.gold), task.data["limit"]
    move = gold if right else rng.choice([m for m in range(1, limit + 1) if m != gold])
    attempt = Attempt(task, [say(rng.choice([str(move), f"{move}", f"{move}."]))], right)
    attempt.reward = float(right)
    attempt.terms = {"wins": attempt.reward}
    return attempt
