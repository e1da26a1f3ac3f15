"""Small programs: tasks with right and mistaken functions."""

import random

from benchmarks.foreign.sixtythird.attempts import Message, Task, say

INTRO = (
    "The function has to walk over the input once.",
    "I think of the empty input first, then of the usual case.",
    "A direct implementation is enough for these sizes.",
    "The statement fixes the order of the output, so I keep it.",
    "I keep the state in one variable and update it as items come.",
)
Spec = tuple[str, str, tuple[str, ...], tuple[str, ...]]


def _specs(r: random.Random) -> list[Spec]:
    k, m, c = r.randint(2, 40), r.randint(61, 197), r.choice("abcdefghilmnoprstuvw")
    at = r.randint(2, 60)
    return [
        (
            "every_kth",
            f"Write every_kth(xs): the items at positions {at}, {at + k}, {at + 2 * k}, ... of a list (from 0).",
            (
                f"def every_kth(xs):\n    return xs[{at}::{k}]",
                f"def every_kth(xs):\n    return [x for i, x in enumerate(xs) if i >= {at} and (i - {at}) % {k} == 0]",
            ),
            (f"def every_kth(xs):\n    return xs[::{k}]", f"def every_kth(xs):\n    return xs[{at + 1}::{k}]"),
        ),
        (
            "checksum",
            f"Write checksum(xs): the sum of i * x over a list, i from {at}, modulo {m}.",
            (
                f"def checksum(xs):\n    return sum(i * x for i, x in enumerate(xs, {at})) % {m}",
                (
                    "def checksum(xs):\n    t = 0\n    for i, x in enumerate(xs):\n   "
                    f"     t += (i + {at}) * x\n    return t % {m}"
                ),
            ),
            (
                f"def checksum(xs):\n    return sum(i * x for i, x in enumerate(xs)) % {m}",
                f"def checksum(xs):\n    return sum(xs) % {m}",
            ),
        ),
        (
            "long_runs",
            f"Write long_runs(s): how many runs of the letter '{c}' in a string have {k} letters or more.",
            (
                f"import re\n\ndef long_runs(s):\n    return len(re.findall(r'{c}{{{k},}}', s))",
                "from itertools import groupby\n\ndef long_runs(s):\n"
                f"    return sum(ch == '{c}' and len(list(g)) >= {k} for ch, g in groupby(s))",
            ),
            (
                f"def long_runs(s):\n    return s.count('{c}' * {k})",
                f"import re\n\ndef long_runs(s):\n    return len(re.findall(r'{c}{{{k}}}', s))",
            ),
        ),
        (
            "clamp_sum",
            f"Write clamp_sum(xs): the sum of a list where each item is limited to the range from -{k} to {m}.",
            (
                f"def clamp_sum(xs):\n    return sum(max(-{k}, min({m}, x)) for x in xs)",
                f"def clamp_sum(xs):\n    return sum(sorted((-{k}, x, {m}))[1] for x in xs)",
            ),
            (
                f"def clamp_sum(xs):\n    return max(-{k}, min({m}, sum(xs)))",
                f"def clamp_sum(xs):\n    return sum(min({m}, x) for x in xs)",
            ),
        ),
    ]


def programs(rng: random.Random, n: int, hard: float = 0.5, start: int = 0) -> list[Task]:
    """Tasks of code, numbered from `start`."""
    out: list[Task] = []
    for i in range(n):
        name, prompt, right, wrong = rng.choice(_specs(rng))
        full = prompt + " Give one Python function in a fenced block."
        out.append(Task(f"code-{name}-{start + i}", name, full, "", hard + rng.gauss(0, 0.6), right, wrong))
    return out


def speak_program(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """A sentence or two, and a program."""
    code = rng.choice(task.right if ok else task.wrong)
    intro = " ".join(rng.sample(INTRO, rng.randint(1, 3)))
    return say(f"{intro}\n\n```python\n{code}\n```"), code
