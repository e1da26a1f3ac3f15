"""Small programs in Python, Go and JavaScript, right and wrong ones, with what they must return."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.foreign.thirtyninth.policy import Problem


@dataclass(frozen=True)
class Work:
    """A function to write: what it does, a reference, and bodies by language, the last of each wrong."""

    name: str
    says: str
    reference: Callable[[list[int], int], int]
    python: tuple[str, ...]
    go: tuple[str, ...]
    script: tuple[str, ...]


def _over(xs: list[int], k: int) -> int:
    total = 0
    for place, x in enumerate(xs):
        total += x
        if total > k:
            return place
    return -1


WORKS = (
    Work(
        "countDivisible",
        "how many numbers of the list are divisible by k",
        lambda xs, k: sum(x % k == 0 for x in xs),
        ("return sum(x % k == 0 for x in xs)", "return len([x for x in xs if x % k == 0])", "return len(xs) // k"),
        (
            "n := 0\n\tfor _, x := range xs {\n\t\tif x%k == 0 {\n\t\t\tn++\n\t\t}\n\t}\n\treturn n",
            "return len(xs) / k",
        ),
        ("return xs.filter(x => x % k === 0).length;", "return Math.floor(xs.length / k);"),
    ),
    Work(
        "sumAbove",
        "the sum of the numbers greater than k",
        lambda xs, k: sum(x for x in xs if x > k),
        (
            "return sum(x for x in xs if x > k)",
            "return sum(filter(lambda x: x > k, xs))",
            "return sum(x - k for x in xs)",
        ),
        ("s := 0\n\tfor _, x := range xs {\n\t\tif x > k {\n\t\t\ts += x\n\t\t}\n\t}\n\treturn s", "return xs[0] + k"),
        ("return xs.filter(x => x > k).reduce((s, x) => s + x, 0);", "return xs.reduce((s, x) => s + x, 0) - k;"),
    ),
    Work(
        "firstOver",
        "the first index at which the running sum exceeds k, or -1",
        _over,
        (
            "t = 0\n    for i, x in enumerate(xs):\n        t += x\n        if t > k:\n            return i\n"
            "    return -1",
            "from itertools import accumulate\n    return next((i for i, t in enumerate(accumulate(xs)) if t > k), -1)",
            "return next((i for i, x in enumerate(xs) if x > k), len(xs))",
        ),
        (
            "t := 0\n\tfor i, x := range xs {\n\t\tt += x\n\t\tif t > k {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn -1",
            "return len(xs)",
        ),
        ("let t = 0;\n  return xs.findIndex(x => (t += x) > k);", "return xs.indexOf(k) + 7;"),
    ),
    Work(
        "clampTotal",
        "the sum of the numbers, each cut down to at most k",
        lambda xs, k: sum(min(x, k) for x in xs),
        ("return sum(min(x, k) for x in xs)", "return sum(x if x < k else k for x in xs)", "return min(sum(xs), k)"),
        ("s := 0\n\tfor _, x := range xs {\n\t\ts += min(x, k)\n\t}\n\treturn s", "return k"),
        ("return xs.reduce((s, x) => s + Math.min(x, k), 0);", "return Math.min(...xs, k);"),
    ),
    Work(
        "widestGap",
        "the largest difference of neighbours in sorted order, plus k",
        lambda xs, k: max(b - a for a, b in zip(sorted(xs), sorted(xs)[1:], strict=False)) + k,
        (
            "ys = sorted(xs)\n    return max(b - a for a, b in zip(ys, ys[1:])) + k",
            "ys = sorted(xs)\n    g = 0\n    for i in range(1, len(ys)):\n        g = max(g, ys[i] - ys[i - 1])\n"
            "    return g + k",
            "return max(xs) - min(xs) + k",
        ),
        (
            "sort.Ints(xs)\n\tg := 0\n"
            "\tfor i := 1; i < len(xs); i++ {\n\t\tg = max(g, xs[i]-xs[i-1])\n\t}\n\treturn g + k",
            "return xs[len(xs)-1] - xs[0] + k",
        ),
        (
            "const ys = [...xs].sort((a, b) => a - b);\n"
            "  return Math.max(...ys.slice(1).map((y, i) => y - ys[i])) + k;",
            "return Math.max(...xs) - Math.min(...xs) + k;",
        ),
    ),
    Work(
        "digitRest",
        "the digit sum of all numbers together, modulo k",
        lambda xs, k: sum(int(d) for x in xs for d in str(x)) % k,
        (
            "return sum(int(d) for x in xs for d in str(x)) % k",
            "return sum(map(int, ''.join(map(str, xs)))) % k",
            "return sum(xs) % (k + 1)",
        ),
        (
            "s := 0\n\tfor _, x := range xs {\n"
            "\t\tfor ; x > 0; x /= 10 {\n\t\t\ts += x % 10\n\t\t}\n\t}\n\treturn s % k",
            "return len(xs) % k",
        ),
        ("return [...xs.join('')].reduce((s, d) => s + +d, 0) % k;", "return xs.length % (k + 1);"),
    ),
)
LEADS = (
    "One pass over the list is enough.",
    "The empty list needs no case of its own here.",
    "I keep it short and avoid a second list.",
    "The bound is strict, so I compare accordingly.",
    "Nothing has to be stored between the steps.",
    "I first thought of sorting; let me see whether it is needed.",
    "The example in the task confirms how k is meant.",
)
TAILS = (
    "This runs in linear time, apart from a sort if there is one.",
    "I checked the first example by hand.",
    "I take it that no number is negative.",
    "It should hold for long lists as well.",
    "",
)
FENCE = {"python": "python", "go": "go", "javascript": "js"}


def source(language: str, name: str, body: str) -> str:
    """The whole function in its language."""
    if language == "python":
        return f"def {name}(xs, k):\n    {body}"
    if language == "go":
        return f"func {name}(xs []int, k int) int {{\n\t{body}\n}}"
    return f"function {name}(xs, k) {{\n  {body}\n}}"


def around(draw: random.Random, says: str, language: str, code: str) -> str:
    """Code with sentences before and behind."""
    head = f"The function has to return {says}. {' '.join(draw.sample(LEADS, draw.randint(1, 2)))}"
    tail = draw.choice(TAILS)
    return f"{head}\n\n```{FENCE[language]}\n{code}\n```" + (f"\n\n{tail}" if tail else "")


def coding(rng: random.Random, number: int, languages: tuple[str, ...] = ("python", "go", "javascript")) -> Problem:
    """A function to write; wrong attempts take a wrong body."""
    work = WORKS[number % len(WORKS)]
    language = languages[(number // len(WORKS)) % len(languages)]
    name = f"{work.name}{number}"
    while True:
        low, high = (40, 130) if work.name == "firstOver" else (3, 12)
        cases = [(rng.sample(range(1, 60), rng.randint(5, 8)), rng.randint(low, high)) for _ in range(6)]
        golds = [work.reference(*case) for case in cases]
        if len(set(golds[:2])) == 2:
            break
    bodies = {"python": work.python, "go": work.go, "javascript": work.script}[language]
    shown = "\n".join(f"{name}({xs}, {k}) -> {gold}" for (xs, k), gold in zip(cases[:2], golds[:2], strict=True))

    def solve(draw: random.Random, right: bool) -> str:
        body = draw.choice(bodies[:-1]) if right else bodies[-1]
        return around(draw, work.says, language, source(language, name, body))

    return Problem(
        f"{language}-{number}",
        language,
        f"Write a function {name}(xs, k) in {language} that returns {work.says}.\nExamples:\n{shown}",
        str(golds[2:]),
        rng.gauss(0, 0.9),
        solve,
        {"work": work, "name": name, "cases": cases, "golds": golds, "language": language, "bodies": bodies},
    )


def codings(rng: random.Random, amount: int, *languages: str) -> list[Problem]:
    """Many of them."""
    return [coding(rng, number, languages or ("python", "go", "javascript")) for number in range(amount)]
