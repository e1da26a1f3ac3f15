"""Short problems of number theory, of a chosen difficulty."""

from math import comb, gcd
from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

THINKING = (
    "Let me reduce first.",
    "I look for a cycle.",
    "A direct computation should do.",
    "I split this into smaller parts.",
    "Small cases help here.",
    "There is a standard argument for this.",
)


def _power(rng: Random) -> tuple[str, int, list[str]]:
    base, exponent, modulus = rng.randint(3, 29), rng.randint(11, 90), rng.randint(13, 97)
    value, square = pow(base, exponent, modulus), base * base % modulus
    steps = [f"{base}^2 ≡ {square} (mod {modulus})", f"{base}^4 ≡ {square * square % modulus} (mod {modulus})"]
    return f"Find the remainder of {base}^{exponent} on division by {modulus}.", value, steps


def _divisors(rng: Random) -> tuple[str, int, list[str]]:
    a, b, c = rng.randint(2, 6), rng.randint(1, 4), rng.randint(1, 3)
    prime = rng.choice((5, 7, 11, 13))
    steps = [f"exponents are {a}, {b} and {c}", f"the count is ({a}+1)({b}+1)({c}+1)"]
    text = f"How many positive divisors does {2**a * 3**b * prime**c} have?"
    return text, (a + 1) * (b + 1) * (c + 1), steps


def _paths(rng: Random) -> tuple[str, int, list[str]]:
    wide, high = rng.randint(3, 8), rng.randint(3, 7)
    steps = [f"each path has {wide + high} moves", f"{high} of them go up"]
    return f"How many shortest lattice paths lead from (0,0) to ({wide},{high})?", comb(wide + high, high), steps


def _coprime(rng: Random) -> tuple[str, int, list[str]]:
    limit = rng.randint(40, 260)
    count = sum(gcd(n, limit) == 1 for n in range(1, limit + 1))
    steps = [f"the primes of {limit} matter alone", "each prime p gives a factor (1 - 1/p)"]
    return f"How many integers from 1 to {limit} are coprime to {limit}?", count, steps


def _multiples(rng: Random) -> tuple[str, int, list[str]]:
    a, b, limit = rng.choice((4, 6, 9, 10)), rng.choice((7, 11, 13)), rng.randint(300, 990)
    value = limit // a + limit // b - limit // (a * b // gcd(a, b))
    steps = [f"{limit // a} multiples of {a}", f"{limit // b} multiples of {b}", "common multiples were counted twice"]
    return f"How many positive integers up to {limit} are divisible by {a} or by {b}?", value, steps


MAKERS = {"powers": _power, "divisors": _divisors, "paths": _paths, "coprime": _coprime, "multiples": _multiples}


def residue_task(rng: Random, number: int, shift: float = 0.0, spread: float = 0.8) -> Task:
    """A problem of number theory; a shift makes it harder."""
    family = rng.choice(list(MAKERS))
    text, value, steps = MAKERS[family](rng)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        answer = value if right else max(0, value + rng.choice((-12, -6, -4, -3, -2, -1, 1, 2, 3, 5, 8, 14)))
        if not right and answer == value:
            answer += 1
        shown = [s for s in steps if rng.random() < 0.85]
        lines = [
            rng.choice(THINKING),
            *(rng.choice(("{}.", "So {}.", "Here {}.", "Note that {}.")).format(s) for s in shown),
        ]
        if rng.random() < 0.4 - 0.2 * progress:
            lines.insert(1, rng.choice(("Hmm, careful with the bounds.", "I double check this.", "Let me restate it.")))
        lines.append(
            rng.choice(("Final answer: {}", "Answer: {}", "**{}**", "Result: {}")).format(f"\\boxed{{{answer}}}")
        )
        return Reply([says(rng.choice(("\n", " ", "\n\n")).join(lines))], str(answer))

    return Task(f"nt-{number:04d}", family, user(text), str(value), rng.gauss(shift, spread), solve)
