"""Lines of code that know how they can be wrong.

A line is a sequence of nodes: plain text, or a slot, which is right as written and lists the texts that a bug of some
family would put in its place. Slots nest: a condition can be missing, and its comparison can be wrong. So the right
function and all of its bugs are one object, and every bug is a change of one line.

`$0`, `$1`, `$2` stand for the parameters of the function and `$v` for its loop variable, until names are given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from evotrainer.domains.swe.problems.vocabulary import COMPARISONS, DIGITS


@dataclass(frozen=True)
class Slot:
    """A part of a line with its wrong variants, as (family, text)."""

    parts: tuple["Node", ...]
    wrong: tuple[tuple[str, str], ...]

    @cached_property
    def text(self) -> str:
        """The right text."""
        return render(self.parts)


Node = str | Slot
Line = tuple[Node, ...]


def render(nodes: Sequence[Node]) -> str:
    """Return the right text."""
    return "".join([node if isinstance(node, str) else node.text for node in nodes])


def wrong_texts(nodes: Sequence[Node]) -> Iterator[tuple[str, str]]:
    """Yield (family, text) of every way in which one slot of the line can be wrong."""
    for place, node in enumerate(nodes):
        if isinstance(node, str):
            continue
        before, after = render(nodes[:place]), render(nodes[place + 1 :])
        for family, text in (*node.wrong, *wrong_texts(node.parts)):
            yield family, f"{before}{text}{after}"


def slot(family: str, text: str, *wrong: str) -> Slot:
    """Return a slot without inner slots, all of whose wrong variants are of one family."""
    return Slot((text,), tuple((family, other) for other in wrong))


def number(rng: Random, family: str = "constant") -> Slot:
    """Return a digit from 2 to 9, of which another one is wrong."""
    right = rng.choice(DIGITS)
    return slot(family, right, rng.choice([digit for digit in DIGITS if digit != right]))


def operator(text: str) -> Slot:
    """Return an arithmetic operator with those that are mistaken for it."""
    mistaken = {"+": "-*", "-": "+", "*": "+", "//": "*", "%": "/"}[text]
    return slot("operator", text, *(other.replace("/", "//") for other in mistaken))


def comparison(text: str) -> Slot:
    """Return a comparison with the one that differs at the border and the opposite one."""
    mistaken = {">": (">=", "<"), ">=": (">", "<="), "<": ("<=", ">"), "<=": ("<", ">="), "==": ("!=",), "!=": ("==",)}
    assert set(mistaken) == set(COMPARISONS)
    return slot("comparison", text, *mistaken[text])


def variable(right: str, *others: str) -> Slot:
    """Return a name, with other names in scope that are taken for it."""
    return slot("argument", right, *others)


def called(right: str, *others: str) -> Slot:
    """Return the name of what is called, with others that are called instead."""
    return slot("function", right, *others)


def call(function: str, inner: Sequence[Node]) -> Slot:
    """Return `function(inner)`; the bug is that nothing is called."""
    return Slot((f"{function}(", *inner, ")"), (("missing_call", render(inner)),))
