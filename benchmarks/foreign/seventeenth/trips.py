"""Journeys planned with a timetable tool."""

import json
from random import Random

from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

CITIES = ["Bergen", "Cork", "Dijon", "Evora", "Graz", "Hull", "Ivrea", "Jena", "Kotor", "Liepaja", "Namur", "Olomouc"]
SYSTEM = "You plan journeys with `timetable` and `seats`. Reply with the cheapest connection that has a free seat."
SAID = ("Let me look at the timetable.", "I check the connections.", "", "One moment.")


def trip_task(rng: Random, number: int) -> Task:
    """The cheapest train with a free seat."""
    start, end = rng.sample(CITIES, 2)
    day, trains = rng.randint(1, 28), [f"{rng.choice('ABCDEF')}{n}" for n in rng.sample(range(100, 999), 5)]
    prices = rng.sample(range(12, 140), 5)
    full = set(rng.sample(range(5), rng.randint(1, 3)))
    gold = min((p, t) for n, (p, t) in enumerate(zip(prices, trains, strict=True)) if n not in full)[1]

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        table = [
            {"train": t, "dep": f"{rng.randint(5, 22):02d}:{rng.randint(0, 59):02d}", "price": p}
            for t, p in zip(trains, prices, strict=True)
        ]
        ask = {"from": start, "to": end, "day": day}
        messages = [call("timetable", ask, rng.choice(SAID)), told("timetable", json.dumps(table))]
        for place in sorted(range(5), key=lambda n: prices[n]):
            if not right and rng.random() < 0.4:
                break
            free = 0 if place in full else rng.randint(1, 40)
            messages += [
                call("seats", {"train": trains[place]}),
                told("seats", json.dumps({"train": trains[place], "free": free})),
            ]
            if free:
                break
        train = gold if right else rng.choice([t for t in trains if t != gold])
        price = prices[trains.index(train)]
        return Reply(
            [
                *messages,
                says(
                    rng.choice(("Take {} for {} euros.", "Best is {} at {} euros.", "{} costs {} euros.")).format(
                        train, price
                    )
                ),
            ],
            train,
        )

    prompt = user(f"I travel from {start} to {end} on the {day}th. What is the cheapest train with a seat?", SYSTEM)
    return Task(f"trip-{number:04d}", "trains", prompt, gold, rng.gauss(0, 0.7), solve)
