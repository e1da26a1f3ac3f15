"""The figure of selection regret: a row a rule, a dot a pool, the mean over campaigns with its 95% interval."""

import io
from collections.abc import Sequence
from typing import Any

from benchmarks.regret.arithmetic import clustered
from benchmarks.regret.measured.records import MeasuredCampaign, TrainedPool
from benchmarks.regret.results import pool_regret
from benchmarks.regret.rules import OURS, RULES, Rule
from benchmarks.reports.regret import usable
from evotrainer.report.figure import LIGHT

SPREAD = 0.5
"""Height of a row over which its dots are laid out, pool by pool."""


def regret_figure(campaigns: Sequence[MeasuredCampaign]) -> bytes:
    """Return a PNG: regret of one candidate a pool, by rule."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    _, pools = usable(campaigns)
    figure = Figure(figsize=(8, 1.2 + 0.5 * len(RULES)), dpi=200, facecolor=LIGHT.ground, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.axvline(0, color=LIGHT.faint, linewidth=1)
    for place, (name, rule) in enumerate(RULES.items()):
        _draw(axes, place, pools, rule, LIGHT.outcomes["promoted" if name == OURS else "kept"])
    axes.set_yticks(range(len(RULES)), [f"{name}\n{rule.words}" for name, rule in RULES.items()], fontsize=7)
    axes.set_ylim(len(RULES) - 0.5, -0.5)
    axes.set_xlabel(
        f"regret in honest score, percentage points, {len(pools)} pools (left is better)\nbar: mean over campaigns "
        "with its 95% interval",
        fontsize=7,
    )
    axes.tick_params(axis="x", labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _draw(axes: Any, place: int, pools: Sequence[TrainedPool], rule: Rule, color: str) -> None:
    values = [pool_regret(pool, rule).regret[1] for pool in pools]
    heights = [place + SPREAD * ((index + 0.5) / len(values) - 0.5) for index in range(len(values))]
    axes.plot(values, heights, linestyle="none", marker=".", markersize=5, color=color, alpha=0.5)
    found = clustered(values, [pool.seed for pool in pools])
    low, high = (found.mean if end is None else end for end in (found.low, found.high))
    axes.plot([low, high], [place, place], color=LIGHT.ink, linewidth=1.6)
    axes.plot(found.mean, place, marker="D", markersize=5, color=LIGHT.ink)
