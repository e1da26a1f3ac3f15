"""Arithmetic on whole numbers, thought through digit by digit, the last digit first (the first one in a division)."""

from random import Random

from evotrainer.domains.problem_sets.base import Draw


def _with_digits(rng: Random, num_digits: int) -> int:
    return rng.randrange(10 ** (num_digits - 1), 10**num_digits)


def _last_first(number: int, num_digits: int) -> list[int]:
    return [number // 10**place % 10 for place in range(num_digits)]


def draw_add(rng: Random) -> Draw:
    """`385+47=?` thought as `5+7=12,8+4+1=13,3+1=4`."""
    left_digits, right_digits = rng.choice(((2, 2), (3, 2), (3, 3)))
    left, right = _with_digits(rng, left_digits), _with_digits(rng, right_digits)
    thought = ",".join(_column_sums(left, right))
    return Draw(f"{left}+{right}=?", str(left + right), thought, (left_digits + right_digits - 4) / 2)


def draw_subtract(rng: Random) -> Draw:
    """`832-47=?` thought as `12-7=5,13-5=8,8-1=7`: a borrow raises the next digit that is taken away."""
    left_digits, right_digits = rng.choice(((2, 2), (3, 2), (3, 3)))
    right, left = sorted((_with_digits(rng, left_digits), _with_digits(rng, right_digits)))
    borrow, steps = 0, []
    for upper, lower in zip(_last_first(left, left_digits), _last_first(right, left_digits), strict=True):
        taken = lower + borrow
        borrow = int(upper < taken)
        steps.append(f"{upper + 10 * borrow}-{taken}={upper + 10 * borrow - taken}")
    return Draw(f"{left}-{right}=?", str(left - right), ",".join(steps), (left_digits + right_digits - 4) / 2)


def draw_multiply(rng: Random) -> Draw:
    """`47*6=?` thought as `7*6=42,4*6=24+4=28`: the carry is added to each product but the first."""
    num_digits = rng.choice((2, 3))
    left, right = _with_digits(rng, num_digits), rng.randrange(3, 10)
    carry, steps = 0, []
    for digit in _last_first(left, num_digits):
        product = digit * right
        steps.append(f"{digit}*{right}={product}" + (f"+{carry}={product + carry}" if carry else ""))
        carry = (product + carry) // 10
    return Draw(f"{left}*{right}=?", str(left * right), ",".join(steps), (num_digits - 1) / 2)


def draw_products(rng: Random) -> Draw:
    """`6*7+5*9=?` thought as `6*7=42,5*9=45,2+5=7,4+4=8`."""
    first, second, third, fourth = (rng.randrange(3, 10) for _ in range(4))
    left, right = first * second, third * fourth
    products = f"{first}*{second}={left},{third}*{fourth}={right}"
    return Draw(
        f"{first}*{second}+{third}*{fourth}=?",
        str(left + right),
        f"{products},{','.join(_column_sums(left, right))}",
        0.5 * (left > 9 and right > 9) + 0.5 * (left % 10 + right % 10 > 9),
    )


def _column_sums(left: int, right: int) -> list[str]:
    """The steps of a written addition; a number that has ended contributes nothing."""
    carry, steps = 0, []
    for place in range(len(str(max(left, right)))):
        digits = [number // 10**place % 10 for number in (left, right) if number >= 10**place]
        terms = digits + [carry] * (carry > 0)
        steps.append(f"{'+'.join(map(str, terms))}={sum(terms)}")
        carry = sum(terms) // 10
    return steps
