"""Release notes out of the commits between two tags."""

from random import Random

from benchmarks.foreign.twentyeighth.repos import OBJECTS, PARTS, VERBS, shell
from benchmarks.foreign.twentyeighth.rollouts import Task, say


def release(rng: Random, number: int) -> Task:
    """A range of versions with its changes."""
    minor, project = rng.randint(1, 40), rng.choice(PARTS) + rng.choice(["kit", "d", "lib", "-cli", "box"])
    changes = [
        (
            f"{rng.choice(['add', 'fix', 'drop', 'speed up'])} "
            f"{rng.choice(VERBS)}{rng.choice(OBJECTS)} in {rng.choice(PARTS)}"
        )
        for _ in range(rng.randint(3, 6))
    ]
    text = (
        f"Write the release notes of {project} 2.{minor}.0. Base them on the commits "
        f"between v2.{minor - 1}.0 and v2.{minor}.0; one line a change."
    )
    return Task(
        f"rel-{number:04d}",
        text,
        f"{len(changes)} changes",
        rng.gauss(0, 0.8),
        "notes",
        {"changes": changes, "minor": minor},
    )


def summed_up(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """The log, perhaps a commit, the notes."""
    minor, changes = task.data["minor"], task.data["changes"]
    hashes = [f"{rng.getrandbits(28):07x}" for _ in changes]
    log = "\n".join(f"{h} {c}" for h, c in zip(hashes, changes, strict=True))
    turns = shell(
        rng,
        f"git log --oneline v2.{minor - 1}.0..v2.{minor}.0",
        log,
        0,
        rng.choice(["The commits first.", "Read the range of commits."]),
    )
    for n in range(rng.randint(0, 2)):
        turns += shell(
            rng,
            f"git show --stat {hashes[n]}",
            f"{changes[n]}\n src/{rng.choice(PARTS)}/x.py | {rng.randint(2, 90)} ++--",
            n + 1,
        )
    named = changes if right else rng.sample(changes, rng.randint(1, len(changes) - 1))
    return [*turns, say("assistant", f"## 2.{minor}.0\n" + "\n".join(f"- {c}" for c in named))]
