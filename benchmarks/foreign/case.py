"""A kind of foreign evidence: how its rows are drawn, and which modes would be a right answer to them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Row = dict
"""One attempt, in the columns of docs/evidence.md or of another system."""
Build = Callable[[np.random.Generator], list[Row]]


@dataclass(frozen=True)
class Kind:
    """A way to draw bodies of evidence. Healthy kinds have no modes."""

    name: str
    build: Build
    modes: tuple[str, ...] = ()
    """Any of these, as a warning or worse, counts as found."""
    source: str = ""
    """Format of the rows, as `--from` names it; empty: recognised."""

    @property
    def is_faulty(self) -> bool:
        """Whether the rows hold a fault."""
        return bool(self.modes)
