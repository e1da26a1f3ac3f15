"""A dice game: which die to throw, and when to hold; the environment throws."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say

OPPONENTS = ["the miller", "the ferryman", "old Grete", "the captain", "a stranger", "the clerk", "the smith"]
SYSTEM = (
    "Write THROW d4, THROW d6, THROW d8 or THROW d12, or HOLD. A one ends the round with zero. The host throws the die "
    "and tells you the number. Reach the goal."
)
MOODS = [
    "The odds are fair.",
    "I still need {n}.",
    "{n} to go.",
    "Risky, with {n} missing.",
    "One more.",
    "I press on.",
]
SIDES = (4, 6, 8, 12)


def make(rng: Random, name: str) -> Task:
    """A goal against an opponent."""
    goal, foe, table = rng.randint(11, 34), rng.choice(OPPONENTS), rng.randint(1, 900)
    prompt = f"Table {table}. You play {foe}, who has already stopped at {goal - 1}. Reach {goal} or more, then HOLD."
    family = f"goal_{'low' if goal < 22 else 'high'}"
    return Task(name, prompt, str(goal), family, (goal - 22) / 18, SYSTEM, {"goal": goal})


def move(rng: Random, missing: int, sides: int) -> str:
    """A word, and the die."""
    word = rng.choice(MOODS).format(n=missing) if rng.random() < 0.7 else ""
    return f"{word} THROW d{sides}".strip()


def host(text: str) -> dict:
    """What the environment says."""
    return {"role": "user", "content": text}


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Throw by throw, each answered by the host; large dice, which seldom show a one, are chosen more with time."""
    goal, turns, total, lost = task.facts["goal"], [], 0, False
    while total < goal and not lost:
        sides = rng.choices(SIDES, [1.4 - t, 1.2 - 0.7 * t, 1 + t, 0.8 + 3 * t])[0]
        turns.append(say(move(rng, goal - total, sides)))
        number = rng.randint(2, sides)
        lost = not right and (rng.random() < 0.3 or total + number >= goal)
        total += number
        said = "1. Your round is lost." if lost else f"{number}. You have {total}."
        turns.append(host(f"The host throws: {said}"))
    turns.append(say(rng.choice(["Well played.", "That is the end of it.", "Bad luck."]) if lost else "HOLD"))
    return Reply(turns, str(0 if lost else total))


DICE = Domain(make, solve)
