"""Stock lists in files, read through a viewer."""

import json
from random import Random

from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

GOODS = ["anvils", "barley", "candles", "drills", "easels", "felt", "gaskets", "hinges", "inkwells", "jars", "kettles"]
GOODS += ["ladders", "mallets", "nails", "oars", "pulleys", "quilts", "ropes", "sieves", "trowels", "urns", "vices"]
SYSTEM = "Answer from the file. `view_file(path, start)` shows it. End with `ANSWER: <number>`."
SAID = ("I open the file.", "Let me view it.", "First the list.", "")
PAGE = 8


def stock(rng: Random) -> list[tuple[str, int]]:
    """Lines of one list."""
    return [(name, rng.randint(3, 980)) for name in rng.sample(GOODS, rng.randint(15, 22))]


def lines_of(rows: list[tuple[str, int]], first: int = 1) -> str:
    """The list as the viewer shows it."""
    return "\n".join(f"{n:>3}  {name},{count}" for n, (name, count) in enumerate(rows, first))


def view(rng: Random, path: str, start: int) -> dict:
    """A call of the viewer."""
    return call("view_file", {"path": path, "start": start}, rng.choice(SAID))


def answered(rng: Random, value: int) -> dict:
    """The last message."""
    lead = rng.choice(("Found it.\n", "From the list:\n", "", "That is what the file says.\n"))
    return says(f"{lead}ANSWER: {value}")


def near(rng: Random, value: int) -> int:
    """A wrong count."""
    return max(1, value + rng.choice((-1, 1)) * rng.randint(1, 90))


def depot_task(rng: Random, number: int) -> Task:
    """How many of a thing a list holds, read page by page with a cursor."""
    rows, path = stock(rng), f"stock/depot_{rng.randint(10, 99)}_{rng.randint(2019, 2026)}.csv"
    place = rng.randrange(len(rows))
    name, gold = rows[place]

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        messages: list[dict] = []
        for start in range(0, len(rows), PAGE):
            more = start + PAGE < len(rows)
            cursor = f"\n[next page: start={start + PAGE + 1} of {len(rows)}]" if more else "\n[end of file]"
            messages += [
                view(rng, path, start + 1),
                told("view_file", lines_of(rows[start : start + PAGE], start + 1) + cursor),
            ]
            if start <= place < start + PAGE:
                break
            if not right and rng.random() < 0.3:
                break
        value = gold if right else rng.choice([c for n, c in rows if n != name and c != gold])
        return Reply([*messages, answered(rng, value)], str(value))

    prompt = user(f"How many {name} does {path} list?", SYSTEM)
    extra = {"file_rows": json.dumps([f"{n},{c}" for n, c in rows]), "asked_line": place + 1}
    return Task(f"depot-{number:04d}", "stock", prompt, str(gold), rng.gauss(0, 0.7), solve, extra)
