"""Mixed batches: tasks of several teams in one step, and who speaks to each; longer reasoning."""

import random
from collections.abc import Callable

from benchmarks.foreign.sixtythird.attempts import Message, Task
from benchmarks.foreign.sixtythird.chats import chats, requests, speak_chat, speak_request
from benchmarks.foreign.sixtythird.programs import programs, speak_program
from benchmarks.foreign.sixtythird.repositories import repositories, speak_repository
from benchmarks.foreign.sixtythird.stores import speak_store, stores
from benchmarks.foreign.sixtythird.sums import body, speak_sum, sums

SPEAK = {
    "math": speak_sum,
    "code": speak_program,
    "swe": speak_repository,
    "tool": speak_store,
    "chat": speak_chat,
    "safety": speak_request,
}
AGAIN = (
    "Let me test this with the other reading of the statement, where the {n} counts only once.",
    "If I replace {n} by a rounder number, the estimate comes out close to what I have.",
    "Going back to the sentence with {n}, the wording allows no other order of operations.",
    "I compare units once more: the {n} is in the unit that the question uses.",
    "Suppose I had swapped {n} with the other amount; then the result would be far too small or too large.",
    "Working backwards from the result, I should meet {n} again, and I do after one division.",
    "Another way is to draw it as a table with {n} in the first cell and fill it row by row.",
)


def draw(rng: random.Random, per: dict[str, int], hard: float = 0.5) -> Callable[[int], list[Task]]:
    """Fresh tasks of each domain for each step."""

    def tasks(step: int) -> list[Task]:
        out: list[Task] = []
        for name, n in per.items():
            at = step * n
            if name == "math":
                out += sums(rng, n, hard, at)
            elif name == "code":
                out += programs(rng, n, hard, at)
            elif name == "swe":
                out += repositories(rng, n, hard, at)
            elif name == "tool":
                out += stores(rng, n, hard, at)
            elif name == "chat":
                out += chats(rng, n, at, hard)
            else:
                out += requests(rng, n, at)
        return out

    return tasks


def speak(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """Speak as the task's domain has it."""
    return SPEAK[task.id.split("-")[0]](task, ok, rng, progress)


def numbers(text: str) -> list[str]:
    """Numbers of a text."""
    words = "".join(c if c.isdigit() else " " for c in text).split()
    return words or ["1"]


def long_sum(task: Task, ok: bool, rng: random.Random, extra: int) -> tuple[str, str]:
    """A sum reasoned with so many further sentences, ending in a box."""
    text, answer = body(task, ok, rng)
    known = numbers(task.prompt)
    more = [line.format(n=rng.choice(known)) for line in [*rng.sample(AGAIN, len(AGAIN)), *AGAIN, *AGAIN][:extra]]
    return " ".join([text, *more, f"The answer is \\boxed{{{answer}}}"]), answer
