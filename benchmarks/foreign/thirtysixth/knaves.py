"""Islanders who always lie or always tell the truth: two speak, one is asked about."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

FOLK = ("Abel", "Cora", "Dario", "Edda", "Fergus", "Gitta", "Hugo", "Ida", "Jonas", "Kira")


def _claims(a: str, b: str) -> list[tuple[str, bool, bool]]:
    """What the first can say, and what follows: whether each of the two is truthful."""
    return [
        (f"At least one of us lies, {b} or I", True, False),
        (f"{b} and I are both liars", False, True),
        (f"If I tell the truth, so does {b}", True, True),
    ]


def draw_island(rng: random.Random, number: int) -> Problem:
    """A riddle with the answer yes or no."""
    a, b = rng.sample(FOLK, 2)
    said, first, second = rng.choice(_claims(a, b))
    asked, truth = rng.choice(((a, first), (b, second)))
    ask = (
        f"On an island everybody either always lies or never does. {a} says: "
        f"'{said}.' Does {asked} tell the truth? End with yes or no."
    )
    data = {"a": a, "b": b, "said": said, "asked": asked, "first": first, "second": second}
    return Problem(f"isle-{number:04d}", ask, "yes" if truth else "no", "islanders", rng.uniform(-0.05, 0.2), data)


def argue_island(rng: random.Random, problem: Problem, right: bool) -> tuple[str, str]:
    """An argument by cases, and its answer."""
    d = problem.data
    answer = problem.gold if right else ("no" if problem.gold == "yes" else "yes")
    truthful, lying = "tells the truth", "lies"
    state = {d["a"]: d["first"], d["b"]: d["second"]}
    if not right:
        state[d["asked"]] = not state[d["asked"]]
    start = rng.choice(
        (
            f"Suppose {d['a']} tells the truth.",
            f"Take the case that {d['a']} lies.",
            f"I try both kinds for {d['a']}.",
            "Two people make four cases.",
        )
    )
    middle = rng.choice(
        (
            f"Held against the words '{d['said'][:38]}...' only one case is free of contradiction.",
            f"What {d['a']} says must be true or false with its speaker, which leaves one case.",
            "Three of the cases contradict themselves.",
            f"The words about {d['b']} then decide the rest.",
        )
    )
    found = "; ".join(f"{who} {truthful if kind else lying}" for who, kind in state.items())
    return f"{start} {middle} What remains: {found}. So for {d['asked']} the answer is {answer}.", answer
