"""Small Python functions with hidden tests."""

from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

SPECS = (
    (
        "keep_multiples",
        "returns the items of xs that are multiples of {k}, each plus {c}",
        "[x + {c} for x in xs if x % {k} == 0]",
    ),
    (
        "window_sums",
        "returns the sums of every {k} successive items of xs, each less {c}",
        "[sum(xs[i:i + {k}]) - {c} for i in range(len(xs) - {k} + 1)]",
    ),
    ("cap_and_scale", "multiplies each item of xs by {k} and caps it at {c}", "[min(x * {k}, {c}) for x in xs]"),
    ("drop_near", "drops the items of xs that are within {k} of {c}", "[x for x in xs if abs(x - {c}) > {k}]"),
    (
        "pair_gaps",
        "returns {k} times the gap between neighbours of xs, plus {c}",
        "[{k} * (b - a) + {c} for a, b in zip(xs, xs[1:])]",
    ),
    (
        "every_other",
        "returns every {k}th item of xs, starting with the first, each plus {c}",
        "[x + {c} for x in xs[::{k}]]",
    ),
)
BUGS = (
    (" - {k} + 1", " - {k}"),
    ("> {k}", ">= {k}"),
    (" + {c}", ""),
    (" - {c}", ""),
    ("min(", "max("),
    ("::{k}", "1::{k}"),
    ("== 0", "!= 0"),
)
STARTS = (
    "",
    "Here is the function.",
    "A comprehension does it.",
    "Straightforward:",
    "Edge case: an empty list gives an empty list.",
)


def function(rng: Random, index: int) -> Task:
    """One function to write; `answer` is its expression."""
    name, says, body = rng.choice(SPECS)
    k, c = rng.randint(2, 9), rng.randint(1, 60)
    full = f"{name}_{rng.choice('abcdefgh')}{rng.randint(2, 99)}"
    prompt = f"Write a Python function `{full}(xs)` that {says.format(k=k, c=c)}. Reply with one code block."
    gold = body.format(k=k, c=c)

    def wrong(rng: Random) -> str:
        old, new = rng.choice([bug for bug in BUGS if bug[0] in body])
        return body.replace(old, new).format(k=k, c=c + rng.choice((0, 0, 1)))

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        out = rng.choice(("result", "out", "ys", "kept"))
        lines = [f"def {full}(xs):"]
        lines += rng.choice(([f"    return {answer}"], [f"    {out} = {answer}", f"    return {out}"]))
        if rng.random() < 0.4:
            lines.insert(1, f'    """{rng.choice(("Return the list.", "See task.", says.format(k=k, c=c)))}"""')
        start = rng.choice(STARTS)
        return [said(f"{start}\n```python\n{chr(10).join(lines)}\n```".strip())]

    return Task(f"fn{index:04d}", name, prompt, gold, rng.gauss(0, 0.8), wrong, work)
