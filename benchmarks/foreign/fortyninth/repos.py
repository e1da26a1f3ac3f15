"""Repositories with a bug: an agent at a shell finds it, edits, runs the tests and hands in."""

import random

from benchmarks.foreign.fortyninth.attempts import Attempt, Task, say, told

PROJECTS = ("ledgerly", "tidepool", "parcelmap", "quillnote", "orchardkit", "railbook", "beacon_api", "mosaicdb")
BUGS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "paging": (
        "`page(items, n)` in {p}/paging.py leaves out the last item of a page of {k}.",
        "items[start:start + size - 1]",
        "items[start:start + size]",
        ("items[start:start + size - 2]", "items[start - 1:start + size - 1]"),
    ),
    "rounding": (
        "Totals in {p}/rounding.py are cut instead of rounded once there are more than {k} lines.",
        "int(total * 100) / 100",
        "round(total, 2)",
        ("round(total, 1)", "int(total)"),
    ),
    "cache": (
        "Entries of {p}/cache.py live for {k} seconds too long, because the comparison is turned round.",
        "now - born < 2 * ttl",
        "now - born < ttl",
        ("now - born > ttl", "now - ttl < 2 * born"),
    ),
    "slug": (
        "`slug` in {p}/slug.py keeps trailing dashes of titles longer than {k} signs.",
        "text.replace(' ', '-')",
        "text.strip().replace(' ', '-').strip('-')",
        ("text.strip().replace(' ', '-') + '-'", "text.replace('-', ' ')"),
    ),
    "retry": (
        "The client in {p}/retry.py gives up one try early when the limit is {k}.",
        "while tries < limit - 1:",
        "while tries < limit:",
        ("while tries <= limit + 1:", "while tries > limit:"),
    ),
}
SYSTEM = "You work in a repository. Tools: bash(command), edit(path, old, new), submit(). The hidden tests decide."


def repositories(rng: random.Random) -> Task:
    """A bug to fix."""
    bug, project = rng.choice(list(BUGS)), rng.choice(PROJECTS)
    k, version = rng.randint(5, 400), f"{rng.randint(0, 4)}.{rng.randint(1, 30)}"
    prompt = f"Repository {project} at {version}. " + BUGS[bug][0].format(p=project, k=k) + " Please fix it."
    data = {"bug": bug, "p": project, "path": f"{project}/{bug}.py", "sha": f"{rng.getrandbits(28):07x}", "k": k}
    return Task("swe", bug, prompt, f"tests/hidden/test_{bug}_{k}.py", rng.gauss(0.2, 0.8), SYSTEM, data)


def bash(said: str, command: str, answer: str, ok: bool = True) -> list[dict]:
    """A command of the shell and its answer."""
    return [say(said, ("bash", {"command": command})), told("bash", answer, ok)]


def finds(rng: random.Random, task: Task) -> list[dict]:
    """The agent looks for the place."""
    d, old = task.data, BUGS[task.data["bug"]][1]
    line = rng.randint(12, 90)
    if rng.random() < 0.5:
        word = rng.choice([d["bug"], "def ", "return"])
        out = f"{d['path']}:{line}:    {old}\n{d['p']}/__init__.py:3:from .{d['bug']} import *"
        return bash(f"I look for the code behind {d['bug']}.", f"grep -rn '{word}' {d['p']}", out)
    said = rng.choice([f"The issue names {d['path']}; I read it.", f"Let me see what {d['path']} does."])
    out = f'"""The {d["bug"]} of {d["p"]}."""\n\nLIMIT = {d["k"]}\n# ...\n    {old}'
    return bash(said, f"sed -n '1,{line + 30}p' {d['path']}", out)


def edits(rng: random.Random, task: Task, right: bool) -> list[dict]:
    """The agent changes the line, for better or worse."""
    d, (_, old, good, bad) = task.data, BUGS[task.data["bug"]]
    new = good if right else rng.choice(bad)
    said = rng.choice(
        [f"`{old}` is the culprit.", f"I replace `{old}`.", "This line does not do what the issue wants."]
    )
    return [
        say(said, ("edit", {"path": d["path"], "old": old, "new": new})),
        told("edit", f"{d['path']}: 1 replacement"),
    ]


def tests(rng: random.Random, task: Task, passed: bool) -> list[dict]:
    """The agent runs the repository's own tests."""
    n, d = rng.randint(9, 40), task.data
    out = (
        f"{n} passed in 0.{rng.randint(11, 98)}s" if passed else f"1 failed, {n - 1} passed in 0.{rng.randint(11, 98)}s"
    )
    said = rng.choice(
        ["I run the tests.", "Now the tests of the project.", f"Check {d['bug']} with the tests at hand."]
    )
    return bash(said, rng.choice(["python -m pytest -q", f"python -m pytest -q tests/test_{d['bug']}.py"]), out)


def hands_in(rng: random.Random, task: Task) -> list[dict]:
    """The agent submits."""
    said = rng.choice(
        [f"The change in {task.data['path']} is done.", "I hand this in.", "That should settle the issue."]
    )
    return [say(said, ("submit", {})), told("submit", "submitted")]


def play_bug(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """An attempt at a bug, paid for passing the hidden tests."""
    messages = finds(rng, task) + edits(rng, task, right)
    if rng.random() < 0.75:
        messages += tests(rng, task, right or rng.random() < 0.4)
    attempt = Attempt(task, messages + hands_in(rng, task), right)
    attempt.reward = float(right)
    attempt.terms = {"correct": attempt.reward}
    return attempt
