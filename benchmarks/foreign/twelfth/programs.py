"""Small Python functions, run against hidden tests."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, say

SYSTEM = "Write one Python function in a fenced block. It is run against hidden tests."
SPECS = (
    (
        "lists",
        "count_above",
        "values",
        "Return how many of `values` are greater than {k}.",
        ("return sum(v > {k} for v in values)", "return len([v for v in values if v > {k}])"),
        ("return sum(v >= {k} for v in values)", "return len([v for v in values[1:] if v > {k}])"),
    ),
    (
        "lists",
        "every_nth",
        "values",
        "Return every {k}th element of `values`, beginning with the first.",
        ("return values[::{k}]", "return [v for i, v in enumerate(values) if i % {k} == 0]"),
        ("return values[{k}::{k}]", "return [v for i, v in enumerate(values, 1) if i % {k} == 0]"),
    ),
    (
        "strings",
        "long_words",
        "text",
        "Return the words of `text` with at least {k} letters, in order.",
        (
            "return [w for w in text.split() if len(w) >= {k}]",
            "return list(filter(lambda w: len(w) >= {k}, text.split()))",
        ),
        ("return [w for w in text.split() if len(w) > {k}]", "return sorted(w for w in text.split() if len(w) >= {k})"),
    ),
    (
        "strings",
        "shift_letters",
        "text",
        "Shift each lower-case letter of `text` by {k} places, wrapping after z; keep all other signs.",
        (
            "return ''.join(chr((ord(c) - 97 + {k}) % 26 + 97) if 'a' <= c <= 'z' else c for c in text)",
            "low = 'abcdefghijklmnopqrstuvwxyz'\n"
            "    return ''.join(low[(low.index(c) + {k}) % 26] if c in low else c for c in text)",
        ),
        (
            "return ''.join(chr(ord(c) + {k}) if c.islower() else c for c in text)",
            "return ''.join(chr((ord(c) - 97 + {k}) % 25 + 97) if 'a' <= c <= 'z' else c for c in text)",
        ),
    ),
    (
        "numbers",
        "digit_power_sum",
        "n",
        "Return the sum of the digits of `n`, each raised to the power {k}.",
        (
            "return sum(int(d) ** {k} for d in str(abs(n)))",
            "n = abs(n)\n    total = 0\n    while n:\n"
            "        n, d = divmod(n, 10)\n        total += d ** {k}\n    return total",
        ),
        ("return sum(int(d) * {k} for d in str(abs(n)))", "return sum(int(d) for d in str(n)) ** {k}"),
    ),
    (
        "numbers",
        "multiples_below",
        "n",
        "Return the multiples of {k} that are below `n`, as a list.",
        ("return list(range({k}, n, {k}))", "return [i for i in range(1, n) if i % {k} == 0]"),
        ("return list(range({k}, n + 1, {k}))", "return list(range(0, n, {k}))"),
    ),
    (
        "windows",
        "window_max",
        "values",
        "Return the maximum of each window of {k} neighbours in `values`.",
        (
            "return [max(values[i : i + {k}]) for i in range(len(values) - {k} + 1)]",
            "from itertools import islice\n"
            "    return [max(islice(values, i, i + {k})) for i in range(len(values) - {k} + 1)]",
        ),
        (
            "return [max(values[i : i + {k}]) for i in range(len(values) - {k})]",
            "return [max(values[i : i + {k}]) for i in range(len(values))]",
        ),
    ),
)
SAID = (
    "Straightforward:",
    "A comprehension does it.",
    "Careful with the borders:",
    "Here is the function.",
    "The idea is simple.",
)


def program(rng: Random, number: int) -> Task:
    """A function with one constant."""
    family, name, argument, wish, good, bad = rng.choice(SPECS)
    k = rng.randint(2, 19)
    named = f"{name}_{rng.choice('abcdefgh')}{k}"
    tests = rng.randint(5, 12)
    prompt = f"Write `{named}({argument})`. {wish.format(k=k)} The function must not print and not change its argument."

    def write(rng: Random, right: bool, progress: float) -> Reply:
        body = rng.choice(good if right else bad).format(k=k)
        passed = tests if right else rng.randint(0, tests - 1)
        head = rng.choice(SAID) if rng.random() < 0.8 else ""
        note = f'    """{wish.format(k=k)}"""\n' if rng.random() < 0.2 + 0.5 * progress else ""
        text = f"{head}\n```python\ndef {named}({argument}):\n{note}    {body}\n```"
        return Reply([say(text.strip())], body, {"tests_passed": passed, "tests_total": tests})

    return Task(f"py-{number:04d}", family, prompt, f"{tests} tests", write, rng.gauss(0, 0.7), SYSTEM)
