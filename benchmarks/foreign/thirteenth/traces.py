"""Long traces of a small register machine, to be written out line by line."""

from random import Random

from benchmarks.foreign.thirteenth.prose import near, said
from benchmarks.foreign.thirteenth.rollouts import Task

CHECKS = ("Parity of b checked, it is {p}.", "So far no overflow past {m}.", "Writing the pair as ({a}, {b}).", "")


def trace(rng: Random, index: int) -> Task:
    """Run a loop by hand; `extra.rounds` says how long it is."""
    a, b, m, rounds = rng.randint(3, 40), rng.randint(2, 30), rng.choice((89, 97, 101, 113, 127)), rng.randint(6, 30)
    k, c = rng.randint(2, 7), rng.randint(1, 19)
    prompt = (
        f"A machine has registers a = {a} and b = {b}. Each round does, in this order: a := (a * {k} + b) mod {m}; "
        f"b := (b + {c}) mod {m}; if b is even, swap a and b. Trace it by hand. What is a + b after {rounds} rounds? "
        "End with 'FINAL: <number>'."
    )
    states = []
    for _ in range(rounds):
        a, b = (a * k + b) % m, (b + c) % m
        swapped = b % 2 == 0
        a, b = (b, a) if swapped else (a, b)
        states.append((a, b, swapped))
    gold = a + b

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        lines = [rng.choice(("Tracing each round.", "I go round by round.", "Start."))]
        for n, (x, y, swapped) in enumerate(states, 1):
            check = rng.choice(CHECKS).format(p="even" if y % 2 == 0 else "odd", m=m, a=x, b=y)
            lines.append(f"Round {n}: a = {x}, b = {y}{' (swapped)' if swapped else ''}. {check}".rstrip())
        return [said("\n".join([*lines, f"FINAL: {answer}"]))]

    task = Task(
        f"trace-{index:04d}", "trace", prompt, str(gold), (rounds - 16) / 9 + rng.gauss(0, 0.4), near(gold), work
    )
    task.extra = {"rounds": rounds}
    return task
