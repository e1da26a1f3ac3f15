"""Countdown: reach a target with each of the given numbers used at most once."""

from random import Random

from benchmarks.foreign.twentyfifth.course import Task


def puzzle(rng: Random) -> Task:
    """Four to six numbers and a target that three of them reach."""
    numbers = rng.sample(range(2, 13), rng.randint(2, 3)) + rng.sample([15, 18, 22, 25, 36, 44, 50, 63, 75], 2)
    rng.shuffle(numbers)
    a, b, c = rng.sample(numbers, 3)
    shape = rng.randrange(3)
    target, way = ((a * b + c, f"{a} * {b} + {c}"), (a + b + c, f"{a} + {b} + {c}"), (a * b - c, f"{a} * {b} - {c}"))[
        shape
    ]
    prompt = f"Using the numbers {numbers}, create an expression that equals {target}. Use each number at most once."
    text = f"{prompt} Think in <think> tags and give the expression in <answer> tags."
    return Task(text, str(target), {"numbers": numbers, "way": way})


def foreign(rng: Random, numbers: list[int], target: int) -> str:
    """An expression that equals the target with a number that was not given."""
    while True:
        a, b = rng.sample(numbers, 2)
        rest = target - a * b if rng.random() < 0.5 else target - a - b
        if rest in numbers or rest == 0:
            continue
        head = f"{a} * {b}" if rest == target - a * b else f"{a} + {b}"
        return f"{head} + {rest}" if rest > 0 else f"{head} - {-rest}"


def missed(rng: Random, numbers: list[int], target: int) -> tuple[str, int]:
    """An expression of given numbers that misses the target, and its value."""
    while True:
        a, b, c = rng.sample(numbers, 3)
        sign = rng.choice("+-")
        value = a * b + c if sign == "+" else a * b - c
        if value != target:
            return f"{a} * {b} {sign} {c}", value
