"""Small Python functions with tests."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, Try, say

SPECS = (
    (
        "every_nth",
        "return the sum of every {k}-th element of the list xs, starting with the first",
        "sum(xs[::{k}])",
        "sum(xs[{k}::{k}])",
    ),
    (
        "spin",
        "rotate the list xs to the left by {k} places",
        "(xs * {k})[{k}:{k} + len(xs)] if xs else []",
        "xs[{k}:] + xs[:{k} - 1]",
    ),
    (
        "long_words",
        "count the words of the string xs that have at least {k} letters",
        "sum(len(w) >= {k} for w in xs.split())",
        "sum(len(w) > {k} for w in xs.split())",
    ),
    (
        "capped",
        "return xs with every number above {k} replaced by {k}",
        "[min(x, {k}) for x in xs]",
        "[x for x in xs if x <= {k}]",
    ),
    (
        "pieces",
        "cut the list xs into lists of {k} elements, the last may be shorter",
        "[xs[i:i + {k}] for i in range(0, len(xs), {k})]",
        "[xs[i:i + {k}] for i in range(0, len(xs) - {k}, {k})]",
    ),
    (
        "multiples",
        "return how many numbers in xs are divisible by {k}",
        "sum(x % {k} == 0 for x in xs)",
        "sum(x % {k} == 0 for x in xs if x > {k})",
    ),
    (
        "gap_pairs",
        "count neighbours in the list xs that differ by at least {k}",
        "sum(abs(a - b) >= {k} for a, b in zip(xs, xs[1:]))",
        "sum(a - b >= {k} for a, b in zip(xs, xs[1:]))",
    ),
    (
        "base_digits",
        "return the digits of the natural number xs in base {k}, most significant first",
        "_digits(xs)",
        "_digits(xs)[::-1]",
    ),
)
LEADS = (
    "Here is a direct solution.",
    "The idea is one pass over the input.",
    "Edge cases: the empty input must work.",
    "A comprehension does it.",
    "Let me think about what the tests may hold, then write it.",
    "Straightforward.",
)
COMMENTS = (
    "walk over the input once",
    "handles the empty case too",
    "keep it simple",
    "as the task says",
    "no mutation of the input",
)
HELPER = """def _digits(n):
    out = []
    while n:
        n, r = divmod(n, {k})
        out.append(r)
    return out[::-1] or [0]


"""


def code_task(rng: Random) -> Task:
    """Draw a function to write."""
    name, spec, good, bad = rng.choice(SPECS)
    k = rng.randrange(2, 17)
    name = f"{rng.choice(('', 'get_', 'do_', 'calc_'))}{name}{rng.choice(('', f'_{k}'))}"
    ask = rng.choice(
        (
            "Write a Python function `{n}(xs)` to {s}.",
            "Implement `def {n}(xs)`: {s}.",
            "Please {s}. Name the function `{n}`, argument `xs`.",
        )
    )
    tests = rng.randrange(6, 13)
    return Task(
        ask.format(n=name, s=spec.format(k=k)),
        "",
        lambda r, right, skill: _write(r, name, (good if right else bad).format(k=k), k),
        family=spec.split()[0],
        extra={"num_tests": tests},
    )


def _write(rng: Random, name: str, body: str, k: int) -> Reply:
    lines = []
    if rng.random() < 0.55:
        lines.append(f'    """{rng.choice(("Solve the task.", "See the task.", "Return the result."))}"""')
    if rng.random() < 0.6:
        lines.append(f"    # {rng.choice(COMMENTS)}")
    if rng.random() < 0.5:
        result = rng.choice(("result", "out", "answer", "res"))
        lines += [f"    {result} = {body}", f"    return {result}"]
    else:
        lines.append(f"    return {body}")
    helper = HELPER.format(k=k) if "_digits" in body else ""
    text = f"{rng.choice(LEADS)}\n\n```python\n{helper}def {name}(xs):\n" + "\n".join(lines) + "\n```"
    return Reply([say(text)], "")


def run_tests(rng: Random, tries: list[Try]) -> list[Try]:
    """Note how many tests each attempt passed; wrong programs pass some."""
    for t in tries:
        total = t.task.extra["num_tests"]
        passed = total if t.right else 0 if t.stop == "length" else rng.randrange(0, total - 1)
        t.extra |= {"tests_passed": passed, "tests_total": total, "test_seconds": round(rng.uniform(0.2, 1.6), 2)}
    return tries
