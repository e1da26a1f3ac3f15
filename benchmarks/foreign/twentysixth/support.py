"""Customers ask a telephone company; a judge model marks the reply."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

CASES = {
    "bill": (
        "my bill of {n} euros is higher than last month",
        "a past month was billed with it",
        "ask for it in two parts",
    ),
    "roaming": ("I was charged {n} euros abroad", "the pass had ended the day before", "book the pass again"),
    "router": ("the router drops the line {n} times a day", "its firmware is old", "start it while holding reset"),
    "number": (
        "I want to keep my number and leave in {n} days",
        "the other company must ask for it",
        "give them the code",
    ),
    "sim": ("the new SIM does not work after {n} hours", "it was not activated", "enter its last digits in the app"),
    "speed": ("I get {n} Mbit and pay for more", "the profile of the line is wrong", "let us set it anew"),
}
MOODS = ("Hello,", "Hi there!", "This is the third time I write:", "Good morning.", "Urgent:", "Dear team,", "Hey,")


def task(rng: Random) -> Task:
    """A complaint."""
    case, number = rng.choice(list(CASES)), rng.randint(2, 480)
    ask = pick(rng, "What can I do?", "Why is that?", "Please help.", "Can you explain?", "How is this solved?")
    prompt = f"{rng.choice(MOODS)} {CASES[case][0].format(n=number)}. {ask} (customer {rng.randint(10000, 99999)})"
    return Task(case, prompt, "", extra={"case": case})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Sorry, cause and cure; poor ones do not name the cure."""
    _, cause, cure = CASES[t.extra["case"]]
    sorry = pick(rng, "I am sorry for the trouble.", "Thank you for writing.", "I understand.", "That is annoying.")
    if right:
        body = pick(
            rng,
            f"The likely cause is that {cause}. Please {cure}.",
            f"In your case {cause}; to solve it, {cure}.",
            f"What helps: {cure}. The reason is that {cause}.",
        )
    else:
        body = pick(
            rng, "Please wait a few days.", "We cannot see anything.", f"Perhaps {cause}.", "Try another phone."
        )
    end = pick(rng, "Tell me if it does not help.", "Kind regards", "Is there anything else?", "Have a good day.")
    return Reply([say(f"{sorry} {body} {end}")], "", {"resolved": float(right)})


WORLD = World(task, reply)
