"""Small functions to write in Python, with right and wrong bodies; tests really run."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem, speak

THOUGHTS = [
    "One pass over the input does it.", "A comprehension is enough.", "I keep it short.", "No library is needed.",
    "The edge case is an empty list.", "I return early where I can.", "Let me write it down directly.", "",
]  # fmt: skip


def _forms(rng: random.Random) -> tuple[str, str, str, list[str], list[tuple]]:
    k, n = rng.randint(2, 9), rng.randint(2, 12)
    lists = [[rng.randint(-20, 60) for _ in range(rng.randint(4, 9))] for _ in range(4)]
    texts = ["".join(rng.choice("abcdeiou ") for _ in range(12)) for _ in range(4)]
    forms = [
        (f"sum_multiples_{k}", f"the sum of all multiples of {k} in a list", f"sum(v for v in x if v % {k} == 0)",
         [f"sum(v for v in x if v % {k} == 1)", f"len([v for v in x if v % {k} == 0])", "sum(x)"], lists),
        (f"count_above_{n}", f"how many values of a list are greater than {n}", f"sum(v > {n} for v in x)",
         [f"sum(v < {n} for v in x)", f"sum(v for v in x if v > {n})", "len(x)"], lists),
        (f"shift_by_{k}", f"the list with {k} added to every value, in reverse order", f"[v + {k} for v in x][::-1]",
         [f"[v + {k} for v in x]", f"[v - {k} for v in x][::-1]", f"sorted(v + {k} for v in x)"], lists),
        (f"spread_plus_{n}", f"the largest less the smallest value of a list, plus {n}", f"max(x) - min(x) + {n}",
         [f"max(x) + {n}", f"max(x) - min(x) - {n}", f"x[-1] - x[0] + {n}"], lists),
        (f"vowels_times_{k}", f"{k} times the number of vowels of a text", f"{k} * sum(c in 'aeiou' for c in x)",
         [f"{k} * len(x)", f"{k} + sum(c in 'aeiou' for c in x)", f"{k} * sum(c in 'aei' for c in x)"], texts),
    ]  # fmt: skip
    name, words, right, wrong, values = rng.choice(forms)
    return name, words, right, wrong, [(v,) for v in values]


def _value(body: str, x: object) -> object:
    return eval(body, {"x": x})


def functions(rng: random.Random, count: int) -> list[Problem]:
    """Functions whose wrong bodies fail at least one test."""
    out: list[Problem] = []
    seen = set()
    while len(out) < count:
        name, words, right, wrong, cases = _forms(rng)
        want = [_value(right, x) for (x,) in cases]
        wrong = [body for body in wrong if [_value(body, x) for (x,) in cases] != want]
        if name in seen or not wrong:
            continue
        seen.add(name)
        tests = [f"assert {name}({x!r}) == {w!r}" for (x,), w in zip(cases, want, strict=True)]
        prompt = f"Write a Python function {name}(x) that returns {words}. Reply with one fenced block."
        data = {"name": name, "right": right, "wrong": wrong, "tests": tests, "cases": cases, "want": want}
        out.append(Problem(f"py-{len(out):02d}", prompt, "\n".join(tests), name[:8], rng.gauss(0, 0.7), data))
    return out


def write(rng: random.Random, problem: Problem, right: bool) -> tuple[str, str, int]:
    """A reply, its code, and how many tests it passes."""
    data = problem.data
    body = data["right"] if right else rng.choice(data["wrong"])
    passed = sum(_value(body, x) == w for (x,), w in zip(data["cases"], data["want"], strict=True))
    var = rng.choice(["result", "out", "answer", "value"])
    lines = rng.choice([f"    return {body}", f"    {var} = {body}\n    return {var}"])
    code = f"def {data['name']}(x):\n{lines}\n"
    return speak(rng, *rng.sample(THOUGHTS, 2)) + f"\n```python\n{code}```", code, passed
