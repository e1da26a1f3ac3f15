"""Small programming tasks, with programs that are right, nearly right or wrong, and the share of tests each passes."""

import random

from benchmarks.foreign.fortyfifth.runs import Problem

TASKS: dict[str, tuple[str, list[str], list[tuple[str, float]]]] = {
    "longest_run": (
        "Write `longest_run(items)`: the length of the longest stretch of equal neighbours. An empty list has 0.",
        [
            "best = cur = 0\nprev = object()\nfor item in items:\n    cur = cur + 1 if item == prev else 1\n"
            "    prev = item\n    best = max(best, cur)\nreturn best",
            "from itertools import groupby\nreturn max((len(list(run)) for _, run in groupby(items)), default=0)",
        ],
        [
            (
                "best = cur = 1\nfor a, b in zip(items, items[1:]):\n    cur = cur + 1 if a == b else 1\n"
                "    best = max(best, cur)\nreturn best",
                0.8,
            ),
            ("from collections import Counter\nreturn max(Counter(items).values(), default=0)", 0.6),
        ],
    ),
    "merge_spans": (
        "Write `merge_spans(items)`: merge all closed intervals [a, b] that touch or overlap, sorted by start.",
        [
            "out = []\nfor a, b in sorted(items):\n    if out and a <= out[-1][1]:\n"
            "        out[-1][1] = max(out[-1][1], b)\n    else:\n        out.append([a, b])\nreturn out"
        ],
        [
            (
                "out = []\nfor a, b in sorted(items):\n    if out and a < out[-1][1]:\n"
                "        out[-1][1] = max(out[-1][1], b)\n    else:\n        out.append([a, b])\nreturn out",
                0.8,
            ),
            (
                "out = []\nfor a, b in sorted(items):\n    if out and a <= out[-1][1]:\n        out[-1][1] = b\n"
                "    else:\n        out.append([a, b])\nreturn out",
                0.7,
            ),
        ],
    ),
    "rotate_left": (
        "Write `rotate_left(items, k)`: the list turned k places to the left. k may be larger than the list.",
        ["if not items:\n    return []\nk %= len(items)\nreturn items[k:] + items[:k]"],
        [("return items[k:] + items[:k]", 0.7), ("k %= len(items)\nreturn items[k:] + items[:k]", 0.9)],
    ),
    "balanced": (
        "Write `balanced(items)`: whether the brackets ()[]{} of the string are closed in the right order.",
        [
            'pairs = {")": "(", "]": "[", "}": "{"}\nstack = []\nfor sign in items:\n    if sign in "([{":\n'
            "        stack.append(sign)\n    elif sign in pairs and (not stack or stack.pop() != pairs[sign]):\n"
            "        return False\nreturn not stack"
        ],
        [
            ('return all(items.count(a) == items.count(b) for a, b in ("()", "[]", "{}"))', 0.6),
            (
                'depth = 0\nfor sign in items:\n    depth += (sign in "([{") - (sign in ")]}")\n'
                "    if depth < 0:\n        return False\nreturn depth == 0",
                0.8,
            ),
        ],
    ),
    "digit_root": (
        "Write `digit_root(n)`: add the digits of n >= 0 until one digit is left.",
        ["while n > 9:\n    n = sum(map(int, str(n)))\nreturn n", "return 0 if n == 0 else 1 + (n - 1) % 9"],
        [("return sum(map(int, str(n)))", 0.1), ("return n % 9", 0.9)],
    ),
    "second_largest": (
        "Write `second_largest(items)`: the second largest distinct number, or None if there is none.",
        ["values = sorted(set(items))\nreturn values[-2] if len(values) > 1 else None"],
        [
            ("return sorted(items)[-2] if len(items) > 1 else None", 0.7),
            ("values = sorted(set(items))\nreturn values[-2]", 0.7),
        ],
    ),
    "window_sums": (
        "Write `window_sums(items, k)`: sums of all k neighbours, from the left. Fewer than k items give [].",
        [
            "if len(items) < k:\n    return []\ntotal = sum(items[:k])\nout = [total]\n"
            "for i in range(k, len(items)):\n    total += items[i] - items[i - k]\n    out.append(total)\nreturn out",
            "return [sum(items[i:i + k]) for i in range(len(items) - k + 1)]",
        ],
        [
            ("return [sum(items[i:i + k]) for i in range(len(items) - k)]", 0.4),
            ("return [sum(items[i:i + k]) for i in range(len(items))]", 0.3),
        ],
    ),
    "caesar": (
        "Write `caesar(text, k)`: shift the letters a-z and A-Z by k, wrap around, and leave all else.",
        [
            "out = []\nfor c in text:\n    if c.isascii() and c.isalpha():\n"
            "        base = 65 if c.isupper() else 97\n        c = chr((ord(c) - base + k) % 26 + base)\n"
            '    out.append(c)\nreturn "".join(out)'
        ],
        [
            ('return "".join(chr(ord(c) + k) if c.isalpha() else c for c in text)', 0.4),
            ('return "".join(chr((ord(c) - 97 + k) % 26 + 97) if c.isalpha() else c for c in text)', 0.5),
        ],
    ),
}

