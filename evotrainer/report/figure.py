"""The score trajectory as a PNG: every version's score with its interval, the incumbent's line, the base's line.

Outcome is told by colour and by marker, so that the figure reads in grey too. The colours are those of the page.
Bytes repeat for equal records: no date is stored in the file.
"""

import io
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import incumbent
from evotrainer.records import VersionRecord

MARKERS = {"promoted": "o", "kept": "D", "rejected": "v", "invalid": "X", "inconclusive": "s", "failed": "P"}


@dataclass(frozen=True)
class Palette:
    """Colours of one appearance."""

    ground: str
    ink: str
    faint: str
    band: str
    outcomes: dict[str, str]


LIGHT = Palette(
    "#ffffff",
    "#1d2430",
    "#8a93a3",
    "#f3f5f9",
    {
        "promoted": "#12805c",
        "kept": "#2f6fb5",
        "rejected": "#c2410c",
        "invalid": "#8b3fb0",
        "inconclusive": "#a16207",
        "failed": "#6b7280",
    },
)
DARK = Palette(
    "#161b24",
    "#e6e9ef",
    "#7c8798",
    "#1d2431",
    {
        "promoted": "#3ecf9b",
        "kept": "#6cb0f5",
        "rejected": "#fb8a5a",
        "invalid": "#cf8df0",
        "inconclusive": "#e2b84a",
        "failed": "#9aa4b2",
    },
)


def trajectory_png(records: Sequence[VersionRecord], palette: Palette = LIGHT) -> bytes:
    """Return the figure as PNG bytes, 2x resolution."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(7.2, 1.9 + 0.62 * len(records)), 3.7), dpi=200, facecolor=palette.ground)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.06, 0.21, 0.93, 0.66), facecolor=palette.ground)
    _bands(axes, records, palette)
    _reference_lines(axes, records, palette)
    _points(axes, records, palette)
    _frame(axes, records, palette)
    buffer = io.BytesIO()
    figure.savefig(
        buffer,
        format="png",
        facecolor=palette.ground,
        metadata={"Software": None},
        bbox_inches="tight",
        pad_inches=0.12,
    )
    return buffer.getvalue()


def _bands(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    """Shade every second generation: versions inside one band started from the same incumbent."""
    for generation in {record.spec.generation for record in records}:
        places = [index for index, record in enumerate(records) if record.spec.generation == generation]
        if generation % 2 == 0:
            axes.axvspan(places[0] - 0.5, places[-1] + 0.5, color=palette.band, zorder=0, linewidth=0)


def _reference_lines(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    scores = {record.spec.version: record.verdict.score for record in records}
    base = scores.get(BASE_VERSION)
    if base is not None:
        axes.axhline(base, color=palette.faint, linewidth=1, linestyle=(0, (2, 3)), zorder=1)
    reigns = [incumbent(records[: index + 1]) for index in range(len(records))]
    for version, places in itertools.groupby(range(len(records)), key=lambda index: reigns[index]):
        score, stretch = scores.get(version), list(places)
        if score is not None:
            axes.hlines(
                score,
                stretch[0],
                stretch[-1] + 1 - 0.5 * (stretch[-1] + 1 == len(records)),
                linewidth=2,
                color=palette.outcomes["promoted"],
                alpha=0.45,
                zorder=2,
            )


def _points(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=3, foreground=palette.ground)]  # keeps a number readable on the incumbent's line
    for index, record in enumerate(records):
        verdict = record.verdict
        colour, marker = palette.outcomes[verdict.outcome], MARKERS[verdict.outcome]
        if verdict.score is None:
            continue
        if verdict.score_low is not None and verdict.score_high is not None:
            axes.vlines(index, verdict.score_low, verdict.score_high, color=colour, linewidth=2.2, alpha=0.55, zorder=3)
        axes.plot(
            index,
            verdict.score,
            marker=marker,
            markersize=8.5,
            color=colour,
            zorder=4,
            linestyle="none",
            markeredgecolor=palette.ground,
            markeredgewidth=1.2,
        )
        axes.annotate(
            f"{verdict.score:.3f}",
            (index, verdict.score),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=palette.ink,
            path_effects=halo,
            zorder=5,
        )


def _frame(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    from matplotlib.lines import Line2D

    axes.set_xlim(-0.5, len(records) - 0.25)
    axes.margins(y=0.12)
    low, high = axes.get_ylim()
    for index, record in enumerate(records):
        if record.verdict.score is None:
            axes.plot(
                index,
                low + 0.04 * (high - low),
                marker=MARKERS[record.verdict.outcome],
                markersize=7,
                zorder=4,
                markerfacecolor="none",
                markeredgecolor=palette.outcomes[record.verdict.outcome],
            )
            axes.annotate(
                "no score",
                (index, low + 0.04 * (high - low)),
                xytext=(7, 0),
                textcoords="offset points",
                va="center",
                fontsize=7.5,
                color=palette.faint,
            )
    axes.set_ylim(low, high)
    axes.set_ylabel("validation score", fontsize=8.5, color=palette.faint)
    axes.set_xticks(range(len(records)), [_label(record) for record in records], fontsize=8, color=palette.ink)
    axes.tick_params(axis="y", labelsize=8.5, labelcolor=palette.faint, length=0)
    axes.tick_params(axis="x", length=0, pad=6)
    axes.grid(axis="y", color=palette.faint, alpha=0.18, linewidth=0.8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(palette.faint)
    seen = [name for name in MARKERS if any(record.verdict.outcome == name for record in records)]
    handles = [
        Line2D([], [], marker=MARKERS[name], linestyle="none", color=palette.outcomes[name], label=name)
        for name in seen
    ]
    handles.append(Line2D([], [], color=palette.outcomes["promoted"], alpha=0.45, label="incumbent"))
    handles.append(Line2D([], [], color=palette.faint, linestyle=(0, (2, 3)), linewidth=1, label="base policy"))
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.02),
        ncols=len(handles),
        frameon=False,
        fontsize=8.5,
        labelcolor=palette.ink,
        handletextpad=0.3,
        columnspacing=1.3,
        borderpad=0,
    )


def _label(record: VersionRecord) -> str:
    if record.spec.kind in ("base", "baseline"):
        return f"{record.spec.version}\n{record.spec.kind}"
    if record.spec.kind == "merge":
        return "\n".join([record.spec.version, "merge of", " + ".join(record.spec.parents)])
    factor = record.intervention.factor if record.intervention else "no change"
    return "\n".join([record.spec.version, *factor.split("_")])
