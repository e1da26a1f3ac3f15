"""How a generated problem is shown: its statement, then visible examples, as small as they come.

f(xs): sum of squares of even numbers         read numbers, print sum of squares of even numbers
f([3, 8, -2]) == 68                           input:
f([5, 7]) == 0                                3 8 -2
                                              output:
                                              68
"""

from collections.abc import Sequence
from typing import Any

from evotrainer.domains.code.problems.families import CodeFamily

NUM_EXAMPLES = {True: 2, False: 1}
"""By whether the family asks for a function."""


def show(family: CodeFamily, statement: str, visible: Sequence[dict[str, Any]]) -> str:
    """Return the prompt."""
    return "\n".join([statement, *(_example(family, test) for test in visible)])


def _example(family: CodeFamily, test: dict[str, Any]) -> str:
    if family.function is None:
        return f"input:\n{test['input']}output:\n{test['output'].rstrip()}"
    arguments = ", ".join(repr(argument) for argument in test["input"])
    return f"{family.function}({arguments}) == {test['output']!r}"
