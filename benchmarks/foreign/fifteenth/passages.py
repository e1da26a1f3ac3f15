"""Reports of which one figure is to be read off."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

PORTS = ["Aldhaven", "Brackwater", "Cormouth", "Dunsey", "Eastquay", "Farholm", "Greypoint", "Hexport", "Inverlay"]
CARGO = ["timber", "grain", "cement", "salt", "scrap iron", "fish meal", "gravel", "wool", "potash", "coal"]
NOTES = [
    "The harbour office was closed for {n} days because of ice.",
    "Pilots made {n} trips, {m} of them at night.",
    "A crane was out of use until week {m}.",
    "{n} ships waited at anchor for longer than a day.",
    "Dues were raised by {m} per cent in spring.",
    "The dredger worked for {n} hours and cleared the western channel.",
    "Two berths were let to the ferry company for {m} thousand crowns.",
]


def make(rng: Random) -> Task:
    """A report of a harbour and a question on it."""
    port, year, goods = rng.choice(PORTS), rng.randint(1931, 2019), rng.sample(CARGO, 4)
    came, went = [rng.randint(110, 9800) for _ in goods], [rng.randint(40, 6100) for _ in goods]
    lines = [
        f"{g.capitalize()}: {a} tonnes landed, {b} tonnes shipped." for g, a, b in zip(goods, came, went, strict=True)
    ]
    lines += [n.format(n=rng.randint(5, 90), m=rng.randint(3, 40)) for n in rng.sample(NOTES, rng.randint(3, 5))]
    rng.shuffle(lines)
    i, family = rng.randrange(4), rng.choice(["landed", "balance", "both"])
    ask, gold = {
        "landed": (f"How many tonnes of {goods[i]} were landed?", came[i]),
        "balance": (
            f"By how many tonnes do landings of {goods[i]} exceed shipments (negative if not)?",
            came[i] - went[i],
        ),
        "both": (f"How many tonnes of {goods[i]} were handled in all?", came[i] + went[i]),
    }[family]
    report = f"Report of the harbour of {port} for {year}.\n" + "\n".join(lines)
    work = {"good": goods[i], "a": came[i], "b": went[i], "report": report, "ask": ask, "others": came + went}
    hard = {"landed": -0.6, "balance": 0.4, "both": 0.1}[family]
    return Task(f"{report}\n\n{ask} Answer as <answer>NUMBER</answer>.", str(gold), family, hard, work=work)


LEADS = ["The report says", "Looking for {g}:", "In the text:", "Relevant line:", "I find"]


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """The figures that matter, and the answer."""
    w = task.work
    answer = task.gold
    while not right and answer == task.gold:
        answer = str(rng.choice([*w["others"], w["a"] + w["b"], w["b"] - w["a"], w["a"] + rng.choice([-90, 9, 100])]))
    text = f"{rng.choice(LEADS).format(g=w['good'])} {w['good']}, {w['a']} tonnes landed and {w['b']} shipped."
    if rng.random() < 0.5 + 0.1 * level:
        text += rng.choice(
            [f" So the figure asked for is {answer}.", " The question decides which to use.", " Combine as asked."]
        )
    return Reply([{"role": "assistant", "content": f"{text}\n<answer>{answer}</answer>"}], answer)


PASSAGES = World("harbours", make, solve)
