"""Elements of a figure, escaped, and places on an axis.

Colours are classes of the page's style sheet (style.css): `o-promoted` and its siblings give an outcome its colour, so
that one figure serves light and dark. Numbers are rounded, so that equal data give equal bytes.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from evotrainer.campaign.untrusted import escape

FITTED_WIDTH = 1500.0
"""Figures up to this width shrink to a wide page, where their text stays readable; others are scrolled."""
SHAPES = {
    "promoted": "M-5.5,0a5.5,5.5 0 1,0 11,0a5.5,5.5 0 1,0 -11,0z",
    "kept": "M0,-6.5L6.5,0L0,6.5L-6.5,0z",
    "rejected": "M-6,-4.5L6,-4.5L0,6z",
    "invalid": "M-6,-3.5L-3.5,-6L0,-2.5L3.5,-6L6,-3.5L2.5,0L6,3.5L3.5,6L0,2.5L-3.5,6L-6,3.5L-2.5,0z",
    "inconclusive": "M-5,-5L5,-5L5,5L-5,5z",
    "failed": "M-2,-6L2,-6L2,-2L6,-2L6,2L2,2L2,6L-2,6L-2,2L-6,2L-6,-2L-2,-2z",
}
"""One shape an outcome: colour never tells alone."""


def element(name: str, *content: Any, **attributes: Any) -> Markup:
    """Return one element; `class_` is its class, other underscores in names are dashes. Text is escaped."""
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    shown = Markup("").join(Markup(' {}="{}"').format(key, _number(escape(value))) for key, value in given.items())
    return Markup("<{}{}>{}</{}>").format(name, shown, Markup("").join(map(escape, content)), name)


def figure(width: float, height: float, label: str, content: Iterable[Any]) -> Markup:
    """Return the whole figure; `label` is read aloud. It is scrolled where a page is narrower, see FITTED_WIDTH."""
    return element(
        "svg",
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
        class_="figure fits" if width <= FITTED_WIDTH else "figure",
    )


def text(x: float, y: float, content: str, class_: str = "ink", anchor: str = "start") -> Markup:
    """Return a line of text; `anchor` is start, middle or end."""
    return element("text", content, x=x, y=y, class_=class_, text_anchor=None if anchor == "start" else anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def marker(x: float, y: float, outcome: str, hollow: bool = False) -> Markup:
    """Return the shape of an outcome at a place."""
    kind, place = "hollow" if hollow else "mark", f"translate({_number(x)} {_number(y)})"
    return element("path", d=SHAPES[outcome], transform=place, class_=f"{kind} o-{outcome}")


class Scale:
    """Places of values on an axis whose `start` is the place of the lowest value and `end` that of the highest."""

    def __init__(self, values: Iterable[float], start: float, end: float, margin: float = 0.08) -> None:
        known = list(values) or [0.0, 1.0]
        spread = (max(known) - min(known)) or abs(known[0]) or 1.0
        margin = margin if min(known) < max(known) else margin or 0.5  # a single value stands in the middle
        self.low, self.high = min(known) - margin * spread, max(known) + margin * spread
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return round values, about `count` of them."""
        rough = (self.high - self.low) / count
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        first = math.ceil(self.low / step)
        return [round(place * step, 10) for place in range(first, math.floor(self.high / step) + 1)]


def tick_text(value: float) -> str:
    """Return a tick's label."""
    return f"{value:.10g}"


def _number(value: Any) -> Any:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 250.0, 104.0, 56.0, 10.0, 22.0, 20.0


def curve_figure(name: str, points: Sequence[tuple[float, float]]) -> Markup:
    """Return the figure of one signal, of (step, value) points."""
    x = Scale([step for step, _ in points], LEFT, WIDTH - RIGHT, margin=0.0)
    y = Scale([value for _, value in points], HEIGHT - BOTTOM, TOP)
    content = [text(LEFT, 12, name, "name")]
    for tick in y.ticks(3):
        content += [
            line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid"),
            text(LEFT - 6, y(tick) + 4, f"{tick:.3g}", "tick", "end"),
        ]
    path = "".join(f"{'L' if i else 'M'}{x(step):.1f},{y(value):.1f}" for i, (step, value) in enumerate(points))
    content.append(element("path", d=path, class_="curve"))
    last = max((step for step, _ in points), default=0)
    content.append(text(WIDTH - RIGHT, HEIGHT - 5, f"step {last:g}", "tick", "end"))
    return figure(WIDTH, HEIGHT, f"{name} by step", content)


def curves_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[tuple[float, float]]]:
    """Return {signal: points} of the rows of a curve.json, signals without a value left out."""
    found = {name: [(row["step"], row[name]) for row in rows if row.get(name) is not None] for name in names}
    return {name: points for name, points in found.items() if points}
