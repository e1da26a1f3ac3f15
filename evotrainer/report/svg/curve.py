"""Small figures: the curve of one training signal by step, and a difference with its interval on a shared axis."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from evotrainer.report.svg.marks import Scale, element, figure, line, text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 250.0, 104.0, 44.0, 10.0, 22.0, 20.0
FOREST_WIDTH, FOREST_HEIGHT = 170.0, 18.0


def curve_figure(name: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> Markup:
    """Return the figure of one signal: (step, value) points by version, the first version drawn strong."""
    points = [point for curve in curves.values() for point in curve]
    x = Scale([step for step, _ in points], LEFT, WIDTH - RIGHT, margin=0.0)
    y = Scale([value for _, value in points], HEIGHT - BOTTOM, TOP)
    content = [text(LEFT, 12, name, "name")]
    for tick in y.ticks(3):
        content += [
            line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid"),
            text(LEFT - 6, y(tick) + 4, f"{tick:.4g}", "tick", "end"),
        ]
    for place, (version, curve) in enumerate(curves.items()):
        path = "".join(f"{'L' if i else 'M'}{x(step):.1f},{y(value):.1f}" for i, (step, value) in enumerate(curve))
        content.append(element("path", element("title", version), d=path, class_=f"curve c{min(place, 1)}"))
    last = max((step for step, _ in points), default=0)
    content.append(text(WIDTH - RIGHT, HEIGHT - 5, f"step {last:g}", "tick", "end"))
    return figure(WIDTH, HEIGHT, f"{name} by step", content)


def forest_figure(comparison: Mapping[str, float], ends: Sequence[float], outcome: str) -> Markup:
    """Return one difference with its interval; `ends` are the bounds of all rows, which share one axis."""
    x, y = Scale([0.0, *ends], 6.0, FOREST_WIDTH - 6.0, margin=0.0), FOREST_HEIGHT / 2
    content = [
        line(x(0.0), 0, x(0.0), FOREST_HEIGHT, "zero"),
        line(x(comparison["low"]), y, x(comparison["high"]), y, f"interval o-{outcome}"),
        element("circle", cx=x(comparison["difference"]), cy=y, r=4.5, class_=f"mark o-{outcome}"),
    ]
    return figure(FOREST_WIDTH, FOREST_HEIGHT, f"difference {comparison['difference']:+.4f}", content)


def curves_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[tuple[float, float]]]:
    """Return {signal: points} of the rows of a curve.json, signals without a value left out."""
    found = {name: [(row["step"], row[name]) for row in rows if row.get(name) is not None] for name in names}
    return {name: points for name, points in found.items() if points}
