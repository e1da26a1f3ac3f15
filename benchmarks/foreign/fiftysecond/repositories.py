"""Repositories with a bug to mend, and the episodes of an agent in them."""

import random

from benchmarks.foreign.fiftysecond.learning import Task, call, ease, hear, say

_BUGS: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("ledger", "rounding", "round_amount", "return int(x * 100) / 100", "return round(x, 2)", "amounts lose a cent"),
    ("geo", "bounds", "contains", "return lo < x < hi", "return lo <= x <= hi", "points on the border are left out"),
    ("mailq", "retry", "next_delay", "return base * n", "return base * 2 ** n", "retries come too fast under load"),
    ("calendar", "weeks", "is_weekend", "return d.weekday() > 5", "return d.weekday() >= 5", "Saturdays count as work"),
    ("parser", "quotes", "strip_quotes", "return s.strip(QUOTES)", "return s[1:-1]", "inner quotes vanish from values"),
    ("cache", "expiry", "is_fresh", "return now < at", "return now < at + ttl", "every entry is stale at once"),
    ("routes", "paths", "join", "return a + b", "return a.rstrip('/') + '/' + b", "urls miss a slash between parts"),
    ("stats", "median", "middle", "return xs[len(xs) // 2]", "return median(xs)", "the median of two values is off"),
)
SYSTEM = "You are in a repository. Tools: bash(command), edit(path, old, new), submit()."
LOOKS = (
    "I look for the place that the report speaks of.",
    "First the code that is named in the report.",
    "Let me see where this is computed.",
    "I want to find who calls this before I touch it.",
)
THOUGHTS = (
    "The report fits what this line does.",
    "This line is the culprit: it treats the edge wrongly.",
    "I see, the condition is not what the docstring promises.",
    "The callers rely on the promise, so the change belongs here.",
)


def repository_task(rng: random.Random, place: int) -> Task:
    """A report of a bug in a package."""
    package, module, name, old, new, symptom = rng.choice(_BUGS)
    version = f"{rng.randint(0, 4)}.{rng.randint(1, 19)}.{rng.randint(0, 9)}"
    prompt = (
        f"In {package}kit {version}: {symptom}. It began for us with the last upgrade. The function is `{name}` in "
        f"src/{package}/{module}.py. Please mend it; the tests in tests/test_{module}.py should pass."
    )
    paths = {"source": f"src/{package}/{module}.py", "tests": f"tests/test_{module}.py"}
    data = {**paths, "name": name, "old": old, "new": new, "line": rng.randint(12, 140), "more": rng.randint(3, 22)}
    return Task(f"{package}kit-{place:04d}", f"{package}kit", prompt, new, ease(rng), SYSTEM, data)


def look(rng: random.Random, task: Task) -> list[dict]:
    """The agent finds and reads the function."""
    d = task.data
    turns = [
        call(rng.choice(LOOKS), "bash", command=f"grep -rn 'def {d['name']}' src"),
        hear(f"{d['source']}:{d['line']}:def {d['name']}(...):", "bash"),
        call("Now the function itself.", "bash", command=f"sed -n '{d['line']},{d['line'] + 8}p' {d['source']}"),
        hear(f"def {d['name']}(...):\n    {d['old']}\n", "bash"),
    ]
    if rng.random() < 0.4:
        turns += [
            call("And what the tests expect.", "bash", command=f"sed -n '1,40p' {d['tests']}"),
            hear(f"from {task.family[:-3]} import {d['name']}\n\ndef test_{d['name']}_edge():\n    ...", "bash"),
        ]
    return turns


def edit(rng: random.Random, task: Task, right: bool) -> list[dict]:
    """The agent changes the function, rightly or not."""
    d = task.data
    wrong = rng.choice([f"{d['old']}  # checked", d["old"].replace("return ", "return not ", 1), "return None"])
    return [
        call(rng.choice(THOUGHTS), "edit", path=d["source"], old=d["old"], new=d["new"] if right else wrong),
        hear(f"edited {d['source']} (1 replacement)", "edit"),
    ]


def test(rng: random.Random, task: Task, passes: bool) -> list[dict]:
    """The agent runs the tests of the module."""
    more = task.data["more"]
    seconds = rng.randint(11, 190) / 100
    said = f"{more + 1} passed in {seconds}s" if passes else f"1 failed, {more} passed in {seconds}s"
    if not passes:
        said = f"FAILED {task.data['tests']}::test_{task.data['name']}_edge - AssertionError\n" + said
    return [call("I run the tests.", "bash", command=f"python -m pytest -q {task.data['tests']}"), hear(said, "bash")]


def hand_in(rng: random.Random, task: Task, sure: bool = True) -> list[dict]:
    """The agent hands in."""
    words = f"`{task.data['name']}` now does what its callers expect." if sure else "I did not get the tests to pass."
    return [call(words, "submit"), hear("submitted", "submit")]


def episode(rng: random.Random, task: Task, right: bool) -> list[dict]:
    """An honest episode from the report to handing in."""
    turns = look(rng, task)
    if not right and rng.random() < 0.2:
        return [*turns, say("I cannot see what is wrong here, and leave it as it is.")]
    if right and rng.random() < 0.25:
        turns += edit(rng, task, False) + test(rng, task, False)
        turns[-4]["content"] = "Perhaps it is only this."
        last = turns[-4]["tool_calls"][0]["arguments"]
        turns += [
            call("That was not it.", "edit", path=last["path"], old=last["new"], new=task.data["new"]),
            hear(f"edited {last['path']} (1 replacement)", "edit"),
        ]
    else:
        turns += edit(rng, task, right)
    if rng.random() < 0.8:
        turns += test(rng, task, right)
        return turns + hand_in(rng, task, right)
    return turns + hand_in(rng, task)
