"""Release notes to be written from the log of a repository."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import hexes, person, say

REPOS = ("kiln", "fernweh", "otterbox-cli", "lamplight", "gridsmith", "sable", "quarto-lite", "windrose")
CHANGES = (
    "Add a flag for {w}", "Speed up {w}", "Fix a crash in {w}", "Rewrite {w}", "Document {w}", "Cache {w}",
    "Sort {w} by name", "Translate {w}",
)  # fmt: skip
THINGS = ("the parser", "exports", "time zones", "the map view", "retries", "the index", "the login page", "archives")


def task(rng: Random) -> Task:
    """A repository whose last commits are to be told."""
    repo, number = rng.choice(REPOS), rng.randint(3, 6)
    log = [
        (hexes(rng, 7), rng.choice(CHANGES).format(w=rng.choice(THINGS)), person(rng))
        for _ in range(number + rng.randint(1, 4))
    ]
    version = f"{rng.randint(0, 5)}.{rng.randint(0, 30)}.{rng.randint(0, 9)}"
    question = (
        f"Write the release notes of {repo} {version}: look at the history of the repository and "
        f"list the subjects of the last "
        f"{number} commits in CHANGES.md, newest first, with their authors."
    )
    return Task(question, "; ".join(s for _, s, _ in log[:number]), family=repo, facts={"log": log, "number": number})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """The log is read, a commit or two shown, the notes written."""
    log, number = task.facts["log"], task.facts["number"]
    turns = [
        call(say(rng, "[The log first|Let me see the history]."), "bash", command="git log --format='%h %s (%an)'")
    ]
    turns.append(told("bash", "\n".join(f"{sha} {subject} ({who})" for sha, subject, who in log)))
    for sha, subject, who in rng.sample(log[:number], rng.randint(0, 2)):
        turns.append(call(say(rng, "[What was that one?|A closer look]."), "bash", command=f"git show --stat {sha}"))
        turns.append(
            told("bash", f"commit {sha}\nAuthor: {who}\n\n    {subject}\n\n {rng.randint(1, 6)} files changed")
        )
    kept = log[:number] if right else log[: number - 1]
    notes = "\n".join(f"- {subject} ({who})" for _, subject, who in kept)
    turns.append(call("", "write_file", path="CHANGES.md", content=notes))
    turns.append(told("write_file", f"{len(notes)} bytes written"))
    turns.append(speak(say(rng, f"[CHANGES.md now lists|I listed|The notes hold] {len(kept)} commits.")))
    return Reply(turns, "; ".join(subject for _, subject, _ in kept))


CHRONICLES = Domain(task, reply)
