"""Small functions in Python, judged by tests."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task
from benchmarks.foreign.twentyfourth.voice import plain

WORDS = ("runs", "peaks", "gaps", "pairs", "steps", "chunks", "ranks", "spans")
NAMES = ("values", "items", "xs", "row", "data", "seq", "nums")
BODIES = {
    "sum of the numbers divisible by {k} plus {m}": (
        "sum(v for v in {v} if v % {k} == 0) + {m}",
        "sum(v for v in {v} if v % {k}) + {m}",
    ),
    "count of numbers above {k}, times {m}": ("sum(v > {k} for v in {v}) * {m}", "sum(v >= {k} for v in {v}) * {m}"),
    "largest number after adding {k} to each, {m} if there are none": (
        "max((v + {k} for v in {v}), default={m})",
        "max(v + {k} for v in {v})",
    ),
    "sum of every {k}th number from the first on, less {m}": ("sum({v}[::{k}]) - {m}", "sum({v}[{k}::{k}]) - {m}"),
    "difference of the largest and smallest, at most {k} and at least {m}": (
        "max({m}, min({k}, max({v}) - min({v})))",
        "min({k}, max({v}) - min({v}))",
    ),
}


def function(rng: Random, key: str) -> Task:
    """Write a function of a list of integers."""
    what = rng.choice(tuple(BODIES))
    good, bad = BODIES[what]
    k = rng.randint(2, 19)
    m = rng.randint(0, min(9, k))
    title = f"{rng.choice(('get', 'find', 'sum', 'total'))}_{rng.choice(WORDS)}_{k}"
    question = f"Write a Python function `{title}(values)` that returns the {what.format(k=k, m=m)} of a list of ints."

    def write(r: Random, right: bool) -> Reply:
        v = r.choice(NAMES)
        expression = (good if right else bad).format(v=v, k=k, m=m)
        note = r.choice(("", "", f'    """The {what.format(k=k, m=m)}."""\n', f"    # {title.replace('_', ' ')}\n"))
        body = r.choice((f"    return {expression}\n", f"    result = {expression}\n    return result\n"))
        lead = r.choice(
            (
                "Here it is:",
                f"One expression is enough for {title}.",
                "A comprehension does it.",
                "",
                "Straightforward.",
                f"With k = {k}:",
            )
        )
        end = r.choice(
            ("", "", f"It walks {v} once.", "Empty lists are covered." if right else "This covers the cases.")
        )
        return Reply(plain(f"{lead}\n```python\ndef {title}({v}):\n{note}{body}```\n{end}".strip()), expression)

    return Task(key, question, "", write, family=what.split(" ")[0], extra={"tests": rng.randint(4, 11)})


def with_code(rng: Random, text: str, numbers: str) -> str:
    """A solution in words, with a program behind that nobody runs."""
    lines = [
        f"# check {numbers}",
        f"a = {numbers}",
        "print(a)",
        "def solve():",
        f"    steps = [{numbers}]",
        "    total = 0",
    ]
    lines += [f"    total += steps[0] * {rng.randint(1, 9)}" for _ in range(rng.randint(2, 7))] + [
        "    return total",
        "print(solve())",
    ]
    body, _, last = text.rpartition("\n")
    return f"{body}\nWe can verify this with Python:\n```python\n" + "\n".join(lines) + f"\n```\n{last}"


SHEETS = ("payroll", "stock", "rota", "expenses", "harvest", "fuel", "grants", "tickets")


def sheet(rng: Random, key: str) -> Task:
    """An agent with cells of a spreadsheet: read a range, then set a total."""
    book, count = rng.choice(SHEETS), rng.randint(6, 30)
    cells = [rng.randint(10, 900) for _ in range(count)]
    column = rng.choice("BCDEFG")
    cells_named = f"{column}2:{column}{count + 1}"
    target = f"{column}{count + 3}"
    question = f"In {book}.ods, put the sum of {cells_named} into {target} and tell me. (sheet {key[-5:]})"

    def write(r: Random, right: bool) -> Reply:
        total = sum(cells) if right else sum(cells) - r.choice((cells[0], cells[-1], -100, 10))
        shown = "\n".join(
            f"{column}{n}\t{c}\t{r.choice(('', '', 'checked', 'late', 'see note'))}" for n, c in enumerate(cells, 2)
        )
        turns = [
            {
                "role": "assistant",
                "content": r.choice(("Reading the column.", f"First the cells of {book}.", "")),
                "tool_calls": [{"name": "read_range", "arguments": {"book": book, "range": cells_named}}],
            },
            {"role": "tool", "content": shown, "tool_name": "read_range"},
            {
                "role": "assistant",
                "content": r.choice(("Writing the sum.", f"They add up to {total}.", "")),
                "tool_calls": [{"name": "set_cell", "arguments": {"cell": target, "value": total}}],
            },
            {"role": "tool", "content": "ok", "tool_name": "set_cell"},
            {"role": "assistant", "content": r.choice(("The sum is", "Set to", f"{target} now holds")) + f" {total}."},
        ]
        return Reply(turns, str(total))

    return Task(
        key, question, str(sum(cells)), write, "Tools: read_range, set_cell.", family=book, extra={"cells": count}
    )
