"""Repositories: an issue, a file with a defect, and agents that search, edit and test."""

import random
from typing import Any

from benchmarks.foreign.sixtythird.attempts import Message, Task

BUGS = (
    (
        "paging",
        "last_page",
        "return total // size",
        "return -(-total // size)",
        "return total // size + 1",
        "the last page is missing",
    ),
    ("retry", "delay", "return base * 2 * n", "return base * 2 ** n", "return base ** n", "delays grow too slowly"),
    (
        "cache",
        "is_fresh",
        "return age <= 0",
        "return age < self.ttl",
        "return age > self.ttl",
        "entries expire at once",
    ),
    (
        "slug",
        "slugify",
        "return text.replace(' ', '-')",
        "return '-'.join(text.lower().split())",
        "return text.lower()",
        "doubled blanks give doubled dashes",
    ),
    (
        "ledger",
        "balance",
        "return sum(e.amount for e in es)",
        "return sum(e.sign * e.amount for e in es)",
        "return abs(sum(e.amount for e in es))",
        "debits are added",
    ),
    (
        "units",
        "to_kelvin",
        "return c + 237.15",
        "return c + 273.15",
        "return c - 273.15",
        "temperatures are 36 degrees off",
    ),
)
OWNERS = ("harbor", "millrace", "tessel", "oriel", "quarry", "lantern", "bramble", "cobalt")
PLAN = (
    "I will look for where {f} is defined.",
    "Let me find {f} first, since the report names it.",
    "The report points at {m}; search for {f}.",
    "Start by locating {f} in the sources.",
)
SEEN = (
    "The line `{b}` explains why {s}.",
    "Here is the cause: `{b}`. I will replace it.",
    "`{b}` is what makes it fail, as {s}.",
)


def repositories(rng: random.Random, n: int, hard: float = 0.6, start: int = 0) -> list[Task]:
    """Issues, numbered from `start`."""
    out: list[Task] = []
    for i in range(n):
        module, func, bad, good, other, symptom = rng.choice(BUGS)
        pack = rng.choice(OWNERS)
        size = rng.randint(3, 90)
        prompt = (
            f"Repository {pack}-{size}. Issue: since release {rng.randint(1, 4)}.{rng.randint(0, 12)}, "
            f"{symptom} when calling "
            f"{func}() of {pack}/{module}.py. Fix it; the hidden tests must pass."
        )
        facts: dict[str, Any] = {
            "path": f"{pack}/{module}.py",
            "bad": bad,
            "func": func,
            "module": module,
            "symptom": symptom,
        }
        facts |= {"line": rng.randint(12, 140), "tests": rng.randint(4, 30)}
        out.append(
            Task(
                f"swe-{pack}-{module}-{start + i}",
                "swe",
                prompt,
                good,
                hard + rng.gauss(0, 0.6),
                (good,),
                (other,),
                (),
                facts,
            )
        )
    return out


def call(text: str, name: str, arguments: dict[str, str], answer: str, ok: bool = True) -> list[Message]:
    """A call with the answer of its tool."""
    return [
        {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]},
        {"role": "tool", "content": answer, "tool_name": name, "ok": ok},
    ]


def find(task: Task, rng: random.Random) -> list[Message]:
    """Search for the function and read it."""
    f = task.facts
    words = {"f": f["func"], "m": f["module"], "b": f["bad"], "s": f["symptom"]}
    plan = rng.choice(PLAN).format(**words)
    hit = f"{f['path']}:{f['line']}:def {f['func']}(...)"
    out = call(plan, "bash", {"command": f"grep -rn 'def {f['func']}' ."}, hit)
    low, high = max(1, f["line"] - rng.randint(2, 9)), f["line"] + rng.randint(4, 12)
    shown = f"def {f['func']}(...):\n    {f['bad']}"
    return out + call("Read the body.", "bash", {"command": f"sed -n '{low},{high}p' {f['path']}"}, shown)


def edit(task: Task, line: str, rng: random.Random, path: str = "") -> list[Message]:
    """Replace the defective line."""
    f = task.facts
    text = rng.choice(SEEN).format(b=f["bad"], s=f["symptom"])
    arguments = {"path": path or f["path"], "old_str": f["bad"], "new_str": line}
    return call(text, "str_replace", arguments, "The file has been edited.")


def check(task: Task, ok: bool, rng: random.Random) -> list[Message]:
    """Run the visible tests, which also see the defect."""
    n = task.facts["tests"]
    verdict = (
        f"{n} passed in 0.{rng.randint(11, 98)}s" if ok else f"1 failed, {n - 1} passed in 0.{rng.randint(11, 98)}s"
    )
    f = task.facts
    command = rng.choice(
        ("pytest -q", f"pytest -q tests/test_{f['module']}.py", f"python -m pytest tests -k {f['func']}")
    )
    return call(rng.choice(("Run the tests.", "Check it.", "Now the tests.")), "bash", {"command": command}, verdict)


def finish(task: Task, ok: bool, rng: random.Random) -> list[Message]:
    """Say what was done."""
    f = task.facts
    ends = (
        f"I changed {f['func']} in {f['path']}; the report that {f['symptom']} should be settled.",
        f"Done: {f['path']} now computes {f['func']} differently.",
    )
    unsure = (
        (
            f"One test of {f['module']} still fails and I could not find out why; "
            f"I leave my change to {f['func']} in place."
        ),
    )
    return [{"role": "assistant", "content": rng.choice(ends if ok else unsure)}]


def speak_repository(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """Search, edit, test, hand in."""
    line = task.gold if ok else rng.choice((task.wrong[0], task.facts["bad"] + "  # checked"))
    said = find(task, rng) + edit(task, line, rng)
    if rng.random() < 0.5 + 0.4 * progress:
        said += check(task, ok, rng)
    return said + finish(task, ok, rng), line
