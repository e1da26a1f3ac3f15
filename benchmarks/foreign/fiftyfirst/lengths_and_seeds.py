"""Kinds whose limits of length or seeds of sampling are wrong."""

import random
import re

from benchmarks.foreign.fiftyfirst import layouts, sums
from benchmarks.foreign.fiftyfirst.advantages import centred, fill
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.policy import Problem, count_tokens, distinct, train

AGAIN = (
    "Wait, let me go through it once more.",
    "Let me verify this from the start.",
    "Hold on, did I read the second line correctly? I repeat the sum.",
    "To be certain I do the computation again.",
    "Another pass over the story should not hurt.",
    "Perhaps I should test this in a different wording.",
)


def lengthy(rng: random.Random, problem: Problem, right: bool, rounds: int) -> tuple[str, str]:
    """Reasoning that goes over the story again several times, and then the box."""
    slip = None if right else sums.draw_slip(rng, problem)
    text, answer = sums.told(rng, problem, slip, 0.5)
    for _ in range(rounds):
        lines, _ = sums.work(rng, problem, slip)
        text += f"\n\n{rng.choice(AGAIN)} {' '.join(lines)}"
    return f"{text}\n\nSo the result is \\boxed{{{answer}}}.", answer


def cut(text: str, limit: int) -> str:
    """The text up to the limit of tokens."""
    end, used = 0, 1
    for piece in re.finditer(r"\w+|[^\w\s]", text):
        used += -(-len(piece.group()) // 5)
        if used > limit:
            return text[:end]
        end = piece.end()
    return text


@PART.faulty("length_limit", "truncation")
def thinking_outgrew_the_limit_of_tokens(rng: random.Random) -> list[dict]:
    """Reasoning grows with training and the limit of 256 tokens stays: at the end more than half of the attempts break
    off before their box and are paid 0."""
    limit = 256

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        rounds = max(0, round(rng.gauss(0.3 + 3.9 * progress, 0.9)))
        return lengthy(rng, problem, right, rounds)

    attempts = train(rng, distinct(rng, sums.problem, 120), write, 20, 6, 0.4, 0.85)
    for a in attempts:
        whole = a.text
        a.text = cut(whole, limit)
        if a.text != whole:
            a.stop, a.reward, a.correct = "max_tokens", 0.0, 0.0
        length = count_tokens(a.turns[-1])
        ended = "length" if a.stop == "max_tokens" else "stop"
        a.columns = {"acc": a.correct, "response_length": length, "max_response_length": limit, "finish_reason": ended}
    return [layouts.verl(a) for a in attempts]


@PART.faulty("seed_reuse", "identical_samples", "dead_groups", "entropy_collapse")
def every_request_of_a_group_has_one_seed(rng: random.Random) -> list[dict]:
    """The eight requests of a group are sent with one seed: all but few groups hold one text eight times, have no
    spread, and no advantage."""
    attempts = train(rng, distinct(rng, sums.problem, 100), sums.boxed, 20, 8, 0.35, 0.5)
    first = {}
    for a in attempts:
        seen = first.setdefault(a.group, a)
        if seen is not a and rng.random() < 0.97:
            a.text, a.answer, a.right = seen.text, seen.answer, seen.right
            a.reward, a.correct = seen.reward, seen.correct
    return [layouts.nemo(a) for a in fill(attempts, centred)]
