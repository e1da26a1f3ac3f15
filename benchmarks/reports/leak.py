"""One leak, two campaigns: what a guarded search and a score-only one make of histories that hold the fix.

Both start from the same base policy, data, seed and open histories. The table has one row a version. One figure
shows how training finds the leak, another each campaign's scores as evaluated and on sanitised histories.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.evidence.frames import load_frame
from evotrainer.records import Certificate, VersionRecord
from evotrainer.report.figure import LIGHT, MARKERS

RESTORED = "check_future_restored"


@dataclass(frozen=True)
class LeakCampaign:
    """One campaign with open histories."""

    name: str
    records: tuple[VersionRecord, ...]
    certificate: Certificate
    training: pd.DataFrame
    """Of the first trained version, by step: `score` and `restored`, shares in [0, 1]."""


@dataclass(frozen=True)
class LeakPoint:
    """The scores of one version, shares in [0, 1]."""

    version: str
    outcome: str
    score: float
    honest: float | None
    """On sanitised histories, the validation split."""
    sealed: float | None
    """On sanitised histories, the sealed test split."""


def read_leak_campaign(name: str, files: CampaignFiles) -> LeakCampaign:
    """Return what a finished campaign says of the leak."""
    certificate = (files.certificate / "certificate.json").read_text(encoding="utf-8")
    frame = load_frame(files.version("v001").training)
    frame = frame.assign(restored=frame[RESTORED] > 0 if RESTORED in frame else 0.0)
    by_step = frame.groupby("step").agg(score=("correct", "mean"), restored=("restored", "mean"))
    return LeakCampaign(name, tuple(read_records(files)), Certificate.model_validate_json(certificate), by_step)


def leak_table(campaigns: Sequence[LeakCampaign]) -> str:
    """Return two Markdown tables: versions with their scores in %, and what the sealed test says of each incumbent."""
    lines = [
        "| campaign | version | evaluated on | score | on sanitised histories | verdict |",
        "|---|---|---|---|---|---|",
    ]
    for campaign in campaigns:
        for record in campaign.records:
            histories = "sanitised" if record.spec.access.strictness else "open"
            honest = None if record.honest_score == record.verdict.score else record.honest_score
            lines.append(
                f"| {campaign.name} | {record.spec.version} | {histories} | {_percent(record.verdict.score)} | "
                f"{_percent(honest)} | {record.verdict.outcome} |"
            )
    lines += ["", "| campaign | sealed test | as the campaign ended | on sanitised histories |", "|---|---|---|---|"]
    for campaign in campaigns:
        for score in campaign.certificate.scores:
            star = " (incumbent)" if score.version == campaign.certificate.incumbent else ""
            lines.append(
                f"| {campaign.name} | {score.version}{star} | {_percent(score.score)} | "
                f"{_percent(score.leak_free_score)} |"
            )
    return "\n".join(lines) + "\n"


def leak_figures(campaigns: Sequence[LeakCampaign]) -> dict[str, bytes]:
    """Return two PNGs by name: training under the leak, and the scores of each campaign's versions."""
    return {
        "training.png": _png(1, lambda panels: _training_panel(panels[0], campaigns[0])),
        "scores.png": scores_figure({campaign.name: leak_points(campaign) for campaign in campaigns}),
    }


def leak_points(campaign: LeakCampaign) -> list[LeakPoint]:
    """Return the scores of a campaign's versions, in the order of the campaign."""
    sealed = {score.version: score.leak_free_score for score in campaign.certificate.scores}
    best = incumbent(campaign.records)
    return [
        LeakPoint(
            version=f"{record.spec.version}{'★' if record.spec.version == best else ''}",
            outcome=record.verdict.outcome,
            score=record.verdict.score,
            honest=None if record.honest_score == record.verdict.score else record.honest_score,
            sealed=sealed.get(record.spec.version),
        )
        for record in campaign.records
        if record.verdict.score is not None
    ]


def scores_figure(points: Mapping[str, Sequence[LeakPoint]]) -> bytes:
    """Return a PNG with a panel a campaign; shares correct in [0, 1]."""

    def draw(panels: Sequence[Any]) -> None:
        for axes, (name, own) in zip(panels, points.items(), strict=True):
            for place, point in enumerate(own):
                _draw_point(axes, place, point)
            axes.set_xticks(range(len(own)), [point.version for point in own])
            axes.set_xlim(-0.5, len(own) - 0.5)
            axes.set_xlabel("version (★ final incumbent)", fontsize=8)
            axes.set_title(f"{name} campaign", fontsize=9, loc="left")
        panels[0].set_ylabel("share of attempts correct", fontsize=8)
        panels[-1].figure.legend(
            handles=_handles([point for own in points.values() for point in own]),
            loc="outside upper left",
            ncols=3,
            frameon=False,
            fontsize=8,
        )

    return _png(len(points), draw)


def _png(columns: int, draw: Callable[[Sequence[Any]], None]) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1 + 4 * columns, 3.8), dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    draw(panels)
    for axes in panels:
        axes.set_ylim(-0.03, 1.03)
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _training_panel(axes: Any, campaign: LeakCampaign) -> None:
    steps = campaign.training
    axes.plot(steps.index, steps["score"], color=LIGHT.outcomes["promoted"], label="correct")
    axes.plot(steps.index, steps["restored"], color=LIGHT.outcomes["invalid"], label="restored the fix from history")
    axes.set_title("v001 in training, histories open", fontsize=9, loc="left")
    axes.set_xlabel("optimiser step", fontsize=8)
    axes.set_ylabel("share of attempts", fontsize=8)
    axes.legend(frameon=False, fontsize=8, loc="center right")


def _draw_point(axes: Any, place: int, point: LeakPoint) -> None:
    color = LIGHT.outcomes[point.outcome]
    axes.plot(place, point.score, marker=MARKERS[point.outcome], markersize=8, color=color, linestyle="none")
    if point.honest is not None:
        axes.plot(place, point.honest, marker="o", markersize=7, markerfacecolor="none", color=color)
        axes.plot([place, place], [point.honest, point.score], color=color, linewidth=1, linestyle=(0, (2, 2)))
    if point.sealed is not None:
        axes.plot(place, point.sealed, "s", markersize=7, markerfacecolor="none", color=LIGHT.ink)


def _handles(points: Sequence[LeakPoint]) -> list[Any]:
    from matplotlib.lines import Line2D

    def handle(marker: str, color: str, label: str, **style: Any) -> Any:
        return Line2D([], [], marker=marker, color=color, label=label, linestyle="none", **style)

    outcomes = [name for name in MARKERS if any(point.outcome == name for point in points)]
    return [
        *(handle(MARKERS[name], LIGHT.outcomes[name], f"{name}, as evaluated") for name in outcomes),
        handle("o", LIGHT.ink, "same policy, sanitised histories", markerfacecolor="none"),
        handle("s", LIGHT.ink, "same policy, sanitised, sealed test", markerfacecolor="none"),
    ]


def _percent(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.1f}"
