"""Word problems with a worked answer and plausible wrong ways."""

from random import Random

from benchmarks.foreign.seventh.amounts import Sum, Way, ages, average, border, discount, tank, trains
from benchmarks.foreign.seventh.counts import bells, committee, power, series
from benchmarks.foreign.seventh.prose import checked, joined, opener, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

_MAKERS = (discount, trains, border, series, committee, bells, average, power, ages, tank)
_HARDNESS = {
    "percent": -0.6,
    "speed": -0.8,
    "area": 0.1,
    "series": 0.2,
    "counting": 0.4,
    "divisors": 0.5,
    "average": 0.3,
    "modular": 1.0,
    "ages": -0.5,
    "rates": -0.7,
}
_CLOSINGS = "[So the answer is|Hence|Therefore the result is|Final answer:|The answer comes out as]"


def wrong_way(rng: Random, task: Sum) -> Way:
    """Draw a wrong way whose result differs from the right one."""
    ways = [way for way in task.wrong if way[1] != task.right[1]]
    if ways and rng.random() < 0.55:
        return rng.choice(ways)
    steps, value = task.right
    slip = value + rng.choice([-20, -10, -2, -1, 1, 2, 3, 10, 11])
    slip = slip if slip > 0 else value + 4
    before, _, after = steps[-1].rpartition(str(value))
    return [*steps[:-1], f"{before}{slip}{after}"], slip


def answer_to(rng: Random, task: Sum, right: bool) -> Reply:
    """Return a worked answer."""
    steps, value = task.right if right else wrong_way(rng, task)
    bullets = rng.choice(("", "", "- ", "* "))
    lines = [bullets + step for step in steps]
    text = joined([opener(rng), *lines, checked(rng), f"{say(rng, _CLOSINGS)} \\boxed{{{value}}}."])
    return Reply([said(text)], str(value))


def sum_task(rng: Random, name: str) -> Task:
    """Draw a word problem that asks for a boxed answer."""
    made = rng.choice(_MAKERS)(rng)
    level = _HARDNESS[made.family] + rng.gauss(0, 0.9)
    ending = "\nPut your final answer in \\boxed{}."
    return Task(
        name,
        made.family,
        "math",
        made.prompt + ending,
        str(made.right[1]),
        lambda r, ok: answer_to(r, made, ok),
        level=level,
    )


def detour(rng: Random) -> str:
    """Draw a side calculation that is right but leads nowhere."""
    a, b = rng.randint(12, 98), rng.randint(12, 98)
    tens = b // 10 * 10
    return say(
        rng,
        rng.choice(
            (
                (
                    f"[Compare|As a check on size]: {a}*{b} = {a}*{tens} + {a}*{b - tens} = {a * tens} + "
                    f"{a * (b - tens)} = {a * b}[.|, which does not settle it.]"
                ),
                f"[Suppose|What if] it were {a} [instead|rather]: then {a} + {b} = {a + b}, [too far off|no].",
                (
                    f"[Hmm|Wait], [is|could] {a * b} be [relevant|the number]? {a * b} / {a} = "
                    f"{b}[, so no.|; not obviously.]"
                ),
                f"[Alternatively|Another way]: {a + b} - {b} = {a}, [which brings nothing new|same thing].",
                "[Let me|I should] [double-check|verify] the [units|wording|first step] [again|before going on].",
            )
        ),
    )
