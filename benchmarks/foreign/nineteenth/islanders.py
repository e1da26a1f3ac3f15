"""Knights, who say what is true, and knaves, who do not."""

from itertools import product
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

NAMES = (
    "Ailsa",
    "Boyd",
    "Craig",
    "Deva",
    "Eske",
    "Fyfe",
    "Gorm",
    "Hild",
    "Ivar",
    "Jorun",
    "Kell",
    "Liv",
    "Moss",
    "Nuala",
)
STARTS = (
    "Suppose {a} is a knight.",
    "Assume first that {a} lies.",
    "Try {a} as a knight.",
    "Consider {b}'s words.",
    "Begin with {a}.",
)
LINKS = (
    "Then {b} must fit what was said.",
    "That would contradict {a}.",
    "So {b} cannot be of the other kind.",
    "This is consistent so far.",
    "Now {a}'s words about {b} settle it.",
    "The other case fails at {b}.",
    "Check {b} again under this.",
)

Scene = tuple[list[str], list[tuple[str, str, bool, int]]]
"""Names, and who says what of whom."""


def islander_task(rng: Random) -> Task:
    """Draw a puzzle with one solution."""
    while True:
        names: list[str] = rng.sample(NAMES, rng.choice((2, 3, 3)))
        says = [(n, rng.choice([m for m in names if m != n]), rng.random() < 0.5, rng.choice((0, 1))) for n in names]
        fits = [w for w in product((True, False), repeat=len(names)) if _fits(w, names, says)]
        if len(fits) == 1:
            break
    told = " ".join(f"{n} says: '{_words(m, yes, alike)}'." for n, m, yes, alike in says)
    truth = ", ".join(f"{n}={'knight' if w else 'knave'}" for n, w in zip(names, fits[0], strict=True))
    return Task(
        f"{', '.join(names[:-1])} and {names[-1]} are each a knight or a knave. {told} Who is what?",
        truth,
        lambda r, right, skill: _reply(r, (names, says), fits[0], right, skill),
        family=f"{len(names)}_people",
        system="End with <solution>Name=knight, Name=knave</solution>, in the order given.",
        ease=0.4 if len(names) == 2 else -0.2,
        extra={"people": len(names)},
        scene=(names, says),
    )


def _words(other: str, yes: bool, alike: int) -> str:
    if alike:
        return f"{other} and I are {'of one kind' if yes else 'different'}"
    return f"{other} is a {'knight' if yes else 'knave'}"


def _fits(world: tuple[bool, ...], names: list[str], says: list[tuple[str, str, bool, int]]) -> bool:
    kind = dict(zip(names, world, strict=True))
    return all(((kind[n] == kind[m]) == yes if alike else kind[m] == yes) == kind[n] for n, m, yes, alike in says)


def cases(rng: Random, scene: Scene, count: int) -> list[str]:
    """Go through some of the cases and say whose words fail in each."""
    names, says = scene
    worlds = list(product((True, False), repeat=len(names)))
    lines = []
    for world in rng.sample(worlds, min(count, len(worlds))):
        failing = [claim[0] for claim in says if not _fits(world, names, [claim])]
        shown = ", ".join(f"{n} {'knight' if k else 'knave'}" for n, k in zip(names, world, strict=True))
        ending = rng.choice(("cannot have said that", "contradicts this", "rules it out")) if failing else ""
        lines.append(
            f"{rng.choice(('Case', 'With', 'Try'))} {shown}: " + (f"{failing[0]} {ending}." if failing else "it fits.")
        )
    return lines


def _reply(rng: Random, scene: Scene, world: tuple[bool, ...], right: bool, skill: float) -> Reply:
    names, made = scene[0], list(world)
    if not right:
        for place in rng.sample(range(len(made)), rng.randrange(1, len(made))):
            made[place] = not made[place]
    a, b = rng.sample(names, 2)
    parts = [
        rng.choice(STARTS).format(a=a, b=b),
        *cases(rng, scene, rng.randrange(0, 2 + round(2 * skill)) if right else 0),
    ]
    for _ in range(rng.randrange(1, 3)):
        a, b = rng.sample(names, 2)
        parts.append(rng.choice(LINKS).format(a=a, b=b))
    answer = ", ".join(f"{n}={'knight' if k else 'knave'}" for n, k in zip(names, made, strict=True))
    return Reply([say(" ".join(parts) + f"\n<solution>{answer}</solution>")], answer)
