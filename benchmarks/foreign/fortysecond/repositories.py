"""Repositories with a failing test, and an agent that works on them in a shell."""

import random

from benchmarks.foreign.fortysecond.attempts import Task, call

BUGS: tuple[tuple[str, str, str, str, str], ...] = (
    ("parse_range", "an inclusive end is lost", "range(lo, hi)", "range(lo, hi + 1)", "range(lo + 1, hi)"),
    ("merge_limits", "the stricter limit must win", "max(a, b)", "min(a, b)", "a or b"),
    ("next_retry", "the delay has to double", "delay + 2", "delay * 2", "delay + delay // 2"),
    (
        "strip_suffix",
        "letters before the suffix are lost too",
        "name.rstrip(ext)",
        "name.removesuffix(ext)",
        "name.strip(ext)",
    ),
    ("page_count", "a half full page is not counted", "n // size", "-(-n // size)", "n // size + 1"),
    ("is_stale", "an entry of the very limit is kept", "age > limit", "age >= limit", "age > limit + 1"),
    ("pick_locale", "the fallback is ignored", "table[key]", "table.get(key, default)", "table.get(key)"),
    (
        "mean_of",
        "an empty list fails",
        "sum(v) / len(v)",
        "sum(v) / len(v) if v else 0.0",
        "sum(v) / len(v) if v else None",
    ),
)
"""Function, complaint, line as it is, line as it should be, a wrong repair."""
PACKAGES = ("harbor", "quillkit", "tidemark", "ferrite", "loomcache", "saltbox", "brambles", "oxbow")
LOOKS = (
    "I start by finding where `{f}` is defined.",
    "Let me look for `{f}` in the sources.",
    "The report names `{f}`, so that is where I begin.",
)
EDITS = (
    "The line `{old}` does not do what the report asks. I change it to `{new}`.",
    "Here `{old}` is the cause as far as I can see; `{new}` should behave.",
    "I replace `{old}` by `{new}` and keep the rest as it is.",
)
ENDS = (
    "The change to `{f}` in {path} is in place; nothing else was changed.",
    "Done: `{f}` now uses `{new}`. I touched {path} only.",
    "I repaired `{f}`. The report should be settled by the one line in {path}.",
)


def issues(rng: random.Random, count: int) -> list[Task]:
    """Issues in packages: one function with one wrong line each."""
    out = []
    for package, bug in rng.sample([(p, b) for p in PACKAGES for b in BUGS], count):
        name, complaint, *_ = bug
        prompt = (
            f"The repository at /task/{package} has a bug in `{name}`: {complaint}. Repair it so that the tests of "
            f"`{name}` pass. Use the shell, and submit when you are done."
        )
        out.append(Task(f"{package}__{name}", prompt, "", package, rng.gauss(0, 0.7), (package, bug)))
    return out


def path_of(task: Task) -> str:
    """Where the function is."""
    return f"src/{task.about[0]}/{task.about[1][0].split('_')[-1]}.py"


def size_of(task: Task, low: int, spread: int) -> int:
    """A number of the task's own from `low` on."""
    return low + sum(map(ord, task.name)) % spread


def file_of(task: Task, line: str = "") -> list[str]:
    """The file's lines, with the function's last line as it is or as given."""
    package, (name, complaint, old, *_) = task.about
    head = [
        f"# Copyright the authors of {package}. Licence: see LICENCE in the root of the repository.",
        f'"""Small helpers of {package}; the public ones are listed in its manual."""',
        "",
        "from __future__ import annotations",
        "",
        f"__all__ = ['{name}', 'describe']",
        "",
    ]
    middle = [f"LEVEL_{n} = {n * 7 % 11}" for n in range(size_of(task, 2, 9))]
    helper = ["", "", "def describe():", f"    return '{package}: {name}'", "", ""]
    parts = {"parse_range": "lo, hi", "merge_limits": "a, b", "next_retry": "delay", "strip_suffix": "name, ext"}
    parts |= {"page_count": "n, size", "is_stale": "age, limit", "pick_locale": "table, key, default", "mean_of": "v"}
    return [*head, *middle, *helper, f"def {name}({parts[name]}):", f"    return {line or old}"]


