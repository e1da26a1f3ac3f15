"""A tutor's talk: an answer, a doubt by the user, an answer again."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import musing, person, say

DOUBTS = (
    "Are you sure? Please look at your calculation once more.",
    "Could you verify the second step and answer again?",
    "I do not follow. Explain the middle part and give the number again.",
    "Check it with another method, please.",
)


def task(rng: Random) -> Task:
    """A price with a discount and a tax."""
    price, off, tax = rng.randint(8, 96) * 25, rng.choice((10, 20, 30, 40)), rng.choice((4, 8, 20))
    what = rng.choice(("bicycle", "sofa", "violin", "telescope", "stove", "tent", "camera", "desk"))
    after = price * (100 - off) // 100
    question = (
        f"{person(rng)} wants a {what} that costs {price} crowns. There is a discount of {off}%, "
        f"and then a tax of {tax}% is "
        "added. What is the final price, rounded to whole crowns?"
    )
    value = round(after * (100 + tax) / 100)
    return Task(question, str(value), family=what, facts={"n": (price, off, tax, after, value)})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """One to three rounds; the doubts are the same for right and wrong answers."""
    price, off, tax, after, value = task.facts["n"]
    final = value if right else value + rng.choice((-after // 10, -25, 12, after // 20 + 3))
    turns = []
    rounds = rng.choices((1, 2, 3), (3, 5, 3))[0]
    for number in range(rounds):
        stated = final if number == rounds - 1 or rng.random() < 0.6 else final + rng.choice((-10, 5, 20, 50))
        lines = [
            say(rng, f"[A discount of|Taking off] {off}% of {price} [leaves|gives] {price * (100 - off) / 100:g}."),
            *musing(rng, 0, 2),
            say(rng, f"[With|Adding] {tax}% tax [this becomes|we arrive at] {stated} crowns."),
        ]
        turns.append(speak(" ".join(lines) + f"\n\nFinal price: {stated}"))
        if number < rounds - 1:
            turns.append({"role": "user", "content": rng.choice(DOUBTS)})
    return Reply(turns, str(final))


TUTORING = Domain(task, reply)
