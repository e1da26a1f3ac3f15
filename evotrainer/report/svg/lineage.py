"""The lineage as a tree: one column a generation, one card a version, a curve from each parent.

The line from the base to the incumbent is drawn strong; branches that were not promoted are dashed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from evotrainer.report.svg.marks import element, figure, marker, text

WIDTH, HEIGHT, GAP_X, GAP_Y, EDGE = 152.0, 50.0, 40.0, 18.0, 4.0
MAX_CHARACTERS = 20


def lineage_figure(versions: Sequence[Mapping[str, Any]], chain: Sequence[str]) -> Markup:
    """Return the figure; `chain` names the versions from the base to the incumbent."""
    places = _places(versions, chain)
    width = max((x for x, _ in places.values()), default=0.0) + WIDTH + EDGE
    height = max((y for _, y in places.values()), default=0.0) + HEIGHT + EDGE
    edges = [_edge(places, parent, v, chain) for v in versions for parent in v["parents"] if parent in places]
    cards = [_card(version, *places[version["version"]], chain) for version in versions]
    return figure(width, height, "Lineage of the versions", [*edges, *cards])


def _places(versions: Sequence[Mapping[str, Any]], chain: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return where each card stands: the incumbent's line in the first row, so that no card lies on it."""
    columns = {number: place for place, number in enumerate(sorted({v["generation"] for v in versions}))}
    rows = dict.fromkeys(columns, 1)
    places = {}
    for version in versions:
        generation = version["generation"]
        x = EDGE + columns[generation] * (WIDTH + GAP_X)
        row = 0 if version["version"] in chain else rows[generation]
        rows[generation] += row > 0
        places[version["version"]] = (x, EDGE + row * (HEIGHT + GAP_Y))
    return places


def _edge(
    places: Mapping[str, tuple[float, float]], parent: str, version: Mapping[str, Any], chain: Sequence[str]
) -> Markup:
    path = _path(places[parent], places[version["version"]])
    on_chain = parent in chain and version["version"] in chain
    promoted = version["verdict"]["outcome"] == "promoted"
    return element("path", d=path, class_="edge strong" if on_chain else "edge" if promoted else "edge dead")


def _path(parent: tuple[float, float], child: tuple[float, float]) -> str:
    """Return the way from one card to another: past other columns it runs between two rows, below no card."""
    (x1, y1), (x2, y2) = (parent[0] + WIDTH, parent[1] + HEIGHT / 2), (child[0], child[1] + HEIGHT / 2)
    if x2 - x1 <= GAP_X or (parent[1] == child[1] == EDGE):  # the first row holds the incumbent's line alone
        return f"M{x1:.1f},{y1:.1f}{_bend(x1, y1, x2, y2)}"
    lane, first, last = parent[1] + HEIGHT + GAP_Y / 2, x1 + GAP_X, x2 - GAP_X
    return f"M{x1:.1f},{y1:.1f}{_bend(x1, y1, first, lane)}H{last:.1f}{_bend(last, lane, x2, y2)}"


def _bend(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    return f"C{middle:.1f},{y1:.1f} {middle:.1f},{y2:.1f} {x2:.1f},{y2:.1f}"


def _card(version: Mapping[str, Any], x: float, y: float, chain: Sequence[str]) -> Markup:
    verdict, name = version["verdict"], version["version"]
    score = "–" if verdict["score"] is None else f"{verdict['score']:.3f}"
    words = version["change"]
    short = words if len(words) <= MAX_CHARACTERS else words[: MAX_CHARACTERS - 1] + "…"
    kind = "node strong" if name in chain else "node"
    parts = [
        element("title", f"{name} {verdict['outcome']}: {words}"),
        element("rect", x=x, y=y, width=WIDTH, height=HEIGHT, rx=9, class_=f"{kind} o-{verdict['outcome']}"),
        marker(x + 15, y + 18, verdict["outcome"]),
        text(x + 28, y + 22, name + (" ★" if chain and name == chain[-1] else ""), "name"),
        text(x + WIDTH - 10, y + 22, score, "value", "end"),
        text(x + 10, y + 40, short, "tick"),
    ]
    return element("a", *parts, href=f"#{name}")
