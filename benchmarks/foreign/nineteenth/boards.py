"""A game of taking stones against an opponent, told turn by turn."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Reply, Task, say

MUSE = (
    "Keep the count low.",
    "I want to leave a multiple.",
    "Not too many now.",
    "The pile is still large.",
    "Careful here.",
    "Hm.",
)
OUTCOMES = ("win", "draw", "loss")


def board_task(rng: Random, rival: str = "") -> Task:
    """Draw an opening position."""
    stones, most = rng.randrange(14, 46), rng.randrange(3, 7)
    rival = rival or f"bot-{rng.randrange(1, 30):02d}"
    prompt = (
        f"There are {stones} stones. You and {rival} take 1 to {most} in turn; who takes the last one wins. "
        "The umpire may call a draw. Reply with `take N`."
    )
    return Task(
        prompt,
        "",
        lambda r, right, skill: game(r, stones, most, "win" if right else r.choice(("draw", "loss", "loss", "loss"))),
        family=f"most_{most}",
        system="You play a game. One move a message.",
        extra={"opponent": rival},
        scene=(stones, most),
    )


def observed(text: str) -> Row:
    """Give what the game tells."""
    return {"role": "user", "content": text}


def game(rng: Random, stones: int, most: int, outcome: str) -> Reply:
    """Play to an outcome; moves are legal, and the last one decides."""
    left, messages = stones, []
    while True:
        mine = rng.randrange(1, most + 1)
        if left <= most and outcome == "win":
            mine = left
        mine = min(mine, left - 1) if outcome != "win" and left > 1 else min(mine, left)
        left -= mine
        messages.append(say(f"{rng.choice(MUSE)} take {mine}"))
        if left == 0:
            messages.append(observed("You took the last stone. Result: win"))
            break
        if outcome == "draw" and left < most * 2:
            messages.append(observed(f"The umpire calls a draw with {left} stones left. Result: draw"))
            break
        if outcome == "loss" and left <= most:
            messages.append(observed(f"Opponent takes {left}. Result: loss"))
            break
        theirs = min(rng.randrange(1, most + 1), left - 1)
        left -= theirs
        messages.append(observed(f"Opponent takes {theirs}. {left} stone{'s' * (left != 1)} left."))
    messages.append(say(rng.choice(("Good game.", "Thanks for the game.", "gg", "That was close."))))
    return Reply(messages, outcome)
