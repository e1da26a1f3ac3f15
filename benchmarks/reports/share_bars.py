"""Shares of campaigns as bars with their limits, beside the error budget that they are held against."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.report.figure import LIGHT

WIDEST = 135
"""End of the axis in %: a label fits behind a bar that reaches 100."""


@dataclass(frozen=True)
class ShareBar:
    """One bar; shares in [0, 1]."""

    name: str
    share: float
    low: float
    high: float
    label: str


def draw_share_bars(axes: Any, bars: Sequence[ShareBar], budget: float, label: str) -> None:
    """Draw the bars from the top, green where the upper limit is within the budget, under a legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    for place, bar in enumerate(bars[::-1]):
        color = LIGHT.outcomes["promoted" if bar.high <= budget else "rejected"]
        axes.barh(place, 100 * bar.share, color=color, height=0.6)
        axes.plot([100 * bar.low, 100 * bar.high], [place, place], color=LIGHT.ink, linewidth=1)
        start = 100 * max(bar.high, budget)  # a label never stands across the line
        axes.annotate(
            bar.label, (start, place), (4, 0), textcoords="offset points", va="center", fontsize=7, color=LIGHT.ink
        )
    axes.axvline(100 * budget, color=LIGHT.faint, linewidth=1, linestyle=(0, (3, 2)))
    axes.set_yticks(range(len(bars)), [bar.name for bar in bars[::-1]], fontsize=7)
    axes.set_ylabel("rule", fontsize=7)
    axes.set_ylim(-0.6, len(bars) - 0.4)
    axes.set_xlim(0, WIDEST)
    axes.set_xticks(range(0, 101, 20))
    handles = [
        Patch(color=LIGHT.outcomes["promoted"], label="within the error budget"),
        Patch(color=LIGHT.outcomes["rejected"], label="not shown to be within it"),
        Line2D([], [], color=LIGHT.faint, linewidth=1, linestyle=(0, (3, 2)), label=f"error budget {100 * budget:g}%"),
        Line2D([], [], color=LIGHT.ink, linewidth=1, label="exact limits"),
    ]
    axes.legend(handles=handles, fontsize=6.5, frameon=False, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2)
    plain(axes, label)


def plain(axes: Any, label: str) -> None:
    """Give axes the label below them, small ticks and no frame."""
    axes.set_xlabel(label, fontsize=7)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
