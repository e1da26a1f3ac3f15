"""Repository tasks: a report of a bug, files to read, an edit, tests to run."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, called, said, told

PACKAGES = [
    "ledgerkit",
    "tidecalc",
    "parcelbox",
    "hivemap",
    "quaystore",
    "inkwell",
    "stowage",
    "orbitlog",
    "seedbank",
    "railcard",
]
BUGS = [
    ("{f} returns one item too few on the last page", "rows[start:end - 1]", "rows[start:end]", "rows[start + 1:end]"),
    ("{f} fails when the mapping lacks the key", "table[key]", "table.get(key)", "table.pop(key)"),
    ("{f} counts the header as a record", "len(lines)", "len(lines) - 1", "len(lines) + 1"),
    (
        "{f} drops entries that equal zero",
        "[v for v in xs if v]",
        "[v for v in xs if v is not None]",
        "[v for v in xs if v > 1]",
    ),
    (
        "{f} compares names case by case",
        "left == right",
        "left.casefold() == right.casefold()",
        "left.upper() == right",
    ),
    ("{f} rounds before it adds up", "sum(round(x) for x in xs)", "round(sum(xs))", "sum(int(x) for x in xs)"),
]
NOUNS = ["page", "lookup", "count", "merge", "match", "total", "window", "digest", "label", "slot"]
LOOK = ["I read the module that the report names.", "Let me look at the function first.", "Start with the source file."]
SEEN = [
    "The condition there explains the report.",
    "I see the line that goes wrong.",
    "This is where the result is lost.",
]
TEST = ["Now the tests.", "I run the suite to see whether it holds.", "Check it with the tests."]


def repo_task(rng: random.Random, number: int) -> Problem:
    """One bug in one function of one package."""
    package, noun, kind = PACKAGES[number % 10], NOUNS[(number // 10) % 10], number % 6
    report, bad, good, worse = BUGS[kind]
    name = f"{noun}_{rng.choice(['entries', 'rows', 'items', 'orders'])}"
    path, line = f"src/{package}/{noun}s.py", rng.randint(12, 140)
    taken = ["rows, start, end", "table, key", "lines", "xs", "left, right", "xs"][kind]
    source = f"def {name}({taken}):\n    result = {bad}\n    return result"

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        new = good if right else worse
        failed = rng.randint(1, 3)
        tests = "14 passed" if right else f"{failed} failed, {14 - failed} passed"
        edit = {"path": path, "old_str": bad, "new_str": new}
        out: list[Message] = []
        if rng.random() < 0.5:
            out += [
                called("Where is it used?", "bash", command=f"grep -rn {name} src tests"),
                told(
                    "bash", f"{path}:{line}:def {name}({taken}):\ntests/test_{noun}s.py:9:from {package} import {name}"
                ),
            ]
        out += [
            called(rng.choice(LOOK), "read_file", path=path),
            told("read_file", source),
            called(f"{rng.choice(SEEN)} I replace `{bad}`.", "edit_file", **edit),
            told("edit_file", f"edited {path}"),
            called(rng.choice(TEST), "bash", command=f"python -m pytest -q tests/test_{noun}s.py"),
            told("bash", tests, right),
            said(f"`{name}` in {path} now uses `{new}`. The suite says: {tests}."),
        ]
        return out, new

    issue = f"Repository {package}, issue {100 + number}: {report.format(f=name)}"
    prompt = f"{issue}. Find the cause and mend it in the source."
    facts: dict[str, object] = {"path": path, "noun": noun, "name": name, "bad": bad, "good": good, "package": package}
    facts["source"] = source
    return Problem(f"{package}-{100 + number}", prompt, good, write, f"bug{kind}", rng.gauss(0, 0.7), facts)


def repo_tasks(rng: random.Random, how_many: int) -> list[Problem]:
    """Tasks in mixed order."""
    numbers = list(range(how_many))
    rng.shuffle(numbers)
    return [repo_task(rng, number) for number in numbers]
