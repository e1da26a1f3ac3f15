"""Word problems over whole numbers, worked out line by line."""

from collections.abc import Callable
from math import gcd
from random import Random

from benchmarks.foreign.twentyninth.rollouts import Reply, Task, say

NAMES = ["Amara", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jun", "Keira", "Luca", "Mina"]
GOODS = [
    "tulip bulbs",
    "ceramic tiles",
    "notebooks",
    "bicycle tyres",
    "jars of honey",
    "wool scarves",
    "seed trays",
    "lamps",
]
Worked = tuple[str, list[str], int]


def stall(rng: Random) -> Worked:
    """Two prices."""
    a, p, q = rng.randint(12, 95), rng.randint(3, 19), rng.randint(2, 9)
    b = rng.randint(5, 60)
    who, what = rng.choice(NAMES), rng.choice(GOODS)
    text = (
        f"{who} sells {a} {what} at {p} euros each and {b} more at {q} euros each. What is the total revenue in euros?"
    )
    return text, [f"{a} x {p} = {a * p}", f"{b} x {q} = {b * q}", f"{a * p} + {b * q} = {a * p + b * q}"], a * p + b * q


def tank(rng: Random) -> Worked:
    """A net rate."""
    r, s, t = rng.randint(14, 60), rng.randint(2, 12), rng.randint(6, 48)
    v = rng.randint(50, 400)
    text = (
        f"A tank holds {v} litres. A pump adds {r} litres a minute while a leak loses {s}. "
        f"How much is in it after {t} minutes?"
    )
    return (
        text,
        [f"net rate {r} - {s} = {r - s}", f"{r - s} x {t} = {(r - s) * t}", f"{v} + {(r - s) * t} = {v + (r - s) * t}"],
        v + (r - s) * t,
    )


def rows(rng: Random) -> Worked:
    """An arithmetic series."""
    a, d, n = rng.randint(4, 40), rng.randint(2, 9), rng.randint(8, 30)
    last = a + (n - 1) * d
    total = n * (a + last) // 2
    text = (
        f"A theatre has {n} rows. The first has {a} seats and each row has {d} more than the "
        f"one before. How many seats in all?"
    )
    return (
        text,
        [f"last row {a} + {n - 1} x {d} = {last}", f"{a} + {last} = {a + last}", f"{n} x {a + last} / 2 = {total}"],
        total,
    )


def tiles(rng: Random) -> Worked:
    """A greatest common divisor."""
    g = rng.randint(4, 18)
    a, b = g * rng.randint(5, 29), g * rng.randint(5, 31)
    k = gcd(a, b)
    n = (a // k) * (b // k)
    text = f"A floor of {a} cm by {b} cm is covered by the largest equal square tiles without cutting. How many tiles?"
    return (
        text,
        [f"side gcd({a}, {b}) = {k}", f"{a}/{k} = {a // k} and {b}/{k} = {b // k}", f"{a // k} x {b // k} = {n}"],
        n,
    )


def remainder(rng: Random) -> Worked:
    """A power modulo a number."""
    m, a, e = rng.randint(7, 41), rng.randint(2, 15), rng.randint(5, 40)
    value = pow(a, e, m)
    h = e // 2
    half = pow(a, h, m)
    text = f"What is the remainder when {a}^{e} is divided by {m}?"
    odd = f" and once more by {a}" if e % 2 else ""
    return (
        text,
        [
            f"{a}^{h} leaves {half} mod {m}",
            f"square it{odd}: {half}^2 leaves {half * half % m}",
            f"{a}^{e} leaves {value}",
        ],
        value,
    )


def trains(rng: Random) -> Worked:
    """A closing gap."""
    u, v, t = rng.randint(50, 110), rng.randint(40, 95), rng.randint(2, 7)
    gap = (u + v) * t + rng.randint(10, 90)
    text = (
        f"Two trains {gap} km apart drive towards each other at {u} and {v} km/h. How many km "
        f"are between them after {t} hours?"
    )
    done = (u + v) * t
    return (
        text,
        [f"closing speed {u} + {v} = {u + v}", f"{u + v} x {t} = {done}", f"{gap} - {done} = {gap - done}"],
        gap - done,
    )


KINDS: dict[str, Callable[[Random], Worked]] = {
    "stall": stall,
    "tank": tank,
    "rows": rows,
    "tiles": tiles,
    "remainder": remainder,
    "trains": trains,
}
OPENINGS = [
    "Let me set this up.",
    "First the given numbers.",
    "Okay.",
    "We go step by step.",
    "Start with the parts.",
    "Hmm, let's see.",
    "",
]
LINKS = ["Then", "Next,", "Now", "After that", "So", "From this,"]
CHECKS = [
    "That looks plausible.",
    "A rough estimate agrees.",
    "Checking once more: same result.",
    "The units fit.",
    "",
    "",
]


def sum_task(rng: Random, pid: str) -> Task:
    """A problem of one of six families."""
    family = rng.choice(sorted(KINDS))
    text, lines, value = KINDS[family](rng)
    return Task(pid, text, str(value), rng.gauss(0, 0.7), family, data={"lines": lines})


def slip(rng: Random, value: int) -> int:
    """A wrong number near a right one."""
    return value + rng.choice([-10, -3, -2, -1, 1, 2, 4, 9, 10, value // 2 + 1])


def workings(rng: Random, task: Task, answer: str) -> str:
    """The lines of the solution that end at the answer, in words of their own."""
    lines = list(task.data["lines"])
    head, _, tail = lines[-1].rpartition(task.gold)
    lines[-1] = head + answer + tail
    said = [f"{rng.choice(LINKS)} {line}." for line in lines]
    if rng.random() < 0.3:
        said.insert(
            rng.randrange(len(said)),
            f"Careful with {rng.choice(['the order', 'the units', 'the last term', 'signs'])} here.",
        )
    return " ".join(part for part in [rng.choice(OPENINGS), *said, rng.choice(CHECKS)] if part)


def solve(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Works a problem out and boxes the answer."""
    answer = task.gold if right else str(slip(rng, int(task.gold)))
    return Reply([say(f"{workings(rng, task, answer)}\n\nThe answer is \\boxed{{{answer}}}.")], answer)
