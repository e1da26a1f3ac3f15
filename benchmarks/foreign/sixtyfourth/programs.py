"""Small programming problems, each with right programs and programs with a slip."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, said

FAMILIES = [
    ("the sum of the entries that {k} divides", "sum({x} for {x} in {v} if {x} % {k} == 0)", "% {k} == 1"),
    ("how many entries are larger than {k}", "sum(1 for {x} in {v} if {x} > {k})", ">= {k}"),
    ("the sum of the squares of entries below {k}", "sum({x} * {x} for {x} in {v} if {x} < {k})", "<= {k}"),
    ("the number of entries that leave rest 1 by {k}", "sum(1 for {x} in {v} if {x} % {k} == 1)", "% {k} == 0"),
    ("the sum of |x - {k}| over even entries x", "sum(abs({x} - {k}) for {x} in {v} if {x} % 2 == 0)", "% 2 == 1"),
]
RULES = ["% {k} == 0", "> {k}", "< {k}", "% {k} == 1", "% 2 == 0"]
WHY = [
    "One pass over the list is enough, since every entry is judged by itself.",
    "A generator keeps it short and needs no memory beyond the total.",
    "I check the condition entry by entry and add up what passes.",
    "The list may be empty, and then the total must be zero, which sum gives.",
    "Nothing has to be sorted here, because the order of entries plays no part.",
]
CLOSE = [
    "Its time is linear in the length.",
    "Negative entries need no special care.",
    "That covers the limits given.",
    "",
]


def value(kind: int, k: int, entries: list[int]) -> int:
    """What a right program returns."""
    x = entries
    return [
        sum(e for e in x if e % k == 0),
        sum(e > k for e in x),
        sum(e * e for e in x if e < k),
        sum(e % k == 1 for e in x),
        sum(abs(e - k) for e in x if e % 2 == 0),
    ][kind]


def slipped(kind: int, k: int, entries: list[int]) -> int:
    """What a program with the family's slip returns."""
    x = entries
    return [
        sum(e for e in x if e % k == 1),
        sum(e >= k for e in x),
        sum(e * e for e in x if e <= k),
        sum(e % k == 0 for e in x),
        sum(abs(e - k) for e in x if e % 2 == 1),
    ][kind]


def _entries(rng: random.Random, kind: int, k: int) -> list[int]:
    """A list on which the slip shows."""
    while True:
        entries = [*(rng.randint(1, 60) for _ in range(6)), k, k * 2, 1]
        rng.shuffle(entries)
        if value(kind, k, entries) != slipped(kind, k, entries):
            return entries


def program(rng: random.Random, kind: int, k: int, right: bool) -> str:
    """Python source of an attempt."""
    x, v = rng.choice(["x", "e", "value", "item"]), rng.choice(["numbers", "entries", "data", "values"])
    line = FAMILIES[kind][1]
    if not right:
        line = line.replace(RULES[kind], FAMILIES[kind][2])
    expression = line.format(x=x, v=v, k=k)
    if rng.random() < 0.4:
        return f"def solve({v}):\n    total = {expression}\n    return total"
    return f"def solve({v}):\n    return {expression}"


def code_problem(rng: random.Random, number: int) -> Problem:
    """Write `solve(numbers)`; two examples stand in the prompt."""
    kind, k = number % 5, 3 + number // 5
    shown = [_entries(rng, kind, k) for _ in range(2)]
    examples = [(entries, value(kind, k, entries)) for entries in shown]
    lines = "\n".join(f"solve({entries}) -> {result}" for entries, result in examples)
    goal = FAMILIES[kind][0].format(k=k)
    prompt = f"Write a Python function solve(numbers) that returns {goal}.\nExamples:\n{lines}"

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        source = program(rng, kind, k, right)
        text = f"We need {goal}. {rng.choice(WHY)} {rng.choice(CLOSE)}\n```python\n{source}\n```"
        return [said(text)], source

    facts: dict[str, object] = {"kind": kind, "k": k, "examples": examples}
    return Problem(f"prog-{number}", prompt, str(examples[0][1]), write, f"fold{kind}", rng.gauss(0, 0.6), facts)


def code_problems(rng: random.Random, how_many: int) -> list[Problem]:
    """Problems in mixed order."""
    numbers = list(range(how_many))
    rng.shuffle(numbers)
    return [code_problem(rng, number) for number in numbers]
