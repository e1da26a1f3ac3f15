"""Small repositories worked on by a shell: a wrong function, a look around, an edit, a run of the tests."""

import random

from benchmarks.foreign.fiftyfirst.depots import call, told
from benchmarks.foreign.fiftyfirst.policy import Message, Problem

SYSTEM = "You work in /repo by the tool bash(command). Say 'done' when the issue is fixed."
FAULTS: dict[str, tuple[str, str, str, str, str]] = {
    "median": (
        "stats/middle.py",
        "return xs[n // 2]",
        "return (xs[(n - 1) // 2] + xs[n // 2]) / 2",
        "return xs[(n - 1) // 2]",
        "the median of an even number of readings is off",
    ),
    "leap": (
        "cal/years.py",
        "return y % 4 == 0",
        "return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)",
        "return y % 4 == 0 and y % 100 != 0",
        "the year 1900 is taken for a leap year and 2000 has to stay one",
    ),
    "slug": (
        "web/slug.py",
        'return title.replace(" ", "-")',
        'return "-".join(title.lower().split())',
        'return title.lower().replace(" ", "-")',
        "two blanks in a title give two dashes, and capitals stay",
    ),
    "clamp": (
        "draw/clamp.py",
        "return min(low, max(x, high))",
        "return max(low, min(x, high))",
        "return max(low, max(x, high))",
        "values in range are pulled to the edge",
    ),
    "page": (
        "web/pages.py",
        "return total // size",
        "return -(-total // size)",
        "return total // size + 1",
        "the last page that is not full is missing, and full ones must not gain an empty page",
    ),
}
HEADS = {
    "median": "median(xs, n)",
    "leap": "leap(y)",
    "slug": "slug(title)",
    "clamp": "clamp(x, low, high)",
    "page": "pages(total, size)",
}
PACKAGES = ("harbor", "quillet", "tallow", "orrery", "brindle", "sextant", "marl", "pinnace")


def problem(rng: random.Random, index: int) -> Problem:
    """An issue of a package, with the release that a user runs."""
    name = rng.choice(sorted(FAULTS))
    package = rng.choice(PACKAGES)
    release = f"{rng.randint(0, 4)}.{rng.randint(0, 19)}.{rng.randint(0, 9)}"
    path, bad, good, half, said = FAULTS[name]
    prompt = f"In {package} {release}, {said}. Repair src/{path}; the tests are run afterwards."
    facts = {"path": f"src/{path}", "bad": bad, "good": good, "half": half, "name": name, "package": package}
    return Problem(f"{package}-{index:04d}", prompt, "", package, rng.gauss(0, 0.6), facts, SYSTEM)


LOOK = (
    "I read the function first.",
    "Let me look at the code.",
    "Where does the value come from?",
    "The file named in the issue.",
)
EDIT = (
    "The expression is wrong; I replace it.",
    "This line is to blame.",
    "I change the return value.",
    "One line has to change.",
)
END = (
    "The tests agree. done",
    "The issue is repaired. done",
    "One line was changed and the suite is green. done",
    "done",
)
HOPE = ("I believe that covers the issue. done", "It should work now. done", "done")


def look(rng: random.Random, problem: Problem) -> list[Message]:
    """The file is read."""
    path = problem.facts["path"]
    command = rng.choice((f"cat {path}", f"sed -n 1,40p {path}", f"grep -n return {path}"))
    line = f"    {problem.facts['bad']}"
    shown = f"2:{line}" if command.startswith("grep") else f"def {HEADS[problem.facts['name']]}:\n{line}"
    return [call("bash", {"command": command}, rng.choice(LOOK)), told("bash", shown)]


def edit(rng: random.Random, problem: Problem, new: str) -> list[Message]:
    """The line is replaced."""
    path, bad = problem.facts["path"], problem.facts["bad"]
    body = f"p.write_text(p.read_text().replace({bad!r}, {new!r}))"
    script = f"python - <<'E'\nfrom pathlib import Path\np = Path({path!r})\n{body}\nE"
    return [call("bash", {"command": script}, rng.choice(EDIT)), told("bash", "")]


def run(rng: random.Random, problem: Problem, passed: bool) -> list[Message]:
    """The visible tests are run."""
    n = rng.randint(5, 14)
    name = problem.facts["name"]
    out = (
        f"{n} passed in 0.{rng.randint(11, 89)}s"
        if passed
        else f"FAILED tests/test_{name}.py::test_issue\n1 failed, {n} passed"
    )
    return [call("bash", {"command": "python -m pytest -q tests"}, "I run the tests."), told("bash", out)]


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
    """Look, edit, run where the policy takes the trouble, and report."""
    new = problem.facts["good"] if right else problem.facts["half"]
    turns = [*look(rng, problem), *edit(rng, problem, new)]
    if rng.random() < 0.5 + 0.4 * progress:
        turns += run(rng, problem, right)
    turns.append({"role": "assistant", "content": rng.choice(END if right else HOPE)})
    return turns, new
