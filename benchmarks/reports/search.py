"""Searches at equal budget as a table and a figure."""

import io
import itertools
import statistics
from collections.abc import Sequence

from benchmarks.paired_seeds import seed_difference
from benchmarks.reports.markdown import markdown_table
from benchmarks.search.measure import SearchRun

COLUMNS = (
    "search | best honest score | range over seeds | area under best-so-far | promoted | false | invalid | "
    "refused as duplicates | evaluations"
)
MARKERS = "os^vD<>Px"
"""Searches that promote alike lie on one line: hollow marks of several shapes show who is there."""


def search_report(runs: Sequence[SearchRun]) -> str:
    """Return the table, the best arm first; counts are means a campaign."""
    arms = sorted({run.arm for run in runs}, key=lambda arm: -_mean(runs, arm, "best"))
    return markdown_table(COLUMNS, [_row(arm, [run for run in runs if run.arm == arm]) for arm in arms])


def difference_report(runs: Sequence[SearchRun], against: str) -> str:
    """Return the table of differences of every arm to one, paired by seed, with what each campaign cost."""
    best = {
        arm: {run.seed: run.best for run in runs if run.arm == arm} for arm in dict.fromkeys(run.arm for run in runs)
    }
    rows = []
    for arm in best:
        found = seed_difference(best[arm], best[against])
        interval = "-" if found.low is None or found.high is None else f"[{found.low:+.4f}, {found.high:+.4f}]"
        seconds = [run.cpu_seconds for run in runs if run.arm == arm and run.cpu_seconds is not None]
        moved = "-" if arm == against else f"{found.mean:+.4f}"
        rows.append(
            [
                arm,
                str(found.num_seeds),
                moved,
                "-" if arm == against else interval,
                f"{statistics.fmean(seconds):.0f}" if seconds else "-",
            ]
        )
    return markdown_table(f"search | seeds | best score against {against} | 95% interval | CPU seconds", rows)


def search_figure(runs: Sequence[SearchRun]) -> bytes:
    """Return the true score of the incumbent by trained versions, mean over seeds, as a PNG."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 4.5), dpi=120)
    axes = figure.add_subplot()
    arms = list(dict.fromkeys(run.arm for run in runs))
    for arm, marker in zip(arms, itertools.cycle(MARKERS), strict=False):
        curves = [run.curve for run in runs if run.arm == arm]
        means = [statistics.fmean(scores) for scores in zip(*curves, strict=False)]
        axes.plot(range(1, len(means) + 1), means, label=arm, marker=marker, fillstyle="none", alpha=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("trained versions")
    axes.set_ylabel("true score of the incumbent, mean over seeds")
    axes.legend(fontsize=7)
    figure.tight_layout()
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _row(arm: str, runs: Sequence[SearchRun]) -> list[str]:
    best = [run.best for run in runs]
    counts = [
        statistics.fmean(getattr(run, name) for run in runs)
        for name in ("num_promoted", "false", "invalid", "duplicates", "evaluations")
    ]
    shown = [f"{statistics.fmean(best):.4f}", f"{min(best):.4f} to {max(best):.4f}", f"{_mean(runs, arm, 'area'):.4f}"]
    return [arm, *shown, *(f"{count:.1f}" for count in counts)]


def _mean(runs: Sequence[SearchRun], arm: str, name: str) -> float:
    return statistics.fmean(getattr(run, name) for run in runs if run.arm == arm)
