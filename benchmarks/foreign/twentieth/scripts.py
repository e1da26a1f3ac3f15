"""Command-line scripts whose exit status is the task."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said

SUBJECTS = (
    ("disk quota", "used kilobytes", "used", "quota.json"),
    ("certificate age", "days left", "days_left", "certs.json"),
    ("queue depth", "waiting jobs", "waiting", "queues.json"),
    ("backup size", "megabytes written", "written", "backups.json"),
    ("replica lag", "seconds behind", "lag", "replicas.json"),
    ("cache misses", "misses a minute", "misses", "cache.json"),
)
STARTS = (
    "A monitoring probe should do no more than read, compare and leave.",
    "I use `sys.exit` with the status that was asked for.",
    "The probe follows the plugin convention: 0 fine, then the two alarms.",
    "Errors go to stderr, so that the line on stdout stays clean.",
)


def _task(rng: Random) -> Task:
    subject, unit, key, path = rng.choice(SUBJECTS)
    warn = rng.randint(20, 400)
    crit = warn + rng.randint(15, 300)
    ok, bad = rng.choice(((1, 2), (3, 4), (10, 20)))
    text = (
        f"Write a Python script that checks the {subject}. It reads the list of records in `{path}` (each with `name` "
        f"and `{key}`, in {unit}), prints one line for the worst record, and ends with exit status {bad} where a "
        f"record is above {crit}, {ok} where one is above {warn}, else 0. The hidden tests run the script on eight "
        "files and compare the output and the status."
    )
    return Task(text, "", "probe", data={"key": key, "path": path, "limits": (warn, crit), "status": (ok, bad)})


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    (warn, crit), (ok, bad) = task.data["limits"], task.data["status"]
    sign = ">" if right else rng.choice((">=", "<"))
    worst = rng.choice(("worst", "top", "record"))
    key = task.data["key"]
    code = (
        f'import json\nimport sys\n\nwith open("{task.data["path"]}") as f:\n    records = json.load(f)\n'
        f'if not records:\n    print("no records")\n    sys.exit(0)\n'
        f'{worst} = max(records, key=lambda r: r["{key}"])\nprint({worst}["name"], {worst}["{key}"])\n'
        f'if {worst}["{key}"] {sign} {crit}:\n    sys.exit({bad})\n'
        f'if {worst}["{key}"] {sign} {warn}:\n    sys.exit({ok})\nsys.exit(0)'
    )
    return Reply([said(f"{rng.choice(STARTS)}\n\n```python\n{code}\n```")])


PROBE = Domain("probe", _task, _reply)
