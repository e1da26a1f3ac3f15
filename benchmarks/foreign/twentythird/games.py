"""A number to find by hot and cold."""

from random import Random

from benchmarks.foreign.twentythird.rollouts import Attempt, Message, Plan, Task
from benchmarks.foreign.twentythird.talk import call, say, told

TRIES = ("I try {n}.", "Next guess: {n}.", "Halfway is about {n}.", "Going with {n}.", "{n} splits what is left.")


def play(rng: Random, low: int, high: int, secret: int, moves: int, wit: float) -> tuple[list[Message], bool]:
    """Guesses until the number is found or the moves are used up; wit is the share of guesses near the middle."""
    found: list[Message] = []
    for move in range(moves):
        middle = (low + high) // 2
        shift = (high - low) // 10
        guess = middle + rng.randint(-shift, shift) if rng.random() < wit else rng.randint(low, high)
        found.append(call(rng.choice(TRIES).format(n=guess), "guess", number=guess))
        if guess == secret:
            found += [told("guess", f"Correct in move {move + 1}."), say(f"Found it: {secret}.")]
            return found, True
        hint = "higher" if guess < secret else "lower"
        left = moves - move - 1
        found.append(
            told("guess", f"The number is {hint}. Moves left: {left}." if left else "No moves left. Game over.")
        )
        low, high = (guess + 1, high) if guess < secret else (low, guess - 1)
    return found, False


def game_task(r: Random, number: int) -> Task:
    """A range with a hidden number."""
    low, span = r.randint(1, 500), r.randint(30, 140)
    secret = r.randint(low, low + span)
    return Task(
        id=f"hotcold-{number:04d}",
        prompt=f"Game {r.randint(10_000, 99_999)}: I hold a whole number from {low} to {low + span}. You have 6 moves; "
        "call guess(number) and I say higher or lower.",
        gold=str(secret),
        level=r.gauss(0, 0.5),
        reply=lambda rng, answer: [say(answer)],
        slips=["0"],
        family=f"span-{span // 40 * 40}",
        extra={"low": low, "high": low + span},
    )


def games(rng: Random, tasks: list[Task], plan: Plan) -> list[Attempt]:
    """A run of games: guesses come nearer to the middle as the policy learns."""
    found: list[Attempt] = []
    for step in range(plan.steps):
        wit = min(0.97, 0.35 + 0.6 * step / plan.steps + rng.uniform(-0.03, 0.03))
        for place in range(plan.prompts):
            task = tasks[(step * plan.prompts + place) % len(tasks)]
            for number in range(plan.group):
                messages, won = play(rng, task.extra["low"], task.extra["high"], int(task.gold), 6, wit)
                a = Attempt(task, step, number, won, task.gold if won else "", messages, float(won), float(won))
                a.terms = {"won": float(won)}
                a.stop = "stop" if won else "max_turns"
                found.append(a)
    return found
