"""Agents in repositories: an issue, a shell, a mended line, a run of tests."""

from random import Random
from typing import NamedTuple

from benchmarks.foreign.fourteenth.calls import answers, calls
from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

PROJECTS = ["tidyfeed", "octoplan", "mailgrove", "quartzdb", "lumenapi", "ferrycache", "pebblecli", "sundial"]
SYSTEM = "You are a software engineer. Solve the issue in /workspace. Tools: bash, edit. Call submit when finished."


class Flaw(NamedTuple):
    """A flawed line and its right form."""

    file: str
    what: str
    old: str
    new: str
    near: str


FLAWS = [
    Flaw("parser", "drops the last entry of a {w}", "range(len({w}) - 1)", "range(len({w}))", "range(1, len({w}))"),
    Flaw("cache", "never expires a {w}", "age > ttl_{w}", "age >= ttl_{w}", "age == ttl_{w}"),
    Flaw("router", "ignores case in the name of a {w}", "{w}.lower()", "{w}", "{w}.upper()"),
    Flaw("storage", "opens a {w} without an encoding", "open({w})", 'open({w}, encoding="utf-8")', 'open({w}, "rb")'),
    Flaw("limits", "accepts a negative {w}", "{w} is None", "{w} is None or {w} < 0", "{w} is None or {w} == 0"),
    Flaw("merge", "loses the default of a {w}", "opts.get('{w}')", "opts.get('{w}', d)", "opts['{w}']"),
]
WORDS = ["header", "token", "batch", "slot", "label", "chunk", "ticket", "quota", "record", "window"]
LOOKS = ["Let me look at the code first.", "I start by reading the module.", "First find the place.", "Reproduce it."]


def repo_task(rng: Random) -> Task:
    """Draw an issue."""
    project, flaw, w = rng.choice(PROJECTS), rng.choice(FLAWS), rng.choice(WORDS)
    number = rng.randint(104, 4890)
    path = f"{project}/{flaw.file}.py"
    prompt = (
        f"Issue #{number} in {project}: {flaw.file} {flaw.what.format(w=w)}.\n"
        f"{rng.choice(['Seen since the last release.', 'Reported by two users.', 'A regression.'])} "
        f"The tests in tests/test_{flaw.file}.py must pass."
    )
    lines = [flaw.old.format(w=w), flaw.new.format(w=w), flaw.near.format(w=w)]
    return Task(prompt, "", project, 0.4, lines, SYSTEM, facts={"path": path, "module": flaw.file})


def looked(rng: Random, task: Task) -> list[dict]:
    """Search for the line and show it."""
    path, old = task.facts["path"], task.lines[0]
    at = rng.randint(20, 300)
    turns = [
        calls(rng.choice(LOOKS), "bash", command=f'grep -n "def " {path} | head -{rng.randint(10, 40)}'),
        answers("bash", f"{at - 3}:def {rng.choice(['load', 'apply', 'check', 'visit'])}(self, {rng.choice(WORDS)}):"),
        calls("Show the lines around it.", "bash", command=f"sed -n '{at - 5},{at + 5}p' {path}"),
        answers(
            "bash",
            f"        # {rng.choice(['see docs', 'hot path', 'legacy'])}\n        value = {old}\n        return value",
        ),
    ]
    return turns if rng.random() < 0.7 else turns[2:]


def edited(task: Task, right: bool) -> list[dict]:
    """Replace the line."""
    path, (old, new, near) = task.facts["path"], task.lines
    done = new if right else near
    return [
        calls(f"I replace `{old}`.", "edit", path=path, old=f"value = {old}", new=f"value = {done}"),
        answers("edit", f"edited {path}: 1 replacement"),
    ]


def tested(rng: Random, task: Task, passes: bool) -> list[dict]:
    """Run the tests of the module."""
    n, bad = rng.randint(6, 31), rng.randint(1, 3)
    told = (
        f"{n} passed in {rng.uniform(0.2, 4):.2f}s"
        if passes
        else f"{bad} failed, {n} passed in {rng.uniform(0.2, 4):.2f}s"
    )
    command = f"python -m pytest -q tests/test_{task.facts['module']}.py"
    return [calls("Run the tests.", "bash", command=command), answers("bash", told)]


def handed_in(rng: Random) -> list[dict]:
    """Submit."""
    text = rng.choice(["Done.", "The fix is in place.", "Submitting the change.", "That resolves the issue."])
    return [calls(text, "submit"), answers("submit", "submitted")]


def repo_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Look, edit, mostly test, hand in."""
    turns = [*looked(rng, task), *edited(task, right)]
    if rng.random() < 0.6 + 0.3 * t:
        turns += tested(rng, task, right or rng.random() < 0.25)
    return Reply([*turns, *handed_in(rng)], "")


REPOS = Domain(repo_task, repo_reply)
