"""A/A campaigns as a table in Markdown and two figures: how often the gates promote what is no better."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.aa_tests.outcomes import AACampaign, AACount, AAVersion, count
from benchmarks.intervals import exact_interval
from benchmarks.reports.share_bars import ShareBar, draw_share_bars, plain
from evotrainer.report.figure import LIGHT

AIM = 0.05
NAMES = {"policy": "same policy", "recipe": "other seeds of one recipe"}


def counts_of(campaigns: Sequence[AACampaign]) -> list[AACount]:
    """Return the counts by kind and rule, in the order in which they come."""
    groups: dict[tuple[str, str], list[AACampaign]] = {}
    for campaign in campaigns:
        groups.setdefault((campaign.kind, campaign.rule), []).append(campaign)
    return [count(group) for group in groups.values()]


def aa_table(campaigns: Sequence[AACampaign]) -> str:
    """Return one row a kind and rule: campaigns with any promotion, its exact limit, and what was paid."""
    lines = [
        "| nothing is better | rule | campaigns | versions each | with any promotion | upper 95% limit, % | promotions "
        "| versions tried afresh | paid for each of them |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in counts_of(campaigns):
        lines.append(
            f"| {NAMES[row.kind]} | {row.rule} | {row.campaigns} | {row.num_versions} | {row.with_any} "
            f"({100 * row.with_any / row.campaigns:.1f}%) | {100 * row.upper_limit:.1f} | {row.promotions} | "
            f"{_tried(row)} | {_paid(row)} |"
        )
    return "\n".join(lines) + "\n"


def promotions_figure(rows: Sequence[AACount]) -> bytes:
    """Return a PNG: the share of A/A campaigns with any promotion, by rule."""

    def draw(figure: Any) -> None:
        _draw_shares(figure.add_axes((0.27, 0.12, 0.68, 0.72)), rows)

    return _png(draw)


def fresh_figure(campaigns: Sequence[AACampaign]) -> bytes:
    """Return a PNG: what fresh attempts and fresh training seeds make of each screening difference."""

    def draw(figure: Any) -> None:
        _draw_curse(figure.add_axes((0.1, 0.12, 0.87, 0.72)), campaigns)

    return _png(draw)


def _png(draw: Callable[[Any], None]) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.6), dpi=200, facecolor=LIGHT.ground)
    FigureCanvasAgg(figure)
    draw(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None}, bbox_inches="tight", pad_inches=0.15)
    return buffer.getvalue()


def _tried(row: AACount) -> str:
    return str(row.tried) if row.tried else "none: screening only"


def _paid(row: AACount) -> str:
    if not row.tried:
        return ""
    return f"{row.attempts:.1f} attempts an arm" if row.kind == "policy" else f"{row.runs:.1f} training runs"


def _draw_shares(axes: Any, rows: Sequence[AACount]) -> None:
    bars = [
        ShareBar(
            f"{NAMES[row.kind]}\n{row.rule}",
            row.with_any / row.campaigns,
            *exact_interval(row.with_any, row.campaigns, 0.90),
            f"{row.with_any} of {row.campaigns}",
        )
        for row in rows
    ]
    draw_share_bars(axes, bars, AIM, "null campaigns with any promotion, % (two-sided 90% limits)")


def fresh_mean(versions: Sequence[AAVersion]) -> float:
    """Return the mean difference over all fresh attempts or training seeds of versions that were tried.

    A gate stops where its draws look bad and goes on where they look good. The mean over versions therefore lies below
    the truth where few draws are many versions; over draws, stopping leaves no such trace (Wald's identity).
    """
    tried = [(version.fresh, version.attempts or version.runs) for version in versions if version.fresh is not None]
    return sum(fresh * draws for fresh, draws in tried) / sum(draws for _, draws in tried)


def _draw_curse(axes: Any, campaigns: Sequence[AACampaign]) -> None:
    for kind, color, label in (("policy", "kept", "fresh attempts"), ("recipe", "invalid", "fresh training seeds")):
        tried = [
            version
            for found in campaigns
            if found.kind == kind
            for version in found.versions
            if version.fresh is not None
        ]
        if tried:
            seen_V, fresh_V = 100 * np.array([(version.difference, version.fresh) for version in tried]).T
            axes.plot(seen_V, fresh_V, ".", markersize=4, color=LIGHT.outcomes[color], label=label)
            axes.axhline(
                100 * fresh_mean(tried),
                color=LIGHT.outcomes[color],
                linewidth=1,
                linestyle=(0, (3, 2)),
                label=f"mean over all {label}",
            )
    axes.axline((0, 0), slope=1, color=LIGHT.faint, linewidth=1, label="no winner's curse")
    axes.set_ylabel("fresh difference to the incumbent, pp", fontsize=7)
    axes.legend(fontsize=6.5, frameon=False, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3)
    plain(axes, "screening difference of the versions that passed the screen, pp")
