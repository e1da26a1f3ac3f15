"""Small functions to write, in Python and Rust, with right and wrong bodies."""

import json
from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import say

NOUNS = ("readings", "orders", "laps", "tickets", "samples", "votes", "drips", "frames", "tolls", "pulses")


def _body(kind: str, k: int) -> tuple[str, str, str]:
    """What is asked, a right expression and a wrong one, over `xs`."""
    return {
        "above": (f"how many of them exceed {k}", f"sum(1 for x in xs if x > {k})", f"sum(1 for x in xs if x >= {k})"),
        "multiples": (
            f"the sum of those divisible by {k}",
            f"sum(x for x in xs if x % {k} == 0)",
            f"sum(x for x in xs if x // {k} == 0)",
        ),
        "gap": (
            f"the largest difference of neighbours, plus {k} (just {k} for fewer than two)",
            f"max((abs(a - b) for a, b in zip(xs, xs[1:])), default=0) + {k}",
            f"max(xs) - min(xs) + {k}",
        ),
        "every": (f"the sum of every {k}th of them, from the first on", f"sum(xs[::{k}])", f"sum(xs[{k}::{k}])"),
        "capped": (f"their sum, each counted as at most {k}", f"sum(min(x, {k}) for x in xs)", f"min(sum(xs), {k})"),
        "distinct": (
            f"the number of different remainders on division by {k}",
            f"len({{x % {k} for x in xs}})",
            f"len(set(xs)) % {k}",
        ),
        "last": (f"the sum of the last {k}", f"sum(xs[-{k}:])", f"sum(xs[:{k}])"),
    }[kind]


KINDS = ("above", "multiples", "gap", "every", "capped", "distinct", "last")


def python_task(rng: Random) -> Task:
    """A function over a list, with two worked examples in the prompt."""
    kind, k, noun = rng.choice(KINDS), rng.randint(2, 9), rng.choice(NOUNS)
    asked, good, bad = _body(kind, k)
    name = f"{kind}_{noun}"
    examples = [[rng.randint(0, 30) for _ in range(rng.randint(4, 7))] for _ in range(2)]
    values = [eval(good, {"xs": xs}) for xs in examples]
    shown = "\n".join(f">>> {name}({xs})\n{v}" for xs, v in zip(examples, values, strict=True))
    content = f"Write `{name}(xs)`: given a list of {noun} (integers), return {asked}.\n\n{shown}"
    facts = {"entry_point": name, "signature": f"def {name}(xs: list[int]) -> int"}
    task = Task([{"role": "user", "content": content}], good, None, kind, hidden=facts)
    task.hidden["hidden_tests"] = rng.choice((8, 10, 12, 16))
    task.solve = lambda slip: (
        [bad if slip else good, json.dumps([[x, v] for x, v in zip(examples, values, strict=True)])],
        "",
    )
    return task


SAID = (
    "Walk over the list once.",
    "A comprehension is enough here.",
    "The edge case is the empty list; the expression covers it.",
    "Both examples work out with this.",
    "No extra memory is needed.",
    "I keep it to one expression.",
)


def fenced(rng: Random, lines: list[str], language: str = "python") -> str:
    """Some words, then a block of code."""
    words = " ".join(rng.sample(SAID, rng.randint(1, 3)))
    return f"{words}\n\n```{language}\n" + "\n".join(lines) + "\n```"


def write_python(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """An honest program."""
    expression = task.solve(0 if right else 1)[0][0]
    lines = [f"{task.hidden['signature']}:"]
    if rng.random() < 0.4:
        lines += [f"    result = {expression}", "    return result"]
    elif rng.random() < 0.4:
        lines += [
            f'    """Return the value for {task.hidden["entry_point"].split("_")[1]}."""',
            f"    return {expression}",
        ]
    else:
        lines += [f"    return {expression}"]
    return say(fenced(rng, lines))


def passes_examples(task: Task) -> bool:
    """Whether the wrong expression happens to give the values of the prompt's examples."""
    wrong, pairs = task.solve(1)[0]
    return all(eval(wrong, {"xs": xs}) == value for xs, value in json.loads(pairs))


RUST = (
    ("count", "how many are above {k}", "xs.iter().filter(|&&x| x > {k}).count() as i64", "xs.len() as i64"),
    ("total", "their sum without those equal to {k}", "xs.iter().filter(|&&x| x != {k}).sum()", "xs.iter().sum()"),
    ("peak", "the maximum, or {k} if empty", "xs.iter().copied().max().unwrap_or({k})", "*xs.iter().max().unwrap()"),
    (
        "span",
        "the sums of all neighbouring pairs, added up and times {k}",
        "xs.windows(2).map(|w| w[0] + w[1]).sum::<i64>() * {k}",
        "xs.iter().sum::<i64>() * {k}",
    ),
    (
        "even",
        "the sum of even values plus {k}",
        "xs.iter().filter(|x| *x % 2 == 0).sum::<i64>() + {k}",
        "xs.iter().filter(|x| *x % 2 == 1).sum::<i64>() + {k}",
    ),
)


def rust_task(rng: Random) -> Task:
    """A Rust function over a slice."""
    k, noun = rng.randint(2, 40), rng.choice(NOUNS)
    kind, asked, good, bad = (s.format(k=k) for s in rng.choice(RUST))
    name = f"{kind}_{noun}"
    content = f"Implement in Rust `pub fn {name}(xs: &[i64]) -> i64`. It returns, for a slice of {noun}, {asked}."
    task = Task([{"role": "user", "content": content}], good, None, kind, hidden={"entry_point": name})
    task.solve = lambda slip: ([bad if slip else good], "")
    return task


def write_rust(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """A Rust program."""
    expression, name = task.solve(0 if right else 1)[0][0], task.hidden["entry_point"]
    lines = [f"pub fn {name}(xs: &[i64]) -> i64 {{", f"    {expression}", "}"]
    if rng.random() < 0.5:
        lines[1:2] = [f"    let out: i64 = {expression};", "    out"]
    return say(fenced(rng, lines, "rust"))
