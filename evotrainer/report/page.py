"""The report as one HTML page without scripts or outside files, and the score trajectory beside it as a PNG.

The page shows what report_data says and computes nothing but places on an axis. All text is escaped: hypotheses and
findings may quote what a policy wrote.
"""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.promotion.verdict_text import p_text
from evotrainer.report.data import report_data
from evotrainer.report.figure import DARK, LIGHT, trajectory_png

TEMPLATE = Path(__file__).with_name("page.html.j2")
MAX_EXAMPLES = 3
"""Trajectory ids shown with a finding; `evotrainer query` has them all."""


def write_report(files: CampaignFiles) -> Path:
    """Write report/report.html and report/trajectory.png of a campaign; return the page's path."""
    data, records = report_data(files), read_records(files)
    light = trajectory_png(records, LIGHT)
    figures = {"light": _data_uri(light), "dark": _data_uri(trajectory_png(records, DARK))}
    out = files.root / "report"
    write_atomic(out / "trajectory.png", light)
    write_atomic(out / "report.html", render_page(data, figures))
    return out / "report.html"


def render_page(data: Mapping[str, Any], figures: Mapping[str, str]) -> str:
    """Return the page; `figures` holds the light and the dark figure as data URIs."""
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {
        "score": _score,
        "signed": _signed,
        "plain": _plain,
        "count": _count,
        "spell": _spell,
        "p_value": p_text,
    }
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    axis = Axis([version["against_incumbent"] for version in data["versions"] if version["against_incumbent"]])
    return template.render(**data, figures=figures, axis=axis, max_examples=MAX_EXAMPLES)


class Axis:
    """Places of differences on one shared axis, in percent of its width, so that rows can be compared by eye."""

    def __init__(self, comparisons: Sequence[Mapping[str, float]]) -> None:
        ends = [0.0, *(c["low"] for c in comparisons), *(c["high"] for c in comparisons)]
        margin = 0.06 * ((max(ends) - min(ends)) or 1.0)
        self.low, self.high = min(ends) - margin, max(ends) + margin

    def place(self, value: float) -> float:
        """Return where `value` lies, 0 to 100."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}".replace("-", "−")


def _plain(value: Any) -> str:
    """Return a setting or a number as a person writes it."""
    return f"{value:.6g}" if isinstance(value, float) else "–" if value is None else str(value)


def _count(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u202f")


def _spell(condition: Mapping[str, Any]) -> str:
    return f"{condition['metric']} {condition['operator']} {_plain(condition['value'])}"


def _data_uri(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
