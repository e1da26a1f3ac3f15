"""The code families: kinds of small programs, composed of words, each with a statement that says exactly what is asked.

    f(xs): sum of squares of even numbers         def f(xs):
                                                      return sum(x*x for x in xs if x%2==0)

Functions over numbers, text, words and two arguments; programs that read standard input and print. One family of each
style is held out whole. The first line of a prompt is its statement, and two problems with one statement are one
problem, whatever their examples: the canonical form is the statement, in which "from 5 on" is "over 4".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from evotrainer.domains.code.problems import inputs, words
from evotrainer.domains.code.problems.words import LETTERS, Word

FENCE, FENCE_END = "```python\n", "\n```"

Codes = Sequence[str]


@dataclass(frozen=True)
class Spec:
    """One problem of a family: a word for each slot, and what fills its mark."""

    family: "CodeFamily"
    words: tuple[Word, ...]
    marks: tuple[str, ...]

    @property
    def statement(self) -> str:
        """What is asked for, in one line."""
        texts = [fill(word.text, mark) for word, mark in zip(self.words, self.marks, strict=True)]
        return self.family.head + self.family.ask(texts)

    @property
    def program(self) -> str:
        """The reference solution."""
        return self.program_of([word.code for word in self.words])

    def program_of(self, codes: Codes) -> str:
        """Return the program that has these codes, one a slot, in the place of its words' own."""
        filled = [fill(code, mark) for code, mark in zip(codes, self.marks, strict=True)]
        return self.family.write(filled)

    @property
    def difficulty(self) -> float:
        """Return the share of slots that ask for something, and more where a word can be misread."""
        asked = sum(bool(word.text) + bool(word.misreading) for word in self.words)
        return min(1.0, asked / (len(self.words) + 1))


@dataclass(frozen=True)
class CodeFamily:
    """One kind of problem. A held-out family gives test and holdout problems only; demonstrations may show it."""

    name: str
    head: str
    """How a statement begins."""
    slots: tuple[tuple[Word, ...], ...]
    ask: Callable[[Sequence[str]], str]
    write: Callable[[Codes], str]
    draw_input: Callable[[Random, Sequence[str]], Any]
    """From what fills the marks, near which inputs are drawn: the function's arguments, or standard input."""
    function: str | None = "f"
    """None: the program reads and prints."""
    is_sensible: Callable[[Sequence[Word]], bool] = lambda chosen: True
    is_held_out: bool = False

    def draw(self, rng: Random) -> Spec:
        """Draw one problem."""
        while True:
            chosen = tuple(rng.choice(slot) for slot in self.slots)
            if self.is_sensible(chosen):
                return Spec(self, chosen, tuple(_draw_mark(word, rng) for word in chosen))


def fill(text: str, mark: str) -> str:
    """Return a word's text or code with its mark filled."""
    return text.replace("#", mark).replace("@", mark) if mark else text


def _draw_mark(word: Word, rng: Random) -> str:
    return rng.choice({"#": word.digits, "@": LETTERS, "": ("",)}[word.mark])


def _around(outer: str, inner: str) -> str:
    return outer.replace("_", inner)


def _write_numbers(codes: Codes) -> str:
    return f"def f(xs):\n    return {_around(codes[0], f'{codes[1]} for x in xs{codes[2]}')}"


def _write_check(codes: Codes) -> str:
    return f"def f(xs):\n    return {_around(codes[0], f'{codes[2]} for x in xs{codes[1]}')}"


def _write_text(codes: Codes) -> str:
    return f"def f(s):\n    return s{''.join(codes)}"


def _write_table(codes: Codes) -> str:
    return f"def f(ws):\n    return {{w: {codes[1]} for w in ws{codes[0]}}}"


def _write_places(codes: Codes) -> str:
    met = _around(codes[2], codes[3])
    return f"def f(xs, k):\n    return {_around(codes[0], f'{codes[1]} for i, x in enumerate(xs) if {met}')}"


def _write_reading(codes: Codes) -> str:
    return f"xs = map(int, input().split())\nprint({_around(codes[0], f'{codes[1]} for x in xs{codes[2]}')})"


def _write_rows(codes: Codes) -> str:
    printed = _around(codes[0], f"{codes[1]} for x in xs{codes[2]}")
    return f"for _ in range(int(input())):\n    xs = map(int, input().split())\n    print({printed})"


def _counts_plain(chosen: Sequence[Word]) -> bool:
    """A number of values does not depend on which values: only the plain one is asked for."""
    return chosen[0].code != "len([_])" or chosen[1] in (words.VALUES[0], words.PLACES[0])


def _says_something(chosen: Sequence[Word]) -> bool:
    return any(word.text for word in chosen)


def _asks_another(chosen: Sequence[Word]) -> bool:
    """Whether all even numbers are even is no question, nor whether those over 5 are over 3."""
    return chosen[1].code.removeprefix(" if ")[:2] != chosen[2].code[:2]


FAMILIES: dict[str, CodeFamily] = {
    family.name: family
    for family in (
        CodeFamily(
            "total",
            "f(xs): ",
            (words.TOTALS, words.VALUES, words.KEPT),
            "".join,
            _write_numbers,
            inputs.draw_numbers,
            is_sensible=_counts_plain,
        ),
        CodeFamily(
            "listing", "f(xs): ", (words.LISTS, words.VALUES, words.KEPT), "".join, _write_numbers, inputs.draw_numbers
        ),
        CodeFamily(
            "check",
            "f(xs): ",
            (words.QUANTIFIERS, words.KEPT, words.CONDITIONS),
            "".join,
            _write_check,
            inputs.draw_numbers,
            is_sensible=_asks_another,
        ),
        CodeFamily(
            "text",
            "f(s): s",
            (words.REPLACED, words.TURNED, words.SLICES, words.CASES),
            "".join,
            _write_text,
            inputs.draw_text,
            is_sensible=_says_something,
        ),
        CodeFamily(
            "table",
            "f(ws): dict of ",
            (words.WORDS_KEPT, words.WORD_VALUES),
            " to ".join,
            _write_table,
            inputs.draw_words,
        ),
        CodeFamily(
            "places",
            "f(xs, k): ",
            (words.TOTALS[:4], words.PLACES, words.MET, words.BOUNDS),
            "".join,
            _write_places,
            inputs.draw_numbers_and_k,
            is_sensible=_counts_plain,
            is_held_out=True,
        ),
        CodeFamily(
            "reading",
            "read numbers, print ",
            (words.NUMBERS_READ, words.VALUES, words.KEPT),
            "".join,
            _write_reading,
            inputs.draw_line,
            function=None,
            is_sensible=_counts_plain,
        ),
        CodeFamily(
            "rows",
            "read n and n rows, print for each row ",
            (words.TOTALS, words.VALUES, words.KEPT),
            "".join,
            _write_rows,
            inputs.draw_rows,
            function=None,
            is_sensible=_counts_plain,
            is_held_out=True,
        ),
    )
}

_FROM = re.compile(r"(?<= )(?:from ([3-9]) on|at least ([3-9]))\b")


def canonical_form(prompt: str) -> str | None:
    """Return the form that all variants of a prompt share, or None where it is not one of these families."""
    statement = " ".join(prompt.split("\n", 1)[0].split())
    if not any(statement.startswith(family.head.strip()) for family in FAMILIES.values()):
        return None
    return _FROM.sub(lambda match: f"over {int(match[1] or match[2]) - 1}", statement)
