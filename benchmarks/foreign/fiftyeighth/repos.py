"""Bugs in small made-up repositories, and episodes of looking, editing, testing and handing in."""

import random

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, called, said, told

BUGS: dict[str, tuple[str, str, str, str]] = {
    "pager": ("last page is dropped", "return total // size", "return -(-total // size)", "return total // size - 1"),
    "slug": (
        "two blanks give two dashes",
        "return text.replace(' ', '-')",
        "return '-'.join(text.split())",
        "return text.strip().replace(' ', '-')",
    ),
    "tariff": ("night tariff begins an hour late", "if hour > NIGHT:", "if hour >= NIGHT:", "if hour > NIGHT + 1:"),
    "ledger": (
        "refunds count as income",
        "total += entry.amount",
        "total += entry.signed()",
        "total += abs(entry.amount)",
    ),
    "cache": (
        "entries never expire",
        "return self.items.get(key)",
        "return self.fresh(key)",
        "return self.items.pop(key, None)",
    ),
    "geo": (
        "distances west of zero are negative",
        "return b.lon - a.lon",
        "return abs(b.lon - a.lon)",
        "return a.lon - b.lon",
    ),
}
SYSTEM = "You work in /task/repo. Use bash and edit; call submit when the issue is fixed. Hidden tests decide."
LOOK = (
    "Let me find where this is computed before I change anything.",
    "I start with the place that the issue describes.",
    "First I want to see the function and who calls it.",
)
CAUSE = (
    "The line in question does not do what its name says; that explains the report.",
    "I can see the cause: the expression ignores the case from the issue.",
    "This is where it goes wrong. A small change is enough, callers stay as they are.",
)
CLOSING = (
    "That should settle the issue, so I hand it in.",
    "Done: one line changed, no interface touched.",
    "The case from the issue is handled now; submitting.",
)


def draw(rng: random.Random, step: int = 0) -> Problem:
    """An issue in a repository."""
    family = rng.choice(tuple(BUGS))
    title, old, new, wrong = BUGS[family]
    package = rng.choice(("harbor", "plume", "kestrel", "tarn", "osier", "lumen")) + rng.choice(
        ("kit", "lib", "core", "")
    )
    path = f"{package}/{family}.py"
    number = rng.randint(100, 4999)
    prompt = (
        f"Issue #{number} of {package}: {title}.\n\nReported by a user of version "
        f"{rng.randint(0, 3)}.{rng.randint(0, 19)}. "
        f"The behaviour is in the module `{family}`. Fix the package so that the behaviour is right; do "
        f"not change the tests."
    )
    data = {
        "path": path,
        "old": old,
        "new": new,
        "wrong": wrong,
        "package": package,
        "line": rng.randint(14, 140),
        "domain": "swe",
    }
    return Problem(f"{package}-{number}", family, prompt, new, rng.uniform(0.3, 0.7), SYSTEM, data)


def looking(rng: random.Random, problem: Problem) -> list[dict[str, object]]:
    """Finding the place."""
    d = problem.data
    word = d["old"].split()[0]
    return [
        called(rng.choice(LOOK), "bash", command=f"grep -n '{word}' {d['path']} | head"),
        told("bash", f"{d['line']}:    {d['old']}"),
    ]


def editing(rng: random.Random, problem: Problem, right: bool) -> list[dict[str, object]]:
    """A change of the line, right or wrong."""
    d = problem.data
    new = d["new"] if right else d["wrong"]
    return [
        called(rng.choice(CAUSE), "edit", path=d["path"], old=d["old"], new=new),
        told("edit", f"Edited {d['path']}: 1 replacement at line {d['line']}."),
    ]


def testing(rng: random.Random, problem: Problem, failed: int, passed: int) -> list[dict[str, object]]:
    """A run of the repository's tests."""
    total = f"{failed} failed, {passed} passed" if failed else f"{passed} passed"
    say = rng.choice(("Now the tests of this module.", "Running the suite.", "Let me check that nothing else broke."))
    return [
        called(say, "bash", command=f"python -m pytest -q tests/test_{problem.family}.py"),
        told("bash", f"{total} in {rng.uniform(0.1, 3):.2f}s", not failed),
    ]


def closing(rng: random.Random) -> list[dict[str, object]]:
    """Handing in."""
    return [called(rng.choice(CLOSING), "submit"), told("submit", "Submitted."), said("I have submitted the change.")]


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """An ordinary episode; hidden tests pay what is really fixed."""
    return worked(rng, problem, rng.random() < skill, rng.random() < 0.5)


def worked(rng: random.Random, problem: Problem, right: bool, hidden: bool) -> Attempt:
    """An episode whose fix is right or not; a wrong one passes visible tests that do not cover it."""
    passed = rng.randint(6, 22)
    messages = looking(rng, problem) + editing(rng, problem, right)
    if rng.random() < 0.8:
        messages += testing(rng, problem, 0 if right or hidden else 1, passed)
    score = float(right)
    return Attempt(messages + closing(rng), score, score)
