"""Searches at equal budget as a table and a figure."""

import io
import statistics
from collections.abc import Sequence

from benchmarks.reports.markdown import markdown_table
from benchmarks.search.measure import SearchRun

COLUMNS = (
    "search | best honest score | range over seeds | area under best-so-far | promoted | false | invalid | "
    "refused as duplicates | evaluations"
)


def search_report(runs: Sequence[SearchRun]) -> str:
    """Return the table, the best arm first; counts are means a campaign."""
    arms = sorted({run.arm for run in runs}, key=lambda arm: -_mean(runs, arm, "best"))
    return markdown_table(COLUMNS, [_row(arm, [run for run in runs if run.arm == arm]) for arm in arms])


def search_figure(runs: Sequence[SearchRun]) -> bytes:
    """Return the true score of the incumbent by trained versions, mean over seeds, as a PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), dpi=120)
    axes = figure.add_subplot()
    for arm in dict.fromkeys(run.arm for run in runs):
        curves = [run.curve for run in runs if run.arm == arm]
        length = min(map(len, curves))
        axes.plot([statistics.fmean(curve[place] for curve in curves) for place in range(length)], label=arm)
    axes.set_xlabel("trained versions")
    axes.set_ylabel("true score of the incumbent")
    axes.legend(fontsize=7)
    figure.tight_layout()
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _row(arm: str, runs: Sequence[SearchRun]) -> list[str]:
    best = [run.best for run in runs]
    counts = [statistics.fmean(getattr(run, name) for run in runs)
              for name in ("num_promoted", "false", "invalid", "duplicates", "evaluations")]  # fmt: skip
    shown = [f"{statistics.fmean(best):.4f}", f"{min(best):.4f} to {max(best):.4f}", f"{_mean(runs, arm, 'area'):.4f}"]
    return [arm, *shown, *(f"{count:.1f}" for count in counts)]


def _mean(runs: Sequence[SearchRun], arm: str, name: str) -> float:
    return statistics.fmean(getattr(run, name) for run in runs if run.arm == arm)
