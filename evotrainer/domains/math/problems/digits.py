"""Work on the digits of one number. Zeros are left out: a sorted number would lose them."""

from random import Random

from evotrainer.domains.problem_sets.base import Draw


def _digits(rng: Random, low: int, high: int) -> list[int]:
    return [rng.randrange(1, 10) for _ in range(rng.randrange(low, high + 1))]


def _joined(digits: list[int]) -> str:
    return "".join(map(str, digits))


def draw_sort(rng: Random) -> Draw:
    """`sort 47381` thought as `47,347,3478,13478`: one digit after the other goes to its place."""
    digits = _digits(rng, 4, 6)
    steps = [_joined(sorted(digits[: count + 1])) for count in range(1, len(digits))]
    return Draw(f"sort {_joined(digits)}", steps[-1], ",".join(steps), (len(digits) - 4) / 2)


def draw_reverse(rng: Random) -> Draw:
    """`reverse 47381` thought as `74,374,8374,18374`: one digit after the other goes to the front."""
    digits = _digits(rng, 4, 6)
    steps = [_joined(digits[: count + 1][::-1]) for count in range(1, len(digits))]
    return Draw(f"reverse {_joined(digits)}", steps[-1], ",".join(steps), (len(digits) - 4) / 2)


def draw_digit_sum(rng: Random) -> Draw:
    """`digit sum 4738` thought as `4+7=11,11+3=14,14+8=22`."""
    digits = _digits(rng, 4, 6)
    total, steps = digits[0], []
    for digit in digits[1:]:
        steps.append(f"{total}+{digit}={total + digit}")
        total += digit
    return Draw(f"digit sum {_joined(digits)}", str(total), ",".join(steps), (len(digits) - 4) / 2)
