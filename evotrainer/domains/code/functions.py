"""Small Python functions, made by a generator: problems of the size of a language model of 0.1B weights.

    evotrainer data export evotrainer.domains.code.functions:FUNCTIONS problems/functions

One whole example, with its reference program, which `evotrainer policy sft` shows to a policy:

    user       Write a function f(xs) that returns the sum of the numbers in xs that are odd.
               f([3, 8, -2, 5]) == 8
    assistant  ```python
               def f(xs):
                   return sum(x for x in xs if x % 2 == 1)
               ```

A family is one form of program, with numbers, letters and conditions open. Validation and test have families that
nothing is trained on, of the same pieces. No program comes twice. The hidden tests of a program refute each other
program of its arguments, of any family, that differs from it on some of sixty inputs. Equal code gives equal rows.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle, product
from random import Random
from typing import Any, NamedTuple

from evotrainer.domains.code.domain import CODE

SIZES = {"probe": 160, "train": 1000, "validation": 240, "test": 400}
"""Problems of each split."""
_NUM_INPUTS, _LEAST_TESTS = 60, 4
_WORDS = [
    "apple",
    "banana",
    "lemon",
    "melon",
    "tree",
    "stone",
    "river",
    "letter",
    "street",
    "coffee",
    "summer",
    "paper",
]
_CONDITIONS = {
    "even": "{x} % 2 == 0",
    "odd": "{x} % 2 == 1",
    "negative": "{x} < 0",
    "positive": "{x} > 0",
    "greater than {k}": "{x} > {k}",
    "less than {k}": "{x} < {k}",
    "at least {k}": "{x} >= {k}",
    "at most {k}": "{x} <= {k}",
    "divisible by {k}": "{x} % {k} == 0",
}
_CHANGES = {"plus {k}": "{x} + {k}", "minus {k}": "{x} - {k}", "times {k}": "{x} * {k}", "squared": "{x} * {x}"}

Form = tuple[str, str, str]
"""Arguments, what is returned, and the expression. Open are `{k}` and `{j}` (numbers), `{l}` (a letter), `{c}` (a
condition) and `{m}` (a change); `{c:n}` is the code of a condition of n."""
_TRAINED: tuple[Form, ...] = (
    ("n", "n plus {j}", "n + {j}"),
    ("n", "n minus {j}", "n - {j}"),
    ("n", "{j} times n", "{j} * n"),
    ("n", "the remainder of n divided by {k}", "n % {k}"),
    ("n", "the square of n, plus {j}", "n * n + {j}"),
    ("n", "whether n is {c}", "{c:n}"),
    ("a, b", "the sum of a and b, plus {j}", "a + b + {j}"),
    ("a, b", "a times b, minus {j}", "a * b - {j}"),
    ("a, b", "the larger of a and b, plus {j}", "max(a, b) + {j}"),
    ("a, b", "whether both a and b are {c}", "{c:a} and {c:b}"),
    ("xs", "the sum of the numbers in xs that are {c}", "sum(x for x in xs if {c:x})"),
    ("xs", "how many numbers in xs are {c}", "len([x for x in xs if {c:x}])"),
    ("xs", "a list of the numbers in xs that are {c}", "[x for x in xs if {c:x}]"),
    ("xs", "whether all numbers in xs are {c}", "all({c:x} for x in xs)"),
    ("xs", "a list of each number in xs, {m}", "[{m:x} for x in xs]"),
    ("xs", "the sum of each number in xs, {m}", "sum({m:x} for x in xs)"),
    ("xs", "a list of the numbers in xs that are {c}, {m}", "[{m:x} for x in xs if {c:x}]"),
    ("xs", "the sum of xs, plus {j}", "sum(xs) + {j}"),
    ("xs", "the largest number in xs, minus {j}", "max(xs) - {j}"),
    ("xs", "the smallest number in xs, times {j}", "min(xs) * {j}"),
    ("xs", "the first {k} numbers of xs", "xs[:{k}]"),
    ("xs", "xs without its first {k} numbers", "xs[{k}:]"),
    ("s", "s repeated {k} times", "s * {k}"),
    ("s", "how often '{l}' is in s", "s.count('{l}')"),
    ("s", "s with '{l}' at the end", "s + '{l}'"),
    ("s", "s reversed, with '{l}' at the end", "s[::-1] + '{l}'"),
    ("s", "whether s starts with '{l}'", "s.startswith('{l}')"),
    ("s", "whether s holds '{l}'", "'{l}' in s"),
    ("s", "the first {k} letters of s", "s[:{k}]"),
    ("s", "the length of s, plus {j}", "len(s) + {j}"),
    ("ws", "a list of the words in ws that start with '{l}'", "[w for w in ws if w.startswith('{l}')]"),
    ("ws", "a list of the words in ws that hold '{l}'", "[w for w in ws if '{l}' in w]"),
    ("ws", "how many words in ws have more than {k} letters", "len([w for w in ws if len(w) > {k}])"),
    ("ws", "a list of each word in ws, with '{l}' at the end", "[w + '{l}' for w in ws]"),
)
_VALIDATION: tuple[Form, ...] = (
    ("n", "{j} minus n", "{j} - n"),
    ("n", "the square of n, minus {j}", "n * n - {j}"),
    ("a, b", "the smaller of a and b, plus {j}", "min(a, b) + {j}"),
    ("a, b", "whether the sum of a and b is {c}", "{c:(a + b)}"),
    ("xs", "the length of xs, plus {j}", "len(xs) + {j}"),
    ("xs", "the last {k} numbers of xs", "xs[-{k}:]"),
    ("xs", "how many numbers in xs are {c}, plus {k}", "len([x for x in xs if {c:x}]) + {k}"),
    ("xs", "whether any number in xs is {c}", "any({c:x} for x in xs)"),
    ("xs", "the largest of the numbers in xs, {m}", "max({m:x} for x in xs)"),
    ("s", "s without its first {k} letters", "s[{k}:]"),
    ("s", "s with '{l}' at the start", "'{l}' + s"),
    ("ws", "how many words in ws start with '{l}'", "len([w for w in ws if w.startswith('{l}')])"),
)
_TEST: tuple[Form, ...] = (
    ("n", "{k} times n, plus {j}", "{k} * n + {j}"),
    ("a, b", "a plus {k} times b", "a + {k} * b"),
    ("a, b", "the larger of a and b, times {j}", "max(a, b) * {j}"),
    ("a, b", "whether the product of a and b is {c}", "{c:(a * b)}"),
    ("xs", "the total over each number in xs that is {c}, {m}", "sum({m:x} for x in xs if {c:x})"),
    ("xs", "the sum of the first {k} numbers of xs", "sum(xs[:{k}])"),
    ("xs", "the largest number in xs, plus {j}", "max(xs) + {j}"),
    ("xs", "whether no number in xs is {c}", "not any({c:x} for x in xs)"),
    ("s", "how often '{l}' is in s, plus {k}", "s.count('{l}') + {k}"),
    ("s", "whether s ends with '{l}'", "s.endswith('{l}')"),
    ("s", "the first {k} letters of s, reversed", "s[:{k}][::-1]"),
    ("ws", "how many words in ws hold '{l}'", "len([w for w in ws if '{l}' in w])"),
    ("ws", "a list of each word in ws, with '{l}' at the start", "['{l}' + w for w in ws]"),
)
_FORMS = {"probe": _TRAINED, "train": _TRAINED, "validation": _VALIDATION, "test": _TEST}


class _Piece(NamedTuple):
    """A condition or a change: its words, and its code as a format of what it is about."""

    words: str
    code: str

    def __format__(self, about: str) -> str:
        return self.code.format(x=about) if about else self.words


def _pieces(of: dict[str, str]) -> list[_Piece]:
    """Return the pieces with each of their numbers."""
    filled = [[each.replace("{k}", str(k)) for each in piece] for k in range(2, 10) for piece in of.items()]
    return [_Piece(*piece) for piece in dict.fromkeys(map(tuple, filled))]


_FILLS: dict[str, list[Any]] = {
    "k": list(range(2, 10)),
    "j": list(range(2, 60)),
    "l": sorted(set("".join(_WORDS))),
    "c": _pieces(_CONDITIONS),
    "m": _pieces(_CHANGES),
}


class _Function(NamedTuple):
    """A form whose open places are filled."""

    words: str
    code: str
    outputs: tuple[str, ...]
    """Of each input of its arguments, as Python writes it."""


def function_problems() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every problem; the families of a split take turns."""
    shown = set[str]()
    for split, forms in _FORMS.items():
        rng, size = Random(f"functions, {split}"), len(shown) + SIZES[split]
        waiting = [(form, rng.sample(_functions(form), len(_functions(form)))) for form in forms]
        for form, left in cycle(waiting):
            if len(shown) == size:
                break
            if left and (function := left.pop()).code not in shown:
                shown.add(function.code)
                yield split, _row(rng, form, function, list(_FORMS).index(split))


