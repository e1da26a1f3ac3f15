"""One leak, two campaigns: what a guarded search and a score-only one make of histories that hold the fix.

Both start from the same base policy, data, seed and open histories. The table has one row a version, the figure three
panels: how training finds the leak, then each campaign's scores as evaluated and on sanitised histories.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.evidence.frames import load_frame
from evotrainer.records import Certificate, VersionRecord
from evotrainer.report.figure import LIGHT, MARKERS, Palette

RESTORED = "check_future_restored"


@dataclass(frozen=True)
class LeakCampaign:
    """One campaign with open histories."""

    name: str
    records: tuple[VersionRecord, ...]
    certificate: Certificate
    training: pd.DataFrame
    """Of the first trained version, by step: `score` and `restored`, shares in [0, 1]."""


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
            histories = "sanitised" if record.spec.is_sanitized else "open"
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
                f"{_percent(score.counterfactual_score)} |"
            )
    return "\n".join(lines) + "\n"


def leak_figure(campaigns: Sequence[LeakCampaign]) -> bytes:
    """Return a PNG: training under the leak, then one panel a campaign."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4 + 4 * len(campaigns), 3.8), dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    first, *others = figure.subplots(1, 1 + len(campaigns), sharey=True)
    _training_panel(first, campaigns[0], LIGHT)
    for axes, campaign in zip(others, campaigns, strict=True):
        _campaign_panel(axes, campaign, LIGHT)
    for axes in (first, *others):
        axes.set_ylim(-0.02, 1.02)
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _training_panel(axes: Any, campaign: LeakCampaign, palette: Palette) -> None:
    steps = campaign.training
    axes.plot(steps.index, steps["score"], color=palette.outcomes["promoted"], label="correct")
    axes.plot(steps.index, steps["restored"], color=palette.outcomes["invalid"], label="restored the fix from history")
    axes.set_title("v001 in training, histories open", fontsize=9, loc="left")
    axes.set_xlabel("step", fontsize=8)
    axes.legend(frameon=False, fontsize=8, loc="center right")


def _campaign_panel(axes: Any, campaign: LeakCampaign, palette: Palette) -> None:
    best = incumbent(campaign.records)
    for place, record in enumerate(campaign.records):
        if record.verdict.score is None:
            continue
        colour = palette.outcomes[record.verdict.outcome]
        axes.plot(place, record.verdict.score, marker=MARKERS[record.verdict.outcome], markersize=8, color=colour)
        if record.honest_score is not None and record.honest_score != record.verdict.score:
            axes.annotate(
                "",
                (place, record.honest_score),
                (place, record.verdict.score),
                arrowprops={"arrowstyle": "->", "color": colour, "lw": 1},
            )
            axes.plot(place, record.honest_score, marker="o", markersize=7, markerfacecolor="none", color=colour)
    places = {record.spec.version: place for place, record in enumerate(campaign.records)}
    sealed = [score for score in campaign.certificate.scores if score.counterfactual_score is not None]
    if sealed:
        axes.plot(
            [places[score.version] for score in sealed],
            [score.counterfactual_score for score in sealed],
            "s",
            markersize=7,
            markerfacecolor="none",
            color=palette.outcomes["invalid"],
            label="the same, sealed test",
        )
        axes.legend(frameon=False, fontsize=8, loc="center right")
    axes.set_xticks(
        range(len(campaign.records)),
        [f"{record.spec.version}{'★' if record.spec.version == best else ''}" for record in campaign.records],
        rotation=45,
    )
    axes.set_title(f"{campaign.name}: validation; hollow: on sanitised histories", fontsize=9, loc="left")


def _percent(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.1f}"
