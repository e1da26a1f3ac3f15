"""Repositories with one fault to mend, and an agent that searches, edits and tests."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.acting import call, said, shell, told
from benchmarks.foreign.tenth.core import Reply, Task

SYSTEM = "You are in a repository at /repo. Use bash, str_replace and submit. Hidden tests grade the working tree."


@dataclass(frozen=True)
class Fault:
    """A faulty line, its mending, tempting other lines, and what the issue complains of."""

    issue: str
    broken: str
    mended: str
    tempting: tuple[str, ...]


FAULTS = (
    Fault("the last page of results is missing", "pages = total // size", "pages = -(-total // size)",
          ("pages = total // size - 1", "pages = round(total / size)", "pages = total // (size + 1)")),
    Fault("names with capitals are not found", "return table.get(key)", "return table.get(key.lower())",
          ("return table.get(key.upper())", "return table[key]", "return table.get(key.strip())")),
    Fault("an empty file raises IndexError", "head = lines[0]", 'head = lines[0] if lines else ""',
          ("head = lines[:1]", "head = lines[1]", "head = next(iter(lines))")),
    Fault("large discounts give negative prices", "return price - cut",
          "return max(price - cut, 0)",
          ("return abs(price - cut)", "return price - min(cut, 1)", "return cut - price")),
    Fault("the lock is kept after an error", "lock.acquire(); work(); lock.release()", "with lock: work()",
          ("lock.acquire(); work()", "lock.release(); work()", "lock.acquire(timeout=1); work(); lock.release()")),
    Fault("February of a leap year has 28 days", "leap = year % 4 == 0 and year % 100 == 0",
          "leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
          ("leap = year % 4 == 1", "leap = year % 100 != 0", "leap = year % 400 == 0")),
    Fault("the retry waits longer than the limit", "delay = base * 2**tries", "delay = min(base * 2**tries, limit)",
          ("delay = base * tries", "delay = limit", "delay = max(base * 2**tries, limit)")),
    Fault("a tab in a cell splits the row", "cells = row.split()", 'cells = row.split(",")',
          ('cells = row.split("\\t")', "cells = list(row)", 'cells = row.strip().split(" ")')),
)  # fmt: skip
PACKAGES = ("harbor", "pollen", "quarry", "tessera", "lumen", "cobalt", "marlin", "thicket", "orrery", "saffron")
MODULES = ("index", "ledger", "router", "parser", "cache", "calendar", "export", "planner", "session", "catalog")
VERBS = ("load", "merge", "resolve", "emit", "collect", "price", "refresh", "format", "schedule", "lookup")
NOUNS = ("page", "entry", "record", "ticket", "batch", "window", "token", "header", "slot", "quote")
THOUGHTS = (
    "Let me look at the code first.", "I'll search for the function from the issue.", "Where is this used?",
    "First an overview of the repository.", "The issue names a behaviour, so I look for its source.",
)  # fmt: skip
FIXING = (
    "This line does not handle the case from the issue.", "I see the cause here.", "Changing this line should do.",
    "The condition is off; I replace it.", "That explains the report. Editing now.",
)  # fmt: skip
TESTING = ("Now the tests.", "Let me run what exists.", "Checking that nothing else broke.", "Run the suite.")
ENDING = ("The change is in place.", "Submitting the fix.", "Done: one line changed.", "I am confident in this change.")


@dataclass(frozen=True)
class Repo:
    """A repository with its fault."""

    package: str
    module: str
    function: str
    fault: Fault
    line: int

    @property
    def path(self) -> str:
        """The faulty file."""
        return f"src/{self.package}/{self.module}.py"

    @property
    def tests(self) -> str:
        """The test file that exists."""
        return f"tests/test_{self.module}.py"


def draw_repo(rng: Random) -> Repo:
    """A repository."""
    function = f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}"
    return Repo(rng.choice(PACKAGES), rng.choice(MODULES), function, rng.choice(FAULTS), rng.randint(14, 180))


def search(rng: Random, repo: Repo) -> list[Row]:
    """Find the place."""
    hit = f"{repo.path}:{repo.line}:def {repo.function}("
    ways = (
        (f"grep -rn '{repo.function}' src", f"{hit}\n{repo.tests}:{rng.randint(5, 60)}:    {repo.function}("),
        (f"rg -n 'def {repo.function}'", hit),
        (f"ls src/{repo.package} tests", f"src/{repo.package}:\n__init__.py\n{repo.module}.py\n\ntests:\ntest_"
         f"{repo.module}.py"),
    )  # fmt: skip
    command, shown = rng.choice(ways)
    return [shell(rng.choice(THOUGHTS), command), told("bash", shown)]


def view(rng: Random, repo: Repo) -> list[Row]:
    """Read the faulty lines."""
    start = max(1, repo.line - rng.randint(2, 9))
    command = rng.choice((f"sed -n '{start},{repo.line + 8}p' {repo.path}", f"cat {repo.path}"))
    shown = f"def {repo.function}(*args):\n    {repo.fault.broken}\n    ..."
    return [shell(rng.choice(("", "Reading it.", "Here is the file.")), command), told("bash", shown)]


def edit(rng: Random, repo: Repo, new: str, old: str = "") -> list[Row]:
    """Replace the line."""
    return [
        call(rng.choice(FIXING), "str_replace", path=repo.path, old=old or repo.fault.broken, new=new),
        told("str_replace", f"edited {repo.path}"),
    ]


def suite(rng: Random, repo: Repo, failed: int) -> list[Row]:
    """Run the tests that exist."""
    total = rng.randint(4, 19)
    failure = f"E   AssertionError in test_{repo.function}\n" if failed else ""
    counts = f"{failed} failed, {total - failed} passed" if failed else f"{total} passed"
    command = rng.choice((f"pytest -q {repo.tests}", "python -m pytest -q", "pytest -x -q tests"))
    return [
        shell(rng.choice(TESTING), command),
        told("bash", f"{failure}{counts} in {rng.uniform(0.2, 4):.2f}s", ok=not failed),
    ]


def submit(rng: Random) -> list[Row]:
    """Hand in."""
    return [call(rng.choice(ENDING), "submit"), told("submit", "submitted")]


def repair(rng: Random, repo: Repo, right: bool) -> list[Row]:
    """A whole attempt."""
    turns = search(rng, repo) + (search(rng, repo) if rng.random() < 0.3 else []) + view(rng, repo)
    last = ""
    if rng.random() < 0.3:
        last = rng.choice(repo.fault.tempting)
        turns += edit(rng, repo, last) + suite(rng, repo, 1)
    final = repo.fault.mended if right else rng.choice([t for t in repo.fault.tempting if t != last])
    turns += edit(rng, repo, final, last)
    if rng.random() < 0.75:
        turns += suite(rng, repo, 0 if right or rng.random() < 0.5 else 1)
    return turns + submit(rng) + ([said("The fix is submitted.")] if rng.random() < 0.2 else [])


def repair_task(rng: Random, name: str) -> Task:
    """A fault to mend."""
    repo = draw_repo(rng)
    prompt = (
        f"Issue in {repo.package}: `{repo.function}` in the {repo.module} module: {repo.fault.issue}. Please fix it."
    )

    def answer(rng: Random, right: bool) -> Reply:
        return Reply(repair(rng, repo, right), "")

    return Task(name, prompt, "", answer, repo.package, 0.0, SYSTEM, {"repo": repo.package}, repo)