IDEAS = {
    "longest_run": ("I compare each item with the one before.", "A run ends where two neighbours differ.",
                    "Only the present run and the best so far matter."),
    "merge_spans": ("Sorted by start, an interval can only touch the last one kept.",
                    "Two intervals that share an end are one.",
                    "The last interval grows while the next one reaches it."),
    "rotate_left": ("What is cut off in front goes to the end.", "Slices do this without a loop.",
                    "The question is what happens when k goes past the length."),
    "balanced": ("Each closing bracket has to meet something that is open.", "Letters in between do not matter.",
                 "At the end nothing may be left open."),
    "digit_root": ("The sum of the digits has the same remainder by nine.", "Zero needs a look of its own.",
                   "For large n one sum is not always enough."),
    "second_largest": ("Equal numbers count once.", "Sorting makes this short.", "One distinct number has no second."),
    "window_sums": ("There are len - k + 1 windows.", "Each window starts one further to the right.",
                    "The last start is where k items are just left."),
    "caesar": ("Capitals and small letters wrap around on their own.", "Spaces and signs stay as they are.",
               "The shift is taken modulo 26."),
}  # fmt: skip
PLANS = (
    "The edge cases decide this one: nothing given, one element, and the very end.",
    "A direct reading of the statement works, so no clever structure is needed.",
    "The tricky place is the border, so I look at it before writing anything.",
    "I keep it short and readable.",
)
AFTER = (
    "It follows the statement in its order.",
    "I traced it by hand on two small inputs.",
    "An empty input is the case I would test first.",
    "No import beyond the standard library is needed.",
    "The name and the arguments are those of the statement.",
)
SETTINGS = (
    "It is called from a report that runs nightly.",
    "The inputs come from a sensor log.",
    "Aim for readable code; a colleague will maintain it.",
    "Do not print anything.",
    "Use only the standard library.",
    "Speed matters little here.",
)


def tasks(rng: random.Random, prefix: str = "prog") -> list[Problem]:
    """Each task in several settings."""
    out = []
    for setting in SETTINGS:
        for name, (statement, _, _) in TASKS.items():
            text = f"{statement} {setting}"
            out.append(Problem(f"{prefix}-{len(out)}", text, hard=rng.gauss(0, 0.7), data={"task": name}))
    return out


def program(rng: random.Random, problem: Problem, right: bool) -> tuple[str, float]:
    """A reply with a program, and the share of hidden tests that it passes."""
    name = problem.data["task"]
    statement, good, bad = TASKS[name]
    body, share = (rng.choice(good), 1.0) if right else rng.choice(bad)
    head = statement.split("`")[1]
    code = f"def {head}:\n" + "\n".join("    " + line for line in body.splitlines())
    ideas = [*rng.sample(IDEAS[name], rng.randint(1, 2)), *rng.sample(PLANS, rng.randint(0, 2))]
    plan = " ".join(ideas)
    tail = " ".join(rng.sample(AFTER, rng.randint(0, 2)))
    return f"{plan}\n\n```python\n{code}\n```\n{tail}".rstrip(), share
