"""What goes wrong now and then in any run, and how texts are changed."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Try, call, say, told

ERRORS = ("SandboxStartError", "ReadTimeout", "WorkerLost", "ConnectionResetError")


def lose(rng: Random, tries: list[Try], share: float = 0.01) -> list[Try]:
    """Some attempts are lost to the machine; they have no reward and reach no loss."""
    for one in tries:
        if rng.random() < share:
            one.error, one.stop, one.reward, one.correct = rng.choice(ERRORS), "error", None, None
            one.terms, one.in_loss, one.advantage = {}, False, None
    return tries


def cut(rng: Random, tries: list[Try], share: float = 0.012) -> list[Try]:
    """Some last messages run into the budget, and count as wrong."""
    for one in tries:
        if rng.random() < share:
            text = one.last["content"]
            one.last["content"] = text[: int(len(text) * rng.uniform(0.3, 0.8))]
            one.right, one.answer, one.stop = False, "", "length"
            one.grade(**dict.fromkeys(one.terms, 0.0))
    return tries


def change(one: Try, old: str, new: str) -> None:
    """Replace a text in all that the policy wrote."""
    for turn in one.turns:
        if turn["role"] == "assistant":
            turn["content"] = turn["content"].replace(old, new)


def bash(said: str, command: str, answer: str, *, ok: bool = True) -> list[Row]:
    """A command and its answer."""
    return [say(said, call("bash", command=command)), told("bash", answer, ok=ok)]


def ramp(one: Try, low: float, high: float, begin: float = 0.0) -> float:
    """A share that grows with the run, from its begin on."""
    return low + (high - low) * max(0.0, one.progress - begin) / (1 - begin)
