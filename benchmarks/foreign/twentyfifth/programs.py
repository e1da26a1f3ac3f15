"""Small contest problems on a list, with fast, slow and wrong programs."""

from random import Random

from benchmarks.foreign.twentyfifth.course import Task
from benchmarks.foreign.twentyfifth.prose import opener, pick

KINDS = (
    (
        "the number of pairs with the same value modulo {k}",
        "seen[v % {k}]",
        "(a[i] - a[j]) % {k} == 0",
        "seen[v // {k}]",
    ),
    ("the number of pairs whose sum is {k}", "seen[{k} - v]", "a[i] + a[j] == {k}", "seen[v - {k}]"),
    (
        "the number of pairs whose difference is {k}",
        "seen[v - {k}] + seen[v + {k}]",
        "abs(a[i] - a[j]) == {k}",
        "seen[v + {k}]",
    ),
    ("the number of pairs whose bitwise xor is {k}", "seen[v ^ {k}]", "a[i] ^ a[j] == {k}", "seen[v & {k}]"),
)


def problem(rng: Random) -> Task:
    """Count pairs in a list of up to a hundred thousand numbers."""
    what, fast, slow, wrong = rng.choice(KINDS)
    k, n = rng.randint(3, 900), rng.choice(["10^5", "2*10^5", "50000"])
    texts = {"fast": fast.format(k=k), "slow": slow.format(k=k), "wrong": wrong.format(k=k)}
    prompt = f"Read n (n <= {n}) and then n integers. Print {what.format(k=k)}. Time limit: {rng.choice([1, 2])} s."
    return Task(prompt, "hidden tests", texts | {"k": k})


def answer(rng: Random, task: Task, able: bool, slow: bool) -> str:
    """Reasoning and a program."""
    name = rng.choice(["total", "ans", "count", "res"])
    line = pick(rng, "a = list(map(int, input().split()))", "a = [int(x) for x in input().split()]")
    read = f"n = int(input())\n{line}\n"
    if slow:
        test = f"        if {task.info['slow']}:\n            {name} += 1\n"
        body = f"{name} = 0\nfor i in range(n):\n    for j in range(i):\n{test}"
        why = pick(rng, "Check all pairs.", "Two loops are simplest.", f"Test {task.info['slow']} for every pair.")
    else:
        key = task.info["fast" if able else "wrong"]
        if "%" in key or "//" in key:
            body = f"seen = Counter()\n{name} = 0\nfor v in a:\n    {name} += {key}\n    {key} += 1\n"
        else:
            body = f"seen = Counter()\n{name} = 0\nfor v in a:\n    {name} += {key}\n    seen[v] += 1\n"
        read = f"from collections import Counter\n{read}"
        why = pick(rng, "Count what came before.", f"Keep a counter and add {key}.", "One pass with a table is enough.")
    return f"{opener(rng)} {why}\n```python\n{read}{body}print({name})\n```"
