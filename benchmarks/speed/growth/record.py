"""The record of how one kind of work grows, and the table of several."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.reports.markdown import markdown_table

SECONDS = "CPU s"


@dataclass(frozen=True)
class Growth:
    """What one kind of work costs at several sizes."""

    name: str
    of: str
    """What a size counts."""
    sizes: tuple[int, ...]
    values: tuple[float, ...]
    measured: str = SECONDS
    """Unit of the values."""
    peaks: tuple[float, ...] = ()
    """Peak memory of the process that did it, MB, one a size; empty where it was not measured."""
    at_start: float | None = None
    """Peak of such a process before the work, MB: its modules, and the same work once at a small size."""

    @property
    def slope(self) -> float:
        """Of log(values) over log(size), by least squares: 1 is linear, 0 flat."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.values), 1)[0])


def growth_table(found: Sequence[Growth]) -> str:
    """Return a Markdown table, one row a kind of work."""
    return markdown_table(
        "work | of | sizes | measured | values | slope | peak, MB | at start, MB", [_cells(one) for one in found]
    )


def _cells(one: Growth) -> list[str]:
    return [
        one.name,
        one.of,
        ", ".join(f"{size:,}" for size in one.sizes),
        one.measured,
        ", ".join(f"{value:.3g}" if one.measured == SECONDS else f"{value:,.0f}" for value in one.values),
        f"{one.slope:z.2f}",
        ", ".join(f"{peak:,.0f}" for peak in one.peaks),
        "" if one.at_start is None else f"{one.at_start:,.0f}",
    ]
