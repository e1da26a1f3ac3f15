"""Pictures as lists of boxes: drawing them, overlapping them, and their average precision."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

THINGS = ["cup", "dog", "bicycle", "lamp", "chair", "umbrella", "clock", "bottle", "kite", "bench", "sheep", "boat"]
WIDE, HIGH = 1280, 720
Box = list[int]


def draw(a: Box, b: Box) -> float:
    """Intersection over union."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return w * h / (both - w * h)


def near(rng: Random, box: Box, share: float) -> Box:
    """A box about another one."""
    w, h = box[2] - box[0], box[3] - box[1]
    return [round(v + rng.gauss(0, share * (w if i % 2 == 0 else h))) for i, v in enumerate(box)]


def spread(rng: Random, names: list[str]) -> tuple[str, Box]:
    """A box anywhere, of one of the names."""
    x, y = rng.randint(0, WIDE - 200), rng.randint(0, HIGH - 200)
    return rng.choice(names), [x, y, x + rng.randint(40, 200), y + rng.randint(40, 200)]


def scenes(rng: Random, number: int) -> list[Task]:
    """Pictures with what is asked for; some of what is asked for is not there."""
    out = []
    for i in range(number):
        asked = rng.sample(THINGS, 5)
        boxes = [spread(rng, asked[:3]) for _ in range(rng.randint(3, 6))]
        prompt = f"<image> Picture {i + 1}, {WIDE}x{HIGH}. Detect all of: {', '.join(asked)}. Answer with a JSON list."
        gold = "; ".join(f"{n} {b}" for n, b in boxes)
        out.append(Task(f"pic-{i:03d}", prompt, gold, rng.gauss(0, 0.6), "", {"boxes": boxes, "asked": asked}))
    return out


def average_precision(truth: list[tuple[str, Box]], found: list[tuple[str, Box, float]]) -> float:
    """Mean over present categories of the area under precision and recall at an overlap of a half."""
    values = []
    for name in {n for n, _ in truth}:
        open_, hits, area = [b for n, b in truth if n == name], 0, 0.0
        total = len(open_)
        ranked = sorted((f for f in found if f[0] == name), key=lambda f: -f[2])
        for rank, (_, box, _) in enumerate(ranked, 1):
            best = max(open_, key=lambda b: draw(b, box), default=None)
            if best and draw(best, box) >= 0.5:
                open_.remove(best)
                hits += 1
                area += hits / rank / total
        values.append(area)
    return sum(values) / len(values)
