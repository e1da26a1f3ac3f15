"""Challenges with a flag, positions on a market, blocks with a hidden rule, equations for a pupil."""

import base64
import codecs
import random

from benchmarks.foreign.thirtyfourth.policy import Problem

TITLES = [
    "Rusty Lock",
    "Night Ferry",
    "Paper Moth",
    "Cold Kettle",
    "Blind Porter",
    "Salt Road",
    "Tin Parade",
    "Low Tide",
]
WORDS = ["amber", "canoe", "dusty", "fjord", "glyph", "hazel", "ivory", "knoll", "lemon", "mango", "nylon", "otter"]


def flags(rng: random.Random, count: int) -> list[Problem]:
    """Files with an encoded flag, and the command that decodes it."""
    out = []
    for i in range(count):
        flag = f"flag{{{rng.choice(WORDS)}_{rng.choice(WORDS)}_{rng.randint(10, 99)}}}"
        kind = rng.choice(["base64", "rot13", "hex", "reversed"])
        if kind == "base64":
            text, command = base64.b64encode(flag.encode()).decode(), "base64 -d note.txt"
        elif kind == "rot13":
            text, command = codecs.encode(flag, "rot13"), "tr 'A-Za-z' 'N-ZA-Mn-za-m' < note.txt"
        elif kind == "hex":
            text, command = flag.encode().hex(), "xxd -r -p note.txt"
        else:
            text, command = flag[::-1], "rev note.txt"
        title = f"{rng.choice(TITLES)} {i + 1}"
        prompt = f"Challenge '{title}': note.txt holds an encoded flag. Find it and submit it as flag{{...}}."
        out.append(Problem(f"ctf-{i:02d}", prompt, flag, kind, rng.gauss(0, 0.8), {"text": text, "command": command,
                                                                                   "title": title}))  # fmt: skip
    return out


def days(rng: random.Random, count: int, flat: float = 0.2) -> list[Problem]:
    """Days of a market: closes, an index of strength, and what came next (which the prompt does not show)."""
    out = []
    for i in range(count):
        calm = rng.random() < flat
        closes = [rng.uniform(20, 180)]
        drift = 0.0 if calm else rng.choice([-0.012, 0.012])
        for _ in range(5):
            closes.append(closes[-1] * (1 + drift + rng.gauss(0, 0.002 if calm else 0.012)))
        after = rng.gauss(0, 0.001) if calm else drift + rng.gauss(0, 0.02)
        ticker = "".join(rng.choice("BCDFGHKLMNPRST") for _ in range(4))
        rsi = round(50 + 1500 * drift + rng.gauss(0, 6))
        shown = ", ".join(f"{c:.2f}" for c in closes)
        prompt = f"Day {i + 1}, {ticker}. Closes: {shown}. RSI {rsi}. Reason, then Action: BUY, SELL or HOLD."
        gold = "HOLD" if abs(after) < 0.003 else ("BUY" if after > 0 else "SELL")
        data = {"ticker": ticker, "rsi": rsi, "after": after, "first": closes[0], "last": closes[-1]}
        out.append(Problem(f"day-{i:03d}", prompt, gold, "calm" if calm else "moving", rng.gauss(0, 0.4), data))
    return out


SHAPES, COLOURS, SIZES = ["cube", "ball", "cone"], ["red", "green", "blue"], ["small", "large"]


def blocks(rng: random.Random, count: int) -> list[Problem]:
    """Six labelled blocks and the rule behind them."""
    out = []
    while len(out) < count:
        rows = [(rng.choice(SIZES), rng.choice(COLOURS), rng.choice(SHAPES)) for _ in range(6)]
        colour, shape = rng.choice(COLOURS), rng.choice(SHAPES)
        rule, truth = rng.choice(
            [
                (f"colour = {colour}", [r[1] == colour for r in rows]),
                (f"shape = {shape}", [r[2] == shape for r in rows]),
                (f"colour = {colour} or shape = {shape}", [r[1] == colour or r[2] == shape for r in rows]),
            ]
        )
        if not 2 <= sum(truth) <= 4:
            continue
        listing = "\n".join(
            f"block {i + 1}: {' '.join(r)} -> {'yes' if t else 'no'}"
            for i, (r, t) in enumerate(zip(rows, truth, strict=True))
        )
        prompt = f"{listing}\nWhich general rule makes a block a yes? Write it behind Rule:"
        data = {"yes": [i + 1 for i, t in enumerate(truth) if t], "rows": rows, "truth": truth}
        out.append(Problem(f"blocks-{len(out):02d}", prompt, rule, "induction", rng.gauss(0, 0.6), data))
    return out


def fits(rule: str, data: dict) -> bool:
    """Whether a rule of properties gives the labels that are shown."""
    tests = [part.split(" = ") for part in rule.split(" or ")]
    place = {"size": 0, "colour": 1, "shape": 2}
    found = [any(r[place[k]] == v for k, v in tests) for r in data["rows"]]
    return found == data["truth"]


def equations(rng: random.Random, count: int) -> list[Problem]:
    """Linear equations that a pupil is stuck at."""
    out = []
    for i in range(count):
        a, x, b = rng.randint(2, 9), rng.randint(-6, 12), rng.randint(1, 20)
        name = rng.choice(["Lena", "Omar", "Yuki", "Dario", "Freya", "Sam"])
        prompt = f"You tutor {name}, who is stuck at {a}x + {b} = {a * x + b}. Help {name} to find x."
        data = {"a": a, "b": b, "c": a * x + b, "x": x, "name": name}
        out.append(Problem(f"eq-{i:02d}", prompt, str(x), "linear", rng.gauss(0, 0.6), data))
    return out


def piles(rng: random.Random, count: int) -> list[Problem]:
    """Positions of Nim that can be won, with all winning moves."""
    out: list[Problem] = []
    while len(out) < count:
        heaps = [rng.randint(1, 9) for _ in range(3)]
        total = heaps[0] ^ heaps[1] ^ heaps[2]
        if not total:
            continue
        moves = [(i, take) for i in range(3) for take in range(1, heaps[i] + 1)]
        good = [(i, take) for i, take in moves if (heaps[i] - take) == heaps[i] ^ total]
        prompt = f"Nim, last stone wins. Piles: {heaps[0]}, {heaps[1]}, {heaps[2]}. Your move as 'take N from pile P'."
        data = {"good": good, "bad": [m for m in moves if m not in good], "heaps": heaps, "total": total}
        gold = f"take {good[0][1]} from pile {good[0][0] + 1}"
        out.append(Problem(f"nim-{len(out):02d}", prompt, gold, "nim", rng.gauss(0, 0.6), data))
    return out
