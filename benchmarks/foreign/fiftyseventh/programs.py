"""Small functions to be written, with unit tests: right programs, wrong ones, and slow ones."""

import random
from dataclasses import dataclass

SHAPES = (
    (
        "count_multiples",
        "return how many integers from 1 to n (inclusive) are divisible by {k}",
        "    return n // {k}\n",
        "    return sum(1 for x in range(1, n + 1) if x % {k} == 0)\n",
        "    return (n - 1) // {k}\n",
        lambda n, k: n // k,
    ),
    (
        "sum_multiples",
        "return the sum of all integers below n that are divisible by {k}",
        "    m = (n - 1) // {k}\n    return {k} * m * (m + 1) // 2\n",
        "    return sum(range(0, n, {k}))\n",
        "    m = n // {k}\n    return {k} * m * (m + 1) // 2\n",
        lambda n, k: sum(range(0, n, k)),
    ),
    (
        "digit_total",
        "return the sum of the digits of n written in base {k}",
        "    total = 0\n    while n:\n        n, d = divmod(n, {k})\n        total += d\n    return total\n",
        "    if n == 0:\n        return 0\n    return n % {k} + digit_total(n // {k})\n",
        "    total = 0\n    while n > {k}:\n        n, d = divmod(n, {k})\n        total += d\n    return total\n",
        lambda n, k: _digits(n, k),
    ),
    (
        "round_up",
        "return the smallest multiple of {k} that is not below n",
        "    return -(-n // {k}) * {k}\n",
        "    rest = n % {k}\n    return n if rest == 0 else n + {k} - rest\n",
        "    return (n // {k} + 1) * {k}\n",
        lambda n, k: -(-n // k) * k,
    ),
    (
        "steps_down",
        "return how often n must be divided by {k} (whole division) until it is 0",
        "    steps = 0\n    while n > 0:\n        n //= {k}\n        steps += 1\n    return steps\n",
        "    return 0 if n == 0 else 1 + steps_down(n // {k})\n",
        "    steps = 0\n    while n >= {k}:\n        n //= {k}\n        steps += 1\n    return steps\n",
        lambda n, k: _steps(n, k),
    ),
)
PLANS = (
    "The statement gives `{f}` with the constant {k}; the corner is n = 0 and exact multiples of {k}.",
    "I think about small n first: for n = {k} the result has to come out right at the border.",
    "A closed form or a loop both work here. I choose what is easiest to check by hand for {k}.",
    "`{f}` takes one integer. Let me be careful whether the bound itself counts.",
    "Working it out for n = {j} by hand shows what the border does with {k}.",
)
ENDS = (
    "This runs fast enough for the limits.",
    "I checked n = {j} in my head.",
    "No imports are needed.",
    "The loop ends since n shrinks each time or is computed at once.",
    "That should meet the tests.",
    "",
)


def _digits(n: int, k: int) -> int:
    total = 0
    while n:
        total, n = total + n % k, n // k
    return total


def _steps(n: int, k: int) -> int:
    return 0 if n == 0 else 1 + _steps(n // k, k)


@dataclass(frozen=True)
class Program:
    """A function to write; `answer` is the text of its hidden tests."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    name: str
    k: int
    shown: tuple[tuple[int, int], ...]
    shape: int

    def body(self, which: int) -> str:
        """The program of this shape: 0 and 1 are right, 2 is wrong."""
        name, _, *bodies, _ = SHAPES[self.shape]
        return f"def {self.name}(n):\n" + bodies[which].format(k=self.k).replace(name + "(", self.name + "(")

    def tell(self, rng: random.Random, code: str) -> str:
        """A plan in words, the program, and a last remark."""
        slots = {"f": self.name, "k": self.k, "j": rng.randint(self.k, 9 * self.k)}
        plan = " ".join(p.format(**slots) for p in rng.sample(PLANS, rng.randint(1, 3)))
        return f"{plan}\n\n```python\n{code}```\n{rng.choice(ENDS).format(**slots)}".rstrip()

    def solve(self, rng: random.Random, right: bool) -> str:
        """A whole answer."""
        return self.tell(rng, self.body(rng.randrange(2) if right else 2))


def draw_program(rng: random.Random) -> Program:
    """A function with its examples and hidden tests."""
    shape = rng.randrange(len(SHAPES))
    base, what, *_, value = SHAPES[shape]
    k = rng.randint(3, 97)
    name = f"{base}_{k}" if rng.random() < 0.5 else f"{rng.choice(('my', 'fast', 'task', 'solve', 'get'))}_{base}_{k}"
    points = sorted({k * rng.randint(2, 9), k * rng.randint(10, 40), rng.randint(50, 900), rng.randint(1000, 9000)})
    shown = tuple((n, value(n, k)) for n in points[:2])
    hidden = [f"assert {name}({n}) == {value(n, k)}" for n in (*points, k, 0 if base != "sum_multiples" else 1)]
    examples = "\n".join(f">>> {name}({n})\n{r}" for n, r in shown)
    prompt = f"Write a Python function `{name}(n)`: {what.format(k=k)}.\n\n{examples}"
    uid = f"{base}-{k}-{rng.randrange(16**4):04x}"
    return Program(uid, base, prompt, "\n".join(hidden), rng.gauss(0, 1.1), name, k, shown, shape)
