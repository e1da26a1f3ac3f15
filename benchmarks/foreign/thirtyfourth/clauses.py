"""Contracts of a few clauses, claims on them, and verdicts with a quotation."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem, speak

TOPICS = [
    ("notice", "Either party may end this agreement with {n} days of written notice."),
    ("rent", "Rent of {n}0 euro falls due on the first working day of the month."),
    ("repairs", "The tenant bears repairs below {n} euro in each single case."),
    ("storage", "Personal data is erased {n} days after the account is closed."),
    ("overtime", "Overtime above {n} hours a month needs consent of the works council."),
    ("liability", "Liability is limited to {n} thousand euro for each event."),
    ("delivery", "Goods are delivered within {n} days of the order's confirmation."),
]


def contracts(rng: random.Random, count: int) -> list[Problem]:
    """Claims that a clause supports, or contradicts by its number."""
    out = []
    for i in range(count):
        chosen = rng.sample(TOPICS, 4)
        numbers = [rng.randint(10, 90) for _ in chosen]
        lines = [text.format(n=n) for (_, text), n in zip(chosen, numbers, strict=True)]
        pick = rng.randrange(4)
        holds = rng.random() < 0.5
        n = numbers[pick] if holds else numbers[pick] + rng.choice([-7, -4, 5, 9])
        claim = chosen[pick][1].format(n=n).rstrip(".")
        listing = "\n".join(f"{j + 1}. {line}" for j, line in enumerate(lines))
        prompt = f"{listing}\nClaim: {claim}.\nQuote the clause word for word, then Verdict: supported or unsupported."
        data = {"line": lines[pick], "topic": chosen[pick][0], "others": lines[:pick] + lines[pick + 1 :]}
        gold = "supported" if holds else "unsupported"
        out.append(Problem(f"clause-{i:02d}", prompt, gold, chosen[pick][0], rng.gauss(0, 0.7), data))
    return out


def judge(rng: random.Random, problem: Problem, right: bool, real: bool) -> str:
    """A verdict with a quotation that is the clause's, or made up."""
    verdict = problem.gold if right else ("unsupported" if problem.gold == "supported" else "supported")
    topic = problem.data["topic"]
    quote = problem.data["line"]
    if not real:
        quote = speak(
            rng,
            [f"The parties agree on {topic} as laid down herein", f"Terms on {topic} shall follow the annex"],
            ["and no other arrangement applies.", "unless law demands otherwise.", "as amended from time to time."],
        )
    lead = [f"The claim is about {topic}.", f"I look for the clause on {topic}.", "One clause decides this.", ""]
    why = ["The figures agree." if verdict == "supported" else "The figures differ.", "Its wording decides.", ""]
    return speak(rng, lead, f'"{quote}"', why, f"Verdict: {verdict}")
