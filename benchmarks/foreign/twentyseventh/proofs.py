"""Longer mathematics: sums, recurrences and counts, worked out line by line."""

import math
from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import CHECKS, say


def series(rng: Random) -> tuple[str, list[str], int]:
    """An arithmetic series."""
    a, d, n = rng.randint(2, 30), rng.randint(2, 11), rng.randint(12, 40)
    last = a + (n - 1) * d
    lines = [f"term number k is $a_k = {a} + {d}(k-1)$", f"the last term is $a_{{{n}}} = {last}$",
             f"pairing first and last gives ${a} + {last} = {a + last}$"]  # fmt: skip
    return f"Let $a_1 = {a}$ and $a_{{k+1}} = a_k + {d}$. Find $\\sum_{{k=1}}^{{{n}}} a_k$.", lines, n * (a + last) // 2


def paths(rng: Random) -> tuple[str, list[str], int]:
    """Lattice paths."""
    m, n = rng.randint(4, 9), rng.randint(3, 8)
    lines = [f"a path has ${m + n}$ steps", f"${n}$ of them go up", f"the count is $\\binom{{{m + n}}}{{{n}}}$"]
    return f"How many shortest lattice paths lead from $(0,0)$ to $({m},{n})$?", lines, math.comb(m + n, n)


def recurrence(rng: Random) -> tuple[str, list[str], int]:
    """A linear recurrence."""
    x, y, n = rng.randint(1, 6), rng.randint(1, 9), rng.randint(7, 12)
    values = [x, y]
    while len(values) < n:
        values.append(values[-1] + 2 * values[-2])
    lines = [f"$u_{{{k + 1}}} = {v}$" for k, v in enumerate(values[2:-1], 2)]
    return f"Let $u_1 = {x}$, $u_2 = {y}$ and $u_{{k+2}} = u_{{k+1}} + 2u_k$. Compute $u_{{{n}}}$.", lines, values[-1]


def task(rng: Random) -> Task:
    """One of the three."""
    kind = rng.choice((series, paths, recurrence))
    question, lines, value = kind(rng)
    return Task(question, f"${value}$", family=kind.__name__, facts={"lines": lines, "value": value})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Many lines, then the boxed value; the policy becomes a little terser."""
    value = task.facts["value"] + (0 if right else rng.choice((-12, -6, -2, 2, 4, 8, 14)))
    lines = [
        say(
            rng,
            "[To solve this problem, we proceed step by step|Let us work this out carefully|We "
            "start from the definition].",
        )
    ]
    for number, line in enumerate(task.facts["lines"], 1):
        lines.append(
            say(
                rng,
                f"**Step {number}.** [We see that|It follows that|Note that] {line}. [This is the part to "
                f"keep|We shall use this below|It is worth checking].",
            )
        )
        lines += [say(rng, t) for t in rng.sample(CHECKS, rng.randint(1, 3 if progress < 0.6 else 2))]
    lines.append(say(rng, f"[Therefore|Hence|In conclusion], the value is $\\boxed{{{value}}}$."))
    return Reply([speak("\n".join(lines))], str(value))


PROOFS = Domain(task, reply)
