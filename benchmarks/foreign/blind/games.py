"""Further worlds of the blind part: a shop, a grid, a conversation, functions in Python."""

import numpy as np

from benchmarks.foreign.blind.agents import call, seen
from benchmarks.foreign.blind.answers import NOUNS, PEOPLE, PLACES, Problem, say


class Shop:
    """Buying what was asked for, by text actions in brackets."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A wish."""
        noun, colour, limit = (
            str(rng.choice(NOUNS)),
            str(rng.choice(["teal", "amber", "ivory", "maroon"])),
            int(rng.integers(20, 300)),
        )
        return Problem(
            f"shop-{number}",
            f"Find a {colour} toy {noun} from {rng.choice(PLACES)} under {limit} dollars.",
            f"B{number:05d}",
            {"noun": noun, "colour": colour, "limit": limit},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The wish."""
        return [
            {"role": "system", "content": "Act with search[...] and click[...]."},
            {"role": "user", "content": problem.prompt},
        ]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """Search, look at items, buy."""
        f, out = (
            problem.facts,
            [
                say(f"search[{problem.facts['colour']} {problem.facts['noun']}]"),
                {
                    "role": "user",
                    "content": f"Page 1: {problem.truth} {problem.facts['noun']} | B9{rng.integers(1000)}",
                },
            ],
        )
        for _ in range(int(rng.integers(1, 6))):
            item = f"B9{rng.integers(1000):03d}"
            out += [
                say(str(rng.choice([f"click[{item}]", "click[< back]", f"click[{f['colour']}]", "click[next page]"]))),
                {"role": "user", "content": f"{item}: {f['noun']}, {rng.integers(5, 400)} dollars"},
            ]
        return [
            *out,
            say(f"click[{problem.truth if is_right else 'B9' + str(rng.integers(1000))}]"),
            {"role": "user", "content": "item page"},
            say("click[buy now]"),
        ]


class Grid:
    """A box game: the same move many times is the way to walk."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A level."""
        w, h = int(rng.integers(5, 12)), int(rng.integers(4, 9))
        return Problem(
            f"level-{number}",
            (
                f"Level {number}: grid {w}x{h}, box at ({rng.integers(w)},{rng.integers(h)}),"
                f" goal at ({rng.integers(w)},{rng.integers(h)})."
            ),
            "solved",
            {"w": w, "h": h},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The level."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """Runs of moves in one direction."""
        out, x, y = [], 0, 0
        for direction in rng.choice(["left", "right", "up", "down"], size=int(rng.integers(2, 6))):
            for _ in range(int(rng.integers(1, problem.facts["w"]))):
                x, y = (
                    x + (direction == "right") - (direction == "left"),
                    y + (direction == "down") - (direction == "up"),
                )
                out += [
                    say("", tool_calls=[call("move", direction=str(direction))]),
                    seen("move", f"player at ({x},{y})"),
                ]
        return [*out, say("Done." if is_right else "I cannot reach the box.")]


class Chat:
    """A conversation of several turns, graded 1 to 10 by a judge."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A person with a plan."""
        person, place, noun = str(rng.choice(PEOPLE)), str(rng.choice(PLACES)), str(rng.choice(NOUNS))
        return Problem(
            f"chat-{number}",
            f"Hi, I am {person}. I want to bring a {noun} home from {place} in week {number}. Ideas?",
            "",
            {"person": person, "place": place, "noun": noun},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The opening."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """Two to four exchanges."""
        f = problem.facts
        lines = (
            f"Nice plan, {f['person']}! From {f['place']} a courier is the calm way to send a {f['noun']}.",
            f"Do you already have papers for the {f['noun']}? Customs in {f['place']} ask for two copies.",
            f"I would book freight early; a {f['noun']} is bulky.",
            f"Two options: rail from {f['place']}, or a shared van. The van is cheaper for one {f['noun']}.",
            f"You could also rent storage near {f['place']} for a month, {f['person']}.",
            f"Insurance for a {f['noun']} costs about two percent of its value.",
            f"Shall I draft a message to the seller in {f['place']}?",
        )
        asks = (
            "What about the cost?",
            "And how long does it take?",
            "Is that safe?",
            f"My cousin in {f['place']} could help.",
        )
        out = []
        for turn in range(int(rng.integers(2, 5))):
            said = " ".join(str(x) for x in rng.permutation(lines)[: int(rng.integers(1, 4 if is_right else 3))])
            out += [say(said)] + ([{"role": "user", "content": str(rng.choice(asks))}] if turn < 3 else [])
        return out if out[-1]["role"] == "assistant" else out[:-1]


class Functions:
    """A function in Python, paid by the share of hidden tests that pass."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A specification with two visible examples."""
        k, m, noun = int(rng.integers(2, 9)), int(rng.integers(2, 30)), str(rng.choice(NOUNS))
        return Problem(
            f"fn-{number}",
            (
                f"Write {noun}_{number}(n): the sum of multiples of {k} below n, plus {m}.\nExamples:"
                f" {noun}_{number}(10) == {self.value(10, k, m)}, {noun}_{number}(25) == {self.value(25, k, m)}"
            ),
            str(k),
            {"k": k, "m": m, "name": f"{noun}_{number}"},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The specification."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """A program in one of several shapes."""
        f, v = problem.facts, str(rng.choice(["total", "acc", "s", "result", "out"]))
        m = f["m"] if is_right else f["m"] + int(rng.integers(1, 4))
        bodies = (
            f"    return sum(range({f['k']}, n, {f['k']})) + {m}",
            (
                f"    {v} = {m}\n    for i in range(n):\n        if i %"
                f" {f['k']} == 0:\n            {v} += i\n    return {v}"
            ),
            f"    c = (n - 1) // {f['k']}\n    return {f['k']} * c * (c + 1) // 2 + {m}",
        )
        openers = ("Here it is.", "A loop does it.", "Closed form:", f"Sum over multiples of {f['k']}.")
        opener = rng.choice(openers)
        return [say(f"{opener}\n```python\ndef {f['name']}(n):\n{rng.choice(bodies)}\n```")]

    @staticmethod
    def value(n: int, k: int, m: int) -> int:
        """What is right."""
        return sum(range(0, n, k)) + m
