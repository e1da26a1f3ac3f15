"""The figure of audits: how reward and truth agree on fresh attempts, before and after the correction of each audit.

One panel a size of the audit, one row a world. A grey dot is the owner's reward, a marker what the correction makes of
it, a cross what random columns make of it; a line joins those of one seed. Nothing found: the dot alone.
"""

import io
from collections.abc import Sequence
from typing import Any

from benchmarks.lopo.audits import AuditFound
from evotrainer.report.figure import LIGHT, MARKERS

SPREAD = 0.7
"""Height of a world's row over which its seeds stand."""


def audits_figure(found: Sequence[AuditFound]) -> bytes:
    """Return a PNG: panels by size, rows by world."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    worlds = list(dict.fromkeys(one.world for one in found))
    sizes = sorted({one.audited for one in found})
    size = (2 + 2.4 * len(sizes), 1.6 + 0.9 * len(worlds))
    figure = Figure(figsize=size, dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(sizes), sharex=True, sharey=True, squeeze=False)[0]
    for axes, audited in zip(panels, sizes, strict=True):
        for place, world in enumerate(worlds):
            own = [one for one in found if (one.world, one.audited) == (world, audited)]
            for number, one in enumerate(own):
                _draw(axes, place + SPREAD * ((number + 0.5) / len(own) - 0.5), one)
        axes.set_title(f"{audited} audited attempts", fontsize=8)
        axes.set_yticks(range(len(worlds)), worlds)
        axes.set_ylim(len(worlds) - 0.5, -0.5)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    figure.supxlabel("correlation of reward and truth within problems, on attempts at other problems", fontsize=8)
    _legend(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _draw(axes: Any, place: float, one: AuditFound) -> None:
    color = LIGHT.outcomes["promoted"]
    axes.plot(one.before, place, marker="o", markersize=4, color=LIGHT.faint, linestyle="none")
    if not one.is_found:
        return
    axes.plot([one.before, one.after], [place, place], color=color, linewidth=1, alpha=0.5)
    axes.plot(one.after, place, marker=MARKERS["promoted"], markersize=5, color=color, linestyle="none")


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    said = [
        ("o", LIGHT.faint, "the owner's reward"),
        (MARKERS["promoted"], LIGHT.outcomes["promoted"], "with the correction that the audit found"),
    ]
    handles = [
        Line2D([], [], label=words, color=color, marker=marker, markersize=5, linestyle="none")
        for marker, color, words in said
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=8)
