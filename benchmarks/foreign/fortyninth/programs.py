"""Small programs: what is asked, right bodies, wrong bodies, and what is said beside them."""

import random

from benchmarks.foreign.fortyninth.attempts import Attempt, Task, say

SPECS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "count_above": (
        "Write `count_above(xs)`: how many numbers of the list are strictly greater than {k} and divisible by {m}. "
        "For example count_above([]) is 0.",
        (
            "    return sum(1 for x in xs if x > {k} and x % {m} == 0)",
            "    found = 0\n    for x in xs:\n        if x > {k} and x % {m} == 0:\n            found += 1\n    "
            "return found",
            "    return len([x for x in xs if x % {m} == 0 and x > {k}])",
        ),
        (
            "    return sum(1 for x in xs if x >= {k} and x % {m} == 0)",
            "    found = 0\n    for x in xs:\n        if x > {k} or x % {m} == 0:\n            found += 1\n    "
            "return found",
            "    return sum(x for x in xs if x > {k} and x % {m} == 0)",
        ),
    ),
    "rotate": (
        "Write `rotate(text)`: move the first {k} characters of the text to its end, then repeat the result {m} times. "
        "For example rotate('') is ''.",
        (
            "    return (text[{k}:] + text[:{k}]) * {m}",
            "    head, tail = text[:{k}], text[{k}:]\n    return ''.join(tail + head for _ in range({m}))",
        ),
        (
            "    return (text[-{k}:] + text[:-{k}]) * {m}",
            "    head, tail = text[:{k}], text[{k}:]\n    return (tail + head) * ({m} - 1)",
            "    return text[{k}:] * {m} + text[:{k}]",
        ),
    ),
    "digits": (
        "Write `digits(n)`: the sum of the digits of n, each taken to the power {m}, modulo {k}. For example digits(0) "
        "is 0.",
        (
            "    return sum(int(d) ** {m} for d in str(abs(n))) % {k}",
            "    n, total = abs(n), 0\n    while n:\n        total += (n % 10) ** {m}\n        n //= 10\n    "
            "return total % {k}",
        ),
        (
            "    return sum(int(d) ** {m} for d in str(abs(n)))",
            "    n, total = abs(n), 0\n    while n > 9:\n        total += (n % 10) ** {m}\n        n //= 10\n   "
            " return total % {k}",
            "    return sum(int(d) * {m} for d in str(abs(n))) % {k}",
        ),
    ),
    "windows": (
        "Write `windows(xs)`: the largest sum of {m} neighbours in the list, capped at {k}; None for a list "
        "that is too "
        "short. For example windows([]) is None.",
        (
            "    if len(xs) < {m}:\n        return None\n    return min({k}, max(sum(xs[i:i + {m}]) for i in "
            "range(len(xs) - {m} + 1)))",
            "    sums = [sum(xs[i:i + {m}]) for i in range(len(xs) - {m} + 1)]\n    return min(max(sums), {k}) if sums "
            "else None",
        ),
        (
            "    sums = [sum(xs[i:i + {m}]) for i in range(len(xs) - {m})]\n    return min(max(sums), {k}) if "
            "sums else None",
            "    if len(xs) < {m}:\n        return None\n    return max({k}, max(sum(xs[i:i + {m}]) for i in "
            "range(len(xs) - {m} + 1)))",
        ),
    ),
    "group_names": (
        "Write `group_names(names)`: a dict from the first {m} letters, in lower case, to the names with that "
        "start, at "
        "most {k} a key, in order. For example group_names([]) is {{}}.",
        (
            "    out = {{}}\n    for name in names:\n        bucket = out.setdefault(name[:{m}].lower(), [])\n  "
            "      if "
            "len(bucket) < {k}:\n            bucket.append(name)\n    return out",
            "    keys = dict.fromkeys(n[:{m}].lower() for n in names)\n    return {{key: [n for n in names if "
            "n[:{m}].lower() == key][:{k}] for key in keys}}",
        ),
        (
            "    out = {{}}\n    for name in names:\n        out.setdefault(name[:{m}], []).append(name)\n    "
            "return out",
            "    out = {{}}\n    for name in names:\n        bucket = out.setdefault(name[:{m}].lower(), [])\n  "
            "      if "
            "len(bucket) <= {k}:\n            bucket.append(name)\n    return out",
        ),
    ),
}
ARGUMENT = {"count_above": "xs", "rotate": "text", "digits": "n", "windows": "xs", "group_names": "names"}
BEFORE = (
    "The task asks for one function, and the limits {k} and {m} are fixed by it.",
    "I treat the empty case first in my head: nothing special is needed beyond the example.",
    "One pass is enough here; the constants {k} and {m} come from the statement.",
    "The tricky part is the boundary, so I write the condition out in full.",
    "I prefer the plain form, which reads like the statement.",
)
AFTER = (
    "This runs in linear time.",
    "The example of the statement comes out as it should.",
    "I left no printing in it.",
    "No imports are needed.",
)


def programs(rng: random.Random) -> Task:
    """A function to write."""
    name = rng.choice(list(SPECS))
    data = {"name": name, "k": rng.randint(11, 99), "m": rng.randint(2, 7)}
    if name == "rotate":
        data["k"] = rng.randint(2, 40)
    if name == "count_above":
        data["k"] -= data["k"] % data["m"]
    if name == "group_names":
        data["k"] = rng.randint(2, 9)
    key = f"tests/{name}_{data['k']}_{data['m']}.json"
    return Task("code", name, SPECS[name][0].format(**data), key, rng.gauss(0.1, 0.9), "", data)


def body_of(rng: random.Random, task: Task, right: bool) -> str:
    """A body of the function."""
    return rng.choice(SPECS[task.data["name"]][1 if right else 2]).format(**task.data)


def framed(rng: random.Random, task: Task, body: str) -> str:
    """The function in a block of code with sentences around it."""
    name = task.data["name"]
    before = " ".join(s.format(**task.data) for s in rng.sample(BEFORE, rng.randint(1, 3)))
    return f"{before}\n```python\ndef {name}({ARGUMENT[name]}):\n{body}\n```\n{rng.choice(AFTER)}"


def play_program(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """An attempt at a function, paid for passing all hidden tests."""
    attempt = Attempt(task, [say(framed(rng, task, body_of(rng, task, right)))], right)
    attempt.reward = float(right)
    attempt.terms = {"correct": attempt.reward}
    attempt.extra = {"tests_passed": 12 if right else rng.randint(2, 10), "tests_total": 12}
    return attempt
