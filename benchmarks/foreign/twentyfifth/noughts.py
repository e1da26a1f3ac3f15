"""Noughts and crosses against a perfect player."""

from functools import cache
from random import Random

from benchmarks.foreign.twentyfifth.course import Draw, Task
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import Talk

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _winner(board: str) -> str:
    return next((board[a] for a, b, c in ROWS if board[a] != "." and board[a] == board[b] == board[c]), "")


@cache
def _value(board: str, turn: str) -> int:
    won = _winner(board)
    if won or "." not in board:
        return {"X": 1, "O": -1, "": 0}[won]
    values = [_value(_put(board, spot, turn), "XO"[turn == "X"]) for spot in range(9) if board[spot] == "."]
    return max(values) if turn == "X" else min(values)


def _put(board: str, spot: int, sign: str) -> str:
    return board[:spot] + sign + board[spot + 1 :]


def _best(rng: Random, board: str, sign: str) -> int:
    free = [spot for spot in range(9) if board[spot] == "."]
    values = {spot: _value(_put(board, spot, sign), "XO"[sign == "X"]) for spot in free}
    top = (max if sign == "X" else min)(values.values())
    return rng.choice([spot for spot in free if values[spot] == top])


def _drawn(board: str) -> str:
    return "\n".join(" ".join(board[n : n + 3]) for n in (0, 3, 6))


def opening(rng: Random) -> Task:
    """An opening move of the opponent and its name for the table."""
    spot, table = rng.randrange(9), rng.randint(1, 400)
    board = _put("." * 9, spot, "O")
    return Task(
        f"Table {table}. You are X, the opponent O has begun. Play [cell] with 0 to 8.\n{_drawn(board)}",
        "draw",
        {"board": board},
    )


def game(draw: Draw) -> tuple[Talk, str]:
    """A whole game: sound play where the policy is able, else a slip or two."""
    rng, board = draw.rng, draw.task.info["board"]
    talk = Talk(draw.task.prompt, "You play noughts and crosses. One move a turn, as [cell].")
    while True:
        free = [spot for spot in range(9) if board[spot] == "."]
        if not draw.able and rng.random() < 0.06:
            talk.say(
                f"{pick(rng, 'I take', 'My move:', 'Then')} [{rng.choice([s for s in range(9) if s not in free])}]"
            )
            return talk.ask("Illegal move: the cell is taken. Game over."), "illegal"
        spot = _best(rng, board, "X") if draw.able or rng.random() < 0.35 else rng.choice(free)
        why = pick(
            rng,
            f"O holds {board.count('O')} cells.",
            "I must block.",
            "The centre matters.",
            "Keep the lines closed.",
            "",
        )
        talk.say(f"{why} [{spot}]".strip())
        board = _put(board, spot, "X")
        if "." in board and not _winner(board):
            board = _put(board, _best(rng, board, "O"), "O")
        if _winner(board) == "O" or "." not in board:
            result = "loss" if _winner(board) == "O" else "draw"
            return talk.ask(f"{_drawn(board)}\nGame over: {'O wins' if result == 'loss' else 'draw'}."), result
        talk.ask(f"{_drawn(board)}\nYour move.")
