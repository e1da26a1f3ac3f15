"""Small functions to write: text of the task, programs that are right or buggy, and examples."""

from collections.abc import Callable
from random import Random

from benchmarks.foreign.eighth.course import Reply, Task, answered

Cell = tuple[str, str, str, str, list[tuple[str, str]]]
"""Name with arguments, what it does, a right body, a buggy one, and examples of call and value."""


def _runs(rng: Random) -> Cell:
    least = rng.randint(2, 6)
    words = ["aabbbbc", "zzzyyx", "kkkkkk", "abcabc", "mmmnnno"]
    body = (
        "    best = 0\n    i = 0\n    while i < len(s):\n        j = i\n        while j < len(s) and s[j] == s[i]:\n"
        f"            j += 1\n        if j - i >= {least}:\n            best += 1\n        i = j\n    return best"
    )
    buggy = (
        "    best, length = 0, 1\n    for a, b in zip(s, s[1:]):\n        if a == b:\n            length += 1\n"
        f"        else:\n            best += length >= {least}\n            length = 1\n    return best"
    )

    def count(text: str) -> int:
        total, i = 0, 0
        while i < len(text):
            j = i
            while j < len(text) and text[j] == text[i]:
                j += 1
            total, i = total + (j - i >= least), j
        return total

    examples = [(repr(w), str(count(w))) for w in rng.sample(words, 3)]
    return (
        "count_runs(s)",
        f"returns how many maximal runs of equal letters in s have length {least} or more",
        body,
        buggy,
        examples,
    )


def _clip(rng: Random) -> Cell:
    low, high = rng.randint(-20, 0), rng.randint(5, 60)
    body = (
        f"    kept = [x for x in values if {low} <= x <= {high}]\n"
        "    return round(sum(kept) / len(kept), 2) if kept else None"
    )
    buggy = f"    kept = [x for x in values if {low} < x < {high}]\n    return round(sum(kept) / len(kept), 2)"
    examples = []
    for _ in range(3):
        values = [rng.randint(low - 15, high + 15) for _ in range(rng.randint(3, 6))]
        kept = [x for x in values if low <= x <= high]
        examples.append((str(values), str(round(sum(kept) / len(kept), 2) if kept else None)))
    text = f"averages the values from {low} to {high}, both included, to two decimals; None where there are none"
    return "mean_within(values)", text, body, buggy, examples


def _rotate(rng: Random) -> Cell:
    turn = rng.randint(2, 9)
    body = (
        f"    if not items:\n        return []\n    k = {turn} % len(items)\n"
        "    return items[-k:] + items[:-k] if k else list(items)"
    )
    buggy = f"    k = {turn}\n    return items[-k:] + items[:-k]"
    examples = []
    for _ in range(3):
        items = rng.sample(range(1, 60), rng.randint(2, 6))
        k = turn % len(items)
        examples.append((str(items), str(items[-k:] + items[:-k] if k else items)))
    return (
        "rotate(items)",
        f"rotates a list to the right by {turn} places, for lists of any length",
        body,
        buggy,
        examples,
    )


def _vowels(rng: Random) -> Cell:
    sign, letters = rng.choice("*#-_"), rng.choice(["aeiou", "aeiouy", "aou"])
    body = f'    return "".join("{sign}" if c.lower() in "{letters}" else c for c in text)'
    buggy = f'    for c in "{letters}":\n        text = text.replace(c, "{sign}")\n    return text'
    words = ["Orange Lake", "Ivy", "queue", "Yellow Umbrella", "Athens", "rhythm"]
    examples = [(repr(w), repr("".join(sign if c.lower() in letters else c for c in w))) for w in rng.sample(words, 3)]
    return (
        "mask(text)",
        f"replaces each of the letters {', '.join(letters)}, small or capital, by {sign!r}",
        body,
        buggy,
        examples,
    )


