"""How a policy writes a solution down."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task, Write
from benchmarks.foreign.twentysecond.layouts import say

OPENINGS = (
    "Let me set this up.",
    "We need to go through it in order.",
    "Okay, first the known quantities.",
    "I start from what is given.",
    "Break it into parts.",
    "Here is the plan: compute each piece, then combine.",
    "",
    "Reading the question again:",
)
CHECKS = (
    "A rough estimate agrees with this.",
    "Checking the units: fine.",
    "Doing the last step once more gives the same.",
    "Wait, did I use the right figure? Yes.",
    "The size is plausible.",
    "Working backwards gives what the question states.",
)
LINKS = ("", "", "Then: ", "Next, ", "So, ", "Now: ", "From this, ")


def slip_of(rng: Random, right: bool) -> int:
    """No slip where right."""
    return 0 if right else rng.choice((-3, -2, -1, 1, 2, 3))


def worked(rng: Random, task: Task, right: bool, checks: float = 0.4) -> tuple[str, str]:
    """Work in running text, and the answer."""
    lines, answer = task.solve(slip_of(rng, right))
    for _ in range(8):
        if right or answer != task.gold:
            break
        lines, answer = task.solve(rng.choice((-5, -4, 4, 5)))
    said = [rng.choice(OPENINGS)] + [rng.choice(LINKS) + line for line in lines]
    said += [c for c in rng.sample(CHECKS, 3) if rng.random() < checks]
    return rng.choice((" ", "\n", "\n")).join(s for s in said if s), answer


def answering(form: str = "Answer: {}", checks: float = 0.4) -> Write:
    """Writes work, then the answer in a form."""

    def write(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
        work, answer = worked(rng, task, right, checks * (0.5 + progress))
        return say(f"{work}\n\n{form.format(answer)}")

    return write
