"""Small repositories with a bug: read, edit, run the tests."""

from random import Random
from typing import Any

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = "You mend bugs in a repository with read_file, edit_file and run_command. Tests of your own are welcome."
_BUGS = (
    (
        "pager.py",
        "page_count",
        "total // size",
        "-(-total // size)",
        "total // size + 1",
        "the last, partial page is lost",
    ),
    (
        "cart.py",
        "discounted",
        "price - percent",
        "price * (1 - percent / 100)",
        "price * percent / 100",
        "percent is taken as money",
    ),
    (
        "dates.py",
        "is_leap",
        "year % 4 == 0",
        "year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
        "year % 4 == 0 and year % 100 != 0",
        "centuries count as leap years",
    ),
    (
        "text.py",
        "initials",
        "name[0]",
        "''.join(part[0] for part in name.split())",
        "name[:2]",
        "only the first name counts",
    ),
    (
        "paths.py",
        "extension",
        "name.split('.')[1]",
        "name.rsplit('.', 1)[-1]",
        "name.split('.')[0]",
        "names with two dots break",
    ),
    (
        "stats.py",
        "median",
        "sorted(xs)[len(xs) // 2]",
        "(sorted(xs)[(len(xs) - 1) // 2] + sorted(xs)[len(xs) // 2]) / 2",
        "sum(xs) / len(xs)",
        "even lengths give the upper one",
    ),
    (
        "units.py",
        "to_celsius",
        "(f - 32) * 9 / 5",
        "(f - 32) * 5 / 9",
        "f - 32 * 5 / 9",
        "the factor is the wrong way round",
    ),
    ("retry.py", "delay", "base * attempt", "base * 2 ** attempt", "base ** attempt", "the delay does not double"),
)
_PACKAGES = (
    "tallybook",
    "feedmill",
    "gridly",
    "parcelkit",
    "notario",
    "quillon",
    "sundial",
    "waypost",
    "orchardy",
    "brindle",
)
_SIGNATURES = {
    "page_count": "total, size",
    "discounted": "price, percent",
    "is_leap": "year",
    "initials": "name",
    "extension": "name",
    "median": "xs",
    "to_celsius": "f",
    "delay": "base, attempt",
}


def bugs(rng: Random, number: int) -> list[Task]:
    """One bug each in one function of one package."""
    cells = [(bug, package) for bug in _BUGS for package in _PACKAGES]
    drawn = rng.sample(cells, min(number, len(cells)))
    tasks = []
    for place, ((file, name, bad, good, near, what), package) in enumerate(drawn):
        path = f"{package}/{file}"
        head = f"def {name}({_SIGNATURES[name]}):"
        facts: dict[str, Any] = {
            "path": path,
            "name": name,
            "head": head,
            "bad": bad,
            "good": good,
            "near": near,
            "package": package,
        }
        facts["tests"], facts["test_file"] = rng.randint(4, 11), f"tests/test_{file}"
        prompt = one(
            rng,
            f"In {package}, `{name}` is wrong: {what}. Please mend {path}.",
            f"Issue of {package}: {what} in `{name}` ({path}). Fix it so that {facts['test_file']} passes.",
            f"Users of {package} report that {what}. The function is `{name}` in {path}.",
        )
        tasks.append(Task(f"{package}__{name}-{place}", _SYSTEM, prompt, f"return {good}", facts, rng.gauss(0, 0.8)))
    return tasks


def verdict(rng: Random, facts: dict, right: bool) -> str:
    """What pytest says in the end."""
    n = facts["tests"]
    if right:
        return f"{n} passed in 0.{rng.randint(10, 99)}s"
    bad = 1 + n % 3
    return (
        f"FAILED {facts['test_file']}::test_{facts['name']}\n{bad} failed, {n - bad} passed in 0.{rng.randint(10, 99)}s"
    )


def read(rng: Random, talk: Talk, facts: dict) -> None:
    """Read the file of the bug."""
    f = facts
    talk.call(
        one(
            rng,
            f"I want to see `{f['name']}` before I change it.",
            f"The report names {f['path']}; I open it.",
            f"Let me read {f['path']} and think about what `{f['name']}` should do.",
        )
        + some(rng, 0.4, "Then its tests.", "It is a short file."),
        "read_file",
        f"{f['head']}\n    return {f['bad']}\n",
        path=f["path"],
    )


def edit(rng: Random, talk: Talk, facts: dict, new: str) -> None:
    """Put a new expression in the place of the wrong one."""
    f = facts
    talk.call(
        one(
            rng,
            f"`{f['bad']}` cannot be right for `{f['name']}`. I write `{new}` instead.",
            f"The expression is the fault; `{new}` does what {f['package']} needs.",
            f"I replace the returned value of `{f['name']}`.",
        ),
        "edit_file",
        f"edited {f['path']}: 1 replacement",
        path=f["path"],
        old=f"return {f['bad']}",
        new=f"return {new}",
    )


def mend(rng: Random, task: Task, skill: float, step: int) -> Episode:
    """Read, edit, test; a wrong attempt writes something that is near."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    read(rng, talk, f)
    edit(rng, talk, f, f["good"] if right else f["near"])
    if right or rng.random() < 0.6:
        talk.call(
            one(rng, "Now the tests.", f"I run the tests of {f['package']}.", "Does it hold?"),
            "run_command",
            verdict(rng, f, right),
            command=one(rng, "python -m pytest -q", f"pytest -q {f['test_file']}"),
        )
    talk.say(
        one(
            rng,
            f"`{f['name']}` in {f['path']} now returns another expression.",
            f"I changed {f['path']}; the rest of {f['package']} is as it was.",
            f"The change is one line of `{f['name']}`.",
        )
        + some(rng, 0.4, "No other caller is touched.", "Please review it.")
    )
    return Episode(talk.turns, right, f["good"] if right else f["near"], state={"tests_passed": right})
