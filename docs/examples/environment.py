"""A domain of several turns: guess a number from 1 to 63; after each guess the environment says higher or lower.

One problem: {"id": "guess-7", "problem": "Guess my number from 1 to 63. Answer with a number alone.", "answer": "7"}
"""

from collections.abc import Iterator, Sequence
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Domain, Grade
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.records import Message, Problem

MOST = 63
PROMPT = f"Guess my number from 1 to {MOST}. Answer with a number alone."


class Guessing:
    """One episode: it ends with the right number, or at the limit of turns."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        """Take the settings of the domain, of which none is needed."""

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return what opens the episode."""
        self._number = int(problem.answer)
        return [Message(role="user", content=problem.prompt)]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Return the answer to a guess, and whether the episode is over."""
        guess = message.content.strip()
        if guess == str(self._number):
            return [], True
        hint = "That is no number." if not guess.isdecimal() else "higher" if int(guess) < self._number else "lower"
        return [Message(role="user", content=hint)], False


class LastGuess:
    """Right where the last guess is the number; `format` where every guess is a number."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        """Take the settings of the domain, of which none is needed."""

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade of an ended episode."""
        guesses = [message.content.strip() for message in messages if message.role == "assistant"]
        correct, is_formed = float(guesses[-1] == problem.answer), all(guess.isdecimal() for guess in guesses)
        return Grade(correct, {"correct": correct, "format": float(is_formed)}, is_formed, {"answer": guesses[-1]})


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return one line of a problem file."""
    name, problem, answer = (str(values[key]) for key in ("id", "problem", "answer"))
    return Row(name, problem, answer, "guess", 0.0, {}, identity=f"{problem} {answer}", place=place)


def problem_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every problem, with no split of its own."""
    for number in range(1, MOST + 1):
        yield "", {"id": f"guess-{number}", "problem": PROMPT, "answer": str(number)}


def form(text: str) -> str | None:
    """Return the text as it is: problems of like words and other numbers are no near-duplicates."""
    return text if text.startswith(PROMPT) else None


GUESS = Domain("guess", Guessing, LastGuess, parse_row, problem_rows, form)
