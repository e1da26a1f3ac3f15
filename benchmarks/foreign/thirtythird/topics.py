"""Questions that are answered in a few paragraphs, with the points that a good answer makes."""

import random

from benchmarks.foreign.thirtythird.policy import Task

POINTS = {
    "compost": (
        "needs air as well as moisture",
        "mixes green and brown matter",
        "heats up in the middle when it works",
        "should be turned every few weeks",
        "keeps out cooked food",
    ),
    "sourdough": (
        "lives from wild yeast and bacteria",
        "rises slower than with baker's yeast",
        "tastes sour from acids",
        "wants a starter that is fed",
        "depends on the warmth of the kitchen",
    ),
    "tides": (
        "come mainly from the Moon's pull",
        "are higher when Sun and Moon line up",
        "differ with the coast's shape",
        "come twice a day in most places",
        "lag behind the Moon's passage",
    ),
    "slate roofs": (
        "last for a century and more",
        "are heavy, so the frame must bear them",
        "crack when walked upon",
        "need copper or steel nails",
        "can be mended slate by slate",
    ),
    "beekeeping": (
        "begins with a sheltered place",
        "means checking for mites",
        "leaves enough honey for winter",
        "asks for calm movements",
        "is easier with a second colony",
    ),
    "bicycle gears": (
        "trade force for speed",
        "wear with the chain",
        "shift best without load",
        "should not run cross-chained",
        "are counted by teeth",
    ),
    "rain barrels": (
        "need a lid against mosquitoes",
        "should stand on firm ground",
        "lose the first dirty water",
        "are emptied before frost",
        "want an overflow",
    ),
    "knots": (
        "weaken the rope a little",
        "must be easy to untie",
        "hold by friction",
        "differ for wet rope",
        "are learnt by doing",
    ),
}
ASKS = (
    "Explain {t} to a beginner.",
    "What should one know about {t}?",
    "Give a short introduction to {t}.",
    "Which mistakes are common with {t}?",
    "Why do people care about {t}?",
)
LINKS = ("It helps to know that", "In practice", "One thing that is often missed:", "Beyond that", "Then")
WHY = (
    "otherwise the effort is wasted",
    "as anybody finds out in the first season",
    "and that changes what to do next",
    "which is simple once it was seen",
    "though books often leave it out",
)


def topics(rng: random.Random, count: int) -> list[Task]:
    """Questions on the topics."""
    pairs = rng.sample([(topic, ask) for topic in POINTS for ask in ASKS], count)
    return [Task(f"ask-{i:02d}", ask.format(t=t), "", t, rng.gauss(0, 1)) for i, (t, ask) in enumerate(pairs)]


def essay(rng: random.Random, task: Task, quality: float) -> tuple[str, float]:
    """An answer and the share of points that it makes."""
    points = POINTS[task.family]
    made = [point for point in rng.sample(points, len(points)) if rng.random() < quality] or [rng.choice(points)]
    opening = rng.choice(("Here is what matters about", "A few words on", "People ask often about", "Let us look at"))
    lines = [f"{opening} {task.family}."]
    lines += [f"{rng.choice(LINKS)} {task.family} {point}, {rng.choice(WHY)}." for point in made]
    if len(made) < 3:
        lines.append(rng.choice(("There is more to say, but this is the start.", "The rest comes with time.")))
    else:
        lines.append(f'Of these, "{made[0]}" is where I would begin with {task.family}.')
    return " ".join(lines), len(made) / len(points)
