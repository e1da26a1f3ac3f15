"""Repositories with an issue, worked on with a shell."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

PARTS = ["cache", "router", "parser", "scheduler", "ledger", "mailer", "locale", "cursor", "session", "render"]
VERBS = ["resolve", "merge", "format", "expire", "split", "rotate", "quote", "collect", "rewind", "encode"]
OBJECTS = ["Key", "Route", "Window", "Batch", "Header", "Slot", "Range", "Token", "Entry", "Frame"]
FAULTS = [
    ("drops the last element when the input has odd length", "range(len(xs) - 1)", "range(len(xs))"),
    ("returns a stale value after the second call", "self._seen = self._seen", "self._seen = None"),
    ("treats an empty string like a missing one", "if not value:", "if value is None:"),
    ("compares the limit with <= where < is documented", "if size <= limit:", "if size < limit:"),
    ("swaps start and end for negative offsets", "return end, start", "return start, end"),
]


def issue(rng: Random, number: int, suffix: str = "py") -> Task:
    """An issue about one function in one file."""
    part, name = rng.choice(PARTS), rng.choice(VERBS) + rng.choice(OBJECTS)
    what, bad, good = rng.choice(FAULTS)
    project = rng.choice(["north", "tiny", "open", "blue", "fast"]) + rng.choice(
        ["gate", "store", "flow", "mesh", "desk"]
    )
    path = f"src/{part}/{name.lower()}.{suffix}"
    text = (
        f"Repository {project}, {rng.randint(40, 900)} files. Issue: `{name}` in the "
        f"{part} module {what}. Fix it so that the tests pass. Interface: {name}(value, "
        f"limit) in {path}."
    )
    data = {"path": path, "name": name, "bad": bad, "good": good, "part": part, "project": project, "suffix": suffix}
    return Task(f"{project}-{number:04d}", text, good, rng.gauss(0, 0.9), part, data)


def typescript(rng: Random, number: int) -> Task:
    """The same in TypeScript."""
    return issue(rng, number, "ts")


def shell(rng: Random, command: str, found: str, number: int, talk: str = "") -> list[dict]:
    """One command and what it printed."""
    words = talk or rng.choice(["Let me look.", "Next.", "Checking this.", "I want to see more.", "Now this."])
    call = {"id": f"c{number}", "name": "bash", "arguments": {"command": command}}
    return [
        say("assistant", words, tool_calls=[call]),
        say("tool", found, tool_call_id=f"c{number}", tool_name="bash", ok="rror" not in found),
    ]


def explored(rng: Random, task: Task) -> list[dict]:
    """The file is found and read."""
    d = task.data
    turns = shell(
        rng,
        f"grep -rn '{d['name']}' src | head -{rng.randint(5, 40)}",
        f"{d['path']}:{rng.randint(3, 80)}: {d['name']}(value, limit)",
        0,
    )
    if rng.random() < 0.5:
        turns += shell(
            rng,
            f"ls src/{d['part']}",
            f"index.{d['suffix']}  {d['name'].lower()}.{d['suffix']}  types.{d['suffix']}",
            1,
        )
    first = rng.randint(1, 30)
    return turns + shell(
        rng,
        f"sed -n {first},{first + 40}p {d['path']}",
        f"# {d['part']}\n{d['name']}(value, limit):\n    {d['bad']}\n    ...",
        2,
    )


def edited(rng: Random, task: Task, line: str) -> list[dict]:
    """A line is replaced."""
    d = task.data
    return shell(
        rng,
        f"sed -i 's/{d['bad']}/{line}/' {d['path']}",
        "",
        3,
        rng.choice(["This is the line.", "I replace it.", "Fixing the condition."]),
    )


def tested(rng: Random, task: Task, failed: int, number: int = 4) -> list[dict]:
    """The tests of the module are run."""
    total = rng.randint(6, 31)
    tool = (
        f"python -m pytest -q tests/{task.data['part']}"
        if task.data["suffix"] == "py"
        else f"npx jest {task.data['part']}"
    )
    return shell(rng, tool, f"{failed} failed, {total - failed} passed" if failed else f"{total} passed", number)


def patched(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Explore, edit, test, submit."""
    wrong = rng.choice(
        ["pass", task.data["bad"] + " or limit", task.data["bad"].replace("value", "limit") + " and True"]
    )
    turns = explored(rng, task) + edited(rng, task, task.data["good"] if right else wrong)
    if rng.random() < 0.5 + 0.4 * progress:
        turns += tested(rng, task, 0 if right else rng.randint(1, 3))
    return [
        *turns,
        say(
            "assistant",
            rng.choice(
                [
                    "The fix is in place.",
                    "Done; the condition was wrong.",
                    "Submitting this change.",
                    "I changed one line.",
                ]
            ),
        ),
    ]
