"""Dates: so many days later, the day of the week."""

from datetime import date, timedelta
from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import near, opener, pick, say


def task(rng: Random) -> Task:
    """A day and a span."""
    day = date(rng.randint(1995, 2030), rng.randint(1, 12), rng.randint(1, 28))
    span = rng.randint(5, 420)
    if rng.random() < 0.5:
        prompt = f"Which date is {span} days after {day.isoformat()}? Write YYYY-MM-DD."
        return Task("later", prompt, (day + timedelta(span)).isoformat(), extra={"day": day.isoformat(), "span": span})
    prompt = f"On what weekday falls the day {span} days after {day.isoformat()}?"
    gold = (day + timedelta(span)).strftime("%A")
    return Task("weekday", prompt, gold, extra={"day": day.isoformat(), "span": span})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Weeks and days, or months and days."""
    span = t.extra["span"] if right else near(rng, t.extra["span"], 3)
    end = date.fromisoformat(t.extra["day"]) + timedelta(span)
    answer = end.isoformat() if t.family == "later" else end.strftime("%A")
    start = date.fromisoformat(t.extra["day"])
    body = pick(
        rng,
        f"{span // 7} weeks and {span % 7} days later.",
        f"I go month by month from {start.strftime('%B')} to {end.strftime('%B')}.",
        f"{start.strftime('%d %B')} plus {span} days is {end.strftime('%d %B')}.",
        f"From a {start.strftime('%A')}, {span % 7} days beyond whole weeks.",
    )
    more = pick(rng, " Leap years are minded.", " February is short.", "") if progress > 0.35 else ""
    return Reply([say(f"{opener(rng)} {body}{more}\nAnswer: {answer}")], answer)


WORLD = World(task, reply)