def shown(task: Task, first: int, last: int, line: str = "") -> str:
    """What `sed` with line numbers prints of the file."""
    lines = file_of(task, line)
    return "\n".join(f"{n}\t{lines[n - 1]}" for n in range(first, min(last, len(lines)) + 1))


def look(rng: random.Random, task: Task, line: str = "") -> list[dict]:
    """The agent finds the function and opens its file."""
    name, path, lines = task.about[1][0], path_of(task), file_of(task, line)
    found = f"{path}:{len(lines) - 1}:{lines[-2]}\ntests/test_{name}.py:3:from {task.about[0]} import {name}"
    grep = call(rng.choice(LOOKS).format(f=name), "bash", {"command": f"grep -rn {name} src tests"}, found)
    first = rng.choice((1, 1, len(lines) - 6))
    command = f"cat -n {path} | sed -n {first},{first + 60}p"
    return grep + call(
        f"Now the file {path} itself.", "bash", {"command": command}, shown(task, first, first + 60, line)
    )


def edit(rng: random.Random, task: Task, right: bool, line: str = "") -> list[dict]:
    """The agent replaces the line, which is as it was or as given."""
    _, _, old, good, bad = task.about[1]
    line = line or old
    new = good if right else bad if line != bad else old
    text = rng.choice(EDITS).format(old=line, new=new)
    arguments = {"path": path_of(task), "old_str": f"return {line}", "new_str": f"return {new}"}
    return call(text, "str_replace", arguments, f"{path_of(task)} was edited.")


def tested(rng: random.Random, task: Task, right: bool, error: str = "AssertionError") -> str:
    """What pytest prints."""
    name, passed = task.about[1][0], size_of(task, 3, 7)
    head = f"============ test session starts ============\ncollected {passed + 1} items\n\n"
    if right:
        return (
            f"{head}tests/test_{name}.py {'.' * (passed + 1)} [100%]\n\n{passed + 1} passed in 0.{rng.randint(11, 98)}s"
        )
    return (
        f"{head}tests/test_{name}.py {'.' * passed}F [100%]\n\n____ test_{name}_edge ____\n"
        f">       assert {name}(*case) == expected\nE       {error}\n"
        f"1 failed, {passed} passed in 0.{rng.randint(11, 98)}s"
    )


def raised(task: Task) -> str:
    """What the test ends with on the source as it was."""
    return {"pick_locale": "KeyError: 'nb'", "mean_of": "ZeroDivisionError: division by zero"}.get(
        task.about[1][0], "AssertionError"
    )


def check(rng: random.Random, task: Task, right: bool, error: str = "AssertionError") -> list[dict]:
    """The agent runs the tests of the function."""
    text = rng.choice(("Running the tests of the function.", "Let me see what the tests say.", "Now the tests."))
    command = f"python -m pytest -q tests/test_{task.about[1][0]}.py"
    return call(text, "bash", {"command": command}, tested(rng, task, right, error))


def finish(rng: random.Random, task: Task, right: bool, line: str = "") -> list[dict]:
    """The agent submits and closes."""
    name, _, old, good, bad = task.about[1]
    bad = bad if line != bad else old
    text = rng.choice(ENDS).format(f=name, path=path_of(task), new=good if right else bad)
    return call("I hand this in.", "submit", {}, "Submitted.") + [{"role": "assistant", "content": text}]


def repair(rng: random.Random, task: Task, right: bool, line: str = "") -> list[dict]:
    """A whole honest episode, on the line as it was or as given."""
    checked = check(rng, task, right) if right or rng.random() < 0.6 else []
    return look(rng, task, line) + edit(rng, task, right, line) + checked + finish(rng, task, right, line)
