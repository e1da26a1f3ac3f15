"""Tasks of competitive programming with right and wrong programs, and how such attempts are written."""

import contextlib
import io
import random
from collections.abc import Callable

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, say

_READ = "n = int(input())\na = list(map(int, input().split()))\n"
_TASKS = (
    ("multiples", "Print the sum of those numbers that {k} divides.",
     ("print(sum(x for x in a if x % {k} == 0))",
      "total = 0\nfor x in a:\n    if x % {k} == 0:\n        total += x\nprint(total)"),
     ("print(sum(1 for x in a if x % {k} == 0))", "print(sum(x for x in a[1:] if x % {k} == 0))"),
     lambda a, k: sum(x for x in a if x % k == 0)),
    ("window", "Print the largest sum of {k} neighbouring numbers; n is at least {k}.",
     ("print(max(sum(a[i:i + {k}]) for i in range(n - {k} + 1)))",
      "s = sum(a[:{k}])\nbest = s\nfor i in range({k}, n):\n"
      "    s += a[i] - a[i - {k}]\n    best = max(best, s)\nprint(best)"),
     ("print(max(sum(a[i:i + {k}]) for i in range(n - {k})))", "print(sum(sorted(a)[-{k}:]))"),
     lambda a, k: max(sum(a[i:i + k]) for i in range(len(a) - k + 1))),
    ("pairs", "Print how many pairs of positions i < j have numbers that differ by exactly {k}.",
     ("print(sum(abs(a[i] - a[j]) == {k} for i in range(n) for j in range(i)))",
      "seen = {{}}\nout = 0\nfor x in a:\n    out += seen.get(x - {k}, 0) + seen.get(x + {k}, 0)\n"
      "    seen[x] = seen.get(x, 0) + 1\nprint(out)"),
     ("s = set(a)\nprint(sum(x + {k} in s for x in s))",
      "print(sum(a[j] - a[i] == {k} for i in range(n) for j in range(i)))"),
     lambda a, k: sum(abs(a[i] - a[j]) == k for i in range(len(a)) for j in range(i))),
    ("rotate", "Print the numbers after a rotation to the left by {k} places; {k} may exceed n.",
     ("r = {k} % n\nprint(*a[r:], *a[:r])", "print(*[a[(i + {k}) % n] for i in range(n)])"),
     ("r = {k} % n\nprint(*a[-r:], *a[:-r])", "print(*a[{k}:], *a[:{k} - 1])"),
     lambda a, k: " ".join(str(a[(i + k) % len(a)]) for i in range(len(a)))),
    ("rare", "Print how many different numbers occur fewer than {k} times.",
     ("print(sum(a.count(x) < {k} for x in set(a)))",
      "from collections import Counter\nprint(sum(c < {k} for c in Counter(a).values()))"),
     ("print(sum(a.count(x) <= {k} for x in set(a)))", "print(sum(a.count(x) < {k} for x in a))"),
     lambda a, k: sum(a.count(x) < k for x in set(a))),
    ("gaps", "Sort the numbers; print how many gaps between neighbours are larger than {k}.",
     ("a.sort()\nprint(sum(y - x > {k} for x, y in zip(a, a[1:])))",
      "a = sorted(a)\nout = 0\nfor i in range(1, n):\n    if a[i] - a[i - 1] > {k}:\n        out += 1\nprint(out)"),
     ("print(sum(abs(y - x) > {k} for x, y in zip(a, a[1:])))",
      "a.sort()\nprint(sum(y - x >= {k} for x, y in zip(a, a[1:])))"),
     lambda a, k: sum(y - x > k for x, y in zip(sorted(a), sorted(a)[1:], strict=False))),
    ("prefix", "Print the number of non-empty prefixes whose sum leaves remainder 1 when divided by {k}.",
     ("s = out = 0\nfor x in a:\n    s = (s + x) % {k}\n    out += s == 1\nprint(out)",
      "from itertools import accumulate\nprint(sum(s % {k} == 1 for s in accumulate(a)))"),
     ("print(sum(x % {k} == 1 for x in a))", "print(sum(sum(a[:i]) % {k} == 1 for i in range(n)))"),
     lambda a, k: sum(sum(a[: i + 1]) % k == 1 for i in range(len(a)))),
)  # fmt: skip
_RANGES = {"rare": (3, 4), "window": (2, 5), "gaps": (2, 5)}
_IDEAS = (
    "The limits are small enough for a direct pass over the list.",
    "One has to be careful with the first and the last position here.",
    "The statement is about {family}, so I look at what happens when {k} meets a short list.",
    "I considered sorting, and decided by what the order means in the task.",
    "With {k} fixed, a single loop is what the task needs.",
    "Repeated numbers are where this could go wrong.",
    "Let me think about the example before I write anything.",
)
_ENDS = ("This runs well within the limit.", "It agrees with the sample as far as I see.", "", "Done in one pass.")


