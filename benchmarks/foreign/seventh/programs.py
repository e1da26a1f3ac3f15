"""Small programming tasks whose bodies are really run."""

import random
from collections.abc import Callable

from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

Case = tuple[tuple, object]


def _numbers(rng: random.Random, low: int = -20, high: int = 40) -> list[int]:
    return [rng.randint(low, high) for _ in range(rng.randint(4, 9))]


def _letters(rng: random.Random, pool: str = "aaabbbccde") -> str:
    return "".join(rng.choice(pool) for _ in range(rng.randint(5, 14)))


SHAPES: dict[str, tuple] = {
    "above": (
        "Return the sum of all numbers in `xs` that are at least {k}.",
        [
            "    return sum(x for x in xs if x >= {k})",
            "    total = 0\n    for x in xs:\n        if x >= {k}:\n            total += x\n    return total",
        ],
        [
            "    return sum(x for x in xs if x > {k} + 1)",
            "    total = 0\n    for x in xs:\n        if x <= {k}:\n            total += x\n    return total",
        ],
        lambda r, k: ([*_numbers(r), k, k + 1],),
    ),
    "rotate": (
        "Return `xs` rotated {k} places to the left.",
        [
            "    if not xs:\n        return xs\n    s = {k} % len(xs)\n    return xs[s:] + xs[:s]",
            "    out = list(xs)\n    for _ in range({k}):\n        if out:\n            out.append(out.pop(0))\n    return out",
        ],
        ["    return xs[-{k}:] + xs[:-{k}]", "    return xs[{k}:] + xs[:{k} - 1]"],
        lambda r, k: ([r.randint(-99, 99) for _ in range(k + 3 + r.randint(1, 4))],),
    ),
    "chunks": (
        "Split `xs` into consecutive lists of {k} elements; the last may be shorter.",
        [
            "    return [xs[i:i + {k}] for i in range(0, len(xs), {k})]",
            "    out = []\n    while xs:\n        out.append(xs[:{k}])\n        xs = xs[{k}:]\n    return out",
        ],
        [
            "    return [xs[i:i + {k}] for i in range(0, len(xs) - {k}, {k})]",
            "    return [xs[i:i + {k} + 1] for i in range(0, len(xs), {k})]",
        ],
        lambda r, k: (list(range(r.randint(2 * k, 4 * k) + 1)),),
    ),
    "shift": (
        "Shift each lowercase letter of `xs` by {k} in the alphabet, wrapping round; leave the rest.",
        [
            "    out = ''\n    for c in xs:\n        if 'a' <= c <= 'z':\n            c = chr((ord(c) - 97 + {k}) % 26 + 97)\n        out += c\n    return out"
        ],
        [
            "    return ''.join(chr(ord(c) + {k}) for c in xs)",
            "    out = ''\n    for c in xs:\n        if c.isalpha():\n            c = chr((ord(c) - 97 - {k}) % 26 + 97)\n        out += c\n    return out",
        ],
        lambda r, k: (_letters(r, "abcdefghijklmnopqrstuvwxyz  ") + " zyx",),
    ),
    "longest": (
        "Return the length of the longest run of equal characters in `xs`, plus {k}.",
        [
            "    best = run = 0\n    last = None\n    for c in xs:\n        run = run + 1 if c == last else 1\n        last = c\n        best = max(best, run)\n    return best + {k}"
        ],
        [
            "    return max(xs.count(c) for c in xs) + {k} + 1",
            "    best = run = 0\n    last = None\n    for c in xs:\n        run = run + 1 if c == last else 0\n        last = c\n        best = max(best, run)\n    return best + {k}",
        ],
        lambda r, k: (_letters(r),),
    ),
    "window": (
        "Return the largest sum of {k} neighbouring numbers of `xs`.",
        [
            "    return max(sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1))",
            "    now = best = sum(xs[:{k}])\n    for i in range({k}, len(xs)):\n        now += xs[i] - xs[i - {k}]\n        best = max(best, now)\n    return best",
        ],
        [
            "    return sum(sorted(xs)[-{k}:]) + 1",
            "    return min(sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1))",
        ],
        lambda r, k: (sorted(_numbers(r)) + [3, 50] + [1] * k,),
    ),
    "digits": (
        "Write the non-negative integer `xs` in base {k} and return the digits as a list, highest first.",
        [
            "    if xs == 0:\n        return [0]\n    out = []\n    while xs:\n        out.append(xs % {k})\n        xs //= {k}\n    return out[::-1]"
        ],
        [
            "    out = []\n    while xs:\n        out.append(xs % {k})\n        xs //= {k}\n    return out",
            "    return [int(c) for c in str(xs)] + [{k}]",
        ],
        lambda r, k: (r.randint(90, 4000) * k + 1,),
    ),
    "every": (
        "Return the elements of `xs` whose index is divisible by {k}, without repeats, in order.",
        [
            "    return list(dict.fromkeys(xs[::{k}]))",
            "    seen, out = set(), []\n    for i, x in enumerate(xs):\n        if i % {k} == 0 and x not in seen:\n            seen.add(x)\n            out.append(x)\n    return out",
        ],
        ["    return [x for i, x in enumerate(xs, 1) if i % {k} == 0]", "    return sorted(set(xs[1::{k}]))"],
        lambda r, k: ([9, 4, 9, 1, *_numbers(r, 0, 9), 7, 5],),
    ),
}
SIZES = {
    "above": (3, 30),
    "rotate": (2, 9),
    "chunks": (2, 7),
    "shift": (1, 12),
    "longest": (1, 20),
    "window": (2, 5),
    "digits": (2, 16),
    "every": (2, 5),
}
VERBS = ["compute_", "make_", "get_", "solve_", "do_", "f_", "run_", "task_"]


