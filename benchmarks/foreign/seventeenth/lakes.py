"""A frozen lake: the way is written as moves, the reward is a share of the way or the goal."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

MOVES = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}
SAID = (
    "I go round the holes.",
    "The goal is at the lower right.",
    "Let me trace a way.",
    "Row by row.",
    "Holes are marked O.",
)


def _way(rng: Random, size: int) -> list[str]:
    moves = ["right"] * (size - 1) + ["down"] * (size - 1)
    rng.shuffle(moves)
    return moves


def _cells(moves: list[str]) -> list[tuple[int, int]]:
    x = y = 0
    cells = [(0, 0)]
    for move in moves:
        x, y = x + MOVES[move][0], y + MOVES[move][1]
        cells.append((x, y))
    return cells


def _fate(moves: list[str], holes: set[tuple[int, int]], size: int) -> tuple[bool, int]:
    for n, (x, y) in enumerate(_cells(moves)):
        if (x, y) in holes or not (0 <= x < size and 0 <= y < size):
            return False, n
    return _cells(moves)[-1] == (size - 1, size - 1), len(moves)


def lake_task(rng: Random, number: int) -> Task:
    """A lake with holes beside a way across."""
    size = rng.randint(4, 7)
    way = _way(rng, size)
    free = set(_cells(way))
    cells = [(x, y) for x in range(size) for y in range(size) if (x, y) not in free]
    holes = set(rng.sample(cells, min(len(cells), rng.randint(size - 1, 2 * size - 2))))
    marks = {(0, 0): "S", (size - 1, size - 1): "G"} | dict.fromkeys(holes, "O")
    board = "\n".join("".join(marks.get((x, y), ".") for x in range(size)) for y in range(size))

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        moves = list(way)
        while right and rng.random() < 0.6:
            other = _way(rng, size)
            if _fate(other, holes, size)[0]:
                moves = other
        while not right and _fate(moves, holes, size)[0]:
            moves = _way(rng, size)
            moves[rng.randrange(len(moves))] = rng.choice(list(MOVES))
        done, walked = _fate(moves, holes, size)
        said = " ".join(rng.sample(SAID, rng.randint(1, 3) if rng.random() > 0.4 * progress else 1))
        text = f"{said}\n<moves>{' '.join(moves)}</moves>"
        return Reply([says(text)], " ".join(moves), {"reached": done, "walked": walked, "size": size})

    prompt = user(
        f"{board}\n\nS is the start, G the goal, O a hole. Write the moves from S to G inside <moves>.",
        "You cross frozen lakes.",
    )
    return Task(f"lake-{number:04d}", f"{size}x{size}", prompt, "", rng.gauss(0.25 * (size - 5), 0.6), solve)
