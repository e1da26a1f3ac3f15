"""What costs over size: CPU seconds, peaks of memory, and what was measured in other units."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib

from benchmarks.speed.growth.record import SECONDS, Growth

COLOURS = (*(f"C{number}" for number in range(10)), "black")
LINE: dict[str, Any] = {"marker": "o", "markersize": 4}


def plot_growth(found: Sequence[Growth], path: Path) -> None:
    """Draw one panel for CPU seconds, one for memory, one for values in other units; one legend names all lines."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, (top, middle, bottom) = plt.subplots(
        3, figsize=(8, 9.5), layout="constrained", height_ratios=(3, 1.2, 1.2), sharex=True
    )
    styles = {one.name: {**LINE, "color": COLOURS[place % len(COLOURS)]} for place, one in enumerate(found)}
    others = [one for one in found if one.measured != SECONDS]
    top.set_yscale("log")
    _panel(top, SECONDS, [one for one in found if one.measured == SECONDS], styles, lambda one: one.values)
    _panel(middle, "peak memory, MB", [one for one in found if one.peaks], styles, lambda one: one.peaks)
    _panel(bottom, " or ".join(one.measured for one in others), others, styles, lambda one: one.values)
    for linear in (middle, bottom):
        linear.set_ylim(bottom=0)
    bottom.set_xscale("log")
    bottom.set_xlabel("size")
    lines = [*top.get_lines(), *bottom.get_lines()]
    figure.legend(handles=lines, fontsize=8, loc="outside lower center", ncols=2, frameon=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _panel(
    axes: Any,
    axis: str,
    shown: Sequence[Growth],
    styles: dict[str, dict[str, Any]],
    values_of: Callable[[Growth], Sequence[float]],
) -> None:
    for one in shown:
        unit = "" if one.measured == SECONDS else f": {one.measured}"
        label = f"{one.name} ({one.of}){unit}".replace("`", "")
        axes.plot(one.sizes, values_of(one), label=label, **styles[one.name])
    axes.set_ylabel(axis)
    axes.grid(alpha=0.3)
