"""The figure of the bench that leaves pathologies out: each world's differences between arms, every seed shown.

A mean with its 95% interval stands beside small dots, one a seed. Colour and marker both name the comparison; a hollow
marker has an interval that contains 0, or one seed and no interval.
"""

import io
from collections.abc import Sequence
from typing import Any

from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.reports.lopo import compared, difference, scores, worlds_of
from evotrainer.report.figure import LIGHT, MARKERS

SHOWN = {
    ("E", "S"): ("promoted", "E - S: evolving against static"),
    ("O", "S"): ("inconclusive", "O - S: room, paid by correctness alone"),
    ("F", "S"): ("invalid", "F - S: room, with the diagnostics taken out"),
}
"""{pair: (the outcome whose colour and marker it borrows, words)}."""


def lopo_figure(runs: Sequence[CoevolutionRun]) -> bytes:
    """Return a PNG: one row a world and pair."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    worlds = worlds_of(runs)
    figure = Figure(figsize=(8, 1.4 + 0.75 * len(worlds)), dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.axvline(0, color=LIGHT.faint, linewidth=1)
    pairs = [pair for pair in SHOWN if any(found[1:] == pair for found in compared(runs))]
    for world, one, other in compared(runs):
        if (one, other) in pairs:
            place = worlds.index(world) + 0.8 * (pairs.index((one, other)) + 0.5) / len(pairs) - 0.4
            _draw(axes, place, runs, (world, one, other))
    for edge in range(1, len(worlds)):
        axes.axhline(edge - 0.5, color=LIGHT.band, linewidth=1)
    axes.set_yticks(range(len(worlds)), worlds)
    axes.set_ylim(len(worlds) - 0.5, -0.5)
    axes.set_xlabel("difference in honest test score, percentage points (right: the first arm is better)", fontsize=8)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    _legend(figure, pairs)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _draw(axes: Any, place: float, runs: Sequence[CoevolutionRun], pair: tuple[str, str, str]) -> None:
    world, one, other = pair
    outcome, found = SHOWN[one, other][0], difference(runs, world, one, other)
    color = LIGHT.outcomes[outcome]
    first, second = scores(runs, world, one), scores(runs, world, other)
    seeds = sorted(first.keys() & second.keys())
    axes.plot(
        [first[seed] - second[seed] for seed in seeds],
        [place] * len(seeds),
        linestyle="none",
        marker=".",
        markersize=4,
        color=color,
        alpha=0.5,
    )
    low, high = (found.mean if end is None else end for end in (found.low, found.high))
    axes.plot([low, high], [place, place], color=color, linewidth=1.6, alpha=0.6)
    axes.plot(
        found.mean,
        place,
        marker=MARKERS[outcome],
        markersize=6,
        color=color,
        markerfacecolor=color if found.is_sure else LIGHT.ground,
    )


def _legend(figure: Any, pairs: Sequence[tuple[str, str]]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for pair in pairs:
        outcome, words = SHOWN[pair]
        style = {"color": LIGHT.outcomes[outcome], "marker": MARKERS[outcome], "markersize": 6, "linewidth": 1.6}
        handles.append(Line2D([], [], label=words, **style))
    hollow = Line2D([], [], color=LIGHT.ink, marker="o", markersize=6, markerfacecolor=LIGHT.ground, linestyle="none")
    hollow.set_label("hollow: one seed, or the 95% interval contains 0; dots: seeds")
    figure.legend(handles=[*handles, hollow], loc="outside upper left", ncols=2, frameon=False, fontsize=8)
