"""The math families: short arithmetic at the level of characters, each with a digit-wise chain of thought.

Answers cannot be guessed (no yes or no, no choice among what is shown), so a correct answer is evidence of a
computation. Two families are held out whole: what transfers to them is the habit of thinking first and of answering in
the format, and the arithmetic that they share with the others.
"""

from evotrainer.domains.math.problems.arithmetic import draw_add, draw_multiply, draw_products, draw_subtract
from evotrainer.domains.math.problems.digits import draw_digit_sum, draw_reverse, draw_sort
from evotrainer.domains.math.problems.sequences import draw_next
from evotrainer.domains.problem_sets.base import Family, skeleton_of


def _normalise_products(numbers: list[str]) -> list[str]:
    return sorted("*".join(sorted(pair)) for pair in (numbers[:2], numbers[2:]))


_FAMILIES = (
    Family("add", "#+#=?", draw_add, sorted),
    Family("subtract", "#-#=?", draw_subtract, tuple),
    Family("multiply", "#*#=?", draw_multiply, sorted),
    Family("sort", "sort#", draw_sort, lambda numbers: sorted(numbers[0])),
    Family("reverse", "reverse#", draw_reverse, tuple),
    Family("digit_sum", "digitsum#", draw_digit_sum, lambda numbers: sorted(numbers[0])),
    Family("products", "#*#+#*#=?", draw_products, _normalise_products, is_held_out=True),
    Family("next", "next#,#,#", draw_next, tuple, is_held_out=True),
)

FAMILIES: dict[str, Family] = {family.name: family for family in _FAMILIES}

_BY_SKELETON = {family.skeleton: family for family in _FAMILIES}


def find_family(prompt: str) -> Family | None:
    """Return the family whose shape `prompt` has, whoever wrote it, or None."""
    return _BY_SKELETON.get(skeleton_of(prompt))


def canonical_form(prompt: str) -> str | None:
    """Return the form that all trivial variants of a prompt share, or None where it has the shape of no family."""
    family = find_family(prompt)
    return None if family is None else family.canonical(prompt)
