"""The figure of the co-evolution bench: paired differences between arms, one row a world and comparison.

Arms have no order and worlds have none either, so nothing is joined. Colour and marker both name the comparison; a
hollow marker has an interval that contains 0.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.reports.coevolution import PAIRS, difference, pairs_of, worlds_of
from evotrainer.report.figure import LIGHT, MARKERS

PANELS = {
    "score": "honest test score, pp (higher is better)",
    "wasted_share": "wasted training steps, % of all (lower is better)",
}
STYLES = dict(
    zip([pair[:2] for pair in PAIRS], ("inconclusive", "invalid", "kept", "promoted", "rejected"), strict=True)
)
"""The outcome whose colour and marker a pair of arms borrows."""


@dataclass(frozen=True)
class ArmDifference:
    """One arm minus another in one world, the mean over seeds with its 95% interval."""

    world: str
    one: str
    other: str
    measure: str
    mean: float
    low: float | None
    high: float | None


def coevolution_figure(runs: Sequence[CoevolutionRun]) -> bytes:
    """Return a PNG of all paired differences of these campaigns."""
    found = []
    for world in worlds_of(runs):
        for one, other, _ in pairs_of(runs, world):
            for measure in PANELS:
                seen = difference(runs, world, one, other, measure)
                found.append(ArmDifference(world, one, other, measure, seen.mean, seen.low, seen.high))
    return differences_figure(found)


def differences_figure(differences: Sequence[ArmDifference]) -> bytes:
    """Return a PNG: a panel a measure, a group of rows a world."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    worlds = list(dict.fromkeys(row.world for row in differences))
    pairs = list(dict.fromkeys((row.one, row.other) for row in differences))
    height = 1.5 + 0.17 * len(worlds) * (len(pairs) + 1)
    figure = Figure(figsize=(9, height), dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for axes, (measure, words) in zip(panels, PANELS.items(), strict=True):
        axes.axvline(0, color=LIGHT.faint, linewidth=1)
        for row in differences:
            if row.measure == measure:
                place = worlds.index(row.world) + 0.8 * (pairs.index((row.one, row.other)) + 0.5) / len(pairs) - 0.4
                _draw(axes, place, row)
        axes.set_xlabel(f"difference in {words}", fontsize=8)
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        for edge in range(1, len(worlds)):
            axes.axhline(edge - 0.5, color=LIGHT.band, linewidth=1)
    panels[0].set_yticks(range(len(worlds)), worlds)
    panels[0].set_ylabel("world", fontsize=8)
    panels[0].set_ylim(len(worlds) - 0.5, -0.5)
    _legend(figure, pairs)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _draw(axes: Any, place: float, row: ArmDifference) -> None:
    outcome = STYLES[row.one, row.other]
    low, high = (row.mean if end is None else end for end in (row.low, row.high))
    color = LIGHT.outcomes[outcome]
    axes.plot([low, high], [place, place], color=color, linewidth=1.6, alpha=0.6)
    axes.plot(
        row.mean,
        place,
        marker=MARKERS[outcome],
        markersize=5.5,
        color=color,
        markerfacecolor=LIGHT.ground if low <= 0 <= high else color,
    )


def _legend(figure: Any, pairs: Sequence[tuple[str, str]]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            color=LIGHT.outcomes[STYLES[one, other]],
            marker=MARKERS[STYLES[one, other]],
            markersize=5.5,
            linewidth=1.6,
            label=f"{one} - {other}",
        )
        for one, other in pairs
    ]
    hollow = Line2D([], [], color=LIGHT.ink, marker="o", markersize=5.5, markerfacecolor=LIGHT.ground, linestyle="none")
    hollow.set_label("hollow: the 95% interval contains 0")
    figure.legend(handles=[*handles, hollow], loc="outside upper left", ncols=len(pairs) + 1, frameon=False, fontsize=8)
