"""Small functions in Python to write: what is asked, right and wrong bodies, and the checks."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.tenth.core import Reply, Task, text_reply


@dataclass(frozen=True)
class Program:
    """A function: stem of its name, what it does, right bodies, wrong bodies, an example as (call, value)."""

    stem: str
    task: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    example: tuple[str, str]


PROGRAMS = (
    Program(
        "count_above",
        "returns how many numbers of a list are greater than {k}",
        (
            "return sum(1 for x in {v} if x > {k})",
            "return len([x for x in {v} if x > {k}])",
            "n = 0\nfor x in {v}:\n    if x > {k}:\n        n += 1\nreturn n",
        ),
        (
            "return sum(x for x in {v} if x > {k})",
            "return sum(1 for x in {v} if x >= {k})",
            "return len([x for x in {v} if x < {k}])",
            "return max({v}) > {k}",
        ),
        ("([{k}, {k} + 1, {k} + 5])", "2"),
    ),
    Program(
        "rotate_right",
        "returns the list rotated to the right by {k} places; an empty list stays empty",
        (
            "if not {v}:\n    return []\nn = {k} % len({v})\nreturn {v}[-n:] + {v}[:-n] if n else list({v})",
            "from collections import deque\nd = deque({v})\nd.rotate({k})\nreturn list(d)",
            "n = len({v})\nreturn [{v}[(i - {k}) % n] for i in range(n)]",
        ),
        (
            "return {v}[{k}:] + {v}[:{k}]",
            "return {v}[-{k}:] + {v}[:-{k}]",
            "n = len({v})\nreturn [{v}[(i + {k}) % n] for i in range(n)]",
            "return list(reversed({v}))",
        ),
        ("([])", "[]"),
    ),
    Program(
        "chunks",
        "splits a list into pieces of {k} elements; the last piece may be shorter",
        (
            "return [{v}[i : i + {k}] for i in range(0, len({v}), {k})]",
            "out = []\nfor i, x in enumerate({v}):\n    if i % {k} == 0:\n        out.append([])\n"
            "    out[-1].append(x)\nreturn out",
        ),
        (
            "return [{v}[i : i + {k}] for i in range(0, len({v}) - {k}, {k})]",
            "return [{v}[i : i + {k}] for i in range(len({v}))]",
            "return [{v}[i::{k}] for i in range({k})]",
            "return list(zip(*[iter({v})] * {k}))",
        ),
        ("([1])", "[[1]]"),
    ),
    Program(
        "clamp_all",
        "returns the numbers of a list, each raised to 0 where it is negative and lowered to {k} where it is above",
        (
            "return [min(max(x, 0), {k}) for x in {v}]",
            "out = []\nfor x in {v}:\n    if x < 0:\n        x = 0\n    elif x > {k}:\n        x = {k}\n"
            "    out.append(x)\nreturn out",
        ),
        (
            "return [max(min(x, 0), {k}) for x in {v}]",
            "return [x for x in {v} if 0 <= x <= {k}]",
            "return [min(x, {k}) for x in {v}]",
            "return [abs(x) % {k} for x in {v}]",
        ),
        ("([-1, {k} + 4])", "[0, {k}]"),
    ),
    Program(
        "long_words",
        "returns the words of a sentence with at least {k} letters, in alphabetical order",
        (
            "return sorted(w for w in {v}.split() if len(w) >= {k})",
            "words = [w for w in {v}.split() if len(w) >= {k}]\nwords.sort()\nreturn words",
            "return sorted(filter(lambda w: len(w) > {k} - 1, {v}.split()))",
        ),
        (
            "return [w for w in {v}.split() if len(w) >= {k}]",
            "return sorted(w for w in {v}.split() if len(w) > {k})",
            "return sorted({v}.split(), key=len)[{k}:]",
            "return sorted(w for w in {v} if len(w) >= {k})",
        ),
        ('("")', "[]"),
    ),
    Program(
        "digit_power",
        "returns the sum of the digits of a whole number, each raised to the power {k}; the sign is ignored",
        (
            "return sum(int(d) ** {k} for d in str(abs({v})))",
            "total, n = 0, abs({v})\nwhile n:\n    n, d = divmod(n, 10)\n    total += d**{k}\nreturn total",
        ),
        (
            "return sum(int(d) ** {k} for d in str({v}))",
            "return sum(int(d) for d in str(abs({v}))) ** {k}",
            "return sum(int(d) * {k} for d in str(abs({v})))",
            "return sum({k} ** int(d) for d in str(abs({v})))",
        ),
        ("(0)", "0"),
    ),
    Program(
        "gaps",
        "returns the pairs of neighbours in a list whose difference is larger than {k}",
        (
            "return [(a, b) for a, b in zip({v}, {v}[1:]) if abs(a - b) > {k}]",
            "out = []\nfor i in range(len({v}) - 1):\n    if abs({v}[i + 1] - {v}[i]) > {k}:\n"
            "        out.append(({v}[i], {v}[i + 1]))\nreturn out",
        ),
        (
            "return [(a, b) for a, b in zip({v}, {v}[1:]) if b - a > {k}]",
            "return [(a, b) for a in {v} for b in {v} if abs(a - b) > {k}]",
            "return [abs(a - b) for a, b in zip({v}, {v}[1:])]",
            "return [(a, b) for a, b in zip({v}, {v}[1:]) if abs(a - b) >= {k}]",
        ),
        ("([1])", "[]"),
    ),
)
WORDS = ("tidy", "quick", "plain", "safe", "local", "daily", "inner", "strict", "lazy", "north", "paper", "amber")
LEADS = (
    "The function only needs one pass.", "Edge cases first: an empty input must work.", "Here is my solution.",
    "I considered a loop and a comprehension.", "The statement asks for a function, so I keep it pure.",
    "Reading the example, the boundary matters.", "A short version is enough here.", "",
)  # fmt: skip
TAILS = ("", "", "It runs in linear time.", "An empty input gives an empty result.", "This covers the example above.")


def body(rng: Random, program: Program, name: str, k: int, right: bool) -> str:
    """The function's source."""
    v = rng.choice(("xs", "items", "data", "values", "seq", "arg", "things"))
    text = rng.choice(program.right if right else program.wrong)
    text = text.replace("{v}", v).replace("{k}", str(k))
    lines = ["    " + line for line in text.split("\n")]
    if rng.random() < 0.35:
        lines.insert(0, f'    """{rng.choice(("Return", "Compute", "Give"))} what the task asks for."""')
    if rng.random() < 0.25:
        lines.insert(0, f"    # bound is {k}")
    return f"def {name}({v}):\n" + "\n".join(lines)


def wrap(rng: Random, code: str) -> str:
    """The source in a fence, with words around."""
    parts = (rng.choice(LEADS), f"```python\n{code}\n```", rng.choice(TAILS))
    return "\n\n".join(p for p in parts if p)


def code_task(rng: Random, name: str) -> Task:
    """A function to write."""
    program, k = rng.choice(PROGRAMS), rng.randint(2, 60)
    function = f"{rng.choice(WORDS)}_{program.stem}_{rng.randint(2, 99)}"
    call, value = (t.replace("{k}", str(k)) for t in program.example)
    prompt = (
        f"Write a Python function `{function}` that {program.task.replace('{k}', str(k))}.\n"
        f"Example: `{function}{call} == {value}`\nGive the code in one fenced block."
    )
    total = rng.randint(6, 14)

    def answer(rng: Random, right: bool) -> Reply:
        code = body(rng, program, function, k, right)
        passed = total if right else rng.randint(0, total - 1)
        return text_reply(wrap(rng, code), code, tests_passed=passed, tests_total=total)

    return Task(name, prompt, function, answer, program.stem, facts={"entry_point": function})
