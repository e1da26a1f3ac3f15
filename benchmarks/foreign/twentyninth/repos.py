"""Small repositories with one bug each, and an agent with a shell."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Message, Reply, Task, call, say, told

BUGS = [
    (
        "parse_ttl",
        "return int(text[:-1])",
        "return int(text[:-1]) * UNITS[text[-1]]",
        "durations such as '5m' are read as five seconds",
    ),
    ("page_count", "return total // size", "return -(-total // size)", "the last, partial page is missing"),
    ("merge_env", "return {**local, **base}", "return {**base, **local}", "local settings lose against the defaults"),
    ("is_weekend", "return day > 5", "return day >= 5", "Saturday counts as a working day"),
    (
        "slug",
        "return title.replace(' ', '-')",
        "return '-'.join(title.lower().split())",
        "double blanks give double dashes",
    ),
    ("last_lines", "return lines[:n]", "return lines[-n:]", "tail shows the head of the log"),
    (
        "ratio",
        "return hits / total",
        "return hits / total if total else 0.0",
        "an empty window raises ZeroDivisionError",
    ),
    ("strip_query", "return url.split('&')[0]", "return url.split('?')[0]", "the query string stays in the key"),
]
PACKAGES = ["tidepool", "marrow", "quillon", "bentley", "hopper", "saltbox", "fennel", "driftnet"]
PLACES = ["core/util", "cli/main", "store/keys", "web/views", "jobs/cron", "io/text"]


def bug_task(rng: Random, pid: str) -> Task:
    """An issue against a package."""
    name, bad, good, symptom = rng.choice(BUGS)
    package, place, line = rng.choice(PACKAGES), rng.choice(PLACES), rng.randint(14, 240)
    number = rng.randint(110, 4800)
    text = (
        f"Repository {package}, issue #{number}: `{name}` in {package}/{place}.py is wrong: "
        f"{symptom}. Fix it so that the hidden tests pass."
    )
    data = {"name": name, "bad": bad, "good": good, "path": f"{package}/{place}.py", "line": line, "number": number}
    return Task(
        pid, text, good, rng.gauss(0, 0.6), package, "You have a shell in /repo. Finish with a short summary.", data
    )


def shell(text: str, command: str, answer: str, ok: bool = True) -> list[Message]:
    """One command and its output."""
    return [call(text, "bash", {"command": command}), told("bash", answer, ok)]


def look(rng: Random, task: Task) -> list[Message]:
    """Finds the place."""
    d = task.data
    grep = rng.choice([f"grep -rn 'def {d['name']}' .", f"rg -n {d['name']}", f"grep -n {d['name']} -r {task.family}"])
    out = shell(
        rng.choice(["I look for the function.", "Where is it?", ""]),
        grep,
        f"{d['path']}:{d['line']}:def {d['name']}(...):",
    )
    if rng.random() < 0.7:
        out += shell(
            "",
            f"sed -n '{d['line']},{d['line'] + rng.randint(6, 20)}p' {d['path']}",
            f"def {d['name']}(...):\n    {d['bad']}\n",
        )
    return out


def patch(rng: Random, task: Task, line: str) -> list[Message]:
    """Replaces the line and runs the tests that are there."""
    d = task.data
    edit = {"path": d["path"], "old": d["bad"], "new": line}
    out = [
        call(rng.choice(["Now the change.", "Edit the line.", ""]), "edit_file", edit),
        told("edit_file", f"1 replacement in {d['path']}"),
    ]
    if rng.random() < 0.75:
        out += shell(
            "",
            rng.choice(["pytest -q", f"python -m pytest -q -k {d['name']}"]),
            f"{rng.randint(4, 60)} passed in {rng.uniform(0.3, 9):.2f}s",
        )
    return out


def wrong_line(rng: Random, task: Task) -> str:
    """A change that misses the point."""
    d = task.data
    guesses = [other for name, _, other, _ in BUGS if name != d["name"]]
    return rng.choice(
        [
            d["bad"] + "  # checked",
            d["bad"].replace("return ", "return +"),
            f"return None or {d['bad'][7:]}",
            rng.choice(guesses),
        ]
    )


def closing(rng: Random, task: Task) -> Message:
    """The summary."""
    d = task.data
    return say(
        rng.choice(
            [
                f"Fixed `{d['name']}` in {d['path']}.",
                f"#{d['number']} is resolved: one line in {d['path']}.",
                f"`{d['name']}` now behaves as the issue asks.",
            ]
        )
    )


def mend(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Reads, edits, tests, sums up."""
    line = task.data["good"] if right else wrong_line(rng, task)
    return Reply([*look(rng, task), *patch(rng, task, line), closing(rng, task)])
