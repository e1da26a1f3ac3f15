"""The report of a synthetic campaign: it shows everything, its numbers are the stored ones, and it repeats."""

import base64
import hashlib
import html
import io
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.campaign.untrusted import escape
from evotrainer.evidence.query import run_query
from evotrainer.promotion.recipe import RecipeGate, design_recipe
from evotrainer.promotion.verdict_text import describe_recipe
from evotrainer.records import Certificate, CertifiedScore, Confirmation, VersionRecord
from evotrainer.report.data import report_data
from evotrainer.report.page import figures, write_report
from evotrainer.report.words import lineage_table
from tests.campaign_writer import make_intervention
from tests.plain_records import compared, plain_finding
from tests.recipe_seeds import seed_runs

pytestmark = pytest.mark.parts

BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})


@pytest.fixture(scope="module")
def page(written_campaign: CampaignFiles) -> str:
    return write_report(written_campaign).read_text(encoding="utf-8")


class Markup(HTMLParser):
    """What a browser would see of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "action")]


def test_scores_of_the_report_are_those_of_a_query(written_campaign: CampaignFiles, page: str) -> None:
    question = "SELECT version, avg(correct) FROM trajectories GROUP BY 1 ORDER BY 1"
    queried = dict(run_query(written_campaign, question).rows)
    told = {version["version"]: version["verdict"]["score"] for version in report_data(written_campaign)["versions"]}
    assert {name: score for name, score in told.items() if score is not None} == pytest.approx(queried)
    assert all(f"{score:.4f}" in page for score in queried.values())


def test_the_page_says_of_every_version_what_a_person_asks(written_campaign: CampaignFiles, page: str) -> None:
    for record in read_records(written_campaign):
        section = re.search(rf'<section class="card version" id="{record.spec.version}">.*?</section>', page, re.DOTALL)
        assert section is not None, record.spec.version
        text = html.unescape(section.group())
        assert record.verdict.outcome in text and record.verdict.claim in text
        assert all(reason in text for reason in record.verdict.reasons)
        if record.intervention is not None and record.backtest is not None:
            assert record.intervention.hypothesis in text and record.backtest.reason in text
            assert all(key in text for key in record.intervention.diff)
            assert f"credence {record.intervention.prediction.probability:.2f}" in text
        for finding in record.findings:
            assert finding.message in text and finding.trajectory_ids[0] in text
            assert all(f"{value:.6g}" in text for value in finding.numbers.values())
    assert "v006-train-31-2" in page and "v006-train-31-3" not in page and "and 3 more" in page, "three examples"


def test_the_page_stands_alone(page: str) -> None:
    assert "<script" not in page and " style=" not in page and not re.search(r"\son\w+=", page)
    assert not re.findall(r'(?:src|href|srcset)="(?!#)', page)
    assert "prefers-color-scheme:dark" in page
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_figures_show_every_version_and_what_was_best_so_far(written_campaign: CampaignFiles, page: str) -> None:
    data = report_data(written_campaign)
    assert data["reigns"] == ["v000", "v001", "v002", "v002", "v002", "v002", "v002", "v007", "v007"]
    shown = ElementTree.fromstring(str(figures(data)["trajectory"]))
    link, path, line = (f"{{http://www.w3.org/2000/svg}}{name}" for name in ("a", "path", "line"))
    assert {found.get("href") for found in shown.iter(link)} == {f"#{one['version']}" for one in data["versions"]}
    classes = [found.get("class", "") for found in shown.iter(line)]
    assert classes.count("branch") == len(data["best_chain"]) - 1
    assert classes.count("branch dead") == 6, "v003, both parents of v004, v005, v006, v008"
    (best,) = [found.get("d", "") for found in shown.iter(path) if found.get("class") == "best"]
    heights = [float(found) for found in re.findall(r"[V,]([\d.]+)", best)]
    assert heights == sorted(heights, reverse=True) and best.count("V") == 8


HOSTILE = [
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "<svg><a href='javascript:alert(1)'>",
    "\x1b[2J\x1b]0;title\x07",
    "\u202egpj.exe\u2066 \u200b",
    "{{ 7 * 7 }}{% raw %}",
    "lone \ud800".encode("utf-8", "replace").decode(),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_policy_is_escaped(text: str, make_records: Callable[..., Any], campaign_writer: Any) -> None:
    hostile = plain_finding(
        "format_gate",
        "info",
        "v000",
        diagnostic="d",
        message=f"the answer was {text}",
        trajectory_ids=["v000-validation-math-0000-0"],
    )
    make_records((BASE[0], BASE[1], BASE[2] | {"findings": (hostile,)}))
    page = write_report(campaign_writer.files).read_text(encoding="utf-8")
    found = Markup()
    found.feed(page)
    assert found.names.keys() & {"script", "img", "iframe", "object", "form", "input"} == set()
    assert found.names["style"] == 1 and not any(name.startswith("on") for name in found.attributes)
    assert all(target.startswith("#") for target in found.links)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f]", page)
    assert page.count(html.escape(escape(text)).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")) >= 1


def test_a_campaign_that_has_only_begun_has_a_report(make_records: Callable[..., Any], campaign_writer: Any) -> None:
    make_records(BASE)
    page = write_report(campaign_writer.files).read_text(encoding="utf-8")
    assert "None of the 1 versions was promoted so far" in page
    assert "Not made yet: the sealed test split" in page
    assert "No prediction has met an outcome yet" in page


def test_a_prediction_within_the_noise_is_undecided_not_unobserved(
    make_records: Callable[..., Any], campaign_writer: Any
) -> None:
    raised = make_intervention(campaign_writer.config, {"algorithm.learning_rate": 1.92e-4}, "score", 0.05)
    baseline = ("v001", 0.3, {"generation": 1, "kind": "baseline", "incumbent": "v000"})
    records = make_records(BASE, baseline, ("v002", 0.3, {"generation": 2, "intervention": raised}))
    assert records[2].verdict.prediction_observed is not None and records[2].verdict.prediction_hit is None
    page = write_report(campaign_writer.files).read_text(encoding="utf-8")
    assert "undecided</span>" in page and "not observed</span>" not in page
    assert "0 of 0 decided predictions" in page


def test_the_report_repeats_to_the_byte(written_campaign: CampaignFiles, page: str) -> None:
    folder = written_campaign.root / "report"
    picture = (folder / "trajectory.svg").read_bytes()
    assert write_report(written_campaign).read_text(encoding="utf-8") == page
    assert (folder / "trajectory.svg").read_bytes() == picture
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "trajectory.svg"]


def test_the_noise_floor_and_what_fresh_rows_say_are_shown(written_campaign: CampaignFiles, page: str) -> None:
    data, records = report_data(written_campaign), read_records(written_campaign)
    floor = records[0].verdict.noise_floor
    assert floor is not None and data["noise_floor"] == floor.model_dump()
    assert f"Noise floor: {floor.value:.4f}; no smaller difference is called an improvement" in page
    shown = {version["version"]: version["against_incumbent"] for version in data["versions"]}
    gate = records[2].verdict.gate
    assert gate is not None and gate.estimate is not None and shown["v002"]["is_fresh"]
    assert (shown["v002"]["difference"], shown["v002"]["low"]) == (gate.estimate, gate.low)
    assert shown["v000"] is None and not shown["v008"]["is_fresh"]
    table = _printed(records)
    assert f"{gate.estimate:+.4f} [{gate.low:+.4f}, {gate.high:+.4f}] v001 fresh" in table


def test_predictions_stand_beside_outcomes(written_campaign: CampaignFiles, page: str) -> None:
    shown = page.partition('id="predicted-and-observed"')[2].partition("<h2")[0]
    named = re.findall(r"<tr><td>(v\d+)", shown)
    assert named == ["v002", "v003", "v004", "v006", "v007", "v008"], "trained candidates, no baseline"
    rows = {row["version"]: row for row in report_data(written_campaign)["versions"]}
    hits = [rows[name]["prediction"]["hit"] for name in ("v002", "v008", "v006")]
    assert hits == [True, False, None]
    verdict = read_records(written_campaign)[2].verdict
    assert rows["v002"]["prediction"]["observed"] == verdict.prediction_observed
    assert verdict.gate is not None
    assert rows["v002"]["score_difference"] == verdict.gate.estimate != verdict.comparisons[0].difference


def test_costs_are_summed_by_stage(written_campaign: CampaignFiles) -> None:
    assert report_data(written_campaign)["costs"] == {"train": {"tokens": 1_600_000, "seconds": 252.0, "dollars": 0.0}}


def test_the_certificate_is_shown(make_records: Callable[..., Any], campaign_writer: Any) -> None:
    make_records(BASE, ("v001", 0.4, {"generation": 1, "kind": "baseline", "incumbent": "v000"}))
    comparison = compared(
        "v000", 0.3711, 0.3511, 0.3911, num_problems=400, score=0.8123, other_score=0.4412, wilcoxon_p=0.0
    )
    values = {"policy_hash": "x", "low": 0.7, "high": 0.9}
    score = CertifiedScore(version="v001", score=0.8123, greedy_score=0.9, pass_at_k=0.95, **values)
    base = CertifiedScore(version="v000", score=0.4412, greedy_score=0.85, pass_at_k=0.94, **values)
    certificate = Certificate(
        campaign="demo",
        incumbent="v001",
        num_problems=400,
        attempts=8,
        scores=[base, score],
        comparisons=[comparison],
        gate_version="g",
    )
    campaign_writer.files.certificate.mkdir()
    (campaign_writer.files.certificate / "certificate.json").write_text(certificate.model_dump_json())
    page = write_report(campaign_writer.files).read_text(encoding="utf-8")
    assert "0.8123" in page and "+0.3711" in page and "400 problems of the sealed test split" in page
    assert '<th class="n">mean@8</th><th class="n">greedy</th><th class="n">pass@8</th>' in page
    assert (
        "from v000 to v001 only sharpness may have moved: the mean rose by +0.3711, the greedy score moved by +0.0500"
        in page
    )
    assert report_data(campaign_writer.files)["certificate"]["comparisons"][0]["low"] == 0.3511


def _printed(records: list[VersionRecord]) -> str:
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(lineage_table(records))
    return console.export_text()


def test_all_fresh_seeds_are_shown(make_records: Callable[..., Any], campaign_writer: Any) -> None:
    make_records(BASE, ("v001", 0.5, {"generation": 1, "kind": "baseline", "incumbent": "v000"}))
    candidate, reference = (0.6123, 0.5871), (0.4012, 0.4234, 0.3999)
    gate = RecipeGate(design_recipe(2, 0.01, 0.0, is_pooled=True), seed_runs(reference), seed_runs(candidate))
    claim = gate.claim("v000", 0.6, 60, 4, 0.95)
    found = Confirmation(version="v001", recipe=claim, attribution="FIRED", reasons=describe_recipe(claim, 0.95))
    files = campaign_writer.files
    files.version("v001").confirmation.write(found)
    page = html.unescape(write_report(files).read_text(encoding="utf-8"))
    assert all(f"{score:.4f}" in page for score in (*candidate, *reference))
    label = "proven +0.1915 FIRED; 0.5871 to 0.6123 over 2 seeds against 0.3999 to 0.4234 over 3 seeds"
    assert label in page
    console = Console(width=300, record=True)
    console.print(lineage_table(read_records(files)))
    assert label in console.export_text()
    assert "worst 0.5871" in page and f"recipe floor {claim.recipe_floor:.4f}" in page
