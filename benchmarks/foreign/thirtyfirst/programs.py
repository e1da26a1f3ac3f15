"""Small programming tasks with programs that are right, or wrong in one line."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

BOOK: list[tuple[str, str, str, str, str, str]] = [
    (
        "count_vowels",
        "counts the vowels of a text",
        "'harbour'",
        "s",
        "sum(c in 'aeiou' for c in s.lower())",
        "sum(c in 'aeio' for c in s)",
    ),
    (
        "second_largest",
        "returns the second largest distinct number",
        "[4, 9, 9, 2]",
        "xs",
        "sorted(set(xs))[-2]",
        "sorted(xs)[-2]",
    ),
    ("is_palindrome", "tells whether a text reads the same backwards, blanks left out", "'never odd or even'", "s")
    + ("s.replace(' ', '') == s.replace(' ', '')[::-1]", "s == s[::-1]"),
    ("digit_sum", "adds the digits of a whole number, which may be negative", "-407", "n")
    + ("sum(int(c) for c in str(abs(n)))", "sum(int(c) for c in str(n))"),
    ("longest_word", "returns the longest word, the first of equals", "'a tide of ink'", "s")
    + ("max(s.split(), key=len)", "sorted(s.split(), key=len)[-1]"),
    (
        "flatten",
        "joins lists of lists by one level",
        "[[1], [2, 3]]",
        "xs",
        "[y for x in xs for y in x]",
        "sum(xs[:2], [])",
    ),
    ("rotate", "turns a list to the left by k places", "[1, 2, 3, 4], 1", "xs, k")
    + ("xs[k % len(xs):] + xs[:k % len(xs)] if xs else []", "xs[k:] + xs[:k]"),
    ("mean_of_middle", "gives the mean without the least and the greatest", "[1, 5, 6, 30]", "xs")
    + ("sum(sorted(xs)[1:-1]) / (len(xs) - 2)", "sum(xs[1:-1]) / (len(xs) - 2)"),
    (
        "gcd_all",
        "gives the greatest common divisor of a list",
        "[12, 30, 42]",
        "xs",
        "__import__('math').gcd(*xs)",
        "min(xs)",
    ),
    ("run_lengths", "gives the lengths of runs of equal signs", "'aabccc'", "s")
    + ("[len(list(g)) for _, g in __import__('itertools').groupby(s)]", "[s.count(c) for c in sorted(set(s))]"),
]
"""Name, what it does, a sample argument, parameters, a right expression and a wrong one."""

THINK = [
    "It can be said in one expression.",
    "I think of the edge cases first.",
    "A loop would do, but this is shorter.",
]
CASES = ["An empty input deserves a look.", "Equal elements must not disturb it.", "Signs and blanks need care.", ""]


def coding(rng: Random, number: int, tail: str = "") -> list[Task]:
    """Tasks to write a function."""
    out = []
    for i in range(number):
        name, does, sample, parameters, good, bad = rng.choice(BOOK)
        base, name = name, f"{name}_{i}" if rng.random() < 0.5 else name
        prompt = f"Exercise {i + 1}. Write a Python function {name}({parameters}) that {does}. {tail}".strip()
        data = {"name": name, "sample": sample, "parameters": parameters, "good": good, "bad": bad, "does": does}
        out.append(Task(f"ex-{i:03d}", prompt, "", rng.gauss(0, 0.8), base, data))
    return out


def program(rng: Random, task: Task, right: bool) -> tuple[str, str]:
    """What is said before the program, and the program."""
    d = task.data
    value = d["good"] if right else d["bad"]
    note = rng.choice(["", f'    """{d["does"].capitalize()}."""\n', "    # see the exercise\n"])
    if rng.random() < 0.5:
        code = f"def {d['name']}({d['parameters']}):\n{note}    return {value}\n"
    else:
        var = rng.choice(["result", "out", "found", "answer"])
        code = f"def {d['name']}({d['parameters']}):\n{note}    {var} = {value}\n    return {var}\n"
    said = [f"The function {d['does']}.", rng.choice(THINK), rng.choice(CASES)]
    return " ".join(s for s in said if s), code
