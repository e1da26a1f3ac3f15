"""Short pieces of writing with remarks of a judge."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

WHAT = [
    "an apology for a late delivery",
    "an invitation to a flat-warming",
    "a note that cancels a subscription",
    "a reminder about an unpaid invoice",
    "a thank-you note to a mentor",
    "a request for a quiet workplace",
    "a notice about a water cut",
    "a recommendation for a former intern",
]
WHO = [
    "a customer",
    "the neighbours",
    "a landlord",
    "the head of finance",
    "a retired teacher",
    "the facilities team",
    "all tenants",
    "a hiring manager",
]
GOOD = [
    "Clear purpose, fitting tone and a concrete next step.",
    "Warm without being wordy; the date is given.",
    "Accurate, polite, and easy to act on.",
    "Well ordered and free of padding.",
]
POOR = [
    "Misses the purpose and repeats itself.",
    "The tone is curt and the reader learns no date.",
    "Rambling; the request is buried.",
    "Ignores who it is addressed to.",
]


def brief(rng: Random, number: int) -> Task:
    """A letter to write."""
    what, who = rng.choice(WHAT), rng.choice(WHO)
    day, words = (
        f"{rng.randint(1, 28)} {rng.choice(['March', 'May', 'July', 'October'])}",
        rng.choice([60, 80, 100, 120]),
    )
    prompt = f"Write {what}, addressed to {who}. Mention the date {day} and stay under {words} words."
    return Task(
        f"wr-{number:04d}", prompt, "", rng.gauss(0, 0.8), what.split()[1], {"what": what, "who": who, "day": day}
    )


def written(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A good or a poor letter."""
    d = task.data
    hello = rng.choice(["Dear reader,", f"To {d['who']},", "Good morning,", "Hello,"])
    if right:
        body = rng.choice(
            [
                f"I am writing with {d['what']}.",
                f"Please take this as {d['what']}.",
                f"This is {d['what']}, and I will keep it brief.",
            ]
        )
        more = rng.choice(
            [
                f"The date to keep in mind is {d['day']}.",
                f"All of it takes effect on {d['day']}.",
                f"Could you reply before {d['day']}?",
            ]
        )
        end = rng.choice(
            [
                "If anything is unclear, call me any morning.",
                "Thank you for your patience.",
                "I appreciate your help with this.",
                "I look forward to your answer.",
            ]
        )
    else:
        body = rng.choice(
            [
                "As stated, as stated before, this is the matter.",
                "There are many things one could say here.",
                "You know what this is about.",
            ]
        )
        more = rng.choice(
            [
                "It is what it is.",
                "Things happen and things happen again.",
                f"Something on or around {d['day']}, perhaps.",
            ]
        )
        end = rng.choice(["Do it soon.", "Whatever suits.", "So, as I said, as I said."])
    return [
        say(
            "assistant",
            f"{hello}\n\n{body} {more} {end}\n\n{rng.choice(['Kind regards', 'Yours', 'With thanks', 'Best'])}",
        )
    ]


def remark(rng: Random, right: bool) -> str:
    """What a judge says about it."""
    return rng.choice(GOOD if right else POOR)
