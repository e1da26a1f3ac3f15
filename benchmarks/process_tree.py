"""CPU seconds of a process and of all below it, from /proc.

Those of a running child, and of what it has waited for, stand there alone: no call of its parent returns them while it
lives.
"""

import os
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def tree_seconds(process: int) -> float:
    """Return the CPU seconds of a process and of all below it, to a hundredth; 0 where it has ended."""
    with suppress(OSError):  # it has ended, and its parent's numbers hold its own
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        own = sum(int(field) for field in fields[11:15]) / _TICKS
        children = [
            int(child)
            for task in Path(f"/proc/{process}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
        return own + sum(map(tree_seconds, children))
    return 0.0
