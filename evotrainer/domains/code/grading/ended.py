"""How a program met one input."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ended:
    """How one input was met: `outcome` of the sandbox, and the answer where that is ok."""

    outcome: str
    value: Any = None
    """What the function returned, or what was printed."""
    has_left: bool = False
    """The program ended with status 0 before it came to its end."""
    stderr: str = ""
    """Its last line at least."""
