"""Story sums thought through at length inside <think>, with a budget of tokens."""

from random import Random

from benchmarks.foreign.seventeenth.chains import Sum
from benchmarks.foreign.seventeenth.english_sums import english_sum, told_lines
from benchmarks.foreign.seventeenth.rollouts import Reply, Sample, Task, says, user

DOUBTS = (
    "Wait, let me make sure that I read the story in the right order.",
    "Hmm, could the amounts overlap? I do not think so.",
    "Alternatively I could go backwards from the end and see whether the start comes out.",
    "Let me recompute that line with rounded numbers to be safe.",
    "Actually, let me list the events once more before going on.",
    "Is every event counted once? I go through them again.",
    "Okay. But what if the question means something else by 'left'?",
)


def think(rng: Random, made: Sum, right: bool, rounds: int) -> Reply:
    """A working, gone through again in each further round, and a box."""
    lines, value = made.lines(None if right else rng)
    answer, parts = made.show(value), [told_lines(rng, lines)]
    for _ in range(rounds):
        parts += [rng.choice(DOUBTS), told_lines(rng, lines) if rng.random() < 0.75 else rng.choice(DOUBTS)]
    close = rng.choice(("The result is", "Hence", "Final answer:", "So we get"))
    return Reply([says("<think>\n" + "\n".join(parts) + f"\n</think>\n{close} \\boxed{{{answer}}}")], answer)


def thinking_task(rng: Random, number: int, before: tuple[float, float], after: tuple[float, float]) -> Task:
    """A story whose rounds of doubt have one mean and spread at first and another at the end."""
    made, kind = english_sum(rng)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        mean, spread = (a + (b - a) * progress for a, b in zip(before, after, strict=True))
        return think(rng, made, right, max(0, round(rng.gauss(mean, spread))))

    prompt = user(made.text, "Think inside <think></think>, then give the number in \\boxed{}.")
    return Task(f"think-{number:04d}", kind, prompt, str(made.value), rng.gauss(0, 0.7), solve)


def cut(s: Sample, budget: int) -> None:
    """Cut an attempt that exceeds the budget; without a box it scores zero."""
    if s.tokens <= budget:
        return
    message = s.reply.messages[-1]
    message["content"] = message["content"][: int((budget - 3) * 3.6)]
    s.reply.answer, s.stop = "", "length"
    s.grade(False)
