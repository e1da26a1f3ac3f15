"""Competitive programming on lists: statements, right and wrong programs, examples that are really computed."""

import random

TASKS = (
    ("print the sum of all values greater than K", "sum(x for x in a if x > k)", "sum(x for x in a if x >= k)"),
    ("print how many values are divisible by K", "sum(1 for x in a if x % k == 0)", "sum(1 for x in a if x // k > 0)"),
    (
        "print the largest difference between two neighbours, plus K",
        "max(abs(p - q) for p, q in zip(a, a[1:])) + k",
        "max(p - q for p, q in zip(a, a[1:])) + k",
    ),
    (
        "print the number of distinct values after dividing each by K and rounding down",
        "len({x // k for x in a})",
        "len({x % k for x in a})",
    ),
    ("print the K-th smallest value", "sorted(a)[k - 1]", "sorted(a)[k]"),
    (
        "print the largest sum of K neighbouring values",
        "max(sum(a[i:i + k]) for i in range(n - k + 1))",
        "max(sum(a[i:i + k]) for i in range(n - k))",
    ),
    ("print the sum of the K largest values", "sum(sorted(a)[-k:])", "sum(sorted(set(a))[-k:])"),
    (
        "print how many pairs i < j have a sum divisible by K",
        "sum((a[i] + a[j]) % k == 0 for i in range(n) for j in range(i))",
        "sum((a[i] + a[i - 1]) % k == 0 for i in range(1, n))",
    ),
)
STORIES = (
    "The heights of N fence posts",
    "The prices of N tickets",
    "The loads of N lorries",
    "The waiting times of N trains",
    "The weights of N pumpkins",
    "The scores of N archers",
    "The depths of N wells",
    "The ages of N tortoises",
)
THOUGHTS = (
    "The input is small, so a direct pass over the list is enough.",
    "I read N and K first, then the values.",
    "One expression does it; there is no need for more than one scan or a sort.",
    "Edge cases are ties and short lists.",
    "Brute force is within the limits here, so I keep it plain.",
    "Careful with the bounds of the index.",
)


def example(rng: random.Random, right: str, size: int = 7) -> tuple[list[int], int, int]:
    """Values, K and the expected output."""
    a, k = [rng.randint(1, 30) for _ in range(size)], rng.randint(2, 4)
    return a, k, int(eval(right, {"a": a, "k": k, "n": size}))


def problems(rng: random.Random, number: int) -> list[dict]:
    """Statements with two examples each."""
    pairs = [(s, t) for s in STORIES for t in TASKS]
    out = []
    for at, (story, (ask, right, wrong)) in enumerate(rng.sample(pairs, min(number, len(pairs)))):
        shown = [example(rng, right) for _ in range(2)]
        text = f"{story} are given with a number K; {ask}.\nInput: N and K, then N integers.\n" + "\n".join(
            f"Example {i + 1}\nInput:\n{len(a)} {k}\n{' '.join(map(str, a))}\nOutput:\n{v}"
            for i, (a, k, v) in enumerate(shown)
        )
        out.append(
            {
                "id": f"cp-{at:02d}",
                "text": text,
                "right": right,
                "wrong": wrong,
                "shown": shown,
                "hard": rng.gauss(0, 1.0),
            }
        )
    return out


def source(rng: random.Random, expression: str) -> str:
    """A program around an expression, in one of some styles."""
    styles = (
        "n, k = map(int, input().split())\na = list(map(int, input().split()))\nprint({e})",
        "import sys\n\n\ndef main():\n    data = [int(x) for x in sys.stdin.read().split()]\n"
        "    n, k = data[0], data[1]\n    a = data[2:2 + n]\n    print({e})\n\n\nmain()",
        "def solve(n, k, a):\n    return {e}\n\n\nn, k = map(int, input().split())\n"
        "a = list(map(int, input().split()))\nprint(solve(n, k, a))",
        "import sys\n\nread = sys.stdin.readline\nn, k = map(int, read().split())\na = list(map(int, read().split()))\n"
        "result = {e}\nprint(result)",
    )
    return rng.choice(styles).format(e=expression)


def reply(rng: random.Random, code: str, lead: str = "") -> str:
    """Thoughts and a fenced program."""
    lead = lead or " ".join(rng.sample(THOUGHTS, rng.randint(1, 3)))
    return f"{lead}\n\n```python\n{code}\n```"


def passes(task: dict, expression: str, tests: int = 12) -> float:
    """The share of the task's hidden tests that an expression passes; the tests are the same each time."""
    good, rng = 0, random.Random(task["text"])
    for _ in range(tests):
        a, k, value = example(rng, task["right"], rng.randint(5, 12))
        good += eval(expression, {"a": a, "k": k, "n": len(a)}) == value
    return good / tests
