"""Repositories: small bugs, found by reading, proven by tests, mended by an edit."""

import random
from dataclasses import dataclass

from benchmarks.foreign.thirtyeighth.core import Attempt, Talk, Task


@dataclass(frozen=True)
class Bug:
    """A line that is wrong, what it ought to be, and what somebody in a hurry would write."""

    function: str
    signature: str
    issue: str
    bad: str
    good: str
    hasty: tuple[str, ...]
    failure: str
    why: str


BUGS = (
    Bug("page_count", "total, per_page", "the last, partly filled page is missing from the listing",
        "return total // per_page", "return -(-total // per_page)",
        ("return total // per_page + 1", "return round(total / per_page)"),
        "assert [page_count(n, 10) for n in (20, 21)] == [2, 3]",
        "floor division drops the remainder, and a plain + 1 fails on full pages"),
    Bug("clamp", "value, low, high", "values above the upper bound come back unchanged",
        "return max(value, min(low, high))", "return max(low, min(value, high))",
        ("return min(low, max(value, high))", "return max(high, min(value, low))"),
        "assert [clamp(v, 0, 10) for v in (5, 11)] == [5, 10]",
        "the arguments of min and max are swapped"),
    Bug("overlaps", "a, b, c, d", "two bookings that merely touch count as a conflict",
        "return a <= d and c <= b", "return a < d and c < b",
        ("return a < d and c <= b", "return a <= d and c < b"),
        "assert not overlaps(1, 2, 2, 3) and not overlaps(2, 3, 1, 2)",
        "the intervals are half open, so both comparisons must be strict"),
    Bug("median", "values", "the median of an even number of readings is off",
        "return sorted(values)[len(values) // 2]",
        "s = sorted(values); m = len(s) // 2; return s[m] if len(s) % 2 else (s[m - 1] + s[m]) / 2",
        ("return sorted(values)[(len(values) - 1) // 2]", "return sum(values) / len(values)"),
        "assert median([1, 2, 3, 10]) == 2.5",
        "for an even count the two middle values have to be averaged"),
    Bug("slug", "title", "titles with several blanks give slugs with double dashes",
        "return title.lower().replace(' ', '-')", "return '-'.join(title.lower().split())",
        ("return title.lower().strip().replace(' ', '-')", "return title.lower().replace('  ', '-')"),
        "assert slug('A   b c') == 'a-b-c'",
        "replace acts on every blank; split folds runs of them"),
    Bug("merge", "base, extra", "merging two settings changes the first one in place",
        "base.update(extra); return base", "return {**base, **extra}",
        ("extra.update(base); return extra", "return {**extra, **base}"),
        "assert merge(d, {'a': 2}) == {'a': 2} and d == {'a': 1}",
        "update mutates the caller's dictionary, a new one is needed"),
    Bug("is_leap", "year", "the year 1900 is taken for a leap year",
        "return year % 4 == 0", "return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
        ("return year % 4 == 0 and year % 100 != 0", "return year % 400 == 0"),
        "assert [is_leap(y) for y in (2000, 1900, 2024)] == [True, False, True]",
        "centuries are leap years only when 400 divides them"),
    Bug("window_sums", "values, k", "the last window of the series is never reported",
        "return [sum(values[i:i + k]) for i in range(len(values) - k)]",
        "return [sum(values[i:i + k]) for i in range(len(values) - k + 1)]",
        ("return [sum(values[i:i + k]) for i in range(len(values))]",
         "return [sum(values[i:i + k + 1]) for i in range(len(values) - k)]"),
        "assert window_sums([1, 2, 3], 2) == [3, 5]",
        "there are n - k + 1 windows, the range stops one short"),
)  # fmt: skip
PACKAGES = ("ledger", "orchard", "harbour", "kiln", "beacon", "loom", "quarry", "granary", "tramway", "aviary")
PLACES = ("core", "helpers", "utils", "views", "service", "report", "api", "shared")


def repository_task(rng: random.Random, i: int) -> Task:
    """A bug somewhere in a repository."""
    bug = rng.choice(BUGS)
    package, place = rng.choice(PACKAGES), rng.choice(PLACES)
    path = f"{package}/{place}.py"
    prompt = rng.choice(
        (
            f"Repository `{package}`. Issue #{100 + i * 7}: {bug.issue}. The function is `{bug.function}` in `{path}`. "
            "Mend it, and hand in when the tests pass.",
            f"A user of `{package}` reports that {bug.issue} (#{100 + i * 7}). Look at `{bug.function}` in `{path}`, "
            "correct it and submit.",
        )
    )
    return Task(
        f"{package}-{100 + i * 7}",
        prompt,
        bug.good,
        data={"bug": bug, "path": path, "package": package, "tests": rng.randint(4, 19)},
    )


