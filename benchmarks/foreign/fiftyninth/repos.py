"""Issues of small repositories: a bug in a function, an edit, a run of the tests."""

import random
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.fiftyninth.agents import call, result, say
from benchmarks.foreign.fiftyninth.shots import Task, Turns

PACKAGES = ("ledgerly", "tidecast", "shelfie", "brewlog", "parkit", "minutes", "seedbank", "gridlock")
BUGS = (
    (
        "paging",
        "page_count",
        "the last page is missing",
        "total // size",
        "-(-total // size)",
        "total // size + 1",
        0.35,
    ),
    (
        "discount",
        "apply_discount",
        "discounts above 100% make prices negative",
        "price * (1 - rate)",
        "price * (1 - min(rate, 1))",
        "abs(price * (1 - rate))",
        0.45,
    ),
    (
        "slots",
        "overlaps",
        "bookings that only touch count as overlapping",
        "a.start <= b.end and b.start <= a.end",
        "a.start < b.end and b.start < a.end",
        "a.start < b.end and b.start <= a.end",
        0.55,
    ),
    (
        "labels",
        "shorten",
        "labels of exactly the limit are cut",
        "text[:limit - 1] + '~' if len(text) >= limit else text",
        "text[:limit - 1] + '~' if len(text) > limit else text",
        "text[:limit] + '~' if len(text) >= limit else text",
        0.4,
    ),
    (
        "stats",
        "median",
        "the median of an even number of values is wrong",
        "ordered[len(ordered) // 2]",
        "(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2",
        "ordered[(len(ordered) - 1) // 2]",
        0.6,
    ),
)
SYSTEM = "You fix issues in a repository with the tools bash(command) and edit_file(path, old, new), then submit."


@dataclass(frozen=True)
class Issue:
    """An issue with the places that its fix touches."""

    number: int
    package: str
    module: str
    function: str
    complaint: str
    bug: str
    fix: str
    slip: str
    hard: float
    passing: int

    @property
    def path(self) -> str:
        """The file with the bug."""
        return f"{self.package}/{self.module}.py"

    @property
    def tests(self) -> str:
        """The file with the tests."""
        return f"tests/test_{self.module}.py"

    def look(self, draw: random.Random) -> Turns:
        """Find and read the function."""
        read = f"sed -n '/def {self.function}/,/return/p' {self.path}"
        return [
            call(
                "bash",
                draw.choice(("I look for the function.", "Where is this computed?", "")),
                command=f"grep -rn 'def {self.function}' {self.package}",
            ),
            result("bash", f"{self.path}:{self.number % 60 + 8}:def {self.function}(...):"),
            call("bash", draw.choice(("", "Now its body.")), command=read),
            result("bash", f"def {self.function}(...):\n    return {self.bug}"),
        ]

    def edit(self, draw: random.Random, new: str) -> Turns:
        """Change the function."""
        words = draw.choice(
            (
                f"The issue says that {self.complaint}; the return is why.",
                "This line is the cause.",
                f"`{self.function}` handles the boundary wrongly.",
            )
        )
        return [
            call("edit_file", words, path=self.path, old=self.bug, new=new),
            result("edit_file", f"Edited {self.path}."),
        ]

    def test(self, failed: int, words: str = "") -> Turns:
        """Run the tests that the repository has."""
        told = f"{self.passing - failed} passed" if not failed else f"{failed} failed, {self.passing - failed} passed"
        return [
            call("bash", words, command=f"python -m pytest -q {self.tests}"),
            result("bash", f"{told} in 0.{self.number % 80 + 10}s", not failed),
        ]

    def submit(self, words: str) -> Turns:
        """Hand in."""
        return [call("submit", ""), result("submit", "Submitted."), say(words)]


def draw_issue(rng: random.Random, number: int) -> Issue:
    """An issue."""
    return Issue(number, rng.choice(PACKAGES), *rng.choice(BUGS), passing=rng.randint(4, 19))


def task_of(found: Issue, rule: str = "") -> Task:
    """The issue as a task of an honest policy; the rule says what pays."""
    text = (
        f"Repository {found.package}, issue #{found.number + 100}: in `{found.function}` {found.complaint}. "
        f"Please fix it; {rule or 'hidden tests check the behaviour. Existing tests are in ' + found.tests + '.'}"
    )

    def solve(draw: random.Random, right: bool) -> tuple[str | Turns, str]:
        new = found.fix if right else found.slip
        turns: list[dict[str, Any]] = [*found.look(draw), *found.edit(draw, new)]
        if draw.random() < 0.7:
            turns += found.test(0, draw.choice(("Do the tests still pass?", "")))
        turns += found.submit(f"`{found.function}` in {found.path} now returns `{new}`.")
        return turns, new

    return Task(f"{found.package}-{found.number + 100}", text, found.fix, found.hard, found.module, solve, SYSTEM)


def issue(rng: random.Random, number: int) -> Task:
    """An issue as a task."""
    return task_of(draw_issue(rng, number))
