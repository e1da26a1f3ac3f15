"""Games on a small board that are played by moves, one a turn."""

from random import Random

from benchmarks.foreign.fourteenth.calls import answers, calls
from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

DELTAS = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
THOUGHTS = ["Closer.", "The key is that way.", "Keep going.", "Avoid the edge.", "One more.", "That should do."]


def board_task(rng: Random) -> Task:
    """A player and a key on a board."""
    size = rng.randint(6, 9)
    start, key = (0, 0), (0, 0)
    while abs(start[0] - key[0]) + abs(start[1] - key[1]) < 3:
        start = (rng.randrange(size), rng.randrange(size))
        key = (rng.randrange(size), rng.randrange(size))
    prompt = (
        f"Board of {size} x {size} (x to the east, y to the south). You stand on {start}. The key lies on {key}. "
        f"Move with move(direction); fetch the key within {rng.randint(15, 18)} moves, then call take()."
    )
    return Task(prompt, str(key), f"board_{size}", 0.4, facts={"size": size, "start": list(start), "key": list(key)})


def walk(rng: Random, task: Task, start: tuple[int, int], astray: int, budget: int = 16) -> tuple[list[dict], bool]:
    """Go towards the key as seen from the true place, with some moves astray; whether it was taken."""
    size, key = task.facts["size"], tuple(task.facts["key"])
    x, y = start
    turns: list[dict] = []
    for number in range(budget):
        if (x, y) == key and number >= astray:
            turns += [calls("Here it is.", "take"), answers("take", "You took the key. The game is won.")]
            return turns, True
        wished = [d for d, (dx, dy) in DELTAS.items() if (key[0] - x) * dx + (key[1] - y) * dy > 0]
        move = rng.choice(list(DELTAS)) if number < astray or not wished else rng.choice(wished)
        dx, dy = DELTAS[move]
        x, y = min(size - 1, max(0, x + dx)), min(size - 1, max(0, y + dy))
        turns += [calls(rng.choice(THOUGHTS), "move", direction=move), answers("move", f"You stand on ({x}, {y}).")]
    turns += [calls("Try to take it.", "take"), answers("take", "There is no key here.", ok=False)]
    return turns, False


def board_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """A game that is won or lost."""
    start = (task.facts["start"][0], task.facts["start"][1])
    for _ in range(40):
        turns, won = walk(rng, task, start, rng.randint(0, 3) if right else rng.randint(12, 16))
        if won == right:
            break
    else:
        turns = [*turns[:2], calls("I think it is here.", "take"), answers("take", "There is no key here.", ok=False)]
    end = "The key is mine." if right else rng.choice(["I could not get it.", "Out of moves."])
    return Reply([*turns, {"role": "assistant", "content": end}], "won" if right else "lost")


BOARDS = Domain(board_task, board_reply)
