"""Number puzzles: reach a target with given numbers, each used once."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem, talk

TRY = (
    "What about {e}? That comes to {v}, which is not {t}.",
    "Trying {e} gives {v}; I need {t}.",
    "{e} = {v}, so that is {d} away from {t}.",
    "If I take {e} I land at {v}. Not yet.",
)
OPEN = (
    "I have {nums} and want {t}.",
    "The target {t} is to be made from {nums}.",
    "Let me see which pairs of {nums} come close to {t}.",
)
HIT = ("{e} = {t}, and every number is used once.", "Now {e} works: it is exactly {t}.", "{e} gives {t}. Found.")
SURE = ("I am fairly sure about {e}.", "So I will hand in {e}.", "The best that I see is {e}.")


def _expression(rng: random.Random, numbers: list[int]) -> tuple[str, int]:
    order = rng.sample(numbers, len(numbers))
    text, value = str(order[0]), order[0]
    for i, n in enumerate(order[1:]):
        sign = rng.choice("+-*" if i == 0 else "+-")
        value = value + n if sign == "+" else value - n if sign == "-" else value * n
        text = f"{text} {sign} {n}"
    return text, value


def puzzles(rng: random.Random, amount: int, size: int = 4, shift: float = 0.0) -> list[Problem]:
    """Different puzzles that have a solution."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        numbers = rng.sample(range(2, 40), size)
        text, value = _expression(rng, numbers)
        if not 10 <= value <= 400:
            continue
        prompt = f"Use each of the numbers {', '.join(map(str, numbers))} exactly once with +, - and * to make {value}."
        prompt += " Think aloud and put the expression in <answer></answer>."
        data = {"numbers": numbers, "target": value, "solution": text}
        hardness = rng.gauss(0, 0.9) + 0.3 * (size - 4) + (0.4 if "*" in text else -0.2) + shift
        made = Problem(f"cd{len(out):04d}", prompt, str(value), f"n{size}", hardness, "", data)
        out.setdefault(prompt, made)
    return list(out.values())


def think(rng: random.Random, problem: Problem, right: bool, tries: int) -> Draft:
    """Some tries that fail, then an expression that reaches the target or not."""
    d = problem.data
    target = d["target"]
    nums = ", ".join(map(str, rng.sample(d["numbers"], len(d["numbers"]))))
    lines = [rng.choice(OPEN).format(nums=nums, t=target)]
    miss = None
    for _ in range(max(tries, 1)):
        text, value = _expression(rng, d["numbers"])
        if value == target:
            continue
        miss = text
        lines.append(rng.choice(TRY).format(e=text, v=value, t=target, d=abs(value - target)))
    if right:
        lines.append(rng.choice(HIT).format(e=d["solution"], t=target))
        answer = d["solution"]
    else:
        answer = miss or f"{d['numbers'][0]} + {d['numbers'][1]}"
        lines.append(rng.choice(SURE).format(e=answer))
    return Draft(talk(" ".join(lines) + f"\n<answer>{answer}</answer>"), answer, right)


def play(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """An attempt of two to six tries."""
    return think(rng, problem, right, rng.randint(2, 6))
