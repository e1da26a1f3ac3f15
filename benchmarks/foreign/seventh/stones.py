"""A game of taking stones against an opponent, move by move."""

from random import Random

from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said


def opponent(rng: Random, stones: int, most: int) -> int:
    """Return the opponent's move: the winning one where there is one, else any."""
    best = stones % (most + 1)
    return best if best else rng.randint(1, min(most, stones))


def policy_move(rng: Random, stones: int, most: int, good: bool) -> int:
    """Return the winning move, or another one where it is not good or there is none."""
    best = stones % (most + 1)
    if good and best:
        return best
    others = [n for n in range(1, min(most, stones) + 1) if n != best]
    return rng.choice(others or [min(most, stones)])


def played(rng: Random, stones: int, most: int, good: bool) -> Reply:
    """Return a whole game; whoever takes the last stone wins."""
    messages, left, first = [], stones, True
    while True:
        move = policy_move(rng, left, most, good or not first)
        first = False
        left -= move
        messages.append(said(say(rng, f"[I take|Taking|My move:] {move}[.|, leaving {left}.|]")))
        if left == 0:
            messages.append({"role": "user", "content": "No stones are left. You won."})
            return Reply(messages, "won", {"moves": len(messages) // 2})
        answer = opponent(rng, left, most)
        left -= answer
        if left == 0:
            messages.append({"role": "user", "content": f"I take {answer}. No stones are left. You lost."})
            return Reply(messages, "lost", {"moves": len(messages) // 2})
        messages.append({"role": "user", "content": f"I take {answer}. {left} left. Your move."})


def stones_task(rng: Random, name: str) -> Task:
    """Draw a heap with which the first player can win."""
    most = rng.randint(3, 6)
    stones = (most + 1) * rng.randint(2, 11) + rng.randint(1, most)
    ask = (
        f"There are {stones} stones. We take turns; a turn takes 1 to {most} stones. Whoever takes the last one "
        "wins. You begin."
    )
    prompt = say(rng, f"[Game {rng.randint(1000, 9999)}. |Round {rng.randint(100, 999)}: ]") + ask
    return Task(
        name,
        f"max{most}",
        "game",
        prompt,
        "won",
        lambda r, ok: played(r, stones, most, ok),
        level=rng.gauss(0, 0.8),
        identity=f"{stones}/{most}",
    )
