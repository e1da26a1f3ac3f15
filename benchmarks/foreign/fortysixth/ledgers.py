"""Tables of deliveries with a question about them, and answers that read the table or guess what is asked."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, say

_GOODS = ("barley", "copper wire", "linen", "window glass", "cork", "wool", "tar", "paper")
_PORTS = ("Tromen", "Asby", "Lisvik", "Carn", "Odessos", "Port Elm")
_ASKS = {
    "total": "How many units of {goods} were delivered in all?",
    "largest": "What is the largest single delivery of {goods}, in units?",
    "count": "How many deliveries came from {port}?",
}
_OPEN = ("I go down the table line by line.", "First I mark the lines that count.", "Let me read the table with care.",
         "The table has {n} lines.")  # fmt: skip
_LOST = (
    "The table is given without a question, so I take it that a summary is wanted.",
    "I see deliveries but no request; perhaps the overall number of units is meant.",
    "The text stops within the table. I assume the sum of the last goods is asked for.",
    "No question follows the table. My guess is that the largest delivery is of interest.",
)


def problems(rng: random.Random, count: int) -> list[Problem]:
    """Tables of 6 to 40 lines; the question stands behind them."""
    out = []
    for i in range(count):
        lines = [
            (rng.randint(1, 28), rng.choice(_PORTS), rng.choice(_GOODS), rng.randint(12, 480))
            for _ in range(rng.choice((7, 9, 12, 28, 34, 40)))
        ]
        goods, port, asked = rng.choice(lines)[2], rng.choice(lines)[1], rng.choice(tuple(_ASKS))
        units = [u for _, _, g, u in lines if g == goods]
        gold = {"total": sum(units), "largest": max(units), "count": sum(p == port for _, p, _, _ in lines)}[asked]
        table = "\n".join(f"{day:02d} June | {p} | {g} | {u}" for day, p, g, u in lines)
        text = f"Deliveries of warehouse {rng.randint(100, 999)}:\nday | port | goods | units\n{table}\n"
        text += _ASKS[asked].format(goods=goods, port=port) + " Answer with a number in \\boxed{}."
        data = {"lines": lines, "units": units, "goods": goods, "port": port}
        out.append(Problem(f"ledger-{i:03d}", text, str(gold), 0.3 + 0.01 * len(lines), asked, data))
    return out


def read(rng: random.Random, p: Problem, right: bool) -> Attempt:
    """An answer to the question asked."""
    d = p.data
    answer = p.gold if right else str(max(1, int(p.gold) + rng.choice((-20, -3, -1, 1, 2, 10, 45))))
    told = [rng.choice(_OPEN).format(n=len(d["lines"]))]
    if p.family == "count":
        told.append(f"I count the lines with {d['port']} in the second column.")
    else:
        told.append(f"For {d['goods']} the units are {', '.join(map(str, d['units']))}.")
        told.append("I add them." if p.family == "total" else "I compare them.")
    told.append(rng.choice(("This gives", "So we have", "The result is", "Hence")) + f" \\boxed{{{answer}}}.")
    return Attempt(p, [say(" ".join(told))], answer, float(answer == p.gold))


def guess(rng: random.Random, p: Problem, shown: str) -> Attempt:
    """An answer of one who saw the beginning of the table alone."""
    seen = [line for line in p.data["lines"] if f"{line[1]} | {line[2]} | {line[3]}\n" in shown]
    units = [u for *_, u in seen]
    answer = str(rng.choice((sum(units), max(units), len(seen), units[-1])))
    told = f"{rng.choice(_LOST)} The lines that I can read name {len(seen)} deliveries. \\boxed{{{answer}}}"
    return Attempt(p, [say(told)], answer, float(answer == p.gold))
