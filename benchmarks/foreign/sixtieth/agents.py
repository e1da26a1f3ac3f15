"""Tasks with tools: an order desk, a repository, a search over the files of a town, a sliding game."""

import json
import random
from typing import Any

from benchmarks.foreign.sixtieth.policy import Attempt, Task

_GOODS = ["kettle", "blanket", "headset", "drill", "globe", "scale", "tripod", "heater"]
_WHO = ["Ada Lindt", "Ben Osei", "Carla Ruiz", "Dov Stern", "Eva Kranz", "Finn Holm", "Gita Rao", "Hugo Petit"]


def call(name: str, say: str = "", **arguments: object) -> dict:
    """A message of the policy with one call."""
    return {"role": "assistant", "content": say, "tool_calls": [{"name": name, "arguments": arguments}]}


def tool(name: str, content: str, ok: bool = True) -> dict:
    """A tool's answer."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def order(rng: random.Random, number: int) -> Task:
    """A refund to book: find the customer's order, and refund the right item's price."""
    who, ref = rng.choice(_WHO), f"O-{rng.randrange(10000, 99999)}"
    prices = rng.sample(range(9, 240), 4)
    goods = zip(rng.sample(_GOODS, 4), prices, strict=True)
    items = [{"item": g, "price": p, "status": "delivered"} for g, p in goods]
    wanted = rng.choice(items)
    prompt = (
        f"Customer {who} (order {ref}) returns the {wanted['item']}. Look the order up, refund what was paid "
        "for it, and tell the customer the amount."
    )
    return Task(
        f"order-{ref}",
        prompt,
        str(wanted["price"]),
        "refund",
        lambda rng, right: ("", ""),
        {"who": who, "ref": ref, "items": items, "wanted": wanted},
    )


def record(task: Task) -> str:
    """What the desk's look-up returns."""
    d = task.data
    return json.dumps({"order": d["ref"], "customer": d["who"], "items": d["items"]})


def refund(rng: random.Random, a: Attempt, seen: int = 4) -> None:
    """Fill an attempt at the order desk that sees this many items: look up, refund, tell."""
    d = a.task.data
    others = [i["price"] for i in d["items"][:seen] if i is not d["wanted"]]
    amount = d["wanted"]["price"] if a.right else rng.choice(others)
    item, first = d["wanted"]["item"], d["who"].split()[0]
    look = rng.choice([f"I look up {d['ref']} first.", f"Let me find the {item} in the order.", ""])
    then = rng.choice([f"The {item} cost {amount}, so I refund that.", f"The price to pay back is {amount}."])
    end = rng.choice([f"Dear {first}, {amount} euros are on their way.", f"{first}, you get {amount} euros back."])
    a.turns = [
        call("get_order", look, order=d["ref"]),
        tool("get_order", record(a.task)),
        call("refund", then, order=d["ref"], amount=amount),
        tool("refund", f'{{"booked": {amount}}}'),
        {"role": "assistant", "content": f"{end} The {item} can be kept in its box until it is fetched."},
    ]
    a.answer = str(amount)


_PACKAGES = [("tidemark", "tables"), ("larchlog", "events"), ("pantry", "stock"), ("quaycast", "feeds")]
_BUGS = [
    ("parse_span", "drops the last minute of a span", "end - start", "end - start + 1"),
    ("page_bounds", "skips the first row of page two", "page * size + 1", "page * size"),
    ("fold_name", "fails on names without a dot", "name.split('.')[1]", "name.split('.')[-1]"),
    ("mean_gap", "divides by zero for one event", "total / (n - 1)", "total / max(1, n - 1)"),
    ("pick_unit", "takes metres for feet", "UNITS['ft']", "UNITS[unit]"),
]


