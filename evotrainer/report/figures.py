"""The figure of a report: the score trajectory, and in it the lineage.

    upper panel   screening score with its interval; the step line is the score of the incumbent of that moment, the
                  filled area under it all that was reached so far; a thin line leads from each version's parent to it,
                  dashed where the version was not promoted
    lower panel   difference to the incumbent on fresh attempts, by which a promotion is decided

Input are the plain values of report_data, so that page and picture show the same figure.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from evotrainer.report.svg import Scale, element, figure, line, marker, text, tick_text

Version = Mapping[str, Any]

LEFT, RIGHT, MIN_COLUMN, MAX_COLUMN, WIDTH = 62.0, 40.0, 88.0, 150.0, 980.0
MAX_CHARACTERS = 15
"""Of a line below a version."""
TOP, UPPER, LOWER, BETWEEN, LABELS = 16.0, 210.0, 120.0, 26.0, 52.0


def trajectory_figure(versions: Sequence[Version], reigns: Sequence[str]) -> Markup:
    """Return the figure; `reigns` names the incumbent after each version."""
    has_fresh = any((version["against_incumbent"] or {}).get("is_fresh") for version in versions)
    columns = Columns(len(versions))
    bottom = TOP + UPPER + (BETWEEN + LOWER if has_fresh else 0)
    content = [*_bands(versions, columns, bottom), *_screening(versions, reigns, columns)]
    if has_fresh:
        content += _fresh(versions, columns)
    content += [
        label for place, version in enumerate(versions) for label in _labels(version, columns(place), bottom + 18)
    ]
    return figure(
        columns.right + RIGHT, bottom + LABELS, "Score of every version, and its difference on fresh attempts", content
    )


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
        return [_hollow(version, x, y, "no score")]
    marks = [element("title", _title(version)), marker(x, y, outcome), text(x + 10, y - 7, f"{score:.3f}", "value")]
    if verdict["score_low"] is not None and verdict["score_high"] is not None:
        marks.insert(1, line(x, scale(verdict["score_low"]), x, scale(verdict["score_high"]), f"interval o-{outcome}"))
    return [element("a", *marks, href=f"#{version['version']}")]


def _hollow(version: Version, x: float, y: float, why: str) -> Markup:
    marks = [element("title", _title(version)), marker(x, y, version["verdict"]["outcome"], hollow=True)]
    return element("a", *marks, text(x + 10, y - 7, why, "tick"), href=f"#{version['version']}")


def _fresh(versions: Sequence[Version], columns: Columns) -> list[Markup]:
    top = TOP + UPPER + BETWEEN
    found = {place: version["against_incumbent"] for place, version in enumerate(versions)}
    tested = {place: one for place, one in found.items() if one is not None and one["is_fresh"]}
    values = [0.0, *(one[name] for one in tested.values() for name in ("difference", "low", "high"))]
    scale = Scale(values, top + LOWER, top + 8)
    content = _axis(scale, columns.right, "difference to the incumbent on fresh attempts")
    content.append(line(LEFT, scale(0.0), columns.right, scale(0.0), "zero"))
    for place, version in enumerate(versions):
        x, outcome = columns(place), version["verdict"]["outcome"]
        if place in tested:
            one = tested[place]
            marks = [
                element("title", _title(version)),
                line(x, scale(one["low"]), x, scale(one["high"]), f"interval o-{outcome}"),
                marker(x, scale(one["difference"]), outcome),
                text(x + 10, scale(one["difference"]) - 7, f"{one['difference']:+.3f}", "value"),
            ]
            content.append(element("a", *marks, href=f"#{version['version']}"))
        elif version["parents"]:
            content.append(_hollow(version, x, scale(0.0), "not tested"))
    return content


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
