"""Chores at a terminal with a number as result, which the agent writes to a file."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told

FOLDERS = ("inbox", "spool", "archive", "exports", "scans", "batch", "uploads", "dumps")
MONTHS = ("Jan", "Mar", "Apr", "Jul", "Oct")
CHORES = (
    (
        "count the {ext} files below /data/{d} that were changed in the last {k} days",
        "find /data/{d} -name '*.{ext}' -mtime -{k} | wc -l",
        "ls /data/{d} | grep -c {ext}",
    ),
    (
        "give the sum of column {k} of /data/{d}/table.{ext}",
        "awk -F, '{{s+=${k}}} END {{print s}}' /data/{d}/table.{ext}",
        "cut -d, -f{k} /data/{d}/table.{ext} | wc -l",
    ),
    (
        "count the distinct users in /data/{d}/access{k}.{ext}",
        "cut -d' ' -f1 /data/{d}/access{k}.{ext} | sort -u | wc -l",
        "cut -d' ' -f1 /data/{d}/access{k}.{ext} | uniq | wc -l",
    ),
    (
        "give the size in KiB of everything below /data/{d}/{ext}{k}",
        "du -sk /data/{d}/{ext}{k} | cut -f1",
        "ls -l /data/{d}/{ext}{k} | head -1",
    ),
)


@dataclass(frozen=True)
class Scene:
    """A chore: what does it, what nearly does it, and what these print."""

    command: str
    careless: str
    right: int
    wrong: int
    out: str


def chore_task(rng: Random) -> Task:
    """Draw a chore."""
    ask, good, bad = rng.choice(CHORES)
    d, ext, k = rng.choice(FOLDERS), rng.choice(("csv", "log", "json", "txt", "xml")), rng.randrange(2, 15)
    right, out = rng.randrange(4, 5000), f"/srv/task/result_{rng.randrange(100, 999)}.txt"
    scene = Scene(
        good.format(d=d, ext=ext, k=k), bad.format(d=d, ext=ext, k=k), right, right + rng.randrange(1, 70), out
    )
    return Task(
        f"On this machine, {ask.format(d=d, ext=ext, k=k)}. Write the number to {out}.",
        str(right),
        lambda r, good, skill: chore_reply(r, scene, good, skill),
        family=scene.command.split()[0],
        system="You have one tool, `shell`. Say DONE when the file is written.",
        scene=scene,
    )


def glance(rng: Random, s: Scene) -> list[Row]:
    """Look around first."""
    folder = next(w for w in s.command.split() if w.startswith("/data")).rsplit("/", 1)[0]
    listing = "\n".join(
        f"-rw-r--r-- 1 root root {rng.randrange(200, 90000):>7} {rng.choice(MONTHS)} {rng.randrange(1, 29):>2} part{n}"
        for n in range(rng.randrange(2, 6))
    )
    return [
        call(rng.choice(("Look around.", "What is there?", "")), "shell", cmd=f"ls -l {folder}"),
        told("shell", listing),
    ]


def count(rng: Random, s: Scene, right: bool) -> list[Row]:
    """Find the number."""
    note = rng.choice(("This gives the number.", "Let me compute it.", "One pipeline is enough.", "Now compute."))
    return [
        call(note, "shell", cmd=s.command if right else s.careless),
        told("shell", str(s.right if right else s.wrong)),
    ]


def write_down(rng: Random, s: Scene, value: int) -> list[Row]:
    """Write the number where it is wanted."""
    cmd = rng.choice((f"echo {value} > {s.out}", f"printf '%s\\n' {value} > {s.out}"))
    return [
        call(rng.choice(("Store it.", "Write the file.", "")), "shell", cmd=cmd),
        told("shell", ""),
        say(rng.choice(("DONE", f"DONE, {s.out} holds {value}.", f"Wrote {value}. DONE"))),
    ]


def chore_reply(rng: Random, s: Scene, right: bool, skill: float) -> Reply:
    """Look around, compute, write down."""
    head = glance(rng, s) if rng.random() < 0.7 - 0.4 * skill else []
    value = s.right if right else s.wrong
    return Reply([*head, *count(rng, s, right), *write_down(rng, s, value)], str(value))