def _prints(program: str, given: str) -> str:
    lines, out = iter(given.split("\n")), io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {"input": lambda: next(lines)})
    return out.getvalue().strip()


def _examples(rng: random.Random, k: int, true: Callable[[list[int], int], object], most: int) -> list[tuple[str, str]]:
    out = []
    for _ in range(2):
        a = [rng.randint(1, most) for _ in range(rng.randint(6, 9))]
        out.append((f"{len(a)}\n{' '.join(map(str, a))}", str(true(a, k))))
    return out


def problems(rng: random.Random, count: int, telling: bool = False) -> list[Problem]:
    """Tasks with two examples each; where these are telling, every wrong program fails on one of them."""
    out = []
    for i in range(count):
        family, ask, right, wrong, true = _TASKS[i % len(_TASKS)]
        low, high = _RANGES.get(family, (3, 9))
        k, most = rng.randint(low, high), 6 if family == "rare" else 20
        wrongs = [_READ + p.format(k=k) + "\n" for p in wrong]
        examples = _examples(rng, k, true, most)
        while telling and any(all(_prints(p, given) == shown for given, shown in examples) for p in wrongs):
            examples = _examples(rng, k, true, most)
        shown = "\n".join(f"Input:\n{given}\nOutput:\n{out_}" for given, out_ in examples)
        text = f"The first line holds n, the second n positive integers. {ask.format(k=k)} Write a Python program."
        text += f"\n\n{shown}"
        rights = [_READ + p.format(k=k) + "\n" for p in right]
        data = {"k": k, "right": rights, "wrong": wrongs, "examples": examples}
        out.append(Problem(f"cf-{i:03d}-{family}", text, examples[0][1], 0.2 + 0.09 * (i % 7), family, data))
    return out


def explained(rng: random.Random, problem: Problem, program: str) -> str:
    """A reply with some thought before the program."""
    ideas = rng.sample(_IDEAS, rng.randint(1, 3))
    told = " ".join(ideas).format(family=problem.family, k=problem.data["k"])
    return f"{told}\n\n```python\n{program}```\n{rng.choice(_ENDS)}".rstrip()


def renamed(rng: random.Random, program: str) -> str:
    """The program with other spacing and comments, as samples differ."""
    notes = ("# read the input", "# n numbers follow", "# straightforward", "# input", "")
    note = rng.choice(notes)
    blank = rng.choice(("", "\n"))
    head, tail = program[: len(_READ)], program[len(_READ) :]
    return (note + "\n" if note else "") + head + blank + tail


def submit(rng: random.Random, problem: Problem, right: bool) -> Attempt:
    """A submission; right programs pass all tests."""
    program = renamed(rng, rng.choice(problem.data["right" if right else "wrong"]))
    passed = 1.0 if right else rng.choice((0.1, 0.2, 0.3, 0.4))
    attempt = Attempt(problem, [say(explained(rng, problem, program))], program, float(right))
    attempt.extra = {"tests_passed": round(passed * 10), "tests_total": 10}
    return attempt
