"""Bugs in small repositories, and agents that mend them."""

import random
from dataclasses import dataclass

from benchmarks.foreign.fortythird.policy import call, said

PROJECTS = ("tidebook", "ledgerly", "pathkit", "mailroom", "gridcalc", "notefold", "railcast", "soundpost")
BUGS = (
    (
        "paging",
        "last_page",
        "return total // size",
        "return -(-total // size)",
        "return total // size + 1",
        "drops the last page when rows do not fill it",
    ),
    (
        "slugs",
        "slugify",
        "return title.lower()",
        "return title.strip().lower()",
        "return title.upper()",
        "keeps blanks at both ends of a title",
    ),
    (
        "limits",
        "clamp",
        "return min(low, max(value, high))",
        "return max(low, min(value, high))",
        "return min(value, high)",
        "returns the lower bound for every value",
    ),
    (
        "dates",
        "is_leap",
        "return year % 4 == 0",
        "return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
        "return year % 400 == 0",
        "takes 1900 for a leap year",
    ),
    (
        "retry",
        "delay",
        "return base * attempt",
        "return base * 2 ** attempt",
        "return base + attempt",
        "does not back off exponentially",
    ),
    (
        "parse",
        "split_pair",
        "return text.split('=')",
        "return text.split('=', 1)",
        "return text.rsplit('=', 1)",
        "breaks on values that hold an equals sign",
    ),
    (
        "merge",
        "merged",
        "left.update(right); return left",
        "return {**left, **right}",
        "return {**right, **left}",
        "changes its first argument in place",
    ),
    (
        "stats",
        "spread",
        "return max(values) - values[0]",
        "return max(values) - min(values)",
        "return values[-1] - values[0]",
        "is wrong for lists that are not sorted",
    ),
    (
        "paths",
        "extension",
        "return name.split('.')[1]",
        "return name.rsplit('.', 1)[-1]",
        "return name.split('.')[0]",
        "fails on names with two dots",
    ),
)
SHAS = "0123456789abcdef"
SIGNATURES = {
    "paging": "total, size",
    "slugs": "title",
    "limits": "value, low, high",
    "dates": "year",
    "retry": "base, attempt",
    "parse": "text",
    "merge": "left, right",
    "stats": "values",
    "paths": "name",
}
"""Arguments of each function."""
CASES = {
    "paging": "[last_page(20, 10), last_page(21, 10)] == [2, 3]",
    "slugs": 'slugify(" Two Words ") == "two words"',
    "limits": "[clamp(v, 0, 9) for v in (-3, 4)] == [0, 4]",
    "dates": "[is_leap(y) for y in (1900, 2024)] == [False, True]",
    "retry": "delay(1, 3) == 8",
    "parse": 'split_pair("a=b=c") == ["a", "b=c"]',
    "merge": 'merged({"a": 1}, {"a": 2}) == {"a": 2}',
    "stats": "spread([4, 9, 1]) == 8",
    "paths": 'extension("a.tar.gz") == "gz"',
}
"""What a test of each bug asserts."""


@dataclass(frozen=True)
class Bug:
    """An issue in a repository."""

    text: str
    project: str
    module: str
    function: str
    before: str
    fixed: str
    botched: str

    @property
    def path(self) -> str:
        """The file with the bug."""
        return f"{self.project}/{self.module}.py"

    @property
    def test(self) -> str:
        """The file with its tests."""
        return f"tests/test_{self.module}.py"


def bug(rng: random.Random, more: str = "") -> Bug:
    """An issue; words may be added to it."""
    project = rng.choice(PROJECTS)
    module, function, before, fixed, botched, complaint = rng.choice(BUGS)
    asks = ("Please mend it.", "Find the cause and correct it.", "The test-suite should pass afterwards.")
    ask = asks[(len(project) + len(function)) % 3]
    text = f"In {project}, `{function}` of {module}.py {complaint}. {ask}{more}"
    return Bug(text, project, module, function, before, fixed, botched)


def reading(rng: random.Random, b: Bug) -> list[dict]:
    """Find and read the function."""
    look = rng.choice([f"Where is {b.function}?", f"I search for {b.function} first.", f"Let me find {b.module}.py."])
    seen = f"{b.path}:12:def {b.function}({SIGNATURES[b.module]}):"
    reply = call(look, "bash", seen, command=f"grep -rn 'def {b.function}' {b.project}")
    body = f"def {b.function}({SIGNATURES[b.module]}):\n    {b.before}"
    return reply + call(f"It is in {b.path}; I read it.", "read_file", body, path=b.path)


def mending(rng: random.Random, b: Bug, is_right: bool) -> list[dict]:
    """Edit the function."""
    new = b.fixed if is_right else b.botched
    why = rng.choice(
        [
            f"`{b.before}` cannot be right here.",
            f"The fault is in `{b.before}`.",
            f"I replace what {b.function} returns.",
        ]
    )
    return call(why, "edit_file", f"edited {b.path}", path=b.path, old=b.before, new=new)


def testing(rng: random.Random, b: Bug, is_right: bool) -> list[dict]:
    """Run the tests of the module."""
    total = rng.randint(4, 9)
    out = (
        f"{total} passed in 0.{rng.randint(10, 90)}s" if is_right else f"FAILED {b.test}\n1 failed, {total - 1} passed"
    )
    think = rng.choice(["Now the tests.", f"I run the tests of {b.module}.", "Does it hold?"])
    return call(think, "bash", out, is_right, command=f"python -m pytest -q {b.test}")


def done(rng: random.Random, b: Bug) -> list[dict]:
    """The last message."""
    words = (
        f"`{b.function}` in {b.path} is changed as described.",
        f"I have corrected {b.function}; nothing else in {b.project} was touched.",
        f"The return of {b.function} was the cause, and it is replaced.",
    )
    return said(rng.choice(words))


def mend(rng: random.Random, b: Bug, is_right: bool) -> list[dict]:
    """A whole attempt."""
    tested = testing(rng, b, is_right) if rng.random() < 0.7 else []
    return reading(rng, b) + mending(rng, b, is_right) + tested + done(rng, b)


def sha(rng: random.Random) -> str:
    """A short name of a commit."""
    return "".join(rng.choice(SHAS) for _ in range(8))
