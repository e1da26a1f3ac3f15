"""The figure of the co-evolution bench: honest scores and wasted steps, one column a world, one point a campaign.

A line joins the campaigns of one seed, since arms are compared within it. A cross marks a campaign with an invalid
promotion.
"""

import io
from collections.abc import Sequence
from typing import Any

from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.reports.coevolution import MEASURES, arms_of, worlds_of
from evotrainer.report.figure import LIGHT, MARKERS

ROWS = {"score": "honest test score, %", "wasted_share": "wasted steps, %"}


def coevolution_figure(runs: Sequence[CoevolutionRun]) -> bytes:
    """Return a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    worlds = worlds_of(runs)
    figure = Figure(figsize=(1.2 + 3.2 * len(worlds), 5.2), dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(ROWS), len(worlds), squeeze=False)
    for row, (measure, words) in enumerate(ROWS.items()):
        for column, world in enumerate(worlds):
            axes = panels[row][column]
            _panel(axes, [run for run in runs if run.world == world], arms_of(runs), measure)
            if row == 0:
                axes.set_title(world, fontsize=9, loc="left")
            if column == 0:
                axes.set_ylabel(words, fontsize=8)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _panel(axes: Any, runs: Sequence[CoevolutionRun], arms: Sequence[str], measure: str) -> None:
    value = MEASURES[measure][1]
    for seed in sorted({run.seed for run in runs}):
        own = sorted((run for run in runs if run.seed == seed), key=lambda run: arms.index(run.arm))
        axes.plot([arms.index(run.arm) for run in own], [value(run) for run in own], color=LIGHT.faint, linewidth=0.8)
        for run in own:
            outcome = "invalid" if run.invalid_promotions else "promoted"
            axes.plot(
                [arms.index(run.arm)],
                [value(run)],
                marker=MARKERS[outcome],
                color=LIGHT.outcomes[outcome],
                markersize=6,
                linestyle="none",
            )
    axes.set_xticks(range(len(arms)), arms, rotation=30, ha="right")
    axes.set_xlim(-0.5, len(arms) - 0.5)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
