"""Small functions to write in Python, with programs that pass and that fail."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

VERBS = ["count", "tally", "find", "measure", "collect"]


def _divisible(rng: Random) -> tuple:
    k, low = rng.randint(3, 13), rng.randint(5, 60)
    name = f"{rng.choice(VERBS)}_multiples_{k}"
    ask = f"returns how many integers in `items` are divisible by {k} and strictly greater than {low}."
    good = [
        f"    return sum(1 for v in items if v % {k} == 0 and v > {low})",
        f"    n = 0\n    for v in items:\n        if v > {low} and not v % {k}:\n            n += 1\n    return n",
        f"    return len([v for v in items if v > {low} and v % {k} == 0])",
    ]
    bad = [
        f"    return sum(1 for v in items if v % {k} == 0 and v >= {low - low % k})",
        f"    return sum(v for v in items if v % {k} == 0 and v > {low})",
        f"    n = 0\n    for v in items:\n        if v > {low} and v % {k}:\n            n += 1\n    return n",
    ]
    big = k * (low // k + 2)
    return name, "items", ask, good, bad, (f"[{big}, {big + k}, {low - 1}]", "2")


def _shift(rng: Random) -> tuple:
    k = rng.randint(2, 11)
    name = f"shift_letters_{k}"
    ask = f"returns `text` with each lower-case letter moved {k} places on in the alphabet, wrapping from z to a."
    good = [
        f"    move = lambda c: chr((ord(c) - 97 + {k}) % 26 + 97) if 'a' <= c <= 'z' else c\n"
        "    return ''.join(map(move, text))",
        f"    abc = 'abcdefghijklmnopqrstuvwxyz'\n    return text.translate(str.maketrans(abc, abc[{k}:] + abc[:{k}]))",
    ]
    bad = [
        f"    return ''.join(chr(ord(c) + {k}) if c.isalpha() else c for c in text)",
        f"    abc = 'abcdefghijklmnopqrstuvwxyz'\n    return ''.join(abc[(abc.index(c) + {k}) % 25] for c in text)",
    ]
    return name, "text", ask, good, bad, ("'xyz'", repr("".join(chr((ord(c) - 97 + k) % 26 + 97) for c in "xyz")))


def _gaps(rng: Random) -> tuple:
    gap = rng.randint(2, 30)
    name = f"merge_within_{gap}"
    ask = (
        f"merges the sorted intervals in `spans` that overlap or lie at most {gap} apart, and returns a list of lists."
    )
    good = [
        "    out = []\n    for a, b in spans:\n"
        f"        if out and a - out[-1][1] <= {gap}:\n            out[-1][1] = max(out[-1][1], b)\n"
        "        else:\n            out.append([a, b])\n    return out"
    ]
    bad = [good[0].replace("max(out[-1][1], b)", "b"), good[0].replace(f"<= {gap}", f"< {gap}")]
    return name, "spans", ask, good, bad, (f"[[0, 4], [{4 + gap}, {9 + gap}]]", f"[[0, {9 + gap}]]")


def _digits(rng: Random) -> tuple:
    base = rng.choice([3, 4, 5, 6, 7, 9, 11, 12])
    name = f"digit_sum_base_{base}"
    ask = f"returns the sum of the digits of the non-negative integer `n` written in base {base}."
    good = [
        f"    total = 0\n    while n:\n        n, d = divmod(n, {base})\n        total += d\n    return total",
        f"    return 0 if n == 0 else n % {base} + {name}(n // {base})",
    ]
    bad = ["    return sum(int(c) for c in str(n))", good[0].replace("while n:", f"while n >= {base}:")]
    return name, "n", ask, good, bad, (str(base * base + 2), "3")


def _streak(rng: Random) -> tuple:
    mark, least = rng.choice("#x*@o"), rng.randint(2, 5)
    name = f"streaks_of_{least}"
    ask = f"returns how many maximal runs of {mark!r} in `row` are at least {least} long."
    good = [
        f"    import re\n    return len(re.findall(re.escape({mark!r}) + '{{{least},}}', row))",
        f"    return sum(len(p) >= {least} for p in ''.join(c if c == {mark!r} else ' ' for c in row).split())",
    ]
    bad = [f"    return row.count({mark!r} * {least})", f"    return sum(len(p) > {least} for p in row.split('.'))"]
    return name, "row", ask, good, bad, (repr(mark * least + ".." + mark), "1")


DRAWS = {"filters": _divisible, "ciphers": _shift, "intervals": _gaps, "digits": _digits, "runs": _streak}
HARD = {"filters": -0.6, "ciphers": 0.1, "intervals": 0.6, "digits": 0.2, "runs": 0.5}


def make(rng: Random) -> Task:
    """A function to write, with one example."""
    family = rng.choice(list(DRAWS))
    name, arg, ask, good, bad, (given, result) = DRAWS[family](rng)
    also = rng.choice(
        ["", " The input may be empty.", " Standard library only.", " Keep it short.", " No recursion is needed."]
    )
    text = f"Write a Python function `{name}({arg})` that {ask}{also}\n\nExample:\n>>> {name}({given})\n{result}"
    work = {"name": name, "arg": arg, "good": good, "bad": bad, "given": given, "result": result}
    return Task(text, result, family, HARD[family], work=work)


SAYS = [
    "Here is the function.",
    "A direct pass over the input does it.",
    "The one thing to watch is the boundary, so I spell it out.",
    "I considered two ways and took the simpler one.",
    "This follows the statement literally.",
    "Edge case: nothing to do for empty input.",
]


def body(rng: Random, task: Task, right: bool) -> str:
    """The program, as it stands in the reply."""
    inside = rng.choice(task.work["good" if right else "bad"])
    note = rng.choice(
        ["", "", f"    # {rng.choice(['walk once', 'see statement', 'simple pass', 'boundary matters'])}\n"]
    )
    return f"def {task.work['name']}({task.work['arg']}):\n{note}{inside}"


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """A sentence or two and a fenced program."""
    return fenced(rng, body(rng, task, right), level)


def fenced(rng: Random, program: str, level: float) -> Reply:
    """The reply that hands in this program."""
    said = rng.sample(SAYS, 1 + (rng.random() < 0.3 + 0.1 * level))
    return Reply([{"role": "assistant", "content": f"{' '.join(said)}\n\n```python\n{program}\n```"}], "")


PROGRAMS = World("pyfunc", make, solve, "You write correct, plain Python. Hand in one fenced block.")
