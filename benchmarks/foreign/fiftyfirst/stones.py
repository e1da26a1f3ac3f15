"""The game of stones: take one to three in turn, who takes the last one wins; the environment answers calls."""

import random

from benchmarks.foreign.fiftyfirst.depots import call, told
from benchmarks.foreign.fiftyfirst.policy import Message, Problem

SYSTEM = "Play the game of stones. Tools: start() shows the table; take(n) takes n, from 1 to 3."
NAMES = ("pebbles", "stones", "coins", "beans", "shells", "matches")


def problem(rng: random.Random, index: int) -> Problem:
    """A pile that the first player can win, with a careless opponent of some strength."""
    pile = rng.choice([n for n in range(13, 47) if n % 4])
    name = rng.choice(NAMES)
    foe = rng.choice(("Otto", "Wanda", "the house", "Pim", "the machine", "Ludo", "aunt Hedda", "the keeper"))
    prompt = f"There are {pile} {name} on the table. You begin against {foe}; who takes the last one wins."
    return Problem(
        f"pile-{index:04d}", prompt, "win", "stones", rng.gauss(0, 0.5), {"pile": pile, "name": name}, SYSTEM
    )


PLAN = (
    "I want to leave a multiple of four, so I take {n}.",
    "With {p} left, {n} brings the pile to {q}.",
    "{q} would be uncomfortable for the opponent.",
    "The remainder of {p} by four tells me the move.",
)
GUESS = (
    "I take a few and see what happens.",
    "A large bite shortens the game from {p}.",
    "It seems safe to go from {p} to {q}.",
    "Leaving {q} looks fine to me.",
)


def play(rng: random.Random, problem: Problem, skilled: bool, pile: int, name: str) -> tuple[list[Message], bool]:
    """The turns of a game from the pile that the environment shows, and whether the policy won."""
    turns = [call("start", {}, "I look at the table."), told("start", f"{pile} {name} are on the table. Your move.")]
    while True:
        best = pile % 4
        good = best and (skilled or rng.random() < 0.35)
        n = best if good else min(pile, rng.randint(1, 3))
        turns.append(call("take", {"n": n}, rng.choice(PLAN if good else GUESS).format(n=n, p=pile, q=pile - n)))
        pile -= n
        if pile == 0:
            turns.append(told("take", f"No {name} are left. You took the last one."))
            turns.append({"role": "assistant", "content": f"The last of the {name} was mine, so the game is won."})
            return turns, True
        reply = pile % 4 if pile % 4 and rng.random() < 0.8 else min(pile, rng.randint(1, 3))
        pile -= reply
        left = f"{pile} {name} are left. Your move." if pile else f"No {name} are left. You lose."
        turns.append(told("take", f"You take {n}, I take {reply}. {left}"))
        if pile == 0:
            turns.append(
                {"role": "assistant", "content": "The other side had the last move. I left a wrong remainder."}
            )
            return turns, False
