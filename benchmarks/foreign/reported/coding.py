"""Small functions to write. Solutions are run on their tests, so the shares that pass are real."""

from functools import lru_cache

from benchmarks.foreign.reported.run import Draw, Task

_JOBS = (
    ("running_max", "returns the list of running maxima of a list of integers",
     ("out = []\nfor x in xs:\n    out.append(x if not out or x > out[-1] else out[-1])\nreturn out",
      "return [max(xs[: i + 1]) for i in range(len(xs))]"),
     ("return sorted(xs)",
      "best = 0\nout = []\nfor x in xs:\n    best = max(best, x)\n    out.append(best)\nreturn out"),
     (([3, 1, 5, 2], [3, 3, 5, 5]), ([-4, -7], [-4, -4]), ([], []), ([1], [1]), ([2, 2, 9], [2, 2, 9]))),
    ("vowels", "counts the vowels of a string, in either case",
     ("return sum(c in 'aeiou' for c in xs.lower())",
      "n = 0\nfor c in xs:\n    if c.lower() in 'aeiou':\n        n += 1\nreturn n"),
     ("return sum(c in 'aeiou' for c in xs)", "return len(set(xs.lower()) & set('aeiou'))"),
     (("Aerie", 4), ("sky", 0), ("", 0), ("banana", 3), ("OUI", 3))),
    ("dedupe", "removes duplicates from a list and keeps the first of each in order",
     ("return list(dict.fromkeys(xs))",
      "seen, out = set(), []\nfor x in xs:\n    if x not in seen:\n"
      "        seen.add(x)\n        out.append(x)\nreturn out"),
     ("return sorted(set(xs))", "return [x for i, x in enumerate(xs) if i == 0 or x != xs[i - 1]]"),
     (([3, 1, 3, 2], [3, 1, 2]), ([1, 1, 2], [1, 2]), ([], []), ([5, 4, 4, 5], [5, 4]), ([7], [7]))),
    ("digit_sum", "returns the sum of the digits of an integer, which may be negative",
     ("return sum(int(c) for c in str(abs(xs)))",
      "n, total = abs(xs), 0\nwhile n:\n    total += n % 10\n    n //= 10\nreturn total"),
     ("return sum(int(c) for c in str(xs))", "return xs % 9"),
     ((123, 6), (-45, 9), (0, 0), (1000, 1), (99, 18))),
    ("second", "returns the second largest distinct number of a list, or None",
     ("ys = sorted(set(xs))\nreturn ys[-2] if len(ys) > 1 else None",
      "ys = sorted(set(xs), reverse=True)\nif len(ys) < 2:\n    return None\nreturn ys[1]"),
     ("return sorted(xs)[-2]", "return sorted(set(xs))[-2]"),
     (([4, 9, 9, 1], 4), ([5], None), ([2, 2], None), ([1, 2], 1), ([-1, -5, -3], -3))),
    ("rotate", "rotates a list by one place to the right",
     ("return xs[-1:] + xs[:-1]", "if not xs:\n    return []\nreturn [xs[-1], *xs[:-1]]"),
     ("return xs[1:] + xs[:1]", "return [xs[-1]] + xs[:-1]"),
     (([1, 2, 3], [3, 1, 2]), ([], []), ([7], [7]), ([1, 2], [2, 1]), ([4, 4, 5], [5, 4, 4]))),
)  # fmt: skip
_TALK = (
    "Here is my solution.",
    "The idea is simple.",
    "This handles the empty case.",
    "One pass is enough.",
    "Straightforward:",
)


def draw(rng: Draw, name: str) -> Task:
    """Draw a function to write."""
    job = rng.choice(_JOBS)
    called = f"{job[0]}_{rng.choice('abcdefghk')}{rng.randint(2, 99)}"
    ask = rng.choice(("Write a Python function", "Implement", "Please write a function"))
    return Task(
        name, f"{ask} `{called}(xs)` that {job[1]}.", str(len(job[4])), job[0], None, {"job": job, "called": called}
    )


@lru_cache(maxsize=256)
def _passed(body: str, tests: str) -> float:
    space: dict = {}
    exec("def f(xs):\n" + "\n".join(f"    {line}" for line in body.split("\n")), space)
    results = []
    for given, wanted in eval(tests):
        try:
            results.append(space["f"](given) == wanted)
        except (IndexError, ValueError, TypeError):
            results.append(False)
    return sum(results) / len(results)


def write(rng: Draw, task: Task, right: bool) -> tuple[str, float]:
    """A solution and the share of tests that it passes."""
    job = task.facts["job"]
    body = rng.choice(job[2] if right else job[3])
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    text = f"{rng.choice(_TALK)}\n```python\ndef {task.facts['called']}(xs):\n{lines}\n```"
    return text, _passed(body, repr(job[4]))
