"""Requests for short texts, answers of differing quality, and a judge that grades from 1 to 10."""

import random

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, said

THINGS = (
    "a sourdough starter",
    "a bicycle chain",
    "a tomato plant",
    "a wood stove",
    "a fountain pen",
    "a cast-iron pan",
    "a rain barrel",
)
WHO = ("a beginner", "my father, who is 70", "a class of twelve-year-olds", "a new colleague", "a neighbour")
ASKS = (
    "Explain to {who} how to look after {thing}.",
    "Write a short note for {who} on what can go wrong with {thing}.",
    "Give {who} three practical tips about {thing}, without jargon.",
)
GOOD = (
    "Check {thing} once a week, ideally on the same day, so that small problems never become large ones.",
    "Most trouble with {thing} comes from moisture in the wrong place, so dry it or air it after use.",
    "If something smells or sounds different than last week, stop and look before you go on.",
    "Keep a scrap of paper beside {thing} with the date of the last time you took care of it.",
    "Little and often beats one big effort in spring; five minutes are plenty.",
    "Do not buy special products at first: warm water, a cloth and patience cover nine cases in ten.",
    "Ask somebody who has had {thing} for years to show you once; it saves you a season.",
)
WEAK = (
    "There are many things to keep in mind with {thing}.",
    "It depends on the situation, as always.",
    "Make sure to follow best practices and stay safe.",
    "{Thing} can be very rewarding if done right.",
    "Consider the pros and cons before you begin.",
)


def draw(rng: random.Random, step: int = 0) -> Problem:
    """A request."""
    thing, who = rng.choice(THINGS), rng.choice(WHO)
    prompt = rng.choice(ASKS).format(thing=thing, who=who) + f" At most {rng.randrange(70, 165, 5)} words."
    return Problem(
        f"note-{rng.randint(1000, 99999)}", "note", prompt, "", 0.5, data={"thing": thing, "who": who, "domain": "chat"}
    )


def answer(rng: random.Random, problem: Problem, skill: float) -> tuple[str, float]:
    """A text and its quality from 0 to 1: the share of sentences that say something."""
    thing = problem.data["thing"]
    count = rng.randint(3, 5)
    good = sum(rng.random() < skill for _ in range(count))
    lines = rng.sample(GOOD, good) + rng.sample(WEAK, count - good)
    rng.shuffle(lines)
    opening = rng.choice(
        ("Here is what matters.", "Sure, in short:", f"For {problem.data['who']}:", "", "A few words on this.")
    )
    text = " ".join([opening, *(x.format(thing=thing, Thing=thing[0].upper() + thing[1:]) for x in lines)]).strip()
    return text, good / count


def grade(rng: random.Random, quality: float) -> int:
    """The judge's grade of a quality."""
    return max(1, min(10, round(2 + 7 * quality + rng.gauss(0, 0.7))))


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """An answer with the judge's grade, scaled to 0..1."""
    text, quality = answer(rng, problem, skill)
    score = grade(rng, quality) / 10
    return Attempt([said(text)], score, None, {"judge_reward": score})