def _gaps(rng: Random) -> Cell:
    width = rng.randint(2, 12)
    body = (
        f"    stamps = sorted(set(stamps))\n    return [(a, b) for a, b in zip(stamps, stamps[1:]) if b - a > {width}]"
    )
    buggy = f"    return [(a, b) for a, b in zip(stamps, stamps[1:]) if b - a >= {width}]"
    examples = []
    for _ in range(3):
        stamps = [rng.randint(0, 70) for _ in range(rng.randint(4, 7))]
        order = sorted(set(stamps))
        pairs = [(a, b) for a, b in zip(order, order[1:], strict=False) if b - a > width]
        examples.append((str(stamps), str(pairs)))
    return (
        "gaps(stamps)",
        f"lists the pairs of neighbouring time stamps more than {width} apart; input may be unsorted",
        body,
        buggy,
        examples,
    )


def _base(rng: Random) -> Cell:
    base = rng.choice([3, 5, 6, 7, 9])

    def convert(n: int) -> str:
        digits = ""
        while n:
            digits, n = str(n % base) + digits, n // base
        return digits or "0"

    body = (
        '    sign, n, digits = "-" if n < 0 else "", abs(n), ""\n    while n:\n'
        f'        digits = str(n % {base}) + digits\n        n //= {base}\n    return sign + (digits or "0")'
    )
    buggy = (
        f'    digits = ""\n    while n > 0:\n        digits += str(n % {base})\n        n //= {base}\n    return digits'
    )
    examples = [(str(n), repr(convert(n))) for n in rng.sample(range(900), 3)]
    return "to_base(n)", f"writes a whole number, possibly negative, in base {base}", body, buggy, examples


def _ledger(rng: Random) -> Cell:
    fee = rng.randint(1, 9)
    body = (
        "    total = {}\n    for name, amount in entries:\n"
        f"        charge = {fee} if amount < 0 else 0\n"
        "        total[name] = total.get(name, 0) + amount - charge\n    return dict(sorted(total.items()))"
    )
    buggy = (
        "    total = {}\n    for name, amount in entries:\n        total[name] = total.get(name, 0) + amount\n"
        f"    return {{k: v - {fee} for k, v in total.items()}}"
    )
    examples = []
    for _ in range(3):
        entries = [(rng.choice("abc"), rng.randint(-30, 60)) for _ in range(rng.randint(2, 5))]
        total: dict[str, int] = {}
        for name, amount in entries:
            total[name] = total.get(name, 0) + amount - (fee if amount < 0 else 0)
        examples.append((str(entries), str(dict(sorted(total.items())))))
    text = f"sums amounts by name, charging a fee of {fee} on every negative amount, and sorts the result by name"
    return "balances(entries)", text, body, buggy, examples


CELLS: tuple[Callable[[Random], Cell], ...] = (_runs, _clip, _rotate, _vowels, _gaps, _base, _ledger)
LEADS = [
    "The edge cases are the empty input and repeated values, so I handle these first.",
    "A single pass is enough here.",
    "I go through the input once and keep a small state.",
    "The examples show that the bounds matter.",
    "Nothing beyond the standard library is needed.",
    "Straightforward; I only watch out for short inputs.",
    "Let me think about what happens at both ends.",
]


def code_task(rng: Random, harder: float = 0.0) -> Task:
    """A function to write from its description, with two examples shown and more tests hidden."""
    signature, does, body, buggy, examples = rng.choice(CELLS)(rng)
    name = signature.split("(")[0]
    shown = "\n".join(f">>> {name}({call})\n{value}" for call, value in examples[:2])
    prompt = rng.choice([
        f"Write a Python function `{signature}` that {does}.\n\nExamples:\n{shown}",
        f"Implement `{signature}`. It {does}.\n\n```\n{shown}\n```\nReturn only one code block.",
    ])  # fmt: skip
    hidden = rng.randint(6, 14)

    def solve(rng: Random, right: bool) -> Reply:
        program = f"def {signature}:\n{body if right else buggy}"
        if rng.random() < 0.3:
            program = program.replace(":\n", f':\n    """{does.capitalize()}."""\n', 1)
        passed = hidden if right else rng.randint(1, hidden - 2)
        text = f"{rng.choice(LEADS)}\n\n```python\n{program}\n```"
        return answered(text, "", tests_passed=passed, tests_total=hidden)

    examples_text = [[f"{name}({call})", value] for call, value in examples]
    return Task(prompt, "", name, harder, solve, extra={"entry_point": name, "examples": examples_text})
