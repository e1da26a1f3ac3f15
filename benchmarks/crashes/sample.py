"""Which kill points are walked where all of them would take too long: as many of each kind as of any other."""

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath


def kind_of(point: str) -> str:
    """Return a point's kind: what ends or begins, or which program renames a file of which name."""
    what, program, rest = (*point.split(" ", 2), "", "")[:3]
    name = PurePosixPath(rest).name if what in ("rename", "write") else rest.partition(" ")[0]
    return f"{what} {program} {name}"


def sampled(points: Sequence[str], count: int, seed: int) -> list[str]:
    """Return `count` points, in the order of `points`: kinds take turns, and each draws without replacement."""
    draw, kinds = random.Random(seed), defaultdict[str, list[str]](list)
    for point in dict.fromkeys(points):
        kinds[kind_of(point)].append(point)
    order = sorted(kinds)
    draw.shuffle(order)
    for found in kinds.values():
        draw.shuffle(found)
    chosen: set[str] = set()
    while len(chosen) < min(count, len(set(points))):
        for kind in order:
            if kinds[kind] and len(chosen) < count:
                chosen.add(kinds[kind].pop())
    return [point for point in dict.fromkeys(points) if point in chosen]
