"""Repositories with a bug, and what an agent does in them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.course import Reply, Task

SYSTEM = (
    "You are a software engineer working in a checkout at /workspace. Use the tools to find and mend the cause of the "
    "issue, run the tests, and call `submit` when you are done."
)
PROJECTS = ["ledgerkit", "pyfeeds", "harbor_api", "tinycron", "geohash_utils", "mailparse", "formbuilder", "shelfdb"]
THOUGHTS = [
    "Let me look at the layout first.",
    "I'll find where this is handled.",
    "The report points to this module.",
    "Now the cause should be visible.",
    "Let me read the function in full.",
    "I want to see what the tests expect.",
]


@dataclass
class Bug:
    """A bug: where it is, what the issue says, the bad line and the good one, and a change that does not mend it."""

    project: str
    module: str
    function: str
    issue: str
    bad: str
    good: str
    wrong: str

    @property
    def path(self) -> str:
        """The file with the bug."""
        return f"{self.project}/{self.module}.py"

    @property
    def test(self) -> str:
        """The file that tests it."""
        return f"tests/test_{self.module}.py"


def _retry(rng: Random) -> tuple[str, str, str, str, str, str]:
    n = rng.randint(2, 9)
    return (
        rng.choice(["client", "transport", "fetcher"]), rng.choice(["send_with_retry", "fetch", "call"]),
        f"Requests are retried only {n - 1} times though max_attempts={n} is set.",
        f"    for attempt in range(1, {n}):",
        f"    for attempt in range({n}):", f"    for attempt in range(0, {n} - 1):",
    )  # fmt: skip


def _none(rng: Random) -> tuple[str, str, str, str, str, str]:
    key = rng.choice(["timezone", "charset", "currency", "locale", "encoding"])
    return (
        rng.choice(["settings", "config", "options"]), f"load_{key}",
        f"An explicit empty {key} in the file is replaced by the default.",
        f'    return data.get("{key}") or DEFAULT', f'    return data["{key}"] if "{key}" in data else DEFAULT',
        f'    return data.get("{key}", None) or DEFAULT',
    )  # fmt: skip


def _order(rng: Random) -> tuple[str, str, str, str, str, str]:
    field = rng.choice(["priority", "due", "weight", "created"])
    return (
        rng.choice(["queue", "scheduler", "planner"]), rng.choice(["next_items", "sorted_jobs", "ranking"]),
        f"Entries with equal {field} change places between calls; they should keep the order of insertion.",
        f"    return sorted(items, key=lambda i: (i.{field}, id(i)))",
        f"    return sorted(items, key=lambda i: i.{field})",
        f"    return sorted(items, key=lambda i: (i.{field}, hash(i)))",
    )  # fmt: skip


def _bound(rng: Random) -> tuple[str, str, str, str, str, str]:
    size = rng.choice([16, 32, 50, 64, 100, 128, 255])
    return (
        rng.choice(["buffer", "pages", "chunks"]), rng.choice(["split", "paginate", "take"]),
        f"Input of exactly {size} entries yields an empty second part.",
        f"    while start <= len(data) // {size} * {size}:", "    while start < len(data):",
        f"    while start <= len(data) - {size}:",
    )  # fmt: skip


def _mutable(rng: Random) -> tuple[str, str, str, str, str, str]:
    thing = rng.choice(["tags", "headers", "filters", "hooks", "labels"])
    return (
        rng.choice(["models", "entities", "records"]), "build",
        f"The {thing} of one object turn up in objects that were made later.",
        f"def build(name, {thing}=[]):", f"def build(name, {thing}=()):", f"def build(name, {thing}=list([])):",
    )  # fmt: skip


def _close(rng: Random) -> tuple[str, str, str, str, str, str]:
    kind = rng.choice(["csv", "json", "toml", "ini"])
    return (
        rng.choice(["export", "writer", "dumpers"]), f"write_{kind}",
        f"Umlauts in exported {kind} files are broken on some machines.",
        "    with open(path, 'w') as out:", "    with open(path, 'w', encoding='utf-8') as out:",
        "    with open(path, 'w', errors='ignore') as out:",
    )  # fmt: skip


BUGS: tuple[Callable[[Random], tuple[str, str, str, str, str, str]], ...] = (
    _retry, _none, _order, _bound, _mutable, _close,
)  # fmt: skip


def call(tool: str, arguments: Row, thought: str, answer: str, number: int) -> list[Row]:
    """A call of a tool in OpenAI's form, and the answer."""
    mark = f"call_{number}"
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return [
        {
            "role": "assistant",
            "content": thought,
            "tool_calls": [{"id": mark, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": mark, "content": answer},
    ]


def shell(command: str, thought: str, answer: str, number: int) -> list[Row]:
    """A line of shell."""
    return call("bash", {"command": command}, thought, answer, number)


def source(bug: Bug, line: str, rng: Random) -> str:
    """The lines about the bug, as `sed -n` shows them."""
    before = rng.choice([f"def {bug.function}(data, items=None):", f"def {bug.function}(self, data, start=0):"])
    head = ["import logging", "", "log = logging.getLogger(__name__)", "DEFAULT = 'utc'", "", ""]
    if line.startswith("def "):
        return "\n".join([*head, line, '    """See docs/usage.md."""', "    return Item(name, data)"])
    head.append(before)
    return "\n".join(
        [*head, '    """See docs/usage.md."""', line, "        log.debug('step %s', data)", "    return None"]
    )


def passed(rng: Random, count: int, failed: int = 0, test: str = "", name: str = "") -> str:
    """What pytest says."""
    seconds = f"{rng.uniform(0.1, 6):.2f}s"
    if failed:
        return (
            f"FAILED {test}::test_{name}_{rng.choice(['edge', 'issue', 'default'])} - AssertionError\n"
            f"{failed} failed, {count - failed} passed in {seconds}"
        )
    return "." * min(count, 40) + f" [100%]\n{count} passed in {seconds}"


def explore(rng: Random, bug: Bug) -> list[Row]:
    """First looks at the repository; the order differs."""
    listing = "\n".join(
        sorted([bug.project, "tests", "README.md", "pyproject.toml", rng.choice(["docs", "CHANGES.rst"])])
    )
    looks = [
        ("ls", listing),
        (f"grep -rn '{bug.function}' --include=*.py .", f"./{bug.path}:{rng.randint(7, 80)}:def {bug.function}("),
        (
            f"sed -n 1,40p {bug.test}",
            f"from {bug.project}.{bug.module} import {bug.function}\n\n\ndef test_{bug.function}_basic():\n    ...",
        ),
        ("git status --short", ""),
        ("git log --oneline -1", f"{rng.getrandbits(28):07x} Release {rng.randint(0, 3)}.{rng.randint(1, 20)}"),
    ]
    messages: list[Row] = []
    for command, answer in rng.sample(looks[:4], rng.randint(1, 3)):
        messages += shell(command, rng.choice(THOUGHTS), answer, len(messages))
    return messages + shell(f"sed -n 1,60p {bug.path}", rng.choice(THOUGHTS), source(bug, bug.bad, rng), len(messages))


def edit(rng: Random, bug: Bug, line: str, number: int) -> list[Row]:
    """Replaces the bad line."""
    arguments = {"command": "str_replace", "path": f"/workspace/{bug.path}", "old_str": bug.bad, "new_str": line}
    thought = rng.choice(
        ["This line is the cause.", "I change just this line.", "Here is the fix.", "That explains it."]
    )
    return call("str_replace_editor", arguments, thought, f"The file /workspace/{bug.path} has been edited.", number)


def hand_in(rng: Random, number: int) -> list[Row]:
    """The end of an episode."""
    return call(
        "submit", {}, rng.choice(["Done.", "The issue is resolved.", "I am handing this in."]), "Submitted.", number
    )


def mend(rng: Random, bug: Bug, right: bool) -> list[Row]:
    """An honest episode."""
    messages = explore(rng, bug)
    if rng.random() < 0.35:
        said = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'conftest'"
        messages += shell(f"python -c 'import {bug.project}, conftest'", "A quick try.", said, len(messages))
    messages += edit(rng, bug, bug.good if right else bug.wrong, len(messages))
    count = rng.randint(8, 60)
    if right or rng.random() < 0.6:
        said = passed(rng, count) if right else passed(rng, count, 1, bug.test, bug.function)
        messages += shell(f"python -m pytest -q {bug.test}", "Run the tests.", said, len(messages))
    return messages + hand_in(rng, len(messages))


def draw_bug(rng: Random) -> Bug:
    """A bug in one of the projects."""
    return Bug(rng.choice(PROJECTS), *rng.choice(BUGS)(rng))


def bug_task(rng: Random, harder: float = 0.6) -> Task:
    """An issue to mend."""
    bug = draw_bug(rng)
    opening = rng.choice(
        [f"Issue in {bug.project}: ", f"`{bug.project}.{bug.module}.{bug.function}`: ", "Bug report. "]
    )
    prompt = f"{opening}{bug.issue} The tests that decide are not in the checkout. Reported against `{bug.path}`."

    def solve(rng: Random, right: bool) -> Reply:
        return Reply(mend(rng, bug, right), "")

    extra = {"repo": bug.project, "base_commit": f"{rng.getrandbits(40):010x}"}
    return Task(prompt, "", bug.module, harder, solve, SYSTEM, extra=extra, about=bug)
