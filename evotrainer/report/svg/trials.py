"""The scores of a lineage of trials in their order: the step line is the best kept one so far.

The axis spans the kept trials and as much again beyond the worst of them. A trial further off stands hollow at its edge
and does not flatten all others.
"""

from collections.abc import Sequence

from markupsafe import Markup

from evotrainer.campaign.trials.lineage import sign_of
from evotrainer.records import Better, Trial
from evotrainer.report.svg.marks import Scale, element, figure, line, marker, text, tick_text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 980.0, 300.0, 84.0, 20.0, 16.0, 40.0
SHAPE = {"keep": "promoted", "baseline": "kept", "discard": "rejected", "disqualified": "invalid"}
"""Which outcome's shape and colour a trial with a score has."""


def trials_figure(trials: Sequence[Trial], better: Better) -> Markup | None:
    """Return the figure; None where nothing was kept."""
    kept = [trial.score for trial in trials if trial.label in ("keep", "baseline") and trial.score is not None]
    if not kept:
        return None
    sign = sign_of(better)
    worst, best = min(kept, key=lambda score: sign * score), max(kept, key=lambda score: sign * score)
    scale = Scale([best, worst, worst - (best - worst)], HEIGHT - BOTTOM, TOP)
    columns = Scale([0.0, float(max(len(trials) - 1, 1))], LEFT, WIDTH - RIGHT, margin=0.02)
    return figure(
        WIDTH,
        HEIGHT,
        "Score of every trial, and the best kept so far",
        [*_axis(scale), *_points(trials, scale, columns), _best(trials, sign, scale, columns), *_ends(trials, columns)],
    )


def _axis(scale: Scale) -> list[Markup]:
    lines = [line(LEFT, scale(tick), WIDTH - RIGHT, scale(tick), "grid") for tick in scale.ticks()]
    return [*lines, *(text(LEFT - 8, scale(tick) + 4, tick_text(tick), "tick", "end") for tick in scale.ticks())]


def _points(trials: Sequence[Trial], scale: Scale, columns: Scale) -> list[Markup]:
    found = []
    for place, trial in enumerate(trials):
        if trial.score is None or trial.label not in SHAPE:
            continue
        inside = min(max(trial.score, scale.low), scale.high)
        mark = marker(columns(place), scale(inside), SHAPE[trial.label], hollow=inside != trial.score)
        told = f"{trial.trial_id} {trial.specialist} {trial.label} {trial.score:.6g}"
        found.append(element("g", element("title", told), mark))
    return found


def _best(trials: Sequence[Trial], sign: int, scale: Scale, columns: Scale) -> Markup:
    best, path = None, ""
    for place, trial in enumerate(trials):
        if trial.score is None or trial.label not in ("keep", "baseline"):
            continue
        if best is None:
            path = f"M{columns(place):.1f},{scale(trial.score):.1f}"
        elif sign * trial.score > sign * best:
            path += f"H{columns(place):.1f}V{scale(trial.score):.1f}"
        else:
            continue
        best = trial.score
    return element("path", d=f"{path}H{WIDTH - RIGHT:.1f}", class_="best")


def _ends(trials: Sequence[Trial], columns: Scale) -> list[Markup]:
    places = {0: "start", len(trials) - 1: "end"}
    return [
        text(columns(place), HEIGHT - 12, trials[place].trial_id, "tick", anchor) for place, anchor in places.items()
    ]
