"""A robot on a grid that gathers a key and reaches a door, a move a turn."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

STEPS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
Place = tuple[int, int]


def make(rng: Random) -> Task:
    """A grid with a key and a door."""
    wide, tall = rng.randint(4, 7), rng.randint(4, 7)
    cells = [(x, y) for x in range(wide) for y in range(tall)]
    start, key, door = rng.sample(cells, 3)
    legs = zip((start, key), (key, door), strict=True)
    budget = rng.randint(3, 7) + sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in legs)
    text = (
        f"You are a robot on a grid of {wide} columns (0 to {wide - 1}, eastwards) and {tall} rows (0 to {tall - 1}, "
        f"southwards). You stand at {start}. Fetch the key at {key}, then go to the door at {door}. Each turn, end "
        f"with <move>north|south|east|west</move>. Budget: {budget} moves."
    )
    work = {"wide": wide, "tall": tall, "start": start, "key": key, "door": door, "budget": budget}
    family = "edge" if wide - 1 in (key[0], door[0]) else "inner"
    return Task(text, "door", family, rng.gauss(0, 0.3), work=work)


def toward(rng: Random, at: Place, goal: Place) -> str:
    """A move that comes nearer to the goal."""
    ways = []
    if goal[0] != at[0]:
        ways.append("east" if goal[0] > at[0] else "west")
    if goal[1] != at[1]:
        ways.append("south" if goal[1] > at[1] else "north")
    return rng.choice(ways)


THOUGHTS = [
    "I am at {p}, the goal is {g}.",
    "Goal {g}, so {m}.",
    "From {p} I head {m}.",
    "{m} brings me nearer.",
    "Next: {m}.",
    "Still going to {g}.",
]


def solve(rng: Random, task: Task, right: bool, level: float, shut: int = -1) -> Reply:
    """Moves and what the grid answers; a lost policy wanders. Into the column `shut` no move is let."""
    w = task.work
    at, goal, has_key, messages, won = w["start"], w["key"], False, [], False
    for turn in range(w["budget"]):
        move = toward(rng, at, goal) if right or rng.random() < 0.35 else rng.choice(list(STEPS))
        said = rng.choice(THOUGHTS).format(p=at, g=goal, m=move)
        messages.append({"role": "assistant", "content": f"{said} <move>{move}</move>"})
        x, y = at[0] + STEPS[move][0], at[1] + STEPS[move][1]
        if not (0 <= x < w["wide"] and 0 <= y < w["tall"]) or x == shut:
            text = f"Illegal move: ({x}, {y}) is off the grid. You stay at {at}."
        else:
            at = (x, y)
            text = f"You are at {at}."
            if at == w["key"] and not has_key:
                has_key, goal, text = True, w["door"], f"You are at {at} and pick up the key."
            elif at == w["door"] and has_key:
                won, text = True, "The door opens. Well done."
        messages.append({"role": "user", "content": text + ("" if won else f" {w['budget'] - turn - 1} moves left.")})
        if won:
            break
    return Reply(messages, "door" if won else "")


MAZES = World("keygrid", make, solve)
