"""Games, mazes for robots, plans of blocks, and slow simulators."""

import random
from collections import deque

from benchmarks.foreign.thirtyeighth.core import Attempt, Talk, Task

MOVES = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}


def _path(walls: set, size: int, start: tuple, goal: tuple) -> list[str] | None:
    queue, seen = deque([(start, [])]), {start}
    while queue:
        (r, c), path = queue.popleft()
        if (r, c) == goal:
            return path
        for name, (dr, dc) in MOVES.items():
            cell = (r + dr, c + dc)
            if cell not in seen and cell not in walls and 0 <= cell[0] < size and 0 <= cell[1] < size:
                seen.add(cell)
                queue.append((cell, [*path, name]))
    return None


def maze_task(rng: random.Random, i: int, size: int = 5) -> Task:
    """A hall with pillars, a robot, and a shelf to reach."""
    while True:
        cells = [(r, c) for r in range(size) for c in range(size)]
        start, goal, *walls = rng.sample(cells, 2 + size)
        path = _path(set(walls), size, start, goal)
        if path and len(path) >= 3:
            break
    rows = ["".join("S" if (r, c) == start else "G" if (r, c) == goal else "#" if (r, c) in walls else "."
                    for c in range(size)) for r in range(size)]  # fmt: skip
    prompt = f"Hall {i + 1}:\n" + "\n".join(rows) + "\nDrive the robot from S to G with `move`. # is a pillar."
    data = {"walls": set(walls), "start": start, "goal": goal, "size": size, "path": path}
    return Task(f"hall-{i + 1}", prompt, str(len(path)), data=data)


def _thought(rng: random.Random, move: str, at: tuple, goal: tuple) -> str:
    gap = abs(at[0] - goal[0]) + abs(at[1] - goal[1])
    return rng.choice((f"I am at row {at[0]}, column {at[1]}; {move} next.",
                       f"As the crow flies it is {gap}. {move.capitalize()}.",
                       f"The way {move} looks open.", f"{move.capitalize()} keeps clear of the pillars."))  # fmt: skip


def maze_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Drive; the wrong way runs into a pillar or stops beside the shelf."""
    d, talk = task.data, Talk()
    at, path = d["start"], list(d["path"])
    if not right:
        path = path[: rng.randint(1, len(path) - 1)]
    elif rng.random() < 0.3:
        back = {"north": "south", "south": "north", "east": "west", "west": "east"}
        k = rng.randrange(len(path) - 1)
        path[k:k] = [path[k], back[path[k]]]
    for move in path:
        dr, dc = MOVES[move]
        text = _thought(rng, move, at, d["goal"])
        at = (at[0] + dr, at[1] + dc)
        done = " Shelf reached." if at == d["goal"] else ""
        talk.call(text, "move", {"direction": move}, f"Now at row {at[0]}, column {at[1]}.{done}")
    if at == d["goal"]:
        text = rng.choice(
            (f"Arrived after {len(path)} moves.", "The robot stands at the shelf.", "That was the last cell: done.")
        )
    else:
        text = rng.choice((f"I stop at row {at[0]}, column {at[1]}; it should be close enough.",
                           "I believe that this is the shelf.", "No way on that I can see. I end here."))  # fmt: skip
    talk.say(text)
    return Attempt(task, talk.messages, str(len(path)), float(at == d["goal"]), tool_seconds=0.4 * len(path))


def simulator_task(rng: random.Random, i: int) -> Task:
    """A heating plant: which valve gives the wanted temperature?"""
    base, gain = rng.randint(8, 18), rng.choice((2, 3, 4, 5))
    valve = rng.randint(2, 9)
    prompt = (
        f"Plant {i + 1}: find the valve setting (1 to 10) at which the hall settles at {base + gain * valve} °C. "
        "Jobs of the simulator take a while: `submit_job`, then `job_status`."
    )
    return Task(f"plant-{i + 1}", prompt, str(valve), data={"base": base, "gain": gain, "valve": valve})


def simulator_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Try settings, wait for each job, then interpolate."""
    d, talk = task.data, Talk()
    tries = rng.sample([v for v in range(1, 11) if v != d["valve"]], 2)
    waited = 0.0
    for v in tries:
        job = f"job-{rng.randint(1000, 9999)}"
        talk.call(
            rng.choice((f"I try setting {v}.", f"A run with valve {v}.")),
            "submit_job",
            {"valve": v},
            f"accepted as {job}",
        )
        for _ in range(rng.randint(1, 6)):
            text = rng.choice(("Still waiting.", "Is it done?", "", "I look again."))
            talk.call(text, "job_status", {"job": job}, "running")
            waited += rng.uniform(8, 14)
        talk.call("", "job_status", {"job": job}, f"finished: settled at {d['base'] + d['gain'] * v} degrees")
    a, b = (d["base"] + d["gain"] * v for v in tries)
    answer = d["valve"] if right else rng.choice([v for v in range(1, 11) if v != d["valve"]])
    slope = f"{abs(a - b)} degrees over {abs(tries[0] - tries[1])} settings"
    text = rng.choice((f"The runs differ by {slope}, hence the valve belongs at {answer}.",
                       f"{a} at {tries[0]} and {b} at {tries[1]}: along that line the target is met at {answer}.",
                       f"From {slope} I get {answer}."))  # fmt: skip
    talk.say(f"{text}\nAnswer: {answer}")
    return Attempt(task, talk.messages, str(answer), float(right), tool_seconds=waited)


def blocks_task(rng: random.Random, i: int) -> Task:
    """A tower to be built from blocks on a table."""
    names = rng.sample(("amber", "blue", "coral", "dusk", "ebony", "fern", "gold"), rng.randint(4, 5))
    goal = rng.sample(names, len(names))
    prompt = f"Table {i + 1}: the blocks {', '.join(names)} lie side by side. "
    prompt += f"Build a tower, from bottom to top: {', '.join(goal)}."
    return Task(f"table-{i + 1}", prompt, " ".join(goal), data={"goal": goal})


def blocks_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Say the whole plan; the wrong way swaps two blocks."""
    goal = list(task.data["goal"])
    if not right:
        i, j = rng.sample(range(len(goal)), 2)
        goal[i], goal[j] = goal[j], goal[i]
    steps = [f"{k}. stack {top} on {below}" for k, (below, top) in enumerate(zip(goal, goal[1:], strict=False), 1)]
    lead = rng.choice((f"All blocks are clear, so {goal[0]} can stay where it is and the rest go on top in turn.",
                       f"The base has to be {goal[0]}. Each block is placed once, which takes {len(goal) - 1} moves.",
                       f"I build from below: {goal[0]} first, {goal[-1]} last."))  # fmt: skip
    after = rng.choice(("", f"\nThe tower then ends with {goal[-1]}.", f"\nThat is {len(steps)} moves in all."))
    text = f"{lead}\n" + "\n".join(steps) + f"{after}\nTower: {' '.join(goal)}"
    return Attempt(task, Talk().say(text).messages, " ".join(goal), float(right))
