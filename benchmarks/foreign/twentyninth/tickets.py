"""Messages of customers, to be sorted into four kinds."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Task

TOPICS = {
    "billing": [
        "I was charged {n} euros twice",
        "the invoice of the {d}th shows a wrong sum",
        "where do I change my card ending in {n}",
    ],
    "delivery": [
        "my parcel {n} is late since the {d}th",
        "the driver left order {n} with nobody",
        "can order {n} go to another street",
    ],
    "account": ["I cannot log in since the {d}th", "please delete profile {n}", "my name is misspelt on profile {n}"],
    "product": [
        "item {n} makes a grinding noise",
        "does model {n} fit a {d} mm pipe",
        "the lid of item {n} is cracked",
    ],
}


def ticket_task(rng: Random, pid: str) -> Task:
    """A message of a customer to be sorted."""
    label = rng.choice(sorted(TOPICS))
    text = rng.choice(TOPICS[label]).format(n=rng.randint(100, 9999), d=rng.randint(2, 28))
    polite = rng.choice(["Hello, {t}.", "{t}!", "Hi team, {t}. Thanks.", "Good evening, {t}, please help."]).format(
        t=text
    )
    return Task(
        pid,
        f"Sort this message into billing, delivery, account or product. Answer with one word.\n\n{polite}",
        label,
        rng.gauss(0, 0.8),
        label,
    )
