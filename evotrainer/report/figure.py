"""The score trajectory as a PNG: screening scores above, and below them the fresh attempts that decide promotions.

A version is screened first: its score on the validation attempts, with its interval. Where that beats the incumbent's,
fresh attempts of both are compared, and only their confidence sequence decides. The two panels share their columns, so
that a version below the incumbent's line that was promoted shows why. Colour and marker both give the outcome; bytes
repeat for equal records.
"""

import hashlib
import io
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import incumbent
from evotrainer.records import VersionRecord

MARKERS = {"promoted": "o", "kept": "D", "rejected": "v", "invalid": "X", "inconclusive": "s", "failed": "P"}

_PNG_END = b"IEND\xaeB`\x82"


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


def write_trajectory(path: Path, records: Sequence[VersionRecord]) -> None:
    """Write the figure, unless the file holds it already: to load matplotlib and draw takes most of a report's time."""
    held = path.read_bytes() if path.is_file() else b""
    if not (held.endswith(_PNG_END) and _source(records).encode() in held):
        write_atomic(path, trajectory_png(records))


def _source(records: Sequence[VersionRecord]) -> str:
    """Return a hash of what a figure is drawn from: the records and this file."""
    parts = [Path(__file__).read_bytes(), *(record.model_dump_json().encode() for record in records)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def trajectory_png(records: Sequence[VersionRecord], palette: Palette = LIGHT) -> bytes:
    """Return the figure as PNG bytes, 2x resolution."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    has_fresh = any(record.verdict.gate is not None for record in records)
    size = (max(7.2, 1.9 + 0.75 * len(records)), 5.4 if has_fresh else 3.7)
    figure = Figure(figsize=size, dpi=200, facecolor=palette.ground)
    FigureCanvasAgg(figure)
    heights = (3, 2.6) if has_fresh else (1,)
    panels = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    figure.subplots_adjust(left=0.07, right=0.99, top=0.86, bottom=0.16, hspace=0.1)
    for axes in panels:
        _bands(axes, records, palette)
        _frame(axes, palette)
    _screening_panel(panels[0], records, palette)
    if has_fresh:
        _fresh_panel(panels[1], records, palette)
    panels[-1].set_xticks(range(len(records)), [_label(record) for record in records], fontsize=8, color=palette.ink)
    panels[-1].set_xlim(-0.5, len(records) - 0.25)
    figure.align_ylabels(panels)
    buffer = io.BytesIO()
    figure.savefig(
        buffer,
        format="png",
        facecolor=palette.ground,
        metadata={"Software": None, "Source": _source(records)},
        bbox_inches="tight",
        pad_inches=0.12,
    )
    return buffer.getvalue()


def _screening_panel(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    """Draw each version's screening score with its interval, and the lines of incumbent and base policy."""
    _reference_lines(axes, records, palette)
    for index, record in enumerate(records):
        verdict = record.verdict
        if verdict.score is not None:
            low, high = verdict.score_low or verdict.score, verdict.score_high or verdict.score
            _point(axes, index, (verdict.score, low, high), record, palette, f"{verdict.score:.3f}")
    axes.margins(y=0.12)
    low, high = axes.get_ylim()
    for index, record in enumerate(records):
        if record.verdict.score is None:
            _note(axes, index, low + 0.12 * (high - low), record, palette, "no score")
    axes.set_ylim(low, high)
    axes.set_ylabel("screening score\n(share correct)", fontsize=8.5, color=palette.ink)
    _legend(axes, records, palette)


def _fresh_panel(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    """Draw what fresh attempts say of each version against the incumbent it was held against."""
    axes.axhline(0, color=palette.faint, linewidth=1, zorder=1)
    for index, record in enumerate(records):
        gate = record.verdict.gate
        if gate is not None and gate.estimate is not None:
            _point(axes, index, (gate.estimate, gate.low, gate.high), record, palette, f"{gate.estimate:+.3f}")
        elif record.spec.version != BASE_VERSION:
            _note(axes, index, 0, record, palette, "not tested")
    axes.margins(y=0.15)
    axes.set_ylabel("fresh difference\nto the incumbent", fontsize=8.5, color=palette.ink)
    axes.set_xlabel("version, and the factor it changes", fontsize=8.5, color=palette.ink)


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


def _point(
    axes: Any, index: int, values: tuple[float, float, float], record: VersionRecord, palette: Palette, label: str
) -> None:
    """Draw one version's value, low and high in its column."""
    from matplotlib.patheffects import withStroke

    value, low, high = values
    outcome = record.verdict.outcome
    colour = palette.outcomes[outcome]
    axes.vlines(index, low, high, color=colour, linewidth=2.2, alpha=0.55, zorder=3)
    axes.plot(
        index,
        value,
        marker=MARKERS[outcome],
        markersize=8.5,
        color=colour,
        zorder=4,
        linestyle="none",
        markeredgecolor=palette.ground,
        markeredgewidth=1.2,
    )
    axes.annotate(
        label,
        (index, value),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=palette.ink,
        path_effects=[withStroke(linewidth=3, foreground=palette.ground)],  # readable on the incumbent's line
        zorder=5,
    )


def _note(axes: Any, index: int, height: float, record: VersionRecord, palette: Palette, text: str) -> None:
    """Draw a hollow marker with what is missing."""
    axes.plot(
        index,
        height,
        marker=MARKERS[record.verdict.outcome],
        markersize=7,
        zorder=4,
        markerfacecolor="none",
        markeredgecolor=palette.outcomes[record.verdict.outcome],
    )
    axes.annotate(
        text,
        (index, height),
        xytext=(7, -7),
        textcoords="offset points",
        va="center",
        fontsize=7.5,
        color=palette.faint,
    )


def _frame(axes: Any, palette: Palette) -> None:
    axes.set_facecolor(palette.ground)
    axes.tick_params(axis="y", labelsize=8.5, labelcolor=palette.faint, length=0)
    axes.tick_params(axis="x", length=0, pad=6)
    axes.grid(axis="y", color=palette.faint, alpha=0.18, linewidth=0.8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(palette.faint)


def _legend(axes: Any, records: Sequence[VersionRecord], palette: Palette) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    seen = [name for name in MARKERS if any(record.verdict.outcome == name for record in records)]
    handles: list[Any] = [
        Line2D([], [], marker=MARKERS[name], linestyle="none", color=palette.outcomes[name], label=name)
        for name in seen
    ]
    handles += [
        Line2D([], [], color=palette.outcomes["promoted"], alpha=0.45, label="incumbent's score"),
        Line2D([], [], color=palette.faint, linestyle=(0, (2, 3)), linewidth=1, label="base policy"),
        Line2D(
            [],
            [],
            color=palette.ink,
            alpha=0.55,
            linewidth=2.2,
            marker="|",
            linestyle="none",
            markersize=11,
            markeredgewidth=2.2,
            label="95% interval",
        ),
        Patch(facecolor=palette.band, edgecolor=palette.faint, linewidth=0.5, label="generation"),
    ]
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.02),
        ncols=len(handles),
        frameon=False,
        fontsize=8,
        labelcolor=palette.ink,
        handletextpad=0.3,
        columnspacing=1.1,
        borderpad=0,
    )


def _label(record: VersionRecord) -> str:
    if record.spec.kind in ("base", "baseline", "continuation"):
        return f"{record.spec.version}\n{record.spec.kind}"
    if record.spec.kind == "merge":
        return "\n".join([record.spec.version, "merge of", " + ".join(record.spec.parents)])
    factor = record.intervention.factor if record.intervention else "no change"
    return "\n".join([record.spec.version, *factor.split("_")])
