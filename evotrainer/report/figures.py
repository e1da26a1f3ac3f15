"""The figures of a report: the score trajectory, in it the lineage, and small ones of the signals of a training.

Each version has its screening score with the interval. The step line is the score of the incumbent of that moment, the
filled area under it all that was reached so far. A thin line leads from each version's parent to it, dashed where the
version was not promoted. The differences on fresh attempts, by which a promotion is decided, stand in the table.

Input are the plain values of report_data, so that page and picture show the same figure. Colours are
classes of the page's style sheet (style.css): `o-promoted` and its siblings give an outcome its colour, so that one
figure serves light and dark. Numbers are rounded, so that equal data give equal bytes.
"""

import math
import textwrap
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


CURVE = 250.0, 104.0, 56.0, 10.0, 22.0, 20.0
"""Width and height of a small figure; what lies left, right, above and below of its axes."""


def curve_figure(name: str, points: Sequence[tuple[float, float]]) -> Markup:
    """Return the figure of one signal, of (step, value) points."""
    width, height, left, right, top, bottom = CURVE
    x = Scale([step for step, _ in points], left, width - right, margin=0.0)
    y = Scale([value for _, value in points], height - bottom, top)
    content = [text(left, 12, name, "name")]
    for tick in y.ticks(3):
        content += [
            line(left, y(tick), width - right, y(tick), "grid"),
            text(left - 6, y(tick) + 4, f"{tick:.3g}", "tick", "end"),
        ]
    path = "".join(f"{'L' if i else 'M'}{x(step):.1f},{y(value):.1f}" for i, (step, value) in enumerate(points))
    content.append(element("path", d=path, class_="curve"))
    last = max((step for step, _ in points), default=0)
    content.append(text(width - right, height - 5, f"step {last:g}", "tick", "end"))
    return figure(width, height, f"{name} by step", content)


def curves_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[tuple[float, float]]]:
    """Return {signal: points} of the rows of a curve.json, signals without a value left out."""
    found = {name: [(row["step"], row[name]) for row in rows if row.get(name) is not None] for name in names}
    return {name: points for name, points in found.items() if points}


Version = Mapping[str, Any]

LEFT, RIGHT, MIN_COLUMN, MAX_COLUMN, WIDTH = 62.0, 40.0, 88.0, 150.0, 980.0
MAX_CHARACTERS = 15
"""Of a line below a version."""
TOP, UPPER, LABELS = 16.0, 210.0, 52.0


def trajectory_figure(versions: Sequence[Version], reigns: Sequence[str]) -> Markup:
    """Return the figure; `reigns` names the incumbent after each version."""
    columns, bottom = Columns(len(versions)), TOP + UPPER
    content = [*_bands(versions, columns, bottom), *_screening(versions, reigns, columns)]
    content += [
        label for place, version in enumerate(versions) for label in _labels(version, columns(place), bottom + 18)
    ]
    return figure(columns.right + RIGHT, bottom + LABELS, "Score of every version", content)


class Columns:
    """Places of versions: wide where there are few, and never too narrow to read."""

    def __init__(self, count: int) -> None:
        self.size = min(MAX_COLUMN, max(MIN_COLUMN, WIDTH / max(count, 1)))
        self.right = LEFT + self.size * max(count, 2)

    def __call__(self, place: int) -> float:
        """Return the middle of a version's column."""
        return LEFT + self.size * (place + 0.5)


def _bands(versions: Sequence[Version], columns: Columns, bottom: float) -> list[Markup]:
    """Shade every second generation: its versions started from the same incumbent."""
    shaded = [place for place, version in enumerate(versions) if version["generation"] % 2 == 0]
    return [
        element("rect", x=LEFT + columns.size * place, y=TOP, width=columns.size, height=bottom - TOP, class_="band")
        for place in shaded
    ]


def _axis(scale: Scale, right: float, title: str) -> list[Markup]:
    lines = [line(LEFT, scale(tick), right, scale(tick), "grid") for tick in scale.ticks()]
    labels = [text(LEFT - 8, scale(tick) + 4, tick_text(tick), "tick", "end") for tick in scale.ticks()]
    return [*lines, *labels, text(LEFT, min(scale.start, scale.end) - 4, title, "tick")]


def _screening(versions: Sequence[Version], reigns: Sequence[str], columns: Columns) -> list[Markup]:
    verdicts = [version["verdict"] for version in versions]
    ends = [v[name] for v in verdicts for name in ("score", "score_low", "score_high") if v[name] is not None]
    scale = Scale(ends, TOP + UPPER, TOP + 8)
    floor = TOP + UPPER - 14
    heights = [floor if verdict["score"] is None else scale(verdict["score"]) for verdict in verdicts]
    places = {v["version"]: (columns(i), heights[i]) for i, v in enumerate(versions)}
    return [
        *_axis(scale, columns.right, "screening score"),
        *_envelope(versions, reigns, scale, columns),
        *[branch for version in versions for branch in _branches(version, places)],
        *[mark for version in versions for mark in _version(version, places, scale)],
    ]


def _envelope(versions: Sequence[Version], reigns: Sequence[str], scale: Scale, columns: Columns) -> list[Markup]:
    """Return the score of the incumbent of each moment as a step line, filled below."""
    scores = {version["version"]: version["verdict"]["score"] for version in versions}
    steps = [(place, scores.get(name)) for place, name in enumerate(reigns)]
    known = [(columns(place), scale(score)) for place, score in steps if score is not None]
    if not known:
        return []
    path = f"M{known[0][0]:.1f},{known[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in known[1:])
    path += f"H{columns.right:.1f}"
    area = f"{path}V{scale.start:.1f}H{known[0][0]:.1f}z"
    return [element("path", d=area, class_="envelope"), element("path", d=path, class_="best")]


def _branches(version: Version, places: Mapping[str, tuple[float, float]]) -> list[Markup]:
    x, y = places[version["version"]]
    kind = "branch" if version["verdict"]["outcome"] == "promoted" else "branch dead"
    return [line(*places[parent], x, y, kind) for parent in version["parents"] if parent in places]


def _version(version: Version, places: Mapping[str, tuple[float, float]], scale: Scale) -> list[Markup]:
    verdict, (x, y) = version["verdict"], places[version["version"]]
    outcome, score = verdict["outcome"], verdict["score"]
    if score is None:
        marks = [element("title", _title(version)), marker(x, y, outcome, hollow=True)]
        return [element("a", *marks, text(x + 10, y - 7, "no score", "tick"), href=f"#{version['version']}")]
    marks = [element("title", _title(version)), marker(x, y, outcome), text(x + 10, y - 7, f"{score:.3f}", "value")]
    if verdict["score_low"] is not None and verdict["score_high"] is not None:
        marks.insert(1, line(x, scale(verdict["score_low"]), x, scale(verdict["score_high"]), f"interval o-{outcome}"))
    return [element("a", *marks, href=f"#{version['version']}")]


def _labels(version: Version, x: float, y: float) -> list[Markup]:
    words = version["change"].replace(" + ", "\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}")
    lines = textwrap.wrap(words, MAX_CHARACTERS, max_lines=2, placeholder="…")
    shown = [text(x, y, version["version"], "name", "middle")]
    shown += [text(x, y + 15 + 13 * row, part, "tick", "middle") for row, part in enumerate(lines)]
    return shown


def _title(version: Version) -> str:
    verdict = version["verdict"]
    score = "no score" if verdict["score"] is None else f"score {verdict['score']:.4f}"
    return f"{version['version']} {verdict['outcome']}: {score}; {version['change']}"
