"""A walk on a grid in turns: the policy steers to a goal and is told where it stands."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick

WAYS = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}
PRIZES = ("the lantern", "the key", "the well", "the old oak", "the ferry", "the forge", "the shrine")


def task(rng: Random) -> Task:
    """A start and a goal."""
    size = rng.randint(5, 9)
    here = (rng.randrange(size), rng.randrange(size))
    goal = (rng.randrange(size), rng.randrange(size))
    if here == goal:
        goal = ((here[0] + 2) % size, here[1])
    prize = rng.choice(PRIZES)
    far = abs(here[0] - goal[0]) + abs(here[1] - goal[1])
    prompt = (
        f"Grid {size} x {size}. You stand at {here}; {prize} is at {goal}. "
        f"Write one move a turn as <move>way</move>; you have {far + 2} moves."
    )
    extra = {"here": list(here), "goal": list(goal), "prize": prize, "size": size, "moves": far + 2}
    return Task(f"grid{size}", prompt, str(goal), extra=extra)


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Moves and what the game tells; lost games waste moves."""
    (x, y), goal = t.extra["here"], t.extra["goal"]
    messages = []
    for turn in range(t.extra["moves"]):
        wanted = [w for w, (dx, dy) in WAYS.items() if dx * (goal[0] - x) > 0 or dy * (goal[1] - y) > 0]
        waste = not right and (turn in (0, 2, 3) or rng.random() < 0.4)
        way = rng.choice(list(WAYS)) if waste or not wanted else rng.choice(wanted)
        if not right and len(wanted) == 1 and abs(goal[0] - x) + abs(goal[1] - y) == 1:
            way = rng.choice([w for w in WAYS if w != wanted[0]])
        before = (x, y)
        x = min(t.extra["size"] - 1, max(0, x + WAYS[way][0]))
        y = min(t.extra["size"] - 1, max(0, y + WAYS[way][1]))
        wall = "A wall is there. " if before == (x, y) else ""
        thought = pick(
            rng, f"{t.extra['prize']} is {way} of me.", f"Going {way}.", "Next step.", f"From here {way}.", ""
        )
        messages.append({"role": "assistant", "content": f"{thought}<move>{way}</move>"})
        if [x, y] == goal:
            messages.append({"role": "user", "content": f"You are at ({x}, {y}). You reached {t.extra['prize']}!"})
            break
        messages.append(
            {"role": "user", "content": f"{wall}You are at ({x}, {y}). {t.extra['moves'] - turn - 1} moves left."}
        )
    end = pick(rng, "I am there.", "Reached.") if right else pick(rng, "Out of moves.", "I did not get there.")
    messages.append({"role": "assistant", "content": end})
    return Reply(messages, f"({x}, {y})", {})


WORLD = World(task, reply)
