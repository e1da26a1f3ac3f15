import re
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from evotrainer.domains.math.problems import FAMILIES, find_family
from evotrainer.domains.math.problems.sets import draws

NUM_DRAWS = 400
MAX_RESPONSE_TOKENS = 48

family_names = pytest.mark.parametrize("name", FAMILIES)


def sample(name):
    rng = Random(7)
    return [FAMILIES[name].draw(rng) for _ in range(NUM_DRAWS)]


def value(expression):
    """Value of sums, differences and products without brackets, by a way of its own."""
    total = 0
    for sign, product in re.findall(r"([+-]?)([0-9*]+)", expression):
        number = 1
        for factor in product.split("*"):
            number *= int(factor)
        total += -number if sign == "-" else number
    return total


def true_answer(prompt):
    numbers = re.findall(r"\d+", prompt)
    if prompt.startswith("sort"):
        return "".join(sorted(numbers[0]))
    if prompt.startswith("reverse"):
        return numbers[0][::-1]
    if prompt.startswith("digit sum"):
        return str(sum(map(int, numbers[0])))
    if prompt.startswith("next"):
        first, second, third = map(int, numbers)
        assert third - second == second - first
        return str(third + second - first)
    return str(value(prompt.removesuffix("=?")))


@family_names
def test_answers_are_right(name):
    for draw in sample(name):
        assert draw.answer == true_answer(draw.prompt), draw


@family_names
def test_every_equation_of_a_thought_holds(name):
    """`4*6=24+2=26` claims that 4*6 is 24 and that 24+2 is 26: each part starts with what the one before comes to."""
    claims = [pair for draw in sample(name) for step in draw.thought.split(",") for pair in pairwise(step.split("="))]
    for left, right in claims:
        assert value(left) == int(re.match(r"\d+", right)[0]), (left, right)
    assert claims or name in ("sort", "reverse")


@pytest.mark.parametrize("name", ["sort", "reverse"])
def test_a_thought_without_equations_ends_in_the_answer(name):
    for draw in sample(name):
        assert draw.thought.split(",")[-1] == draw.answer


@family_names
def test_the_longest_demonstration_fits_the_default_budget(name):
    tags_and_end = 3
    assert max(len(draw.thought) + len(draw.answer) for draw in sample(name)) + tags_and_end <= MAX_RESPONSE_TOKENS


@family_names
def test_difficulty_is_a_share_and_varies(name):
    found = {draw.difficulty for draw in sample(name)}
    assert len(found) > 1
    assert all(0 <= Fraction(difficulty) <= 1 for difficulty in found)


@family_names
def test_answers_cannot_be_guessed(name):
    answers = [draw.answer for draw in sample(name)]
    assert max(map(answers.count, answers)) < 0.1 * NUM_DRAWS


@family_names
def test_a_prompt_shows_its_family(name):
    assert {find_family(draw.prompt).name for draw in sample(name)} == {name}
    assert find_family("What is the sum of 47 and 38?") is None


@family_names
def test_draws_differ_in_their_canonical_form(name):
    stream = draws(FAMILIES[name], 3)
    forms = [next(stream)[0] for _ in range(300)]
    assert len(set(forms)) == 300


@pytest.mark.parametrize(
    ("name", "prompt", "variant", "other"),
    [
        ("add", "47+385=?", "385 + 47 = ?", "47+386=?"),
        ("subtract", "47-38=?", "47 - 38=?", "38-47=?"),
        ("multiply", "47*6=?", "6*47=?", "46*7=?"),
        ("products", "3*4+5*6=?", "6*5+4*3=?", "3*5+4*6=?"),
        ("sort", "sort 4738", "sort 8374", "sort 4739"),
        ("reverse", "reverse 4738", "Reverse 4738", "reverse 8374"),
        ("digit_sum", "digit sum 4738", "digit sum 8743", "digit sum 4739"),
        ("next", "next 24,31,38", "next 24, 31, 38", "next 38,31,24"),
    ],
)
def test_trivial_variants_share_a_canonical_form(name, prompt, variant, other):
    family = FAMILIES[name]
    assert family.canonical(prompt) == family.canonical(variant)
    assert family.canonical(prompt) != family.canonical(other)
