"""A repository with one broken function, and an agent that mends it and commits, as it was asked to."""

import random

from benchmarks.foreign.later import functions
from benchmarks.foreign.later.course import Talk, Task, words

SYSTEM = "You work in /repo with a shell. Fix the problem, run the tests, and commit with a message in our style."
FILES = words("core.py,lists.py,text.py,ranges.py,numbers.py,tools.py")
SUBJECTS = words("Add {f},Rename a local in {f},Describe {f},Move {f} to its own file,Speed {f} up")
HEADS = ("git status --short", "git status", "git log --oneline -4", "git log --oneline -n 5")


def problem(rng: random.Random) -> Task:
    """Draw a broken function and the repository around it."""
    task = functions.problem(rng)
    spec, k = task.facts
    broken = functions.program(rng, task, False)
    place = f"src/{rng.choice(FILES)}"
    asks = (
        f"`{spec.name}` in {place} is wrong. It should: {spec.asks.format(k=k)} Commit the fix.",
        f"A user reports wrong results of `{spec.name}` ({place}). {spec.asks.format(k=k)} Please fix and commit.",
        f"tests/test_{spec.name}.py fails since Monday. {spec.asks.format(k=k)} Mend {place}, then commit.",
    )
    return Task(rng.choice(asks), "", {"code": task, "broken": broken, "place": place, "name": spec.name})


def solve(rng: random.Random, task: Task, right: bool) -> Talk:
    """Look, edit, test and commit."""
    facts, talk = task.facts, Talk(task.prompt, SYSTEM)
    place, name = facts["place"], facts["name"]
    for command in rng.sample(HEADS, rng.choice((1, 1, 2))):
        talk.use(
            rng.choice(("Where do we stand?", "", "First a look around.")),
            "bash",
            _told(rng, command, name),
            command=command,
        )
    talk.use(rng.choice(("The function itself.", "")), "bash", facts["broken"], command=f"cat {place}")
    code = functions.program(rng, facts["code"], right)
    talk.use(rng.choice(functions.THOUGHTS), "write_file", "written", path=place, content=code)
    share = functions.passed(code, facts["code"])
    bad = round((1 - share) * 5)
    shown = f"{5 - bad} passed" + (f", {bad} failed" if bad else "")
    talk.use(rng.choice(("Now the tests.", "")), "bash", shown, command=f"python -m pytest -q tests/test_{name}.py")
    talk.use(
        "",
        "bash",
        f" {place} | {code.count(chr(10))} +-",
        command=rng.choice(("git diff --stat", "git diff --stat HEAD")),
    )
    message = rng.choice(("Fix {f}", "Mend {f} at its borders", "{f}: follow the description", "Correct {f}")).format(
        f=name
    )
    commit = f'git add {place} && git commit -qm "{message}"'
    talk.use("", "bash", "", command=commit)
    talk.say(rng.choice(("Committed: {m}.", "Fixed and committed ({m}).", "Done. {m}.")).format(m=message))
    return talk


def _told(rng: random.Random, command: str, name: str) -> str:
    if "status" in command:
        return rng.choice(("", "On branch main\nnothing to commit, working tree clean"))
    return "\n".join(f"{rng.randrange(16**7):07x} {rng.choice(SUBJECTS).format(f=name)}" for _ in range(4))
