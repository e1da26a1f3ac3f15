"""A warehouse with an API over parts, used through tools."""

import json
from random import Random

from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Message, Task

SYSTEM = "You answer questions about the warehouse with get_part(sku) and get_shelf(shelf). End with 'Total: N'."
PARTS = ["valve", "bearing", "fuse", "relay", "pump", "sensor", "gasket", "motor", "bracket", "coupling"]
SAYS = ("Fetching the part.", "Next one.", "Let me ask for it.", "", "Querying.", "I need the count of this one.")


def stocktaking(rng: Random, index: int) -> Task:
    """How many pieces two or three parts have together."""
    parts = [
        (f"{rng.choice('AXZ')}{rng.randint(100, 999)}-{p[:2]}", p, rng.randint(3, 480))
        for p in rng.sample(PARTS, rng.randint(2, 3))
    ]
    gold = sum(count for _, _, count in parts)
    prompt = f"How many pieces of {', '.join(sku for sku, _, _ in parts)} do we hold together?"

    def wrong(rng: Random) -> str:
        return str(gold + rng.choice((-1, 1)) * rng.choice((1, 2, 10, 20, 100, parts[0][2])))

    def work(rng: Random, answer: str, right: bool) -> list[Message]:
        done: list[Message] = []
        for sku, name, count in parts:
            if rng.random() < 0.12:
                done += [
                    said("By its shelf?", call("get_shelf", shelf=sku[0])),
                    heard("get_shelf", missing(sku[0]), False),
                ]
            done += fetched(rng, sku, name, count)
        total = " + ".join(str(count) for _, _, count in parts)
        return [*done, said(f"{total}\nTotal: {answer}")]

    task = Task(f"stk{index:04d}", "stocktaking", prompt, str(gold), rng.gauss(0, 0.7), wrong, work, SYSTEM)
    task.extra = {"skus": [sku for sku, _, _ in parts]}
    return task


def fetched(rng: Random, sku: str, name: str, count: int) -> list[Message]:
    """A part is asked for and found."""
    record = {
        "sku": sku,
        "name": name,
        "on_hand": count,
        "shelf": f"{sku[0]}{count % 40:02d}",
        "reorder_at": count % 17,
    }
    return [said(rng.choice(SAYS), call("get_part", sku=sku)), heard("get_part", json.dumps(record))]


def missing(what: str) -> str:
    """The API's answer for something that does not exist."""
    return json.dumps({"status": 404, "detail": f"no such record: {what}"})
