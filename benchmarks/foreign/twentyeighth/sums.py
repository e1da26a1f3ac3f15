"""Word problems in English, German and Chinese with worked answers."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

NAMES = ["Amara", "Bjorn", "Chidi", "Dolores", "Eszter", "Farid", "Greta", "Hoang", "Ines", "Jomo", "Katya", "Lucía"]
GOODS = [
    "jars of honey",
    "notebooks",
    "bus tokens",
    "tulip bulbs",
    "roof tiles",
    "tins of paint",
    "oat bars",
    "candles",
]
PLACES = [
    "market stall",
    "school fair",
    "depot",
    "print shop",
    "greenhouse",
    "canteen",
    "hardware store",
    "ferry kiosk",
]
OPENINGS = [
    "Let me set this up.",
    "First, read off the numbers.",
    "We go step by step.",
    "Okay, so.",
    "Start with what is known.",
]
CLOSINGS = ["So the total is", "That leaves", "Hence we get", "Putting it together:", "The result is"]


def story(rng: Random, number: int) -> Task:
    """A word problem with three steps."""
    who, goods, place = rng.choice(NAMES), rng.choice(GOODS), rng.choice(PLACES)
    a, b, c, d = rng.randint(12, 60), rng.randint(3, 14), rng.randint(5, 40), rng.randint(2, 9)
    kind = rng.randrange(4)
    if kind == 0:
        text = (
            f"{who} packs {a} boxes with {b} {goods} each for the {place}. {c} {goods} "
            "arrive broken. How many are left?"
        )
        steps, gold = [f"{a} * {b} = {a * b}", f"{a * b} - {c} = {a * b - c}"], a * b - c
    elif kind == 1:
        text = (
            f"At the {place}, {goods} cost ${b} apiece. {who} buys {a} and pays with {d} "
            f"hundred-dollar notes plus ${c}, then gets {c} more for free. What was the "
            "bill in dollars?"
        )
        steps, gold = [f"only the {a} paid ones count", f"{a} * {b} = {a * b}"], a * b
    elif kind == 2:
        text = (
            f"{who} has {a} {goods}. Each of {d} friends gives {b} more, and {who} sells "
            f"{c % a} at the {place}. How many does {who} have now?"
        )
        steps = [f"{d} * {b} = {d * b}", f"{a} + {d * b} = {a + d * b}", f"minus {c % a} sold"]
        gold = a + d * b - c % a
    else:
        text = (
            f"A {place} runs {d} shifts a day. In each, {who}'s team fills {b} crates of "
            f"{a} {goods}. How many {goods} in one day, if {c} are kept back in total?"
        )
        steps = [f"{b} * {a} = {b * a} per shift", f"{d} * {b * a} = {d * b * a}", f"minus {c}"]
        gold = d * b * a - c
    return Task(f"wp-{number:04d}", text, str(gold), rng.gauss(0, 0.9), f"story{kind}", {"steps": steps})


def slip(rng: Random, gold: str) -> str:
    """A wrong number of the kind that slips make."""
    value = int(gold)
    return str(value + rng.choice([-20, -10, -9, -3, -2, -1, 1, 2, 4, 9, 10, 12, 30]))


def worked(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Steps and a boxed answer."""
    answer = task.gold if right else slip(rng, task.gold)
    steps = list(task.data["steps"])
    if rng.random() < 0.35 - 0.2 * progress:
        steps.insert(rng.randint(0, len(steps)), f"(check: is {slip(rng, task.gold)} possible? no)")
    lines = [rng.choice(OPENINGS), *steps] if rng.random() < 0.8 else steps
    return [say("assistant", "\n".join(lines) + f"\n{rng.choice(CLOSINGS)} \\boxed{{{answer}}}.")]


def aufgabe(rng: Random, number: int) -> Task:
    """A German word problem."""
    ort = rng.choice(["Bäckerei", "Werkstatt", "Gärtnerei", "Bücherei", "Molkerei", "Turnhalle"])
    ding = rng.choice(["Brötchen", "Schrauben", "Setzlinge", "Hefte", "Gläser", "Matten"])
    a, b, c = rng.randint(11, 48), rng.randint(4, 19), rng.randint(6, 90)
    if rng.random() < 0.5:
        text = f"Eine {ort} füllt {a} Kisten mit je {b} {ding}. Am Abend fehlen {c}. Wie viele {ding} sind noch da?"
        steps, gold = [f"{a} · {b} = {a * b}", f"{a * b} − {c} = {a * b - c}"], a * b - c
    else:
        text = (
            f"In der {ort} liegen {a * b} {ding}, verteilt auf {a} Regale. Danach kommen in "
            f"jedes Regal {c} dazu. Wie viele liegen in einem Regal?"
        )
        steps, gold = [f"{a * b} : {a} = {b}", f"{b} + {c} = {b + c}"], b + c
    return Task(f"de-{number:04d}", text, str(gold), rng.gauss(0, 0.9), ort.lower(), {"steps": steps})


def gerechnet(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A German answer."""
    answer = task.gold if right else slip(rng, task.gold)
    start = rng.choice(
        [
            "Wir rechnen:",
            "Zuerst das Produkt bzw. den Quotienten.",
            "Gegeben sind die Zahlen aus dem Text.",
            "Schritt für Schritt:",
        ]
    )
    doubt = "Ich prüfe das noch einmal. " if rng.random() < 0.4 - 0.3 * progress else ""
    return [say("assistant", f"{start}\n" + "\n".join(task.data["steps"]) + f"\n{doubt}Antwort: {answer}")]


def yingyong(rng: Random, number: int) -> Task:
    """A Chinese word problem."""
    who, goods = (
        rng.choice(["小明", "李老师", "王阿姨", "张师傅", "小红", "陈爷爷"]),
        rng.choice(["苹果", "铅笔", "图书", "瓷砖", "鸡蛋", "邮票"]),
    )
    a, b, c = rng.randint(8, 40), rng.randint(3, 16), rng.randint(2, 30)
    text = f"{who}有{a}箱{goods}，每箱{b}个，送给邻居{c}个以后，又买了{c + b}个。现在一共有多少个{goods}？"
    steps = [f"{a}×{b}={a * b}", f"{a * b}-{c}={a * b - c}", f"{a * b - c}+{c + b}={a * b + b}"]
    return Task(f"zh-{number:04d}", text, str(a * b + b), rng.gauss(0, 0.9), goods, {"steps": steps})


def jieda(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A Chinese answer."""
    answer = task.gold if right else slip(rng, task.gold)
    start = rng.choice(["先求总数。", "我们一步一步来算。", "根据题意列式：", "解：", "首先看每箱的数量。"])
    note = rng.choice(["再检查一遍。", "验算无误。", "", "注意顺序。"]) if rng.random() < 0.7 else ""
    return [
        say("assistant", f"<think>{start}{'，'.join(task.data['steps'])}。{note}</think>\n<answer>{answer}</answer>")
    ]
