"""Small tasks of programming, with right and wrong programs."""

import random
from dataclasses import dataclass

THOUGHTS = (
    "A single pass over the list is enough.",
    "I keep a counter and return it at the end.",
    "The empty input needs no special treatment here.",
    "The plain version is clear, so I write it out.",
    "Sorting would work too, but it is not needed.",
    "I take care of the border cases in the loop.",
    "This follows directly from the description.",
)
_TASKS = (
    (
        "count_rises",
        "how often a number in a list is larger than the one before it",
        "{n} = 0\n    for {a}, {b} in zip({x}, {x}[1:]):\n        if {b} > {a}:\n            {n} += 1\n    return {n}",
        (("{b} > {a}", "{b} >= {a}"), ("{x}[1:]", "{x}")),
    ),
    (
        "sum_even",
        "the sum of the even numbers of a list",
        "{n} = 0\n    for {a} in {x}:\n        if {a} % 2 == 0:\n            {n} += {a}\n    return {n}",
        (("== 0", "== 1"), ("+= {a}", "+= 1")),
    ),
    (
        "longest_word",
        "the length of the longest word of a text",
        "{n} = 0\n    for {a} in {x}.split():\n        {n} = max({n}, len({a}))\n    return {n}",
        (("max(", "min("), (".split()", "")),
    ),
    (
        "spread",
        "the largest number of a non-empty list minus the smallest",
        "{a} = {x}[0]\n    {b} = {x}[0]\n    for {n} in {x}:\n        {a} = "
        "min({a}, {n})\n        {b} = max({b}, {n})\n"
        "    return {b} - {a}",
        (("{b} - {a}", "{a} - {b}"), ("min({a}, {n})", "max({a}, {n})")),
    ),
    (
        "vowels",
        "how many vowels a lower-case text has",
        "{n} = 0\n    for {a} in {x}:\n        if {a} in 'aeiou':\n            {n} += 1\n    return {n}",
        (("'aeiou'", "'aeio'"), ("+= 1", "+= 2")),
    ),
    (
        "drop_doubles",
        "the list without numbers that already came",
        "{n} = []\n    for {a} in {x}:\n        if {a} not in {n}:\n            {n}.append({a})\n    return {n}",
        (("not in", "in"), ("return {n}", "return sorted({n})")),
    ),
    (
        "digits",
        "the sum of the digits of a whole number, sign left out",
        "{n} = 0\n    for {a} in str(abs({x})):\n        {n} += int({a})\n    return {n}",
        (("+= int({a})", "+= 1"), ("str(abs({x}))", "str({x})")),
    ),
    (
        "mirror",
        "whether a text reads the same from behind, blanks left out",
        "{a} = {x}.replace(' ', '')\n    return {a} == {a}[::-1]",
        (("{x}.replace(' ', '')", "{x}"), ("[::-1]", "[1:]")),
    ),
)
_NAMES = {
    "x": ("items", "values", "data", "xs", "given"),
    "n": ("total", "count", "result", "acc"),
    "a": ("first", "one", "left", "p"),
    "b": ("second", "other", "right", "q"),
}


@dataclass(frozen=True)
class Task:
    """A task and its program, with changes that make it wrong."""

    name: str
    question: str
    body: str
    slips: tuple[tuple[str, str], ...]
    difficulty: float

    def write(self, rng: random.Random, is_right: bool) -> tuple[str, bool]:
        """A program, and whether it is right."""
        body = self.body
        if not is_right:
            old, new = rng.choice(self.slips)
            body = body.replace(old, new)
        names = {key: rng.choice(values) for key, values in _NAMES.items()}
        return f"def {self.name}({names['x']}):\n    {body.format(**names)}", is_right


def pool(rng: random.Random) -> list[Task]:
    """All tasks, in two wordings each."""
    made = []
    for name, what, body, slips in _TASKS:
        for number, lead in enumerate(
            ("Write a function {n} that returns {w}.", "Complete `{n}`. It has to give back {w}.")
        ):
            made.append(
                Task(
                    f"{name}_{number}" if number else name,
                    lead.format(n=f"{name}_{number}" if number else name, w=what),
                    body,
                    slips,
                    rng.gauss(0, 0.8),
                )
            )
    return made
