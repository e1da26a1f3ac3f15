"""Problems for a model that solves none: what counts is how long they are."""

from evotrainer.records import Problem


def questions(count: int) -> list[Problem]:
    """Return problems whose answers do not matter."""
    return [
        Problem(
            problem_id=f"p{number}",
            domain="math",
            family="add",
            split="train",
            prompt=f"What is {number} plus 12?",
            answer=str(number + 12),
        )
        for number in range(count)
    ]
