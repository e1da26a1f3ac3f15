"""A trader at a quay: each turn's trade is scored, the last turn only says goodbye."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import say, town

GOODS = ("salt", "wool", "copper", "tea", "timber", "pepper", "amber", "flax")


def task(rng: Random) -> Task:
    """A quay with prices for some days."""
    goods, days = rng.sample(GOODS, 2), rng.randint(3, 5)
    prices = [{good: rng.randint(6, 40) for good in goods} for _ in range(days)]
    profit = rng.randint(2, days)
    question = (
        f"You trade {goods[0]} and {goods[1]} at the quay of {town(rng)} for {days} days with a purse of "
        f"{rng.randint(8, 30) * 10} coins. Buy the cheaper good each day. You succeed with "
        f"{profit} good trades or more. "
        "Say goodbye when the quay closes."
    )
    return Task(question, str(profit), family=f"{days} days", facts={"prices": prices, "need": profit})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A trade a day and a goodbye."""
    prices, need = task.facts["prices"], task.facts["need"]
    good_trades = rng.randint(need, len(prices)) if right else rng.randint(0, need - 1)
    days = set(rng.sample(range(len(prices)), good_trades))
    turns, scores = [], []
    for day, price in enumerate(prices):
        cheap, dear = sorted(price, key=price.get)
        if price[cheap] == price[dear]:
            dear = cheap
        pick = cheap if day in days else dear
        turns.append(
            call(
                say(rng, f"[Day {day + 1}|Now]: I [take|buy|go for] {pick} at {price[pick]}."),
                "trade",
                good=pick,
                day=day + 1,
            )
        )
        scores.append(1.0 if day in days else 0.0)
        turns.append(
            told(
                "trade",
                f"Bought {pick} at {price[pick]}. Other price: "
                f"{price[dear if pick == cheap else cheap]}. Turn score {scores[-1]:g}.",
            )
        )
    turns.append(
        speak(say(rng, "[The quay closes|That was the last day]. [Goodbye and thank you|Farewell|Until next season]."))
    )
    return Reply(turns, str(good_trades), {"turn_rewards": [*scores, 0.0], "good_trades": good_trades})


MARKET = Domain(task, reply)
