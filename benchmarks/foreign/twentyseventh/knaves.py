"""Islanders who always lie or always speak the truth."""

import itertools
from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import PEOPLE, say

ASIDES = (
    "If that were false, the next statement could not hold either.",
    "That alone does not decide anything yet.",
    "Here the two cases have to be kept apart.",
    "Both possibilities survive this statement.",
    "This rules out one more row of the table.",
    "Compare this with what the others say.",
    "I note it and go on.",
    "A contradiction would show by now.",
)


def holds(claim: tuple, truth: dict[str, bool]) -> bool:
    """Whether a claim is true where these people speak the truth."""
    kind, who, other = claim
    if kind == "same":
        return truth[who] == truth[other]
    return truth[who] if kind == "knight" else not truth[who]


def task(rng: Random) -> Task:
    """Three or four people, each with a claim, of which one reading alone is possible."""
    while True:
        names = rng.sample(PEOPLE, rng.choice((3, 3, 4)))
        claims = {}
        for name in names:
            who, other = rng.sample([n for n in names if n != name], 2)
            claims[name] = (rng.choice(("knight", "knave", "same")), who, other)
        readings = []
        for values in itertools.product((True, False), repeat=len(names)):
            truth = dict(zip(names, values, strict=True))
            if all(holds(claims[n], truth) == truth[n] for n in names):
                readings.append(truth)
        if len(readings) == 1:
            break
    said = {
        n: f"{w} and {o} are of the same kind" if k == "same" else f"{w} is a {k}" for n, (k, w, o) in claims.items()
    }
    question = (
        "Knights always tell the truth and knaves always lie. "
        + " ".join(f'{n} says: "{text}."' for n, text in said.items())
        + " Who is what? Answer with one line, such as: Ann knight, Bob knave."
    )
    return Task(
        question, written(readings[0]), family=f"{len(names)} people", facts={"truth": readings[0], "said": said}
    )


def written(truth: dict[str, bool]) -> str:
    """The answer as asked for."""
    return ", ".join(f"{name} {'knight' if honest else 'knave'}" for name, honest in truth.items())


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Cases in turn, fewer of them as the policy learns."""
    truth = dict(task.facts["truth"])
    if not right:
        name = rng.choice(list(truth))
        truth[name] = not truth[name]
    lines = []
    cases = max(1, round(len(truth) * (2.4 - 1.8 * progress) + rng.gauss(0, 0.6)))
    for name, text in itertools.islice(itertools.cycle(task.facts["said"].items()), cases):
        honest = rng.random() < 0.5
        kind, verdict = ("knight", "is true") if honest else ("knave", "is false")
        lines.append(say(rng, f'[Suppose|Assume|Say] {name} is a {kind}: then "{text}" [{verdict}|{verdict}, too].'))
        if rng.random() < 0.75 - 0.5 * progress:
            lines.append(rng.choice(ASIDES))
    lines.append(say(rng, "[Only this is left|The one consistent reading|So]:"))
    return Reply([speak(" ".join(lines) + "\n" + written(truth))], written(truth))


KNAVES = Domain(task, reply)
