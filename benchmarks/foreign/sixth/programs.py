"""A world of small Python functions. Example: count the numbers of a list that are above 7."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.sixth.runs import Message, Problem, says, user


@dataclass(frozen=True)
class _Template:
    name: str
    asked: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]


_TEMPLATES = (
    _Template(
        "count_above",
        "takes a list of integers and returns how many of them are greater than {k}",
        ("return sum(1 for {x} in {v} if {x} > {k})", "return len([{x} for {x} in {v} if {x} > {k}])"),
        ("return sum(1 for {x} in {v} if {x} >= {k})", "return sum({x} for {x} in {v} if {x} > {k})"),
    ),
    _Template(
        "chunk_sums",
        "takes a list of numbers and returns the sums of consecutive chunks of {k}; the last chunk may be shorter",
        ("return [sum({v}[i : i + {k}]) for i in range(0, len({v}), {k})]",),
        ("return [sum({v}[i : i + {k}]) for i in range(0, len({v}) - {k} + 1, {k})]", "return [sum({v}[:{k}])]"),
    ),
    _Template(
        "rotate",
        "takes a list and returns it rotated to the left by {k} places, for lists of any length",
        ("if not {v}:\n        return []\n    {x} = {k} % len({v})\n    return {v}[{x}:] + {v}[:{x}]",),
        ("return {v}[{k}:] + {v}[:{k}]", "{x} = {k} % len({v})\n    return {v}[-{x}:] + {v}[:-{x}]"),
    ),
    _Template(
        "drop_every",
        "takes a string and returns it without every {k}th character",
        ("return ''.join({x} for i, {x} in enumerate({v}, 1) if i % {k})",),
        ("return ''.join({x} for i, {x} in enumerate({v}) if i % {k})", "return {v}[::{k}]"),
    ),
    _Template(
        "top_words",
        "takes a text and returns its {k} most frequent words in lower case, ties in alphabetical order",
        (
            "{x} = {{}}\n    for w in {v}.lower().split():\n        {x}[w] = {x}.get(w, 0) + 1\n"
            "    return sorted({x}, key=lambda w: (-{x}[w], w))[:{k}]",
        ),
        (
            "{x} = {{}}\n    for w in {v}.split():\n        {x}[w] = {x}.get(w, 0) + 1\n"
            "    return sorted({x}, key={x}.get, reverse=True)[:{k}]",
        ),
    ),
    _Template(
        "digit_power",
        "takes a non-negative integer and returns the sum of its digits, each raised to the power {k}",
        (
            "return sum(int({x}) ** {k} for {x} in str({v}))",
            "{x} = 0\n    while {v}:\n        {x} += ({v} % 10) ** {k}\n        {v} //= 10\n    return {x}",
        ),
        ("return sum(int({x}) * {k} for {x} in str({v}))", "return sum(int({x}) for {x} in str({v})) ** {k}"),
    ),
    _Template(
        "clip_all",
        "takes a list of numbers and returns it with each value limited to the range from -{k} to {k}",
        ("return [max(-{k}, min({k}, {x})) for {x} in {v}]",),
        ("return [min({k}, {x}) for {x} in {v}]", "return [{x} for {x} in {v} if -{k} <= {x} <= {k}]"),
    ),
    _Template(
        "gaps",
        "takes a sorted list of integers and returns all pairs of neighbours that are more than {k} apart, as tuples",
        ("return [(a, b) for a, b in zip({v}, {v}[1:]) if b - a > {k}]",),
        (
            "return [(a, b) for a, b in zip({v}, {v}[1:]) if b - a >= {k}]",
            "return [b - a for a, b in zip({v}, {v}[1:])]",
        ),
    ),
)
_LEADS = ("Write a Python function `{f}` that {t}.", "Implement `{f}`: it {t}.", "I need `{f}`, a function that {t}.")
_REMARKS = (
    "This walks over the input once.", "Runs in linear time.", "Edge cases such as empty input are covered.",
    "I keep it short with a comprehension.", "No imports are needed.", "The input is not changed.",
)  # fmt: skip
_OPENERS = ("Here is the function:", "Sure.", "One way to do it:", "The task is direct:", "Let me write it out.")


def draw_program(rng: Random, number: int) -> Problem:
    """Draw a task for a function, with a constant of its own."""
    template = rng.choice(_TEMPLATES)
    k = rng.randint(3, 29)
    name = f"{template.name}_{k}"
    task = rng.choice(_LEADS).format(f=name, t=template.asked.format(k=k))
    asked = f"Exercise {1000 + number}. {task} Answer with one Python code block."
    facts = {"template": template, "k": k, "f": name}
    return Problem(f"fn-{number:04d}", [user(asked)], "", rng.gauss(0, 1.0), facts)


def program(rng: Random, problem: Problem, is_right: bool) -> str:
    """Return the code of a function, right or with a usual mistake."""
    facts = problem.facts
    body = rng.choice(facts["template"].right if is_right else facts["template"].wrong)
    v, x = rng.choice(("values", "items", "data", "arg", "xs", "source")), rng.choice(("x", "n", "item", "el", "c"))
    doc = rng.choice(("", f'    """Solve {facts["f"]}."""\n', f"    # constant {facts['k']} comes from the task\n"))
    return f"def {facts['f']}({v}):\n{doc}    {body.format(v=v, x=x, k=facts['k'])}\n"


def write_program(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Write an answer with the function in a block of code."""
    text = f"{rng.choice(_OPENERS)}\n\n```python\n{program(rng, problem, is_right)}```"
    return [says(text + rng.choice(("", "", f"\n\n{rng.choice(_REMARKS)}")))]
