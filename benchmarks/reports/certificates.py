"""Certificates of many campaigns side by side: a table in Markdown and a figure.

All seeds are shown, none is averaged away.
"""

import io
from collections.abc import Sequence
from typing import Any

from benchmarks.reports.markdown import markdown_table
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.records import BenchRun, Certificate, Comparison
from evotrainer.report.figure import LIGHT

FIRST_TRAINED = "v001"


def certificates_table(runs: Sequence[BenchRun]) -> str:
    """Return a Markdown table, one row a campaign: scores in %, differences in percentage points with 95% intervals."""
    columns = "arm | seed | v0 | v1 | incumbent | score | against v0 | against v1 | promoted of trained"
    rows = []
    for run in sorted(runs, key=lambda run: (run.arm, run.seed)):
        scores = {score.version: f"{100 * score.score:.1f}" for score in run.certificate.scores}
        cells = [
            run.arm,
            str(run.seed),
            scores[BASE_VERSION],
            scores.get(FIRST_TRAINED, ""),
            run.certificate.incumbent,
            scores[run.certificate.incumbent],
            _interval(run.certificate, BASE_VERSION),
            _interval(run.certificate, FIRST_TRAINED),
            f"{run.num_promoted} of {run.num_trained}",
        ]
        rows.append(cells)
    return markdown_table(columns, rows)


def certificates_figure(runs: Sequence[BenchRun]) -> bytes:
    """Return a PNG: the difference to v1 with its interval, one point a campaign, one column an arm."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # loaded when a figure is wanted
    from matplotlib.figure import Figure

    arms = list(dict.fromkeys(run.arm for run in runs))
    figure = Figure(figsize=(7.2, 3.6), dpi=200, facecolor=LIGHT.ground)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.1, 0.17, 0.87, 0.71))
    axes.axhline(0, color=LIGHT.faint, linewidth=1)
    for column, arm in enumerate(arms):
        own = sorted((run for run in runs if run.arm == arm), key=lambda run: run.seed)
        for place, run in enumerate(own):
            found = comparison(run.certificate, FIRST_TRAINED)
            x = column + 0.13 * (place - (len(own) - 1) / 2)
            center, low, high = (found.difference, found.low, found.high) if found else (0.0, 0.0, 0.0)
            color = LIGHT.outcomes["promoted" if low > 0 else "kept"]
            axes.plot([x, x], [100 * low, 100 * high], color=color, linewidth=2)
            axes.plot([x], [100 * center], marker="o", markersize=5, color=color)
            axes.annotate(
                str(run.seed),
                (x, 100 * high),
                (0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=7,
                color=LIGHT.faint,
            )
    axes.set_xticks(range(len(arms)), arms)
    axes.set_xlim(-0.6, len(arms) - 0.4)
    axes.set_ylabel("incumbent - v1 on the sealed test, pp", fontsize=8)
    axes.set_xlabel("arm; the number above a point is its campaign seed", fontsize=8)
    axes.legend(handles=_handles(), fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _handles() -> list[Any]:
    from matplotlib.lines import Line2D

    words = {"promoted": "95% paired interval above 0", "kept": "interval contains 0, or the incumbent is v1"}
    return [Line2D([], [], marker="o", color=LIGHT.outcomes[name], label=label) for name, label in words.items()]


def comparison(certificate: Certificate, against: str) -> Comparison | None:
    """Return the incumbent's comparison with a version; None where the incumbent is that version."""
    return next((found for found in certificate.comparisons if found.against == against), None)


def _interval(certificate: Certificate, against: str) -> str:
    found = comparison(certificate, against)
    if found is None:
        return "is it"
    return f"{100 * found.difference:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
