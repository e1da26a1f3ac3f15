"""Sums asked in German, for a policy that thinks in English."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import say
from benchmarks.foreign.twentysecond.prose import CHECKS, OPENINGS, slip_of

SYSTEM = "Think in English inside <think></think>, then answer the user in German."


def german_sum(rng: Random) -> Task:
    """Fields, fares, shelves."""
    a, b, c = rng.randint(7, 70), rng.randint(12, 90), rng.randint(4, 66)
    kind = rng.choice(("Acker", "Fahrkarten", "Regal"))
    question, unit = {
        "Acker": (
            f"Ein Acker ist {a} m breit und {b} m lang, dazu kommt ein Beet von {c} Quadratmetern.",
            "Quadratmeter",
        ),
        "Fahrkarten": (f"{a} Karten kosten je {b} Euro, und die Gruppe zahlt {c} Euro Gebühr.", "Euro"),
        "Regal": (f"In {a} Reihen stehen je {b} Bücher, und {c} liegen auf dem Tisch.", "Bücher"),
    }[kind]

    def solve(slip: int) -> tuple[list[str], str]:
        product = a * b + 10 * slip
        return [f"{a} times {b} is {product}.", f"Adding {c}."], str(product + c)

    prompt = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": f"{question} Wie viele {unit} sind das insgesamt?"},
    ]
    return Task(prompt, str(a * b + c), solve, kind, hidden={"unit": unit})


def write_german(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """English thought, German answer."""
    lines, answer = task.solve(slip_of(rng, right))
    thought = [rng.choice(OPENINGS), *lines, *(c for c in CHECKS if rng.random() < 0.25)]
    ending = rng.choice(("Insgesamt sind es", "Zusammen ergibt das", "Das macht", "Die Antwort lautet"))
    return say(f"<think>{' '.join(t for t in thought if t)}</think>\n{ending} **{answer}** {task.hidden['unit']}.")
