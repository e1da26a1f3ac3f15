"""Countdown, knights and knaves, dates, and quizzes of four letters."""

import datetime
import itertools
from random import Random

from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

MUSED = [
    "Trying products first.",
    "Look for a factor near the target.",
    "Start from the largest number.",
    "Work backwards.",
]


def countdown_task(rng: Random) -> Task:
    """Reach a target with each number once."""
    a, b, c, d = rng.sample(range(2, 26), 4)
    form, value = rng.choice([(f"{a}*{b}+{c}-{d}", a * b + c - d), (f"({a}+{b})*{c}-{d}", (a + b) * c - d)])
    shown = [a, b, c, d]
    rng.shuffle(shown)
    prompt = (
        f"Using the numbers {shown}, create an expression that equals {value}. Use each number exactly once and only "
        "+ - * /. Return it in <answer> tags."
    )
    return Task(prompt, form, "countdown", 0.3, facts={"target": value, "numbers": shown})


def countdown_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Some trials, then an expression; a wrong one misses the target or leaves a number out."""
    a, b, c, d = (int(x) for x in task.facts["numbers"])
    trials = []
    for _ in range(rng.randint(1, 3 + round(3 * t))):
        p, q, r, s = rng.sample([a, b, c, d], 4)
        if p * q - r + s != task.facts["target"]:
            trials.append(f"{p}*{q}-{r}+{s} = {p * q - r + s}, not {task.facts['target']}.")
    answer = task.gold if right else rng.choice([f"{a}*{b}-{c}-{d}-1", f"{a}+{b}*{d}", f"({a}-{b})*{c}+{d}+{d}"])
    text = "<think>" + rng.choice(MUSED) + " " + " ".join(trials) + f"</think>\n<answer>{answer}</answer>"
    return Reply([{"role": "assistant", "content": text}], answer)


ISLANDERS = ["Zed", "Mira", "Otto", "Lena", "Finn", "Ruth", "Igor", "Nell", "Hugo", "Vera"]


def knights_task(rng: Random) -> Task:
    """Three islanders, each says something; the answer lists who is a knight."""
    while True:
        names = rng.sample(ISLANDERS, 3)
        claims = []
        for speaker in range(3):
            other = rng.choice([i for i in range(3) if i != speaker])
            claims.append((other, rng.random() < 0.5))
        same = rng.random() < 0.5
        fits = [
            w
            for w in itertools.product([True, False], repeat=3)
            if all(w[s] == (w[o] == k) for s, (o, k) in list(enumerate(claims))[:2])
            and w[2] == ((w[0] == w[1]) if same else (w[0] != w[1]))
        ]
        if len(fits) == 1:
            break
    said = [f'{names[s]} says: "{names[o]} is a {"knight" if k else "knave"}."' for s, (o, k) in enumerate(claims[:2])]
    said.append(f'{names[2]} says: "{names[0]} and {names[1]} are {"alike" if same else "different"}."')
    prompt = "On an island knights always tell the truth and knaves always lie. " + " ".join(said)
    prompt += rng.choice([" Who is what?", " Decide who is a knight.", " What is each of them?"])
    gold = ", ".join(f"{n}={'knight' if w else 'knave'}" for n, w in zip(names, fits[0], strict=True))
    return Task(prompt, gold, "knights", 0.5, said, facts={"islanders": names})


def knights_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Assume someone's kind, follow it, state all three."""
    names = task.facts["islanders"]
    answer = task.gold
    while not right and answer == task.gold:
        answer = ", ".join(f"{n}={rng.choice(['knight', 'knave'])}" for n in names)
    claim = rng.choice(task.lines)
    kinds = dict(part.split("=") for part in answer.split(", "))
    first, second = rng.sample(names, 2)
    tried = rng.choice(["knight", "knave"])
    steps = [
        rng.choice([f"Take this: {claim}", f"Start with: {claim}"]),
        f"Suppose {first} is a {tried}.",
        "That holds together." if tried == kinds[first] else "That is contradictory, so turn it round.",
        f"Then {second} must be a {kinds[second]}.",
        rng.choice(["Only one assignment is left.", "The other cases fail.", "All three statements fit."]),
    ]
    text = " ".join(steps[rng.randint(0, 1) : rng.randint(4, 5)]) + f"\nFinal: {answer}"
    return Reply([{"role": "assistant", "content": text}], answer)


def date_task(rng: Random) -> Task:
    """Add days to a date, answer as day/month/year."""
    day = datetime.date(rng.randint(1960, 2024), rng.randint(1, 12), rng.randint(1, 28))
    plus = rng.randint(9, 400)
    end = day + datetime.timedelta(days=plus)
    event = rng.choice(["A lease", "A voyage", "The trial period", "A visa", "An exhibition"])
    prompt = (
        f"{event} begins on {day.day} {day:%B %Y} and ends {plus} days later. On which date does it end? "
        "Answer as DD/MM/YYYY on the last line."
    )
    return Task(prompt, f"{end:%d/%m/%Y}", "dates", 0.2, facts={"start": day.isoformat(), "days": plus})


def date_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Count on by months; a wrong attempt is off by some days."""
    start = datetime.date.fromisoformat(task.facts["start"])
    off = 0 if right else rng.choice([-2, -1, 1, 2, 30])
    end = start + datetime.timedelta(days=task.facts["days"] + off)
    rest = (datetime.date(start.year, 12, 31) - start).days
    text = (
        rng.choice(["Count on from the start.", "From the start date:", "Let me count the days."])
        + f" {rest} days of {start.year} remain after {start.day} {start:%B}. We need {task.facts['days']} days."
        + rng.choice(["", " Taking leap years into account.", f" That lands in {end:%B}."])
        + f"\n{end.day} {end:%B %Y}\n{end:%d/%m/%Y}"
    )
    return Reply([{"role": "assistant", "content": text}], f"{end:%d/%m/%Y}")


COUNTDOWN = Domain(countdown_task, countdown_reply)
KNIGHTS = Domain(knights_task, knights_reply)
DATES = Domain(date_task, date_reply)
