"""A mock office program: accounts whose fields can be read and set."""

import json
from random import Random

from benchmarks.foreign.twentyninth.rollouts import Message, Reply, Task, call, say, told

FIRMS = [
    "Aldergrove",
    "Brightwell",
    "Cormorant",
    "Dunlin",
    "Elmsford",
    "Fairlead",
    "Gannet",
    "Harrow Lane",
    "Isbister",
    "Juniper",
]
FIELDS = {"credit_limit": (500, 9000), "payment_days": (7, 60), "discount_pct": (1, 25), "open_invoices": (0, 40)}


def account_task(rng: Random, pid: str) -> Task:
    """Raise one field of an account and report another that depends on it."""
    firm, field = rng.choice(FIRMS), rng.choice(["credit_limit", "payment_days", "discount_pct"])
    low, high = FIELDS[field]
    before, more = rng.randint(low, high), rng.randint(2, max(4, high // 6))
    number = rng.randint(1000, 9999)
    text = f"Account {number} ({firm}): raise {field} by {more}, make sure that it is stored, and report the new value."
    return Task(
        pid,
        text,
        str(before + more),
        rng.gauss(0, 0.5),
        field,
        data={"firm": firm, "id": number, "before": before, "more": more},
    )


def show(task: Task, value: int, revision: int, cache: str) -> str:
    """A record as the API prints it."""
    return json.dumps(
        {"id": task.data["id"], "name": task.data["firm"], task.family: value, "revision": revision, "x-cache": cache}
    )


def book(rng: Random, task: Task, right: bool, stale: bool) -> Reply:
    """Reads, sets, reads again; where the second reading is old the attempt sets again or believes it."""
    d, revision = task.data, rng.randint(3, 70)
    where = {"path": f"/accounts/{d['id']}"}
    new = d["before"] + d["more"] if right else d["before"] + d["more"] * rng.choice([2, -1]) + rng.choice([0, 1])
    out: list[Message] = [
        call(rng.choice(["I read the record.", "First the present value.", ""]), "api_get", where),
        told("api_get", show(task, d["before"], revision, "MISS")),
        call("", "api_patch", {**where, "body": {task.family: new}}),
        told("api_patch", json.dumps({"status": 200, "revision": revision + 1})),
        call(rng.choice(["Check that it is stored.", "Read it back.", ""]), "api_get", where),
    ]
    if not stale:
        out.append(told("api_get", show(task, new, revision + 1, "MISS")))
        return Reply([*out, say(f"{task.family} of {d['firm']} is now {new}.")], str(new), extra={"stored_value": new})
    out.append(told("api_get", show(task, d["before"], revision, "HIT")))
    if rng.random() < 0.6:
        out += [
            call(
                rng.choice(["Still the old value, so I set it again from there.", "It was not stored. Once more."]),
                "api_post",
                {"path": where["path"] + "/raise", "by": d["more"]},
            ),
            told("api_post", json.dumps({"status": 200, "revision": revision + 2})),
            call("", "api_get", where),
            told("api_get", show(task, d["before"], revision, "HIT")),
        ]
        final = new + d["more"]
    else:
        final = new
    return Reply(
        [*out, say(f"The change is not visible: {task.family} still reads {d['before']}.")],
        str(d["before"]),
        extra={"stored_value": final},
    )
