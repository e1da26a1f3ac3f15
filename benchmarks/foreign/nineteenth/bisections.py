"""Tasks that ask which commit broke something."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told
from benchmarks.foreign.nineteenth.repos import MODULES, PACKAGES

WORK = (
    "speed up {m}",
    "rename a field in {m}",
    "tidy {m}",
    "support py3.13 in {m}",
    "drop old path in {m}",
    "type hints for {m}",
)


def bisect_task(rng: Random) -> Task:
    """Draw a history with one culprit."""
    package, module = rng.choice(PACKAGES), rng.choice(MODULES)
    commits = [
        (f"{rng.getrandbits(28):07x}", rng.choice(WORK).format(m=rng.choice(MODULES)))
        for _ in range(rng.randrange(5, 10))
    ]
    place = rng.randrange(1, len(commits) - 1)
    commits[place] = (commits[place][0], rng.choice(WORK).format(m=module))
    test = f"tests/test_{module}.py::test_{rng.choice(('empty', 'order', 'zones', 'limits', 'unicode'))}"
    return Task(
        f"In {package}, {test} passed at {commits[-1][0]} and fails at HEAD. Which commit of the history broke it? "
        "End with 'commit: HASH'.",
        commits[place][0],
        lambda r, right, skill: _reply(r, commits, place, test, right, skill),
        family=package,
        system="You may read the history with git. The working tree may be changed freely.",
        extra={"repo": package},
    )


def _reply(rng: Random, commits: list[tuple[str, str]], place: int, test: str, right: bool, skill: float) -> Reply:
    log = "\n".join(f"{h} {words}" for h, words in commits)
    messages = [
        call(rng.choice(("The history first.", "List the commits.", "")), "bash", command="git log --oneline"),
        told("bash", log),
    ]
    low, high = 0, len(commits) - 1
    while high - low > 1 and (right or rng.random() < 0.75):
        middle = (low + high) // 2
        command = f"git checkout -q {commits[middle][0]} && python -m pytest -q {test}"
        fails = middle <= place
        result = "1 failed" if fails else "1 passed"
        messages += [
            call(
                rng.choice(("Halve the range.", "Next candidate.", "", f"Try {commits[middle][0]}.")),
                "bash",
                command=command,
            ),
            told("bash", f"{result} in {rng.uniform(0.1, 4):.2f}s"),
        ]
        low, high = (middle, high) if fails else (low, middle)
    if rng.random() < 0.3 + 0.3 * skill:
        shown = commits[low][0]
        messages += [
            call("Confirm by reading it.", "bash", command=f"git show --stat {shown}"),
            told("bash", f"commit {shown}\n 1 file changed"),
        ]
    found = commits[place][0] if right else rng.choice([h for n, (h, _) in enumerate(commits) if n != place])
    return Reply(
        [*messages, say(f"{rng.choice(('Found.', 'That is the first bad one.', 'Bisected.'))}\ncommit: {found}")], found
    )
