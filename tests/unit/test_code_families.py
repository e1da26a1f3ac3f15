"""Generated code problems: their statements mean what their references do, by an interpreter of a way of its own."""

import re
from random import Random

import pytest

from evotrainer.domains.code.problems.families import FAMILIES, canonical_form
from evotrainer.domains.code.problems.prompts import NUM_EXAMPLES, show
from evotrainer.domains.code.problems.sets import NUM_HIDDEN, draws
from evotrainer.domains.code.problems.solving import answerer, has_one_answer, solve

pytestmark = pytest.mark.parts

NUM_DRAWS = 60

family_names = pytest.mark.parametrize("name", FAMILIES)


def sample(name, count=NUM_DRAWS):
    rng = Random(7)
    found = []
    while len(found) < count:
        spec = FAMILIES[name].draw(rng)
        visible, hidden = solve(spec, rng, 2, 6)
        if not has_one_answer(hidden):
            found.append((spec, visible, hidden))
    return found


def keep(text, xs):
    digit = int(found[0]) if (found := re.findall(r"\d", text)) else None
    tests = {
        "numbers": lambda x: True,
        "even numbers": lambda x: x % 2 == 0,
        "odd numbers": lambda x: x % 2 != 0,
        "numbers over #": lambda x: x > digit,
        "numbers under #": lambda x: x < digit,
        "numbers but #": lambda x: x != digit,
        "multiples of #": lambda x: x % digit == 0,
        "numbers from # on": lambda x: not x < digit,
        "are even": lambda x: x % 2 == 0,
        "are over #": lambda x: x > digit,
        "are under #": lambda x: x < digit,
        "are multiples of #": lambda x: x % digit == 0,
        "are at least #": lambda x: not x < digit,
    }
    test = tests[re.sub(r"\d", "#", text)]
    return [x for x in xs if test(x)]