def run_case(source: str, name: str, arguments: tuple) -> object:
    """What the program returns, or the error as text."""
    space: dict = {}
    try:
        exec(source, space)  # noqa: S102
        return space[name](*arguments)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


def passes(source: str, name: str, cases: list[Case]) -> list[bool]:
    """The verdict of each case."""
    return [run_case(source, name, arguments) == expected for arguments, expected in cases]


def source_of(name: str, body: str, doc: str = "") -> str:
    """A function's text."""
    return f"def {name}(xs):\n" + (f'    """{doc}"""\n' if doc else "") + body + "\n"


def code_task(rng: random.Random, name: str, write: Callable | None = None) -> Task:
    """A function to write; the reply holds its source."""
    family = rng.choice(list(SHAPES))
    ask, good, bad, inputs = SHAPES[family]
    k = rng.randint(*SIZES[family])
    function = rng.choice(VERBS) + family + rng.choice(("", f"_{k}", "_list", "_v2"))
    reference = source_of(function, good[0].format(k=k))
    cases = []
    for _ in range(6):
        arguments = inputs(rng, k)
        cases.append(
            (arguments, run_case(reference, function, tuple(list(a) if isinstance(a, list) else a for a in arguments)))
        )
    prompt = say(rng, f"[Write|Implement|Complete] a Python function `{function}(xs)`. ") + ask.format(k=k)
    prompt += say(
        rng,
        " [Return only the code in one block.|Answer with a single python code block.|Give the code in a fenced block.]",
    )

    def reply(draw: random.Random, right: bool) -> Reply:
        body = draw.choice(good if right else bad).format(k=k)
        source = source_of(function, body, ask.format(k=k) if draw.random() < 0.3 else "")
        verdicts = passes(source, function, cases)
        if all(verdicts) is not right:
            source = source_of(function, body if right else "    return None")
            verdicts = passes(source, function, cases)
        return (write or plain_reply)(draw, source, verdicts)

    return Task(
        name,
        family,
        "code",
        prompt,
        reference,
        reply,
        level=rng.gauss(0, 1),
        extra={"entry_point": function},
        identity=f"{family}/{k}",
    )


def plain_reply(rng: random.Random, source: str, verdicts: list[bool]) -> Reply:
    """A sentence and a block of code."""
    lead = say(
        rng,
        rng.choice(
            (
                "[Here is|This is] [the function|an implementation|my solution].",
                "",
                "[Idea|Plan]: [a single pass|go straight through the input|use slices].",
                "[We can|I] do this [directly|without imports].",
            )
        ),
    )
    tail = say(
        rng,
        rng.choice(
            ("", "", "[It runs|Runs] in linear time.", "[Edge cases are covered.|Works for the given examples.]")
        ),
    )
    text = "\n\n".join(part for part in (lead, f"```python\n{source}```", tail) if part)
    return Reply([said(text)], source, {"tests_passed": sum(verdicts), "tests_total": len(verdicts)})
