"""Questions with four lettered options."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

LETTERS = "ABCD"


def _asked(rng: Random) -> tuple[str, float, str, str]:
    a, b = rng.randint(2, 24), rng.randint(3, 40)
    return rng.choice(
        [
            (
                f"A current of {a} A flows through a resistor of {b} ohm. What is the voltage across it?",
                a * b,
                "V",
                "U = R I",
            ),
            (f"A trolley of {a} kg accelerates at {b} m/s^2. What net force acts on it?", a * b, "N", "F = m a"),
            (
                f"A wave of wavelength {a} m has a frequency of {b} Hz. How fast does it travel?",
                a * b,
                "m/s",
                "v = f * lambda",
            ),
            (f"A pump does {a * b} J of work in {a} s. What is its power?", b, "W", "P = W / t"),
            (
                f"A force of {a} N moves a crate {b} m along its direction. How much work is done?",
                a * b,
                "J",
                "W = F s",
            ),
            (
                (
                    f"A gas at constant temperature is squeezed from {a * b} L to {b} L at first 1 "
                    "bar. What is the new pressure?"
                ),
                a,
                "bar",
                "p V stays constant",
            ),
            (f"How many moles are {a * 18} g of water (18 g/mol)?", a, "mol", "n = m / M"),
            (
                (
                    f"A lens has a focal length of {a * 10} cm. A body stands at {a * 20} cm. At "
                    "what distance is its image?"
                ),
                a * 20,
                "cm",
                "1/f = 1/g + 1/b",
            ),
        ]
    )


def question(rng: Random, number: int) -> Task:
    """A question from physics or chemistry; its gold is the letter."""
    text, value, unit, law = _asked(rng)
    wrong = rng.sample(sorted({value + d for d in (-7, -3, -1, 2, 5, 9, 11)} | {value * 2, value * 10}), 3)
    values = [value, *wrong]
    rng.shuffle(values)
    gold = LETTERS[values.index(value)]
    options = "\n".join(f"{letter}) {v} {unit}" for letter, v in zip(LETTERS, values, strict=True))
    data = {"law": law, "values": dict(zip(LETTERS, values, strict=True)), "unit": unit}
    return Task(f"mc-{number:04d}", f"{text}\n\n{options}", gold, rng.gauss(0, 0.8), law.split()[0], data)


def reasoned(rng: Random, task: Task, letter: str) -> str:
    """Why this letter."""
    start = rng.choice(["The relation here is", "We need", "Recall", "Use", "This is a direct use of"])
    value = f"{task.data['values'][letter]} {task.data['unit']}"
    end = rng.choice([f"That gives {value}.", f"Putting in the numbers I get {value}.", f"So the value is {value}."])
    return f"{start} {task.data['law']}. {end}"


def pick(rng: Random, task: Task, right: bool) -> str:
    """The gold letter, or another."""
    return task.gold if right else rng.choice([x for x in LETTERS if x != task.gold])


def answered(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Reasoning and a last line with the letter."""
    letter = pick(rng, task, right)
    return [say("assistant", f"{reasoned(rng, task, letter)}\n\nANSWER: {letter}")]