def change(text, xs):
    digit = int(found[0]) if (found := re.findall(r"\d", text)) else None
    steps = {
        "": lambda x: x,
        "squares of ": lambda x: x**2,
        "opposites of ": lambda x: 0 - x,
        "# times ": lambda x: sum([x] * digit),
        "# more than ": lambda x: digit + x,
        "remainders by # of ": lambda x: x - digit * (x // digit),
        "sizes of ": lambda x: max(x, -x),
        "whole halves of ": lambda x: (x - x % 2) // 2,
    }
    return [steps[re.sub(r"\d", "#", text)](x) for x in xs]


def gather(text, xs):
    digit = int(found[0]) if text.startswith("first") and (found := re.findall(r"\d", text)) else None
    ways = {
        "sum of ": sum,
        "number of ": len,
        "number of distinct ": lambda v: len(set(v)),
        "largest (or 0) of ": lambda v: sorted(v)[-1] if v else 0,
        "smallest (or 0) of ": lambda v: sorted(v)[0] if v else 0,
        "list of ": list,
        "rising list of ": sorted,
        "falling list of ": lambda v: sorted(v, reverse=True),
        "reversed list of ": lambda v: list(reversed(v)),
        "first # of ": lambda v: v[:digit],
        "whether all ": all,
        "whether any ": any,
        "whether no ": lambda v: not any(v),
    }
    return ways[re.sub(r"\d", "#", text) if digit else text](xs)


def interpret(spec, given):
    """Return what the statement asks for, read from its words' texts alone."""
    texts = [
        re.sub("[#@]", mark, word.text) if mark else word.text
        for word, mark in zip(spec.words, spec.marks, strict=True)
    ]
    name = spec.family.name
    if name in ("total", "listing"):
        return gather(texts[0], change(texts[1], keep(texts[2], given[0])))
    if name == "check":
        return gather(texts[0], [bool(keep(texts[2].strip(), [x])) for x in keep(texts[1], given[0])])
    if name == "reading":
        found = gather(texts[0], change(texts[1], keep(texts[2], list(map(int, given.split())))))
        return " ".join(map(str, found)) + "\n" if isinstance(found, list) else f"{found}\n"
    if name == "rows":
        lines = [list(map(int, line.split())) for line in given.splitlines()[1:]]
        return "".join(f"{gather(texts[0], change(texts[1], keep(texts[2], xs)))}\n" for xs in lines)
    if name == "places":
        xs, k = given
        digit = int(found[0]) if (found := re.findall(r"\d", texts[3])) else 0
        bound = {"k": k, f"k plus {digit}": k + digit, f"{digit} times k": k * digit}[texts[3]]
        met = {
            "numbers over ": lambda x: x > bound,
            "numbers under ": lambda x: x < bound,
            "numbers but ": lambda x: x != bound,
            "multiples of ": lambda x: x % bound == 0,
            "numbers from ": lambda x: not x < bound,
        }[texts[2]]
        return gather(texts[0], [place + ("from 1" in texts[1]) for place, x in enumerate(xs) if met(x)])
    if name == "text":
        return interpret_text(texts, given[0])
    return interpret_table(texts, given[0])


def interpret_text(texts, s):
    if texts[0].endswith("doubled"):
        s = "".join(letter * (1 + (letter == texts[0][2])) for letter in s)
    elif texts[0]:
        s = "".join(letter for letter in s if letter != texts[0][-1])
    if texts[1]:
        s = "".join(reversed(s))
    if texts[2].startswith(", first"):
        s = "".join(list(s)[: int(texts[2][-1])])
    elif texts[2].startswith(", last"):
        s = "".join(list(s)[max(0, len(s) - int(texts[2][-1])) :])
    elif texts[2]:
        s = "".join(letter for place, letter in enumerate(s) if place % (2 if "second" in texts[2] else 3) == 0)
    return s.upper() if "upper" in texts[3] else s.capitalize() if texts[3] else s


def interpret_table(texts, ws):
    mark = texts[0][-1]
    tests = {
        "words": lambda w: True,
        "words longer than": lambda w: len(w) > int(mark),
        "words shorter than": lambda w: len(w) < int(mark),
        "words with": lambda w: w.count(mark) > 0,
        "words without": lambda w: w.count(mark) == 0,
        "words starting in": lambda w: w.startswith(mark),
        "words ending in": lambda w: w.endswith(mark),
    }
    asked, digit = texts[1][-1], (re.findall(r"\d", texts[1]) or ["0"])[0]
    values = {
        "length": len,
        "upper case": str.upper,
        "reverse": lambda w: "".join(reversed(w)),
        "first letter": lambda w: list(w)[0],
        "last letter": lambda w: list(w)[-1],
        "count of": lambda w: sum(letter == asked for letter in w),
        "title case": str.capitalize,
        "every second letter": lambda w: "".join(list(w)[0:9:2]),
        "first letters": lambda w: "".join(list(w)[: int(digit)]),
        "copies": lambda w: "".join([w] * int(digit)),
        "last letters": lambda w: "".join(list(w)[max(0, len(w) - int(digit)) :]),
    }
    value = values[re.sub(r"\d |(?<=of) [a-z]$", "", texts[1])]
    test = tests[texts[0] if texts[0] == "words" else texts[0][:-2]]
    return {w: value(w) for w in ws if test(w)}


@family_names
def test_expected_outputs_are_what_the_statement_says(name):
    for spec, visible, hidden in sample(name):
        for test in (*visible, *hidden):
            expected = interpret(spec, test["input"])
            assert test["output"] == expected and type(test["output"]) is type(expected), (spec.statement, test)


@family_names
def test_no_two_tests_of_a_problem_have_the_same_input(name):
    for _, visible, hidden in sample(name):
        assert len({str(test["input"]) for test in (*visible, *hidden)}) == 8


@family_names
def test_hidden_tests_tell_a_misread_word_from_the_right_one(name):
    told = misread = 0
    for spec, _, hidden in sample(name, 150):
        for place, word in enumerate(spec.words):
            if not word.misreading:
                continue
            codes = [other.code for other in spec.words]
            codes[place] = word.misreading
            answer = answerer(spec.family, spec.program_of(codes))
            misread += 1
            told += any(str(answer(test["input"])) != str(test["output"]) for test in hidden)
    assert told >= 0.8 * misread


@family_names
def test_a_statement_shows_its_family_and_its_canonical_form_ignores_examples(name):
    family = FAMILIES[name]
    for spec, visible, hidden in sample(name, 20):
        prompts = {show(family, spec.statement, tests) for tests in (visible, hidden[:2])}
        assert len(prompts) == 2
        assert {canonical_form(prompt) for prompt in prompts} == {canonical_form(spec.statement)}
        assert canonical_form(spec.statement) is not None


def test_words_that_mean_the_same_share_a_canonical_form():
    assert canonical_form("f(xs): sum of numbers from 5 on\nf([1]) == 0") == canonical_form(
        "f(xs): sum of numbers over 4"
    )
    assert canonical_form("f(xs): whether all numbers are at least 5") == canonical_form(
        "f(xs):  whether all numbers are over 4"
    )
    assert canonical_form("f(xs): sum of numbers over 5") != canonical_form("f(xs): sum of numbers over 4")
    assert canonical_form("Write a function that sums a list.") is None


@family_names
def test_draws_differ_in_their_canonical_form_and_are_many(name):
    stream = draws(FAMILIES[name], 3)
    forms = [next(stream)[0] for _ in range(300)]
    assert len(set(forms)) == 300


@family_names
def test_difficulty_is_a_share_and_varies(name):
    found = {spec.difficulty for spec, *_ in sample(name)}
    assert len(found) > 1
    assert all(0 <= difficulty <= 1 for difficulty in found)


def test_functions_and_programs_both_stand_inside_and_outside_of_training():
    styles = {(family.function is None, family.is_held_out) for family in FAMILIES.values()}
    assert styles == {(False, False), (False, True), (True, False), (True, True)}
    assert NUM_EXAMPLES.keys() == NUM_HIDDEN.keys() == {True, False}
