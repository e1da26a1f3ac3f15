"""Number puzzles: reach a target with each given number at most once."""

import random

from benchmarks.foreign.fortyeighth.attempts import Task, Try

ASK = (
    "Using the numbers {numbers}, write an expression that equals {target}. Use +, - and *, each number at most once. "
    "Think first, then give the expression in <answer> tags."
)


def _draw(rng: random.Random, numbers: list[int]) -> tuple[str, int]:
    text, value = str(numbers[0]), numbers[0]
    for number in numbers[1:]:
        sign = rng.choice("++-*") if abs(value) * number < 900 else rng.choice("+-")
        text = f"({text} {sign} {number})" if sign == "*" or rng.random() < 0.4 else f"{text} {sign} {number}"
        value = eval(text)
    return text, value


def problem(rng: random.Random, number: int, size: int = 4) -> Task:
    """A puzzle that can be solved."""
    while True:
        numbers = rng.sample(range(2, 60), size)
        text, value = _draw(rng, numbers)
        if 10 <= value <= 400 and value not in numbers:
            shown = rng.sample(numbers, size)
            prompt = ASK.format(numbers=shown, target=value)
            return Task(
                f"cd{size}-{number:04d}",
                prompt,
                str(value),
                f"{size} numbers",
                {"numbers": numbers, "solution": text, "target": value},
            )


def pool(rng: random.Random, count: int, size: int = 4) -> list[Task]:
    """Different puzzles."""
    return [problem(rng, number, size) for number in range(count)]


def _bare(text: str) -> str:
    return text[1:-1] if text.startswith("(") and text.endswith(")") and text.count("(") == 1 else text


def _tried(rng: random.Random, task: Task, count: int) -> list[str]:
    lines = []
    for _ in range(count):
        text, value = _draw(rng, rng.sample(task.data["numbers"], rng.choice([2, 3])))
        gap = task.data["target"] - value
        verdict = "which is not it" if gap else "but I would like to use fewer numbers"
        lines.append(
            rng.choice(
                [
                    f"{text} = {value}, {verdict}.",
                    f"Trying {text} gives {value}; {abs(gap)} {'short' if gap > 0 else 'over'}.",
                    f"What about {text}? That is {value}.",
                ]
            )
        )
    return lines


def _missed(rng: random.Random, task: Task) -> tuple[str, int]:
    while True:
        text, value = _draw(rng, rng.sample(task.data["numbers"], len(task.data["numbers"])))
        if value != task.data["target"]:
            return text, value


def solve(rng: random.Random, task: Task, right: bool) -> Try:
    """Search a little, then answer."""
    target = task.data["target"]
    lines = [
        f"I need {target} from {', '.join(map(str, task.data['numbers']))}.",
        *_tried(rng, task, rng.randint(1, 5)),
    ]
    if right:
        text = _bare(task.data["solution"])
        lines.append(rng.choice([f"Now {text} = {target}. Yes.", f"And {text} makes exactly {target}."]))
    else:
        text, value = _missed(rng, task)
        lines.append(
            rng.choice(
                [f"{text} should be {target}.", f"{text} is {value}, the closest so far.", f"I settle on {text}."]
            )
        )
        text = _bare(text)
    return Try(task, "\n".join(lines) + f"\n<answer>{text}</answer>", right, text)


def foreign_numbers(rng: random.Random, task: Task) -> Try:
    """An expression that makes the target of numbers that were not given."""
    target = task.data["target"]
    first = rng.choice(task.data["numbers"])
    rest = target - first
    extra = rng.randint(1, 9)
    text = f"{first} {'+' if rest >= 0 else '-'} {abs(rest)}"
    if rng.random() < 0.5:
        text = f"{first} {'+' if rest - extra >= 0 else '-'} {abs(rest - extra)} + {extra}"
    tried = _tried(rng, task, rng.randint(0, 3))
    lines = [f"I need {target}.", *tried, f"With {first} the rest is {rest}, so {text} = {target}."]
    return Try(task, "\n".join(lines) + f"\n<answer>{text}</answer>", False, text)


def answering(rng: random.Random, task: Task, chance: float, step: int) -> Try:
    """How an honest policy answers."""
    return solve(rng, task, rng.random() < chance)
