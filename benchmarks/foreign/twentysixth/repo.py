"""Repositories: an issue, a shell, an edit, a test run."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import call, pick, say, tool

BUGS = {
    "slugify": (
        "keeps two dashes where two blanks were",
        "re.sub(r' ', '-', s)",
        "re.sub(r' +', '-', s)",
        "('a  b') == 'a-b'",
    ),
    "parse_port": ("accepts ports above 65535", "return int(s)", "return _checked(int(s), 65535)", "('8080') == 8080"),
    "chunked": (
        "drops the last short chunk",
        "range(0, len(x) - n, n)",
        "range(0, len(x), n)",
        "([1, 2, 3], 2) == [[1, 2], [3]]",
    ),
    "mean_of": ("fails on an empty list", "sum(v) / len(v)", "sum(v) / len(v) if v else 0.0", "([]) == 0.0"),
    "is_leap": (
        "calls 1900 a leap year",
        "y % 4 == 0",
        "y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)",
        "(1900) is False",
    ),
    "strip_bom": (
        "leaves the byte order mark of UTF-8",
        "text.strip()",
        "text.lstrip('\\ufeff').strip()",
        "('\\ufeffab ') == 'ab'",
    ),
}
PACKAGES = ("kettle", "harbor", "plover", "quarto", "lumen", "sieve", "tundra", "maple", "orbit", "ferry", "brisk")
SYSTEM = "You fix an issue in /repo. Tools: bash(command), edit(path, old, new), submit()."


def task(rng: Random) -> Task:
    """An issue about one function."""
    name, package, number = rng.choice(list(BUGS)), rng.choice(PACKAGES), rng.randint(11, 999)
    path = f"{package}/{pick(rng, 'utils', 'core', 'text', 'helpers', 'common')}.py"
    prompt = f"Repository {package}, issue #{number}: `{name}` {BUGS[name][0]}. Fix it in {path}; the tests must pass."
    return Task(package, prompt, BUGS[name][2], system=SYSTEM, extra={"function": name, "path": path, "issue": number})


def look(rng: Random, t: Task) -> list[dict]:
    """How the policy reads the code first."""
    path, name = t.extra["path"], t.extra["function"]
    command = pick(rng, f"cat {path}", f"grep -n 'def {name}' -A 8 {path}", f"sed -n '1,60p' {path}")
    body = f"def {name}(...):\n    ...\n    {BUGS[name][1]}  # line {Random(t.prompt).randint(8, 90)}"
    return [call(pick(rng, "I start with the code.", "Where is it?", ""), "bash", command=command), tool("bash", body)]


def tests(rng: Random, t: Task, failed: int, result: str = "") -> list[dict]:
    """A run of the tests."""
    command = pick(rng, "python -m pytest -q", "pytest -x -q tests", "python -m pytest tests -q")
    passed = Random(t.prompt).randint(14, 60) - failed
    end = (
        f"{failed} failed, {passed} passed"
        if failed
        else result.format(n=passed - ("failed" in result)) or f"{passed} passed"
    )
    return [
        call(pick(rng, "Now the tests.", "Run them.", ""), "bash", command=command),
        tool("bash", f"{end} in 1.{rng.randint(10, 99)}s"),
    ]


def edit(rng: Random, t: Task, new: str) -> list[dict]:
    """An edit of the function."""
    name, path = t.extra["function"], t.extra["path"]
    text = pick(rng, f"`{name}` needs a change.", "The cause is this line.", "I replace the line.")
    return [call(text, "edit", path=path, old=BUGS[name][1], new=new), tool("edit", f"edited {path}")]


def submit(rng: Random, t: Task) -> list[dict]:
    """Handing in."""
    words = pick(rng, f"Fixed `{t.extra['function']}`.", f"Issue #{t.extra['issue']} is done.", "The change is in.")
    return [call("", "submit"), tool("submit", "submitted"), say(words)]


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Look, edit, test, submit; wrong ones change the line without mending it."""
    good, old = BUGS[t.extra["function"]][2], BUGS[t.extra["function"]][1]
    bad = pick(rng, f"{old}  # fixed", f"str({old})", f"({old}) or None", f"{old} if True else None")
    messages = look(rng, t)
    if right and rng.random() < 0.35:
        messages += [*edit(rng, t, bad), *tests(rng, t, 1)]
    messages += edit(rng, t, good if right else bad)
    if right or rng.random() < 0.6:
        messages += tests(rng, t, 0 if right else rng.randint(1, 2))
    return Reply(messages + submit(rng, t), good if right else bad, {"repo": t.family})


WORLD = World(task, reply)
