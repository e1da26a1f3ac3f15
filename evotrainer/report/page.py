"""The report as one HTML page without scripts or outside files, and the score trajectory beside it as a picture.

The page shows what report_data says and computes nothing but places on an axis. It may quote what a policy or an agent
wrote. Control characters of all text are therefore spelled out and its markup is escaped. The page's own policy
(Content-Security-Policy) forbids scripts, forms, outside files and any style but its own.
"""

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.untrusted import escape
from evotrainer.promotion.verdict_text import p_text
from evotrainer.records import Certificate
from evotrainer.report.data import report_data
from evotrainer.report.figures import SHAPES, curve_figure, curves_of, element, trajectory_figure
from evotrainer.report.words import score_meaning, sharpness

TEMPLATES = Path(__file__).with_name("templates")
MAX_EXAMPLES = 3
"""Trajectory ids shown with a finding; `evotrainer view` shows the attempts."""
CURVES = ("reward", "entropy", "kl", "dead_group_ratio")
"""Training signals that a version's section draws; of a warm-up, which attempts nothing, its loss."""


def write_report(files: CampaignFiles) -> Path:
    """Write report/report.html and report/trajectory.svg of a campaign; return the page's path.

    Raises LineageError where no version is closed yet.
    """
    data, out, style = report_data(files), files.root / "report", style_sheet()
    write_atomic(out / "trajectory.svg", _picture(trajectory_figure(data["versions"], data["reigns"])))
    page = template_environment().get_template("page.html.j2")
    values = {**data, **figures(data), "style": Markup(style), "style_hash": style_hash(style)}
    write_atomic(out / "report.html", page.render(**values))
    return out / "report.html"


def figures(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a campaign's data as templates name them."""
    versions = data["versions"]
    seen = {version["verdict"]["outcome"] for version in versions}
    return {
        "trajectory": trajectory_figure(versions, data["reigns"]),
        "outcomes": [name for name in SHAPES if name in seen],
        "mark": _mark,
        "curves": version_curves,
        "max_examples": MAX_EXAMPLES,
        "meaning": score_meaning(data["settings"]["attempts"]),
        "warning": sharpness(Certificate.model_validate(data["certificate"])) if data["certificate"] else "",
    }


def version_curves(version: Mapping[str, Any]) -> list[Markup]:
    """Return one small figure for each training signal of a version."""
    found = curves_of(version["curve"], CURVES) or curves_of(version["curve"], ("loss",))
    return [curve_figure(name.replace("_", " "), points) for name, points in found.items()]


def _picture(drawn: Markup) -> str:
    """Return a figure as a document of its own, with its style."""
    head, _, body = str(drawn).partition(">")
    return f'{head} style="background:var(--card);font-family:sans-serif"><style>{style_sheet()}</style>{body}'


def style_sheet() -> str:
    """Return the style of the page and of pictures."""
    return (TEMPLATES / "style.css").read_text(encoding="utf-8")


def template_environment(*folders: Path) -> jinja2.Environment:
    """Return the environment of pages: what a template prints is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        finalize=escape,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "score": _score,
        "signed": _signed,
        "plain": _plain,
        "short": _short,
        "count": _count,
        "spell": _spell,
        "p_value": p_text,
    }
    return environment


def _mark(outcome: str) -> Markup:
    shape = element("path", d=SHAPES[outcome], class_=f"mark o-{outcome}")
    return element("svg", shape, viewBox="-8 -8 16 16", width=14, height=14, aria_hidden="true")


def style_hash(style: str) -> str:
    """Return the hash by which a page's own policy admits its style."""
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}".replace("-", "−")


def _plain(value: Any) -> str:
    """Return a setting or a number as a person writes it."""
    return f"{value:.6g}" if isinstance(value, float) else "–" if value is None else str(value)


def _short(value: float | None) -> str:
    """Return a measured number with the digits that a reader compares."""
    return "–" if value is None else f"{value:.3g}"


def _count(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u202f")


def _spell(condition: Mapping[str, Any]) -> str:
    return f"{condition['metric']} {condition['operator']} {_plain(condition['value'])}"
