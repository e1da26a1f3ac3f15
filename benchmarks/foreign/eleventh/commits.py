"""Which commit broke a function: history is what the task asks about."""

from random import Random

from benchmarks.foreign.eleventh.repos import BUGS, MODULES, PROJECTS
from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

SYSTEM = (
    "You work in /repo through `bash(command)`. Tell which commit introduced the regression. End with: Commit: <hash>"
)
SUBJECTS = [
    "Tidy imports",
    "Speed up the loader",
    "Bump version",
    "Type hints",
    "Rework {f}",
    "Docs for {f}",
    "Drop Python 3.8",
]


def make(rng: Random, name: str) -> Task:
    """A project with a short history."""
    family, function, old, new, symptom = rng.choice(BUGS)
    project, module = rng.choice(PROJECTS), rng.choice(MODULES)
    log = [(f"{rng.randrange(16**7):07x}", rng.choice(SUBJECTS).format(f=function)) for _ in range(rng.randint(5, 11))]
    bad = rng.randrange(1, len(log) - 1)
    prompt = (
        f"In {project} {symptom} (`{function}` in {project}/{module}.py). It worked {len(log)} commits ago. "
        "Use the history to find the commit that broke it."
    )
    facts = {"log": log, "bad": bad, "old": old, "new": new, "path": f"{project}/{module}.py"}
    return Task(name, prompt, log[bad][0], family, system=SYSTEM, facts=facts, extra={"repo": project})


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """The log, some commits, and a verdict."""
    f = task.facts
    log, bad = f["log"], f["bad"]
    guess = bad if right else rng.choice([i for i in range(len(log)) if i != bad])
    count = f"git log --oneline -n {len(log)} -- {f['path']}"
    turns = [
        call(rng.choice(["The history first.", "", "List the commits."]), "bash", command=f"cd /repo && {count}"),
        told("bash", "\n".join(f"{h} {subject}" for h, subject in log)),
    ]
    looked = {guess, *rng.sample(range(len(log)), rng.randint(0, 2))}
    for i in sorted(looked):
        diff = f"-    {f['new']}\n+    {f['old']}" if i == bad else "-import os\n+import os, sys"
        turns += [
            call("", "bash", command=f"cd /repo && git show --stat -p {log[i][0]} -- {f['path']}"),
            told("bash", f"commit {log[i][0]}\n    {log[i][1]}\n{diff}"),
        ]
    turns.append(say(rng.choice(["This change explains it. ", "The diff shows it. ", ""]) + f"Commit: {log[guess][0]}"))
    return Reply(turns, log[guess][0])


COMMITS = Domain(make, solve)