def source(bug: Bug) -> str:
    """The file as it stands at first."""
    return f"def {bug.function}({bug.signature}):\n    {bug.bad}\n"


def tests_fail(rng: random.Random, bug: Bug, package: str, n: int) -> str:
    """What pytest prints while the bug is in."""
    return (
        f"{'.' * (n - 1)}F\nE       {bug.failure}\nE       AssertionError\n"
        f"FAILED tests/test_{package}.py::test_{bug.function}\n1 failed, {n - 1} passed in {rng.uniform(0.1, 2):.2f}s"
    )


def tests_pass(rng: random.Random, n: int) -> str:
    """What pytest prints when all is well."""
    return f"{'.' * n}\n{n} passed in {rng.uniform(0.1, 2):.2f}s"


def look(rng: random.Random, talk: Talk, task: Task) -> None:
    """Read the file, sometimes after a search."""
    bug, path = task.data["bug"], task.data["path"]
    if rng.random() < 0.4:
        text = rng.choice(
            (f"First I want to know who uses `{bug.function}`.", "Let me see the callers before I change it.")
        )
        found = f"{path}:1:def {bug.function}({bug.signature}):\n"
        found += f"{task.data['package']}/main.py:{rng.randint(9, 80)}:    {bug.function}("
        talk.call(text, "bash", {"command": f"grep -rn {bug.function} {task.data['package']}"}, found)
    text = rng.choice(
        (f"I open `{path}` to read the function.", "Let me read the code that the issue names.",
         f"The report speaks of `{bug.function}`, so that file comes first.")
    )  # fmt: skip
    talk.call(text, "bash", {"command": f"cat {path}"}, source(bug))


def change(rng: random.Random, talk: Talk, task: Task, line: str, reason: str) -> None:
    """Edit the wrong line."""
    bug, path = task.data["bug"], task.data["path"]
    lead = rng.choice(("The cause seems clear: ", "As I read it, ", "This explains the report: ", "So "))
    arguments = {"path": path, "old_str": bug.bad, "new_str": line}
    talk.call(f"{lead}{reason}. I change that line.", "str_replace", arguments, f"{path} has been edited.")


def check(rng: random.Random, talk: Talk, task: Task, passes: bool) -> None:
    """Run the tests."""
    text = rng.choice(("Now the tests.", "I run the suite to be sure.", "Let me see whether the suite agrees."))
    bug, package, n = (task.data[key] for key in ("bug", "package", "tests"))
    result = tests_pass(rng, n) if passes else tests_fail(rng, bug, package, n)
    talk.call(text, "bash", {"command": f"python -m pytest -q tests/test_{task.data['package']}.py"}, result, passes)


def hand_in(rng: random.Random, talk: Talk, task: Task, is_sure: bool) -> None:
    """Submit, with a summary."""
    bug = task.data["bug"]
    if is_sure:
        text = rng.choice(
            (f"`{bug.function}` is mended: {bug.why}.", f"Done. In short, {bug.why}.",
             f"The suite passes. What was wrong: {bug.why}.")
        )  # fmt: skip
    else:
        text = rng.choice(
            (f"I could not get the test of `{bug.function}` to pass; this is how far I came.",
             "One test still fails, and I am out of ideas. I submit the change as it stands.",
             f"The behaviour of `{bug.function}` changed, yet the check still fails.")
        )  # fmt: skip
    talk.call(text, "submit", {}, "Submitted.")


def repository_play(rng: random.Random, task: Task, right: bool, reproduce: float = 0.45) -> Attempt:
    """Read, reproduce at times, edit, test, and hand in."""
    bug, talk = task.data["bug"], Talk()
    look(rng, talk, task)
    if rng.random() < reproduce:
        check(rng, talk, task, False)
    hasty = rng.choice(bug.hasty)
    if not right or rng.random() < 0.25:
        change(rng, talk, task, hasty, rng.choice(("the expression does not cover the case of the issue",
                                                   f"`{bug.function}` handles the edge wrongly",
                                                   "a boundary is off here")))  # fmt: skip
        check(rng, talk, task, False)
        if right:
            text = f"That was not it. On reflection {bug.why}."
            arguments = {"path": task.data["path"], "old_str": hasty, "new_str": bug.good}
            talk.call(text, "str_replace", arguments, f"{task.data['path']} has been edited.")
            check(rng, talk, task, True)
    else:
        change(rng, talk, task, bug.good, bug.why)
        check(rng, talk, task, True)
    hand_in(rng, talk, task, right)
    line = bug.good if right else hasty
    return Attempt(task, talk.messages, line, float(right), tool_seconds=rng.uniform(2, 9))
