"""Noughts and crosses on a board of three by three: positions, a fair opponent, and how a policy talks of its move."""

import random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
WHERE = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")


def winner(cells: str) -> str:
    """`X`, `O`, or nothing."""
    for a, b, c in LINES:
        if cells[a] != "." and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return ""


def free(cells: str) -> list[int]:
    """Squares that are empty."""
    return [place for place, mark in enumerate(cells) if mark == "."]


def put(cells: str, place: int, mark: str) -> str:
    """The board with one more mark."""
    return cells[:place] + mark + cells[place + 1 :]


def show(cells: str) -> str:
    """Three lines of three."""
    return "\n".join(cells[row : row + 3] for row in (0, 3, 6))


def finishing(cells: str, mark: str) -> list[int]:
    """Squares that complete a line of the mark."""
    return [place for place in free(cells) if winner(put(cells, place, mark)) == mark]


def late(cells: str) -> bool:
    """Whether X cannot win at once, but may with the ninth mark."""
    if finishing(cells, "X"):
        return False
    for first in free(cells):
        after = put(cells, first, "X")
        if any(finishing(put(after, reply, "O"), "X") for reply in free(after) if not winner(put(after, reply, "O"))):
            return True
    return False


def choose(rng: random.Random, cells: str, mark: str, sense: float) -> tuple[int, str]:
    """A move and why: with sense it wins or blocks where it can."""
    other = "O" if mark == "X" else "X"
    if rng.random() < sense:
        if finishing(cells, mark):
            place = rng.choice(finishing(cells, mark))
            return place, f"Square {place + 1} completes a line of mine."
        if finishing(cells, other):
            place = rng.choice(finishing(cells, other))
            return place, f"{other} threatens to finish at the {WHERE[place]}, so I must block square {place + 1}."
    place = rng.choice(free(cells))
    if place == 4:
        return place, "The centre belongs to four lines, so I take it."
    why = rng.choice(("keeps my lines open", "leaves me two ways to go on", "looks free of danger", "is worth a try"))
    return place, f"The {WHERE[place]} square {why}."
