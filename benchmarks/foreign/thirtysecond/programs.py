"""Small programs: what they shall do, and bodies that do it or fail at something."""

import random

from benchmarks.foreign.thirtysecond.policy import Task

BANK = (
    (
        "multiples",
        "return the sum of those numbers in xs that K divides",
        (
            "    return sum(x for x in xs if x % K == 0)",
            "    out = 0\n    for x in xs:\n        if x % K == 0:\n            out += x\n    return out",
        ),
        ("    return sum(xs[::K])", "    return sum(x for x in xs if x % K)"),
    ),
    (
        "gap",
        "return how many neighbours in xs differ by more than K",
        (
            "    return sum(abs(a - b) > K for a, b in zip(xs, xs[1:]))",
            "    n = 0\n    for i in range(len(xs) - 1):\n        n += abs(xs[i + 1] - xs[i]) > K\n    return n",
        ),
        (
            "    return sum(a - b > K for a, b in zip(xs, xs[1:]))",
            "    return sum(abs(a - b) >= K for a, b in zip(xs, xs[1:]))",
        ),
    ),
    (
        "window",
        "return the largest sum of K neighbours in xs, or 0 if xs is shorter",
        ("    if len(xs) < K:\n        return 0\n    return max(sum(xs[i:i + K]) for i in range(len(xs) - K + 1))",),
        ("    return max(sum(xs[i:i + K]) for i in range(len(xs) - K))", "    return sum(sorted(xs)[-K:])"),
    ),
    (
        "rotate",
        "return xs turned to the left by K places",
        ("    if not xs:\n        return xs\n    k = K % len(xs)\n    return xs[k:] + xs[:k]",),
        ("    return xs[K:] + xs[:K - 1]", "    return xs[-K:] + xs[:-K]"),
    ),
    (
        "chunks",
        "return xs cut into lists of K, the last of which may be shorter",
        ("    return [xs[i:i + K] for i in range(0, len(xs), K)]",),
        ("    return [xs[i:i + K] for i in range(0, len(xs) - K, K)]", "    return [xs[i::K] for i in range(K)]"),
    ),
    (
        "frequent",
        "return, in rising order, the numbers that occur at least K times in xs",
        ("    return sorted({x for x in xs if xs.count(x) >= K})",),
        (
            "    return sorted(x for x in xs if xs.count(x) >= K)",
            "    return sorted({x for x in xs if xs.count(x) > K})",
        ),
    ),
    (
        "clamp",
        "return xs with every number above K replaced by K",
        ("    return [min(x, K) for x in xs]", "    return [K if x > K else x for x in xs]"),
        ("    return [max(x, K) for x in xs]", "    return [x for x in xs if x <= K]"),
    ),
    (
        "until",
        "return the numbers of xs before the first one that exceeds K",
        ("    for i, x in enumerate(xs):\n        if x > K:\n            return xs[:i]\n    return xs",),
        ("    return [x for x in xs if x <= K]", "    return xs[:xs.index(K)]"),
    ),
)
SETTING = (
    "for a meter-reading service",
    "for a harbour timetable",
    "for a seed catalogue",
    "for a museum's ticket desk",
    "for a river-level logger",
    "for a choir's rehearsal plan",
    "for a bakery's order book",
)
THOUGHT = (
    "The list may be empty, so I keep that in mind.",
    "One pass over the list is enough here.",
    "The condition is the only delicate part.",
    "I check the border case before writing it down.",
    "A helper is not needed.",
    "Order matters, so I keep it.",
    "Slicing does most of the work.",
)


def programs(rng: random.Random, number: int, prefix: str = "prog") -> list[Task]:
    """So many programming tasks, all different."""
    out: dict[str, Task] = {}
    while len(out) < number:
        name, spec, good, bad = rng.choice(BANK)
        k = rng.randint(2, 19)
        where = rng.choice(SETTING)
        question = (
            f"Write a Python function solve(xs) {where}: {spec.replace('K', str(k))}. Numbers are integers. "
            f"Answer with one block of code."
        )
        data = {
            "good": [g.replace("K", str(k)) for g in good],
            "bad": [b.replace("K", str(k)) for b in bad],
            "family": name,
            "k": k,
        }
        task = Task(f"{prefix}-{len(out):04d}", question, name, rng.gauss(0, 0.8), data)
        out.setdefault(question, task)
    return list(out.values())


def body(rng: random.Random, task: Task, right: bool) -> str:
    """The function, right or wrong."""
    return "def solve(xs):\n" + rng.choice(task.data["good" if right else "bad"])


def talk(rng: random.Random, lead: str = "") -> str:
    """A few sentences of thought before a program."""
    return " ".join([lead, *rng.sample(THOUGHT, rng.randint(2, 3))]).strip()


def fenced(thought: str, code: str) -> str:
    """Thought and a block of code."""
    return f"{thought}\n\n```python\n{code}\n```"