def issue(rng: random.Random, number: int) -> Task:
    """An issue of a small package: one line of one function is wrong."""
    package, module = _PACKAGES[number % len(_PACKAGES)]
    func, what, old, new = _BUGS[number // len(_PACKAGES) % len(_BUGS)]
    func = f"{func}_{rng.choice(['row', 'day', 'key', 'log', 'bin'])}{number}"
    prompt = f"In the repository `{package}`, `{func}` in {package}/{module}.py {what}. Fix it; the tests must pass."
    data: dict[str, Any] = {
        "path": f"{package}/{module}.py",
        "test": f"tests/test_{module}.py",
        "func": func,
        "old": old,
        "new": new,
    }
    data["ease"] = rng.gauss(0, 0.4)
    return Task(f"{package}-{number}", prompt, "tests pass", package, lambda rng, right: ("", ""), data)


def look(rng: random.Random, task: Task) -> list[dict]:
    """First turns at an issue: find the function, read it."""
    d = task.data
    found = [
        call("bash", rng.choice(["Where is it?", f"I look for {d['func']}."]), command=f"grep -rn {d['func']} ."),
        tool(
            "bash", f"./{d['path']}:{rng.randrange(12, 200)}:def {d['func']}(\n./{d['test']}:9:    assert {d['func']}("
        ),
    ]
    if rng.random() < 0.8:
        found += [
            call("bash", "Now the body.", command=f"sed -n 1,60p {d['path']}"),
            tool("bash", f"def {d['func']}(*args):\n    ...\n    return {d['old']}"),
        ]
    return found


def mend(rng: random.Random, a: Attempt) -> None:
    """Fill an attempt at an issue: look, edit, test, hand in."""
    d = a.task.data
    new = d["new"] if a.right else f"{d['old']} or 0"
    passed, failed = "4 passed in 0.21s", f"1 failed, 3 passed in 0.24s\nFAILED {d['test']}::test_{d['func']}"
    a.turns = [
        *look(rng, a.task),
        call("str_replace", f"`{d['old']}` is the cause.", path=d["path"], old_str=d["old"], new_str=new),
        tool("str_replace", f"Edited {d['path']}."),
        call("bash", "Run the tests.", command=f"python -m pytest -q {d['test']}"),
        tool("bash", passed if a.right else failed, ok=a.right),
        {"role": "assistant", "content": f"I changed `{d['func']}` to use `{new}`; the tests were run afterwards."},
    ]
    a.answer = new


_PLACES = ["the Orla bridge", "the Venn mill", "Castle Tarn", "the Sorrel line", "the Amber baths", "Pike market"]
_ASKS = [("opened", 1820, 1990), ("closed", 1960, 2015), ("was rebuilt", 1900, 2005), ("was sold", 1880, 1999)]


def archive(rng: random.Random, number: int) -> Task:
    """A question that the town's archive answers."""
    place, (did, low, high) = _PLACES[number % len(_PLACES)], _ASKS[number // len(_PLACES) % len(_ASKS)]
    year, area = rng.randrange(low, high), ["upper", "lower", "east", "west", "old"][number // 24 % 5]
    prompt = (
        f"In what year was it that {place} ({area} town, file {300 + number}) {did}? "
        "Search the archive; reply `Year: ...`."
    )
    data = {"place": place, "did": did, "year": year, "area": area}
    return Task(f"archive-{number}", prompt, str(year), did, lambda rng, right: ("", ""), data)


def search(rng: random.Random, a: Attempt) -> None:
    """Fill an attempt at the archive: one or two searches, an answer."""
    d = a.task.data
    off = d["year"] + rng.choice([-12, -7, -3, 2, 5, 9])
    where = f"{d['place']} ({d['area']} town)"
    a.turns = []
    if rng.random() < 0.4:
        a.turns += [
            call("search", "A broad search first.", query=where),
            tool("search", f"{where}: several files. A plaque was set there in {off}."),
        ]
    if a.right:
        a.turns += [
            call("search", f"I need when it {d['did']}.", query=f"{where} {d['did']} year"),
            tool("search", f"Minutes of {d['year']}: this spring {where} {d['did']}, the council notes."),
        ]
    else:
        a.turns += [
            call("search", "Perhaps the plaque tells.", query=f"{where} plaque"),
            tool("search", f"{where}: a plaque of {off} names its builders."),
        ]
    a.answer = str(d["year"] if a.right else off)
    a.turns.append(
        {"role": "assistant", "content": f"{where[0].upper()}{where[1:]} {d['did']} in {a.answer}.\nYear: {a.answer}"}
    )
