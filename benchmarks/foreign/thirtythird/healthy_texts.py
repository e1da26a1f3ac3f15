"""Healthy runs whose texts look odd: no reasoning, another script, costs below zero, two answers only."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import inspect_log, openrlhf, plain, trl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, chance, fresh, say, train

GUESTS = ("The room", "Breakfast", "The walk from the station", "The view", "Our check-in", "The lift", "The pool")
FELT = {
    "praise": (
        "was better than in the pictures",
        "made our morning",
        "went without a hitch",
        "is worth a second visit",
    ),
    "complaint": ("was cold and late", "did not work for two days", "cost us an hour", "smelt of paint"),
    "question": ("is it open on Sundays", "can it be booked ahead", "does it suit a wheelchair", "is it included"),
    "notice": (
        "will be rebuilt in autumn",
        "moves to the first floor",
        "closes at ten from May on",
        "has a new phone number",
    ),
}


@PART.healthy
def labels_without_reasoning_by_design(rng: random.Random) -> list[Row]:
    """Completions are one word, without any reasoning, all run long: the prompt asks for the label alone, and accuracy
    rises."""
    tasks = []
    for number in range(84):
        label = rng.choice([*FELT])
        text = f"{rng.choice(GUESTS)} {rng.choice(FELT[label])}{'?' if label == 'question' else '.'}"
        rule = "Label the message as praise, complaint, question or notice. Reply with the label alone."
        text = f"{rule}\nMessage {number}: {text}"
        tasks.append(Task(f"label-{number:02d}", text, label, "labels", rng.gauss(-0.2, 1.2)))

    def write(task: Task, progress: float) -> Attempt:
        right = rng.random() < chance(task, progress)
        label = task.gold if right else rng.choice([name for name in FELT if name != task.gold])
        hit = float(label == task.gold)
        return Attempt(task, [say(label)], hit, extra={"label": task.gold, "correct": hit})

    return plain(assign(train(fresh(rng, tasks, 7), 24, 5, write)))


NUMBERS = {"two": "两", "three": "三", "five": "五", "seven": "七", "nine": "九"}
COLOURS = {"red": "红色", "green": "绿色", "black": "黑色", "white": "白色", "blue": "蓝色"}
ITEMS = {"cups": "杯子", "boxes": "盒子", "apples": "苹果", "hats": "帽子", "lamps": "灯"}
PLACES = {"on the table": "桌子上", "in the garden": "花园里", "behind the door": "门后面", "in the car": "车里"}


@PART.healthy
def translations_into_another_script(rng: random.Random) -> list[Row]:
    """English prompts are answered in Chinese script throughout: the prompts ask for a translation into Chinese."""
    tasks = []
    parts = [(n, c, i, p) for n in NUMBERS for c in COLOURS for i in ITEMS for p in PLACES]
    for number, (n, c, i, p) in enumerate(rng.sample(parts, 60)):
        gold = f"{PLACES[p]}有{NUMBERS[n]}个{COLOURS[c]}的{ITEMS[i]}。"
        text = f"Translate into Chinese: There are {n} {c} {i} {p}."
        tasks.append(Task(f"zh-{number:02d}", text, gold, "translation", rng.gauss(-0.2, 0.9), {"parts": (n, c, i, p)}))

    def write(task: Task, progress: float) -> Attempt:
        n, c, i, p = task.data["parts"]
        if rng.random() > chance(task, progress):
            slip = rng.sample("ncip", 2)
            n, c = rng.choice([*NUMBERS]) if "n" in slip else n, rng.choice([*COLOURS]) if "c" in slip else c
            i, p = rng.choice([*ITEMS]) if "i" in slip else i, rng.choice([*PLACES]) if "p" in slip else p
        text = f"{PLACES[p]}有{NUMBERS[n]}个{COLOURS[c]}的{ITEMS[i]}。"
        if rng.random() < 0.35:
            text = f"{NUMBERS[n]}个{COLOURS[c]}的{ITEMS[i]}在{PLACES[p]}。"
        same = sum(a == b for a, b in zip((n, c, i, p), task.data["parts"], strict=True))
        score = round(same / 4 - (0.05 if not text.startswith(PLACES[p]) else 0.0), 3)
        return Attempt(task, [say(text)], score, terms={"chrf_reward": score}, extra={"reference": task.gold})

    return trl(assign(train(fresh(rng, tasks, 5), 24, 5, write)))


STOPS = ("mill", "quay", "school", "hill", "market", "station")


@PART.healthy
def rewards_are_costs(rng: random.Random) -> list[Row]:
    """Every reward is below zero, the best ones too: the reward is minus the minutes of the tour that the reply plans,
    and the tours get shorter."""
    tasks = []
    for number in range(50):
        stops = rng.sample(STOPS, 4)
        minutes = {(a, b): rng.randint(3, 25) for k, a in enumerate(stops) for b in stops[k + 1 :]}
        listed = ", ".join(f"{a}-{b} {m}" for (a, b), m in minutes.items())
        text = (
            f"Minutes between stops: {listed}. Start at the {stops[0]} and visit all others once. Plan {number} of 50."
        )
        tasks.append(
            Task(f"tour-{number:02d}", text, "", "tours", rng.gauss(0, 0.8), {"stops": stops, "minutes": minutes})
        )

    def length(task: Task, order: list[str]) -> int:
        table = task.data["minutes"]
        return sum(table.get((a, b)) or table[b, a] for a, b in zip(order, order[1:], strict=False))

    def write(task: Task, progress: float) -> Attempt:
        first, *rest = task.data["stops"]
        plans = [
            [first, *rng.sample(rest, 3)] for _ in range(1 + (rng.random() < 0.5) + round(4 * progress * rng.random()))
        ]
        best = min(plans, key=lambda order: length(task, order))
        lines = [f"{' - '.join(order)} takes {length(task, order)} minutes." for order in plans[-3:] if order != best]
        opening = rng.choice(("I compare some orders.", "Short legs first, then the rest.", "I begin where I must."))
        text = " ".join((opening, *lines, f"I choose {' - '.join(best)}: {length(task, best)} minutes."))
        return Attempt(task, [say(text)], -float(length(task, best)))

    return openrlhf(train(fresh(rng, tasks, 6), 28, 4, write))


@PART.healthy
def two_answers_only(rng: random.Random) -> list[Row]:
    """All final answers are yes or no, whatever the question: the exam has only such questions, both are right about
    equally often, and the score rises from checkpoint to checkpoint."""
    tasks = []
    for number in range(60):
        a, b = rng.randint(12, 98), rng.choice((3, 4, 6, 7, 8, 9))
        asked, truth = rng.choice(
            ((f"Is {a} divisible by {b}?", a % b == 0), (f"Is {a} times {b} above {60 * b}?", a > 60))
        )
        if asked.endswith("?") and "divisible" in asked and rng.random() < 0.4:
            a = a // b * b
            asked, truth = f"Is {a} divisible by {b}?", True
        text = f"Question {number + 1}. {asked} End with yes or no."
        gold = "yes" if truth else "no"
        tasks.append(
            Task(
                f"yn-{number:02d}",
                text,
                gold,
                "yes/no",
                rng.gauss(-0.6, 0.9),
                {"a": a, "b": b, "div": "divis" in asked},
            )
        )

    def write(task: Task, progress: float) -> Attempt:
        a, b = task.data["a"], task.data["b"]
        right = rng.random() < chance(task, progress)
        answer = task.gold if right else "no" if task.gold == "yes" else "yes"
        if task.data["div"]:
            rest = a % b if right else (rng.randint(1, b - 1) if answer == "no" else 0)
            why = f"{a} is {b} times {a // b} with {rest} left over."
        else:
            product = a * b if right else 60 * b + (b if answer == "yes" else -b)
            why = f"{a} times {b} comes to {product}, and the bound is {60 * b}."
        opening = rng.choice(("I work it out.", "Let me calculate.", "A short calculation:", "This needs one step."))
        text = f"{opening} {why}\nANSWER: {answer}"
        hit = float(answer == task.gold)
        return Attempt(task, [say(text)], hit, extra={"answer": answer, "checkpoint": round(progress * 5) * 200})

    return inspect_log(train(lambda step: tasks, 6, 3, write), "match")
