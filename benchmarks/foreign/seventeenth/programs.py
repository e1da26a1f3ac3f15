"""Small Python functions, judged by tests."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

SPECS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "count_above",
        "Return how many numbers of the list `xs` are greater than {k}.",
        ("return sum(x > {k} for x in xs)", "return len([x for x in xs if x > {k}])"),
        ("return sum(x >= {k} for x in xs)", "return len([x for x in xs if x > {k}]) + 1"),
    ),
    (
        "rotate_left",
        "Rotate the list `xs` to the left by {k} places; short lists too.",
        (
            "n = {k} % len(xs) if xs else 0\n    return xs[n:] + xs[:n]",
            "for _ in range({k}):\n        xs = xs[1:] + xs[:1]\n    return xs",
        ),
        ("return xs[{k}:] + xs[:{k}]", "return xs[-{k}:] + xs[:-{k}]"),
    ),
    (
        "chunks_of",
        "Split `xs` into lists of {k}; the last may be shorter.",
        (
            "return [xs[i:i + {k}] for i in range(0, len(xs), {k})]",
            "out = []\n    while xs:\n        out.append(xs[:{k}])\n        xs = xs[{k}:]\n    return out",
        ),
        ("return [xs[i:i + {k}] for i in range(0, len(xs) - {k}, {k})]", "return [xs[i:i + {k}] for i in range({k})]"),
    ),
    (
        "moving_sums",
        "Return the sums of all windows of {k} neighbours in `xs`.",
        (
            "return [sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1)]",
            "total = [0]\n    for x in xs:\n        total.append(total[-1] + x)\n    return [b - a for "
            "a, b in zip(total, total[{k}:])]",
        ),
        (
            "return [sum(xs[i:i + {k}]) for i in range(len(xs))]",
            "return [sum(xs[i:i + {k}]) for i in range(len(xs) - {k})]",
        ),
    ),
    (
        "shift_letters",
        "Shift every lower-case letter of the string `xs` by {k}, round the alphabet; leave other signs.",
        (
            "return ''.join(chr((ord(c) - 97 + {k}) % 26 + 97) if 'a' <= c <= 'z' else c for c in xs)",
            "import string\n    a = string.ascii_lowercase\n    m = {k} % 26\n    return "
            "xs.translate(str.maketrans(a, a[m:] + a[:m]))",
        ),
        (
            "return ''.join(chr(ord(c) + {k}) for c in xs)",
            "return ''.join(chr((ord(c) - 97 + {k}) % 26 + 97) for c in xs)",
        ),
    ),
    (
        "every_nth_total",
        "Add up every {k}-th number of `xs`, beginning with the {k}-th.",
        ("return sum(xs[{k} - 1::{k}])", "return sum(x for i, x in enumerate(xs, 1) if i % {k} == 0)"),
        ("return sum(xs[::{k}])", "return sum(xs[{k}::{k}])"),
    ),
    (
        "keep_common",
        "Return the values that occur at least {k} times in `xs`, in order of first occurrence.",
        (
            "return [x for x in dict.fromkeys(xs) if xs.count(x) >= {k}]",
            "from collections import Counter\n    n = Counter(xs)\n    return [x for x in n if n[x] >= {k}]",
        ),
        ("return [x for x in set(xs) if xs.count(x) > {k}]", "return [x for x in xs if xs.count(x) >= {k}]"),
    ),
    (
        "digit_total",
        "Return whether the digit sum of the integer `xs` is divisible by {k}; the sign does not count.",
        (
            "return sum(map(int, str(abs(xs)))) % {k} == 0",
            "n, s = abs(xs), 0\n    while n:\n        n, d = divmod(n, 10)\n        s += d\n    return s % {k} == 0",
        ),
        ("return sum(map(int, str(xs))) % {k} == 0", "return abs(xs) % {k} == 0"),
    ),
)
LEADS = (
    "Here is a short version.",
    "A comprehension is enough.",
    "I keep it simple.",
    "The edge case is an empty input.",
    "Let me write it directly.",
    "Straight from the statement:",
    "I considered a loop first, but this is clearer.",
)
NOTES = ('"""As asked."""', '"""See the statement."""', "# edge cases fall out of the slice", "")
PREFIXES = ["fast", "my", "do", "get", "simple", "calc", "run", "the"]


def program_task(rng: Random, number: int) -> Task:
    """A function to write; facts tell the tests passed of all."""
    name, text, good, bad = SPECS[rng.randrange(len(SPECS))]
    k, prefix, total = rng.randint(2, 23), rng.choice(PREFIXES), rng.randint(5, 12)
    full = f"{prefix}_{name}_{k}"

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        body = rng.choice(good if right else bad).format(k=k)
        note = rng.choice(NOTES)
        code = "\n    ".join(p for p in (f"def {full}(xs):", note, body) if p)
        lead = rng.choice(LEADS)
        if rng.random() < 0.5 - 0.3 * progress:
            lead += " " + rng.choice(LEADS)
        passed = total if right else rng.randint(0, total - 1)
        tail = rng.choice(("", "", "\nIt runs in linear time.", "\nTested by hand on two inputs."))
        facts = {"tests_passed": passed, "tests_total": total}
        return Reply([says(f"{lead}\n```python\n{code}\n```{tail}")], code, facts)

    prompt = user(f"Write a Python function `{full}(xs)`. {text.format(k=k)} Answer with one fenced block.")
    return Task(f"py/{number:03d}-{name}", name, prompt, f"{total} tests", rng.gauss(0, 0.9), solve)
