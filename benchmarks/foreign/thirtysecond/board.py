"""The board of the game 2048: how tiles move and merge."""

MOVES = ("left", "right", "up", "down")


def _slid(line: list[int]) -> list[int]:
    tiles, out = [c for c in line if c], []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
        out.append(tile)
    return out + [0] * (4 - len(out))


def moved(cells: list[int], move: str) -> list[int]:
    """The board after a move, before a new tile comes."""
    across = move in ("left", "right")
    lines = [cells[i * 4 : i * 4 + 4] if across else cells[i::4] for i in range(4)]
    if move in ("right", "down"):
        lines = [_slid(line[::-1])[::-1] for line in lines]
    else:
        lines = [_slid(line) for line in lines]
    return [lines[i // 4][i % 4] if across else lines[i % 4][i // 4] for i in range(16)]


def shown(cells: list[int]) -> str:
    """The board as text."""
    return "\n".join(" ".join(str(c) for c in cells[r * 4 : r * 4 + 4]) for r in range(4))
