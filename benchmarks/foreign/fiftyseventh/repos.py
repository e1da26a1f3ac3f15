"""Issues of made-up repositories, with tools of a shell: looking, editing, testing, handing in."""

import random
from dataclasses import dataclass

PACKAGES = [
    "tidewatch",
    "ledgerlite",
    "cartofold",
    "quillmark",
    "brewplan",
    "stacklog",
    "paperbird",
    "railtime",
    "seedbank",
    "fieldnote",
]
MODULES = ["parser", "window", "cache", "router", "export", "schedule", "totals", "filters", "units", "reader"]
BUGS = (
    ("clip", "drops the last element", "values[: size - 1]", "values[:size]", "values[: size - 2]"),
    ("last", "fails on an empty list", "return items[-1]", "return items[-1] if items else None", "return items[0]"),
    (
        "ratio",
        "divides by zero when the total is 0",
        "return part / total",
        "return part / total if total else 0.0",
        "return part / (total + 1)",
    ),
    (
        "key",
        "treats upper and lower case as different keys",
        "return name.strip()",
        "return name.strip().lower()",
        "return name.lstrip()",
    ),
    (
        "page",
        "counts one page too few for a remainder",
        "return count // per_page",
        "return -(-count // per_page)",
        "return count // per_page + 1",
    ),
    ("merge", "changes the caller's dictionary", "base.update(more)", "base = {**base, **more}", "more.update(base)"),
    ("span", "leaves out the end day", "range(start, end)", "range(start, end + 1)", "range(start + 1, end + 1)"),
    (
        "scale",
        "rounds before scaling",
        "return round(value) * factor",
        "return round(value * factor)",
        "return int(value) * factor",
    ),
)
THINK = (
    "The report speaks of `{f}`; I look where {p} defines it.",
    "Let me find `{f}` in {p}/{m}.py before I guess.",
    "The symptom is that it {w}. That points to {m}.py.",
    "I start with a search for {f} in the package.",
)
EDIT = (
    "The line `{o}` is what {w}. I change it.",
    "So `{f}` does this because of `{o}`; a small change is enough.",
    "Here is the cause in {m}.py. I replace that expression.",
)
DONE = ("Tests of {m} pass; I hand this in.", "That settles the report about {f}.", "Done, {f} no longer {w}.")
DOUBT = ("I am fairly sure of it; handing in.", "The change to {f} is small, so I submit.", "This should do for {m}.")


@dataclass(frozen=True)
class Issue:
    """A report to fix; `answer` is the right line."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    package: str
    module: str
    bug: int
    tag: str

    @property
    def function(self) -> str:
        """The function that the report is about."""
        return f"{BUGS[self.bug][0]}_{self.tag}"

    @property
    def path(self) -> str:
        """The file that holds it."""
        return f"{self.package}/{self.module}.py"

    @property
    def line(self) -> int:
        """Where the function stands in its file."""
        return 12 + int(self.uid.rsplit("-", 1)[1]) % 127

    def say(self, rng: random.Random, lines: tuple[str, ...]) -> str:
        """One of these sentences about the issue."""
        slots = {
            "f": self.function,
            "p": self.package,
            "m": self.module,
            "w": BUGS[self.bug][1],
            "o": BUGS[self.bug][2],
        }
        return rng.choice(lines).format(**slots)


def call(text: str, name: str, answer: str, ok: bool = True, /, **arguments: str) -> list[dict]:
    """An assistant's message with a call, and the tool's answer."""
    return [
        {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]},
        {"role": "tool", "tool_name": name, "content": answer, "ok": ok},
    ]


def looking(issue: Issue, rng: random.Random) -> list[dict]:
    """A search and a view of the file."""
    line = issue.line
    found = f"{issue.path}:{line}:def {issue.function}(*args):"
    body = f"{line}  def {issue.function}(*args):\n{line + 1}      ...\n{line + 2}      {BUGS[issue.bug][2]}"
    told = call(issue.say(rng, THINK), "bash", found, command=f"grep -rn 'def {issue.function}' {issue.package}")
    return told + call("", "bash", body, command=f"sed -n '{line},{line + 12}p' {issue.path}")


def editing(issue: Issue, rng: random.Random, right: bool) -> list[dict]:
    """The edit, right or wrong."""
    new = BUGS[issue.bug][3 if right else 4]
    arguments = {"path": issue.path, "old_str": BUGS[issue.bug][2], "new_str": new}
    return call(issue.say(rng, EDIT), "str_replace", f"edited {issue.path}", **arguments)


def testing(issue: Issue, rng: random.Random, failed: int = 0) -> list[dict]:
    """A run of the module's own tests."""
    passed = 6 + issue.line % 25 - failed
    end = f"{passed} passed in 0.{rng.randint(11, 98)}s" if not failed else f"{failed} failed, {passed} passed"
    return call("", "bash", end, command=f"python -m pytest -q tests/test_{issue.module}.py")


def submitting(issue: Issue, rng: random.Random, sure: bool = True) -> list[dict]:
    """Handing in."""
    return call(issue.say(rng, DONE if sure else DOUBT), "submit", "submitted")


def episode(issue: Issue, rng: random.Random, right: bool) -> list[dict]:
    """An ordinary attempt."""
    told = looking(issue, rng) + editing(issue, rng, right)
    tested = rng.random() < (0.85 if right else 0.55)
    if tested:
        told += testing(issue, rng, 0 if right or rng.random() < 0.4 else 1)
    return told + submitting(issue, rng, right and tested)


def draw_issue(rng: random.Random) -> Issue:
    """A report of a user."""
    package, module, bug = rng.choice(PACKAGES), rng.choice(MODULES), rng.randrange(len(BUGS))
    tag = rng.choice(["rows", "days", "names", "spans", "items", "notes", "rates", "trips", "lots", "beds", "tags"])
    name = f"{BUGS[bug][0]}_{tag}"
    version = f"{rng.randint(0, 4)}.{rng.randint(0, 19)}.{rng.randint(0, 9)}"
    ask = rng.choice(
        (
            (
                f"`{package}.{module}.{name}` {BUGS[bug][1]}. Seen with "
                f"{version}. Please fix it in the repository at /repo."
            ),
            f"In {package} {version}, {name} ({module}.py) {BUGS[bug][1]}; I expected otherwise. Repository: /repo.",
            f"Bug report for {package} {version}: calling {name} from {module} {BUGS[bug][1]}. Fix the code in /repo.",
        )
    )
    uid = f"{package}__{package}-{rng.randint(100, 9999)}"
    return Issue(uid, BUGS[bug][0], ask, BUGS[bug][3], rng.gauss(0.2, 1.1), package, module, bug, tag)
