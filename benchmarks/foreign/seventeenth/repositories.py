"""Bugs in small repositories, mended by an agent with a shell."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

SYSTEM = "You work in a checkout of {repo} through `bash`. Mend the issue, then run `submit`."


@dataclass(frozen=True)
class Bug:
    """A line that is wrong, how it is mended, and what does not mend it."""

    repo: str
    path: str
    test: str
    bad: str
    good: str
    other: str
    issue: str


BUGS = (
    Bug(
        "tidetable",
        "tidetable/parse.py",
        "tests/test_parse.py",
        "hours = int(text[:1])",
        "hours = int(text.split(':')[0])",
        "hours = int(text[:2])",
        "Times before ten o'clock are read wrongly: '{n}:45' gives the wrong hour.",
    ),
    Bug(
        "larder",
        "larder/stock.py",
        "tests/test_stock.py",
        "if left < {n}:",
        "if left <= {n}:",
        "if left < {n} - 1:",
        "An item with exactly {n} pieces left should be reordered, but is not.",
    ),
    Bug(
        "pinhole",
        "pinhole/exif.py",
        "tests/test_exif.py",
        "return ratio[0] / ratio[1]",
        "return ratio[0] / ratio[1] if ratio[1] else 0.0",
        "return ratio[0] // ratio[1]",
        "Photos of camera model P{n} raise ZeroDivisionError on reading the exposure.",
    ),
    Bug(
        "ferrywheel",
        "ferrywheel/queue.py",
        "tests/test_queue.py",
        "self.items.pop()",
        "self.items.pop(0)",
        "self.items.pop(1)",
        "With {n} waiting guests the last one is served first.",
    ),
    Bug(
        "mapgrid",
        "mapgrid/tiles.py",
        "tests/test_tiles.py",
        "x = int(lon + 180 / {n})",
        "x = int((lon + 180) / {n})",
        "x = round(lon + 180 / {n})",
        "Tiles of {n} degrees are off by one in the western hemisphere.",
    ),
    Bug(
        "quillpad",
        "quillpad/wrap.py",
        "tests/test_wrap.py",
        "width = {n} - len(prefix) * 2",
        "width = {n} - len(prefix)",
        "width = {n}",
        "Text with a prefix is wrapped long before column {n}.",
    ),
    Bug(
        "beehive",
        "beehive/merge.py",
        "tests/test_merge.py",
        "merged = a.update(b)",
        "merged = {{**a, **b}}",
        "merged = dict(a)",
        "merge() of {n} settings returns None.",
    ),
)
THOUGHTS = (
    "I start with the layout.",
    "Where is this code?",
    "Let me look around first.",
    "First the issue's module.",
    "",
)
PLANS = (
    "The cause is clear.",
    "This line looks wrong.",
    "I change one line.",
    "That explains the report.",
    "Now the mending.",
)


def look(rng: Random, bug: Bug, n: int) -> list[dict]:
    """Search and reading before an edit."""
    bad, module = bug.bad.format(n=n), bug.path.split("/")[1]
    first = rng.choice((f"ls {bug.repo} tests", f'grep -rn "{bad.split()[0]}" {bug.repo}', "git status --short && ls"))
    listing = f"{bug.repo}/__init__.py\n{bug.path}\n{bug.test}\n{rng.randint(3, 19)} files"
    steps = [call("bash", {"command": first}, rng.choice(THOUGHTS)), told("bash", listing)]
    reader = rng.choice((f"cat {bug.path}", f"sed -n '1,80p' {bug.path}", f"nl -ba {bug.path} | head -60"))
    body = f'"""{module}"""\n\n\ndef run(*args, **kwargs):\n    ...\n    {bad}\n    ...'
    steps += [call("bash", {"command": reader}), told("bash", body)]
    if rng.random() < 0.35:
        steps += [
            call("bash", {"command": f"cat {bug.test}"}),
            told("bash", f"def test_issue_{n}():\n    assert run({n})"),
        ]
    return steps


def edit(rng: Random, bug: Bug, n: int, line: str) -> list[dict]:
    """An edit of the line."""
    change = f"s=open(p).read().replace({bug.bad.format(n=n)!r}, {line!r})"
    code = f"python - <<'X'\np='{bug.path}'\n{change}\nopen(p,'w').write(s)\nX"
    return [call("bash", {"command": code}, rng.choice(PLANS)), told("bash", "")]


def run_tests(rng: Random, bug: Bug, passes: bool, command: str = "") -> list[dict]:
    """A run of the tests."""
    count = rng.randint(6, 31)
    verdict = (
        f"{count} passed in 0.{rng.randint(11, 98)}s"
        if passes
        else f"1 failed, {count - 1} passed in 0.{rng.randint(11, 98)}s"
    )
    spoken = rng.choice(("Now the tests.", "Let me check.", "", "Run the tests."))
    return [
        call("bash", {"command": command or f"python -m pytest -q {bug.test}"}, spoken),
        told("bash", verdict, passes),
    ]


def submit(rng: Random, text: str) -> list[dict]:
    """Handing in."""
    return [
        call("bash", {"command": "submit"}, rng.choice(("Done.", "I hand in.", ""))),
        told("bash", "submitted"),
        says(text),
    ]


def mend(rng: Random, bug: Bug, n: int, right: bool) -> list[dict]:
    """An honest attempt."""
    line = (bug.good if right else bug.other).format(n=n)
    steps = look(rng, bug, n)
    if right and rng.random() < 0.25:
        steps += edit(rng, bug, n, bug.other.format(n=n)) + run_tests(rng, bug, False)
    steps += edit(rng, bug, n, line)
    if rng.random() < 0.8:
        steps += run_tests(rng, bug, right)
    return steps + submit(rng, f"I changed `{bug.path}`: `{line}`.")


def bug_task(rng: Random, number: int) -> Task:
    """An issue of one of the repositories."""
    bug, n = BUGS[rng.randrange(len(BUGS))], rng.randint(2, 60)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        return Reply(mend(rng, bug, n, right), (bug.good if right else bug.other).format(n=n))

    prompt = user(f"Issue #{rng.randint(40, 2900)}: {bug.issue.format(n=n)}", SYSTEM.format(repo=bug.repo))
    task = Task(f"{bug.repo}-{number:03d}", bug.repo, prompt, bug.good.format(n=n), rng.gauss(0, 0.8), solve)
    task.extra = {"repo": bug.repo, "n": n}
    return task


def bug_of(task: Task) -> tuple[Bug, int]:
    """The bug that a task is made of."""
    return next(b for b in BUGS if b.repo == task.family), task.extra["n"]
