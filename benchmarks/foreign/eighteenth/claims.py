"""Judgements: whether a claim follows from a note, and whether a claimed value is right."""

from random import Random

from benchmarks.foreign.eighteenth.dress import told_in_full
from benchmarks.foreign.eighteenth.people import GOODS, NAMES, PLACES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, said
from benchmarks.foreign.eighteenth.sums import FAMILIES, marked
from benchmarks.foreign.eighteenth.working import Working, worked


def follows_of(rng: Random) -> Task:
    """A note and a claim; the reply is one word."""
    who, other, good, place = *rng.sample(NAMES, 2), rng.choice(GOODS), rng.choice(PLACES)
    n, m, day = rng.randint(5, 60), rng.randint(5, 60), rng.choice(("Monday", "Thursday", "Saturday"))
    note = (
        f"On {day} {who} sold {n} {good} in {place}, {m} of them to {other}."
        if m < n
        else (f"On {day} {who} sold {n} {good} in {place}, and {other} sold {m}.")
    )
    claim, holds = rng.choice(
        (
            (f"{who} sold more {good} than {other}.", None if m < n else n > m),
            (f"More than {n - 1} {good} were sold in {place} on {day}.", True),
            (f"{who} was selling {good} on {day}.", True),
            (f"The note tells of {good} and names {other}.", True),
            (f"{other} was in {place} on {day} and bought all {good}.", False),
            (f"{who} sold fewer than {n} {good} that day.", False),
        )
    )
    gold = "yes" if holds else "no"

    def write(rng: Random, right: bool) -> Reply:
        word = gold if right else {"yes": "no", "no": "yes"}[gold]
        return said(word, word)

    prompt = f"Note: {note}\nClaim: {claim}\nDoes the claim follow from the note? Reply with yes or no only."
    return Task(prompt, gold, write, "follows" if holds else "does_not_follow", rng.uniform(-0.6, 0.6), domain="nli")


def verify_of(rng: Random) -> Task:
    """A problem with somebody's value, which is right half of the time; the right value is asked for."""
    family = rng.choice(FAMILIES)
    problem, solve, level = family(rng)
    who, gold = rng.choice(NAMES), solve(Working())
    claimed = gold if rng.random() < 0.5 else worked(solve, rng, False)[1]
    wording = rng.choice(("{w} claims that it is {v}.", "{w}'s answer is {v}.", "The sheet of {w} says {v}."))

    def write(rng: Random, right: bool) -> Reply:
        lines, value = worked(solve, rng, right)
        verdict = f"So the claim of {claimed} {'holds' if value == claimed else 'does not hold'}."
        return said(told_in_full(rng, [*lines, verdict], marked(value, "boxed")), str(value))

    prompt = f"{problem}\n{wording.format(w=who, v=claimed)} Verify this and give the right value in a box."
    facts = {"claim_is_right": claimed == gold}
    return Task(prompt, str(gold), write, f"verify_{family.__name__}", level - 0.2, extra=facts)
