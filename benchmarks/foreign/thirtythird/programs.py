"""Small exercises in Java, with right and wrong programs that vary little, as short programs do."""

import random

from benchmarks.foreign.thirtythird.policy import Task

BODIES = {
    "sum of the multiples of {k} below n": (
        "long s = 0;\n        for (int i = {k}; i < n; i += {k}) s += i;\n        return s;",
        "long s = 0;\n        for (int i = {k}; i <= n; i += {k}) s += i;\n        return s;",
    ),
    "number of digits {k} in n": (
        "long s = 0;\n        while (n > 0) {{ if (n % 10 == {k}) s++; n /= 10; }}\n        return s;",
        "long s = 0;\n        while (n > 9) {{ if (n % 10 == {k}) s++; n /= 10; }}\n        return s;",
    ),
    "largest power of {k} that is not above n": (
        "long p = 1;\n        while (p * {k} <= n) p *= {k};\n        return p;",
        "long p = 1;\n        while (p * {k} < n) p *= {k};\n        return p;",
    ),
    "remainder of n squared by {k}": ("return (long) n * n % {k};", "return n * n / {k};"),
}
OPEN = (
    "A single loop is enough here.",
    "I keep a running value and return it at the end.",
    "The bound matters, so I look at it first.",
    "This can be done in a few lines.",
    "The number fits into a long, so there is no overflow to fear.",
)


def exercises(rng: random.Random, count: int) -> list[Task]:
    """Exercises with one number that differs."""
    pairs = [(what, k) for what in BODIES for k in range(2, 10 if "digits" in what else 20)]
    tasks = []
    for number, (what, k) in enumerate(rng.sample(pairs, count)):
        text = f"Write class Main with `static long f(int n)`: the {what.format(k=k)}."
        data = {"what": what, "k": k}
        tasks.append(Task(f"java-{number:02d}", text, "", what.split()[0], rng.gauss(-0.6, 0.9), data))
    return tasks


def java(rng: random.Random, task: Task, right: bool) -> tuple[str, bool]:
    """A thought with a program, and whether the program is right."""
    body = BODIES[task.data["what"]][0 if right else 1].format(k=task.data["k"])
    note = rng.choice(("", f" The constant is {task.data['k']}.", " I return a long."))
    code = f"class Main {{\n    static long f(int n) {{\n        {body}\n    }}\n}}"
    return f"{rng.choice(OPEN)}{note}\n```java\n{code}\n```", right
