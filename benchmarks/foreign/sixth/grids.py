"""A world of a small grid: an agent walks from a start to a flag, around walls, one move a turn."""

from collections import deque
from random import Random

from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.runs import Message, Problem, system, user

MOVES = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
_PROMPT = "You steer a robot on a {n} x {n} grid. Tool: move(direction). Reach the flag within 14 moves. Walls block."
_DONE = ("The robot stands at the flag.", "Reached.", "Flag reached, I stop here.")
_LOST = ("I could not get there.", "Out of moves.", "The way seems blocked, I stop.")
Cell = tuple[int, int]


def draw_grid(rng: Random, number: int) -> Problem:
    """Draw a grid whose flag can be reached."""
    while True:
        size = rng.randint(5, 7)
        cells = [(x, y) for x in range(size) for y in range(size)]
        start, flag, *walls = rng.sample(cells, 2 + size)
        path = shortest(size, set(walls), start, flag)
        if 3 <= len(path) <= 9:
            break
    asked = f"Robot at {start}, flag at {flag}, walls at {', '.join(map(str, sorted(walls)))}. North is towards y = 0."
    facts = {"size": size, "walls": set(walls), "start": start, "flag": flag, "path": path}
    return Problem(
        f"grid-{number:04d}",
        [system(_PROMPT.format(n=size)), user(asked)],
        str(len(path)),
        0.25 * (len(path) - 5),
        facts,
    )


def shortest(size: int, walls: set[Cell], start: Cell, flag: Cell) -> list[str]:
    """Return the moves of a shortest way; none where there is none."""
    ways: dict[Cell, list[str]] = {start: []}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        for name, (dx, dy) in MOVES.items():
            there = (cell[0] + dx, cell[1] + dy)
            if there in ways or there in walls or not (0 <= there[0] < size and 0 <= there[1] < size):
                continue
            ways[there] = [*ways[cell], name]
            queue.append(there)
    return ways.get(flag, [])


class Walk:
    """A robot's walk with the tool's answers."""

    def __init__(self, problem: Problem) -> None:
        self.talk, self._facts, self.cell = Talk(), problem.facts, problem.facts["start"]

    def reaches(self, name: str) -> bool:
        """Tell whether a move would lead to the flag."""
        dx, dy = MOVES[name]
        return (self.cell[0] + dx, self.cell[1] + dy) == self._facts["flag"]

    def move(self, thought: str, name: str) -> None:
        """Move by one cell, or bump into a wall or the edge."""
        dx, dy = MOVES[name]
        there, size = (self.cell[0] + dx, self.cell[1] + dy), self._facts["size"]
        is_free = there not in self._facts["walls"] and 0 <= there[0] < size and 0 <= there[1] < size
        self.cell = there if is_free else self.cell
        seen = f"Robot at {self.cell}." if is_free else f"Blocked. Robot at {self.cell}."
        self.talk.call(
            thought, "move", {"direction": name}, seen + (" Flag!" if self.cell == self._facts["flag"] else "")
        )


def walk(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Walk to the flag, with a detour at times; a wrong attempt strays and gives up."""
    going = Walk(problem)
    path = problem.facts["path"]
    for name in path if is_right else path[: rng.randint(0, len(path) - 2)]:
        going.move(rng.choice(("", "", f"Now {name}.", "Next cell.")), name)
    if not is_right:
        for name in rng.choices(list(MOVES), k=rng.randint(2, 5)):
            if not going.reaches(name):
                going.move(rng.choice(("", "Maybe this way.", "Around the wall.")), name)
    return going.talk.say(rng.choice(_DONE if is_right else _LOST))