def _row(rng: Random, form: Form, function: _Function, part: int) -> dict[str, Any]:
    """Return the row of a function; its example is of this part of the inputs."""
    arguments, words, code = form
    example = rng.choice(range(_NUM_INPUTS)[part :: len(_FORMS)])
    places = [example, *_telling(rng, arguments, function, example)]
    tests = [{"input": list(_inputs(arguments)[at]), "output": eval(function.outputs[at])} for at in places]
    shown = f"f({', '.join(map(repr, tests[0]['input']))}) == {function.outputs[example]}"
    return {
        "id": f"{arguments.replace(', ', '')}: {function.code}",
        "problem": f"Write a function f({arguments}) that returns {function.words}.\n{shown}",
        "function": "f",
        "visible": tests[:1],
        "hidden": tests[1:],
        "reference": f"def f({arguments}):\n    return {function.code}",
        "family": words.format_map(dict.fromkeys(_FILLS, "..")),
        "difficulty": 0.5 * (" for " in code) + 0.5 * (words.count("{") > 1),
    }


def _telling(rng: Random, arguments: str, function: _Function, example: int) -> list[int]:
    """Return places of inputs but the example that refute all functions that can be refuted, constant ones too."""
    order = [at for at in rng.sample(range(_NUM_INPUTS), _NUM_INPUTS) if at != example]
    constant = {(output,) * _NUM_INPUTS for output in function.outputs}
    rivals, chosen = (_outputs(arguments) | constant) - {function.outputs}, list[int]()
    for at in order:
        left = {outputs for outputs in rivals if outputs[at] == function.outputs[at]}
        if len(chosen) < _LEAST_TESTS or len(left) < len(rivals):
            chosen.append(at)
        rivals = left
    return chosen


