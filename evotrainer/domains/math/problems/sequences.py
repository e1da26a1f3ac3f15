"""Arithmetic progressions."""

from random import Random

from evotrainer.domains.problem_sets.base import Draw


def draw_next(rng: Random) -> Draw:
    """`next 24,31,38` thought as `11-4=7,8+7=15,3+1=4`: the step from the last digits, then a written addition."""
    start, step = rng.randrange(10, 80), rng.randrange(2, 10)
    first, second, third, answer = (start + step * place for place in range(4))
    borrowed = 10 * (second % 10 < first % 10)
    thought = f"{second % 10 + borrowed}-{first % 10}={step},{third % 10}+{step}={third % 10 + step}"
    carry = (third % 10 + step) // 10
    if carry:
        thought += f",{third // 10}+1={third // 10 + 1}"
    return Draw(f"next {first},{second},{third}", str(answer), thought, 0.5 * (borrowed > 0) + 0.5 * carry)
