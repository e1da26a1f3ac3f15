"""Sums that need an interpreter: the policy writes Python, reads its output and answers."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import call, opener, pick, say, tool

SUMS = {
    "multiples": ("the sum of all multiples of {a} below {b}", "sum(range(0, {b}, {a}))"),
    "powers": ("the remainder of {a} to the power {b} divided by {c}", "pow({a}, {b}, {c})"),
    "digits": ("the sum of the digits of {a} to the power {c}", "sum(map(int, str({a} ** {c})))"),
    "squares": ("how many squares lie between {c} and {b}", "sum(1 for k in range({b}) if {c} < k * k < {b})"),
    "common": ("the greatest common divisor of {b} and {d}", "__import__('math').gcd({b}, {d})"),
}
SYSTEM = "Use python(code) where it helps. End with 'Answer: <number>'."


def task(rng: Random) -> Task:
    """A sum with its program."""
    family = rng.choice(list(SUMS))
    a, b, c = rng.randint(3, 59), rng.randint(400, 4000), rng.randint(11, 97)
    values = {"a": a, "b": b, "c": c, "d": a * rng.randint(20, 90)}
    text, code = (part.format(**values) for part in SUMS[family])
    value = eval(code)
    return Task(family, f"Find {text}.", str(value), system=SYSTEM, extra={"code": code})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """One or two programs; wrong ones have a slip in the code."""
    code = t.extra["code"]
    value = t.gold if right else str(int(t.gold) + rng.choice((-3, -2, -1, 1, 2, 7, 11)))
    shown = code if right else f"{code} {'+' if int(value) > int(t.gold) else '-'} {abs(int(value) - int(t.gold))}"
    messages = []
    if rng.random() < 0.25:
        broken = f"print({shown}"
        messages += [call(opener(rng), "python", code=broken)]
        messages += [tool("python", "SyntaxError: '(' was never closed", ok=False)]
    name = pick(rng, "r", "res", "out", "ans")
    text = pick(rng, "I compute it.", "A short program:", "Let the interpreter do it.", "")
    messages += [
        call(text, "python", code=f"{name} = {shown}\nprint({name})"),
        tool("python", f"stdout:\n{value}\nexit code 0, {rng.randint(8, 95)} ms"),
    ]
    more = pick(rng, "The output is clear.", "That is what was asked.", "So:", "The program gives it.")
    messages.append(say(f"{more}\nAnswer: {value}"))
    return Reply(messages, value)


WORLD = World(task, reply)
