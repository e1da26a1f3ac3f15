"""A function before it has names: what it takes, what it promises, and its lines.

The promise (docstring) decides every slot of the code. The canonical form is the code with literals erased and the
three changes of case taken for one: two functions of one form differ in little but names and literals.
"""

import re
from dataclasses import dataclass

from evotrainer.domains.swe.problems.lines import Line, Node, Slot, render

INDENT = "    "
_LITERAL = re.compile(r'(?<!\$)[0-9]+|"[^"]*"')
_CASE = re.compile(r"\.(lower|upper|title)\b")


@dataclass(frozen=True)
class Sketch:
    """`kinds` of the parameters, the promise after "Return", the body; `signature` is `($0, $1)` unless given.

    A parameter is of kind numbers, number, low, high (small numbers in order), optional (a number that may be left
    out), text, texts or table (text -> number).
    """

    shape: str
    kinds: tuple[str, ...]
    promise: str
    body: tuple[Line, ...]
    signature: Line = ()
    gives_number: bool = False

    def parameters(self) -> Line:
        """Return what stands between the parentheses of the definition."""
        return self.signature or (", ".join(f"${place}" for place in range(len(self.kinds))),)

    def canonical(self) -> str:
        """Return the form that all variants share which differ in names, literals and bugs."""
        code = "\n".join(render(line) for line in (self.parameters(), *self.body))
        return f"{self.shape}:{_CASE.sub('.case', _LITERAL.sub('0', code))}"


def returned(*nodes: Node, wrong: str = "$0") -> Line:
    """Return the line that returns an expression; the bug returns `wrong` in its place."""
    return (f"{INDENT}return ", Slot(nodes, (("returns", wrong),)))