@cache
def _outputs(arguments: str) -> frozenset[tuple[str, ...]]:
    """Return what the functions of these arguments return, of all families."""
    forms = {form for of_split in _FORMS.values() for form in of_split if form[0] == arguments}
    return frozenset(function.outputs for form in forms for function in _functions(form))


@cache
def _functions(form: Form) -> list[_Function]:
    """Return the functions of a form that do not return the same for all inputs of its arguments."""
    arguments, words, code = form
    names, found = [name for name in _FILLS if f"{{{name}}}" in words], list[_Function]()
    for values in product(*(_FILLS[name] for name in names)):
        filled = dict(zip(names, values, strict=True))
        run = eval(f"lambda {arguments}: {code.format(**filled)}")
        outputs = tuple(repr(run(*given)) for given in _inputs(arguments))
        if len(set(outputs)) > 1:
            found.append(_Function(words.format(**filled), code.format(**filled), outputs))
    return found


@cache
def _inputs(arguments: str) -> list[tuple[Any, ...]]:
    """Return the inputs of functions with these arguments."""
    rng = Random(f"inputs, {arguments}")
    draw = {
        "n": lambda: (rng.randint(-20, 60),),
        "a, b": lambda: (rng.randint(-15, 40), rng.randint(-15, 40)),
        "xs": lambda: (_numbers(rng),),
        "s": lambda: ("".join(rng.sample(_WORDS, 2)),),
        "ws": lambda: (rng.sample(_WORDS, rng.randint(3, 6)),),
    }[arguments]
    return [draw() for _ in range(_NUM_INPUTS)]


def _numbers(rng: Random) -> list[int]:
    """Return multiples of a number in a range, so that all or none of them may be divisible, small or negative."""
    factor, low = rng.choice((1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9)), rng.choice((-7, -3, 0, 2))
    return [factor * rng.randint(low, low + 6) for _ in range(rng.randint(3, 9))]


FUNCTIONS = replace(CODE, problem_rows=function_problems)
"""The code domain with these problems in place of the built-in ones."""
