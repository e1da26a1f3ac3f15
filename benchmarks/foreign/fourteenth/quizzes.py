"""Questions of four letters about quantities that are computed, and short questions with a word as answer."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

LETTERS = "ABCD"


def quiz_task(rng: Random) -> Task:
    """Draw a question of physics or chemistry with four options."""
    m, v, r, q = rng.randint(2, 40), rng.randint(2, 25), rng.randint(2, 60), rng.randint(2, 14)
    text, value, unit, law = rng.choice(
        [
            (f"A cart of {2 * m} kg moves at {v} m/s. What is its kinetic energy?", m * v * v, "J", "E = m v^2 / 2"),
            (f"A current of {q} A flows through {r} ohm. What power is lost?", q * q * r, "W", "P = I^2 R"),
            (f"A force of {r} N acts over {v} m along the motion. Which work is done?", r * v, "J", "W = F s"),
            (f"A body of {m} kg is accelerated at {q} m/s^2. Which force acts?", m * q, "N", "F = m a"),
            (f"A wave of {r} Hz has a length of {q} m. How fast does it travel?", r * q, "m/s", "v = f l"),
            (f"How many moles of atoms are in {q} mol of a molecule of {v} atoms?", q * v, "mol", "counting atoms"),
        ]
    )
    others = rng.sample([value + k for k in (-7, -3, 4, 9, 12)] + [value * 2, value * 2 + 1], 3)
    options = [value, *others]
    rng.shuffle(options)
    prompt = text + "\n" + "\n".join(f"{x}) {o} {unit}" for x, o in zip(LETTERS, options, strict=True))
    letter = LETTERS[options.index(value)]
    lines = [f"The law is {law}.", f"Inserting the numbers gives {value} {unit}."]
    return Task(prompt, letter, law.split()[0].lower() + "_quiz", 0.2, lines)


def quiz_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """The law, the number, a letter."""
    letter = task.gold if right else rng.choice([x for x in LETTERS if x != task.gold])
    option = next(x for x in task.prompt.split("\n") if x.startswith(f"{letter})"))
    shown = task.lines if right else [task.lines[0], f"Inserting the numbers gives about {option[3:]}."]
    start = rng.choice(["Think about the quantities given.", "Recall the relevant law.", "Here is my reasoning.", ""])
    text = "\n".join([x for x in [start, *shown] if x] + [f"Answer: {letter}"])
    return Reply([{"role": "assistant", "content": text}], letter)


SWAPS = [
    ("A cart", "A wagon"),
    ("moves at", "rolls at"),
    ("What is its", "Find its"),
    ("flows through", "passes"),
    ("A force", "A pull"),
]
SWAPS += [
    ("A body", "An object"),
    ("travel", "spread"),
    ("How many moles of", "How much (in mol) of"),
    ("Which work", "What work"),
]


def reworded(rng: Random, task: Task, ident: str) -> Task:
    """The same question with a word or two exchanged."""
    prompt = task.prompt
    for old, new in rng.sample(SWAPS, 6):
        prompt = prompt.replace(old, new)
    return replace(task, prompt=prompt, ident=ident)


QUIZ = Domain(quiz_task, quiz_reply)
