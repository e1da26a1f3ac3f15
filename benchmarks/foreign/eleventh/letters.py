"""Exam questions with four choices, answered by a letter."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say

SUBJECTS = {
    "physics": ("A body of {a} kg is accelerated by {b} m/s². Which force acts?", lambda a, b: a * b, "N"),
    "chemistry": ("How many grams are {a} mol of a substance of {b} g/mol?", lambda a, b: a * b, "g"),
    "economics": ("A firm sells {a} units at {b} euros. What is its revenue?", lambda a, b: a * b, "euros"),
    "geometry": ("A rectangle has sides of {a} cm and {b} cm. What is its perimeter?", lambda a, b: 2 * (a + b), "cm"),
    "statistics": ("The mean of {a} values is {b}. What is their sum?", lambda a, b: a * b, ""),
    "electricity": ("A current of {a} A flows through {b} Ω. What is the voltage?", lambda a, b: a * b, "V"),
}
SYSTEM = "Answer with the letter alone."


def make(rng: Random, name: str) -> Task:
    """A question and four choices."""
    subject = rng.choice(list(SUBJECTS))
    text, value, unit = SUBJECTS[subject]
    a, b = rng.randint(3, 60), rng.randint(4, 90)
    choices = [value(a, b), value(a, b) + rng.choice([a, 10, -7]), a + b + 1, value(a + 1, b) + 3]
    while len(set(choices)) < 4:
        choices[-1] += rng.randint(1, 30)
    gold = choices[0]
    rng.shuffle(choices)
    listed = "\n".join(f"{letter}) {c} {unit}".rstrip() for letter, c in zip("ABCD", choices, strict=True))
    return Task(name, f"{text.format(a=a, b=b)}\n{listed}", "ABCD"[choices.index(gold)], subject, system=SYSTEM)


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """A letter, at times with a bracket or a full stop."""
    letter = task.gold if right else rng.choice([x for x in "ABCD" if x != task.gold])
    return Reply([say(letter + rng.choice(["", "", "", "", ")", "."]))], letter)


LETTERS = Domain(make, solve)
