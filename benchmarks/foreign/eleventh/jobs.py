"""Jobs on a cluster that are started and then asked about; a gateway that at times fails."""

import json
from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

WORK = [
    "reindex the catalogue",
    "render the atlas",
    "fit the tide model",
    "convert the scans",
    "rebuild the thumbnails",
    "score the survey",
]
TEAMS = ["maps", "archive", "harbour", "billing", "labs", "press"]
SYSTEM = "Tools: submit(job, team, cores), status(job_id). Report the number of records done. End with: Records: <n>."


def make(rng: Random, name: str) -> Task:
    """A job of a team with so many cores."""
    work, team, cores, records = rng.choice(WORK), rng.choice(TEAMS), rng.choice([2, 4, 8, 16]), rng.randint(900, 98000)
    part = rng.randint(2, 480)
    prompt = f"For team {team}: {work}, part {part}, with {cores} cores. Tell me how many records were done."
    facts = {"work": work, "team": team, "cores": cores, "records": records, "part": part}
    return Task(name, prompt, str(records), team, system=SYSTEM, facts=facts)


def submitted(rng: Random, task: Task, right: bool) -> tuple[str, list[dict]]:
    """The job is started; a careless policy asks for other cores."""
    f = task.facts
    job = f"job-{rng.randint(10**4, 10**5)}"
    cores = f["cores"] if right or rng.random() < 0.5 else f["cores"] * 2
    start = call(
        rng.choice(["", "I submit it."]), "submit", job=f"{f['work']} part {f['part']}", team=f["team"], cores=cores
    )
    return job, [start, told("submit", json.dumps({"job_id": job, "state": "queued"}))]


def report(rng: Random, task: Task, right: bool) -> dict:
    """The last message."""
    n = task.facts["records"] if right else int(task.facts["records"] * rng.uniform(0.3, 0.95))
    return say(rng.choice(["The job is done. ", "Finished. ", "", "It ended well. "]) + f"Records: {n}")


def poll(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Status is asked again and again until the job ends; careless attempts report half-way."""
    job, turns = submitted(rng, task, right)
    total, asked = task.facts["records"], rng.randint(3, 9)
    for i in range(1, asked + 1):
        done = total if i == asked else int(total * i / asked * rng.uniform(0.8, 1))
        state = "done" if i == asked else "running"
        if not right and i == asked:
            break
        turns += [
            call("", "status", job_id=job),
            told("status", json.dumps({"job_id": job, "state": state, "records": done})),
        ]
    end = report(rng, task, right)
    return Reply([*turns, end], end["content"].split()[-1])


def flaky(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """The gateway fails by design in a third of calls; a good policy asks again, a bad one gives up or guesses."""
    job, turns = submitted(rng, task, right)
    failed = 0
    while rng.random() < 0.38 and failed < 4:
        failed += 1
        code = rng.choice(
            ["503 Service Unavailable (drill)", "504 Gateway Timeout (drill)", "429 Too Many Requests (drill)"]
        )
        turns += [
            call(rng.choice(["", "Once more.", "A drill, I retry."]), "status", job_id=job),
            told("status", code, ok=False),
        ]
        if not right and rng.random() < 0.6:
            break
    if right or not failed:
        done = json.dumps({"job_id": job, "state": "done", "records": task.facts["records"]})
        turns += [call("", "status", job_id=job), told("status", done)]
    end = report(rng, task, right)
    return Reply([*turns, end], end["content"].split()[-1], {"drill_failures": failed})


POLLED = Domain(make, poll)
DRILLED = Domain(make, flaky)
