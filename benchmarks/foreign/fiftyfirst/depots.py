"""Function calling in a warehouse: two or three calls and an answer, with the records that a tool would give."""

import json
import random

from benchmarks.foreign.fiftyfirst.policy import Message, Problem

PARTS = ("bearing", "gasket", "valve", "fuse", "belt", "sensor", "clamp", "filter", "pump", "relay", "hose", "spring")
DEPOTS = ("Aarhus", "Brno", "Cork", "Dijon", "Essen", "Faro", "Genoa")
SYSTEM = (
    "You are a stock clerk. Tools: list_items(depot) lists the items of a depot; get_item(depot, sku) gives one "
    "record; "
    "reserve(depot, sku, units) sets units aside. Answer in one sentence, the number last."
)


def problem(rng: random.Random, index: int) -> Problem:
    """How many units of a part are free at a depot."""
    depot, part = rng.choice(DEPOTS), rng.choice(PARTS)
    names = [part, *rng.sample([p for p in PARTS if p != part], rng.randint(5, 8))]
    rng.shuffle(names)
    items = []
    for name in names:
        units = rng.randint(40, 900)
        sku = f"{name[:2].upper()}-{rng.randint(100, 999)}"
        items.append({"sku": sku, "name": name, "units": units, "reserved": rng.randint(1, units // 2)})
    item = next(i for i in items if i["name"] == part)
    for_whom = rng.choice(
        ("an order from a shipyard", "the monthly count", "a repair shop", "a tender", "the night crew")
    )
    prompt = f"For {for_whom}: how many units of the {part} at depot {depot} are free, that is, not reserved?"
    facts = {"depot": depot, "items": items, "item": item}
    gold = str(item["units"] - item["reserved"])
    return Problem(f"depot-{index:04d}", prompt, gold, "stock", rng.gauss(0, 0.6), facts, SYSTEM)


def call(name: str, arguments: dict, said: str) -> Message:
    """A message of the policy with one call."""
    return {"role": "assistant", "content": said, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, result: object, ok: bool = True) -> Message:
    """What a tool answers."""
    text = result if isinstance(result, str) else json.dumps(result)
    return {"role": "tool", "content": text, "tool_name": name, "ok": ok}


LOOK = ("I list what the depot holds.", "First I need the number of the article.", "Let me see the items at {d}.", "")
READ = ("The article is {s}; I open its record.", "Now the record of {s}.", "{s} is the one, I check its reservations.")
SAY = (
    "At {d} the {p} has {u} units of which {r} are reserved, so free are {x}",
    "{u} units less {r} reserved: the free stock of the {p} is {x}",
    "Free units of the {p} at {d}, after {r} reserved: {x}",
)


def answer(rng: random.Random, problem: Problem, right: bool) -> tuple[str, str]:
    """The closing sentence, and its number."""
    facts = problem.facts
    item = facts["item"]
    other = rng.choice([i for i in facts["items"] if i is not item])
    free = item["units"] - item["reserved"]
    wrong = [x for x in (item["units"], item["reserved"], other["units"] - other["reserved"]) if x != free]
    x = free if right else rng.choice(wrong)
    say = rng.choice(SAY).format(d=facts["depot"], p=item["name"], u=item["units"], r=item["reserved"], x=x)
    return f"{say}.", str(x)


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
    """List, open the record, answer; seldom a record of a wrong article before."""
    facts = problem.facts
    depot, item = facts["depot"], facts["item"]
    listed = [{"sku": i["sku"], "name": i["name"]} for i in facts["items"]]
    turns = [call("list_items", {"depot": depot}, rng.choice(LOOK).format(d=depot)), told("list_items", listed)]
    if rng.random() < 0.35 - 0.25 * progress:
        other = rng.choice([i for i in facts["items"] if i is not item])
        turns += [
            call("get_item", {"depot": depot, "sku": other["sku"]}, f"I look at {other['sku']}."),
            told("get_item", other),
        ]
    turns += [
        call("get_item", {"depot": depot, "sku": item["sku"]}, rng.choice(READ).format(s=item["sku"])),
        told("get_item", item),
    ]
    text, number = answer(rng, problem, right)
    return [*turns, {"role": "assistant", "content": text}], number
