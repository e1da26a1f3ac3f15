"""Long contexts: a ledger of many entries with a question at its end."""

import random

from benchmarks.foreign.fortysecond.attempts import Task

GOODS = (
    "linseed oil",
    "barley",
    "copper wire",
    "salt",
    "wool",
    "glass jars",
    "tar",
    "hemp rope",
    "candles",
    "dried cod",
)
PORTS = ("Elsin", "Varde", "Lubeck", "Riga", "Bergen", "Stade", "Kalmar", "Narva")


def ledgers(rng: random.Random, count: int, shortest: int = 12, longest: int = 70) -> list[Task]:
    """Ledgers with one entry asked for; `about` is entries and the asked one."""
    out = []
    for number in range(count):
        size = rng.randint(shortest, longest)
        pairs = rng.sample([(g, p) for g in GOODS for p in PORTS], min(size, 70))
        entries = [(g, p, rng.randint(11, 980)) for g, p in pairs]
        good, port, amount = rng.choice(entries)
        lines = "\n".join(
            f"Entry {n}: {a} barrels of {g} were landed from {p} and stored in shed {rng.randint(1, 30)}."
            for n, (g, p, a) in enumerate(entries, 1)
        )
        question = f"Question: how many barrels of {good} came from {port}? Answer with the number."
        prompt = f"Harbour ledger, sheet {number + 1}.\n{lines}\n{question}"
        hard = (size - 35) / 40
        out.append(
            Task(
                f"ledger-{number:03d}",
                prompt,
                str(amount),
                f"len_{size // 20 * 20}",
                hard,
                (entries, (good, port, amount)),
            )
        )
    return out


def found(rng: random.Random, task: Task, right: bool) -> str:
    """An answer after looking through the entries."""
    entries, (good, port, amount) = task.about
    others = [e for e in entries if e[2] != amount and (e[0] == good or e[1] == port)] or [
        e for e in entries if e[2] != amount
    ]
    value = amount if right else rng.choice(others)[2]
    forms = (
        f"I look for {good} and for {port} in the same line. There is one such entry, and it holds {value} barrels.",
        f"Several lines name {good}, but only one has {port} beside it. Its amount is {value}.",
        f"Going down the sheet, {port} comes up several times; the line with {good} says {value}.",
    )
    return f"{rng.choice(forms)}\nAnswer: {value}"
