"""Bugs in small libraries, and the shell turns that find and mend them."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.twentyfifth.course import Task

PACKAGES = (
    "tidefile",
    "quillpath",
    "marlow",
    "gantry",
    "sprocket",
    "lumenio",
    "harbor_db",
    "pyrite",
    "cobble",
    "wrenlib",
)
MODULES = (
    "parser",
    "cache",
    "codec",
    "router",
    "session",
    "tables",
    "dates",
    "stream",
    "merge",
    "units",
    "retry",
    "query",
)
VERBS = ("load", "split", "encode", "resolve", "render", "count", "expand", "trim", "collect", "match")
NOUNS = ("header", "window", "record", "token", "offset", "bucket", "segment", "cursor", "locale", "quota")
PATTERNS = (
    (
        "drops the last {noun} when the input has exactly {n} items",
        "out = [items[i] for i in range(len(items) - 1)]",
        "out = [items[i] for i in range(len(items))]",
    ),
    (
        "raises KeyError for a {noun} that was never set",
        "out = self.table[items]",
        "out = self.table.get(items, default)",
    ),
    ("treats a {noun} of 0 as missing", "out = [v for v in items if v]", "out = [v for v in items if v is not None]"),
    (
        "keeps a trailing blank in the {noun}",
        "out = [t.rstrip('\\n') for t in items]",
        "out = [t.rstrip() for t in items]",
    ),
    ("returns bytes for a {noun} longer than {n}", "out = items[:]", "out = [bytes(v).decode('utf-8') for v in items]"),
    ("is off by one at the {n}th {noun}", "out = items[: self.width - 1]", "out = items[: self.width]"),
    ("shares one list of {noun}s between calls", "out = self.found", "out = list(self.found)"),
    ("ignores the sign of a negative {noun}", "out = [abs(v) for v in items]", "out = [int(v) for v in items]"),
    ("compares the {noun} with its own copy", "out = [v == v for v in items]", "out = [v == default for v in items]"),
    (
        "loses the time zone of a {noun}",
        "out = [datetime.utcfromtimestamp(v) for v in items]",
        "out = [datetime.fromtimestamp(v, tz=UTC) for v in items]",
    ),
)


@dataclass(frozen=True)
class Bug:
    """Where a bug is, what is wrong and what mends it."""

    package: str
    module: str
    fn: str
    what: str
    bad: str
    good: str
    number: int
    line: int

    @property
    def path(self) -> str:
        """The file that holds it."""
        return f"src/{self.package}/{self.module}.py"

    @property
    def test(self) -> str:
        """The test that shows it."""
        return f"tests/test_{self.module}.py::test_{self.fn}_{self.number}"


def bug(rng: Random) -> Bug:
    """A bug by lot."""
    noun, n = rng.choice(NOUNS), rng.choice([8, 16, 31, 64, 100, 255, 1000])
    what, bad, good = rng.choice(PATTERNS)
    fn = f"{rng.choice(VERBS)}_{noun}"
    what, bad, good = (part.format(noun=noun, n=n, fn=fn) for part in (what, bad, good))
    return Bug(
        rng.choice(PACKAGES), rng.choice(MODULES), fn, what, bad, good, rng.randint(120, 7900), rng.randint(18, 420)
    )


def issue(found: Bug, rng: Random) -> str:
    """The task as its reporter words it."""
    lead = rng.choice(["Bug report", "Issue", "Regression", "Reported on the tracker"])
    return (
        f"{lead} (#{found.number}) in {found.package}: `{found.module}.{found.fn}` {found.what}. "
        "The repository is in /workspace. Mend it so that the hidden tests pass; leave the public interface as it is."
    )


def bug_task(rng: Random) -> Task:
    """A task about one bug."""
    found = bug(rng)
    return Task(issue(found, rng), f"{found.path}:{found.line}", {"bug": found})


def wrong_fix(rng: Random, found: Bug) -> str:
    """A change that does not mend it."""
    return rng.choice(
        [
            f"{found.bad}  # as documented",
            f"items = list(items or [])\n    {found.bad}",
            f"if items is not None:\n        {found.bad}",
            f"{found.bad}\n    out = out or default",
            f"{found.bad.replace('items', 'tuple(items)', 1)}",
        ]
    )


def grep_turn(rng: Random, found: Bug) -> tuple[str, str, str]:
    """Finding the function."""
    text = rng.choice([f"Where is {found.fn} defined?", f"Locate `{found.fn}` first.", "Search for the function.", ""])
    flag = rng.choice(["-rn", "-Rn --include=*.py", "-nr"])
    call = rng.choice(["return", "value =", "yield", "assert"])
    hits = f"{found.path}:{found.line}:def {found.fn}(self, items, default=None):\n"
    hits += f"src/{found.package}/api.py:{rng.randint(9, 99)}:    {call} {found.fn}(items)"
    return text, f'grep {flag} "{found.fn}" src', hits


def read_turn(rng: Random, found: Bug) -> tuple[str, str, str]:
    """Reading the lines around it."""
    low = max(1, found.line - rng.randint(1, 6))
    body = f'def {found.fn}(self, items, default=None):\n    """One {found.fn.split("_")[1]}."""\n'
    body += f"    {found.bad}\n    return out"
    text = rng.choice(["Read it.", f"Look around line {found.line}.", "Let me see the body.", "Now the code itself."])
    return text, f"sed -n '{low},{found.line + rng.randint(12, 30)}p' {found.path}", body


def edit_turn(rng: Random, found: Bug, new: str) -> tuple[str, str, str]:
    """Changing the line."""
    text = rng.choice(
        [
            f"The cause is `{found.bad}`.",
            f"This line {found.what.split(' when ')[0]}.",
            "Patch it.",
            "I change that line.",
        ]
    )
    script = f"python - <<'PY'\nfrom pathlib import Path\np = Path('{found.path}')\n"
    return text, script + f"p.write_text(p.read_text().replace({found.bad!r}, {new!r}))\nPY", ""


def test_turn(rng: Random, found: Bug, passes: bool) -> tuple[str, str, str]:
    """Running the module's own tests."""
    total, secs = rng.randint(9, 64), rng.uniform(0.3, 6.8)
    text = rng.choice(["Run the module's tests.", "Check.", "Does it hold?", f"Test {found.module}."])
    if passes:
        return text, f"python -m pytest -q tests/test_{found.module}.py", f"{total} passed in {secs:.2f}s"
    shown = f"FAILED {found.test} - AssertionError\n1 failed, {total - 1} passed in {secs:.2f}s"
    return text, f"python -m pytest -q tests/test_{found.module}.py", shown
