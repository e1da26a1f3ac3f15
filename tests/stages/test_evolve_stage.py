"""The evolve stage on a campaign on disk: what it writes, what later versions freeze, and that it repeats itself."""

import html
import json
import shutil

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import diff_versions
from evotrainer.campaign.repository import load_records, read_records, save_config
from evotrainer.config import Config, HarnessConfig, load_config
from evotrainer.diagnosis.evolved.cards import load_plugins
from evotrainer.diagnosis.evolved.remeasured import remeasure
from evotrainer.diagnosis.evolved.stored import load_stored
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains.regrading import Regrading
from evotrainer.domains.swe.access import SANITIZED_HISTORY
from evotrainer.errors import GraderError
from evotrainer.evidence.query import run_query
from evotrainer.evidence.store import write_rows
from evotrainer.records import Finding, Revision, VersionSpec
from evotrainer.report.page import write_report
from evotrainer.report.revisions import harness_data, harness_line
from evotrainer.report.tables import lineage_table
from flows.evolving import publish
from tasks.evolve import stage as evolve
from tasks.plan import stage as plan
from tests.evidence_rows import change, healthy_rows
from tests.evolving_campaign import record, write_campaign
from tests.stored_versions import context, plain_rows, small_root

pytestmark = pytest.mark.slow

SAYS_INVALID = """
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    return Diagnosis({}, [context.finding("history_leak", "invalid", "m", {})])
"""

LABELS = ("good", "good", "good", "bad", "bad", "bad")


@pytest.fixture(scope="module")
def revised(tmp_path_factory: pytest.TempPathFactory) -> CampaignFiles:
    """A campaign of three known-good and three known-bad versions, and the revision after it."""
    files = write_campaign(tmp_path_factory.mktemp("evolve") / "c", LABELS)
    plan.run(files, "r06")
    evolve.run(files, "r06")
    return files


def _revision(files: CampaignFiles) -> Revision:
    return Revision.model_validate_json(files.revision("r06").revision.read_bytes())


def _entered(files: CampaignFiles) -> tuple[str, str]:
    """Return the name of the first card and the metric that it alarms on: its own, or one that there was."""
    card = load_plugins(files.revision("r06").plugins)[0].card
    assert card.alarm is not None
    return card.name, card.alarm.metric


def test_a_revision_says_what_it_did_and_why(revised):
    made = _revision(revised)
    assert made.labels == {f"v{n:03d}": label for n, label in enumerate(LABELS, start=1)}
    entered = [one for one in made.decisions if one.outcome == "provisional"]
    assert entered and entered[0].gap.endswith(": the score fell") and entered[0].separation is not None
    assert made.harness_version != made.previous_version and made.num_terms > 50
    cards = [plugin.card for plugin in load_plugins(revised.revision("r06").plugins)]
    assert {card.name for card in cards} == {one.plugin for one in entered}
    assert all(card.date == "campaign c, revision r06" for card in cards)


def test_labels_are_dealt_alike_after_every_generation(revised):
    """Drawn anew each time, a chance near the level would pass by being asked often enough."""
    config, records = load_config(revised.config), load_records(revised.revision("r06").lineage)
    early, late = (evolve._reviser(revised, config, records[:count], "r06") for count in (5, 7))
    assert records[4].spec.generation < records[6].spec.generation
    assert early.seed == late.seed


def test_all_versions_are_measured_again_under_the_new_harness(revised):
    made, (name, metric) = _revision(revised), _entered(revised)
    records = read_records(revised)
    trained = [record for record in records if record.spec.kind != "base"]
    assert {record.harness_version for record in trained} == {made.harness_version}
    values = [record.metrics[metric] for record in trained]
    assert min(values[3:]) > max(values[:3]) or max(values[3:]) < min(values[:3])
    alarmed = [record.spec.version for record in trained if any(found.mode == name for found in record.findings)]
    assert alarmed and set(alarmed) <= {"v004", "v005", "v006"}
    assert all(record.metrics["score"] == 0.5 for record in trained)
    raw = json.loads(revised.version("v001").audit.read_bytes())
    assert raw["harness_version"] == "h" and records[1].verdict.harness_version == "h"


def test_versions_are_never_compared_under_two_definitions(revised):
    _, metric = _entered(revised)
    found = diff_versions(revised, "v001", "v006").metrics[metric]
    assert None not in found
    (row,) = run_query(revised, f"SELECT metrics['{metric}'] FROM versions WHERE version = 'v006'").rows
    assert row[0] == found[1]


def test_versions_that_start_freeze_the_diagnostics_and_the_lineage(revised, tmp_path):
    shutil.copytree(revised.root, tmp_path / "c")
    files = CampaignFiles(tmp_path / "c")
    plan.run(files, "v007")
    own, (_, metric) = files.version("v007"), _entered(files)
    spec = VersionSpec.model_validate_json(own.spec.read_bytes())
    assert spec.harness_revision == "r06"
    assert Harness(own.plugins, load_config(files.config).harness).version == _revision(files).harness_version
    assert all(metric in record.metrics for record in load_records(own.lineage) if record.spec.kind != "base")


def test_a_revision_repeats_itself_to_the_byte(revised, tmp_path):
    shutil.copytree(revised.root, tmp_path / "c")
    own, first = CampaignFiles(tmp_path / "c").revision("r06"), revised.revision("r06")
    publish(CampaignFiles(tmp_path / "c"), "r06")  # what it added is no input of its own
    shutil.rmtree(own.plugins)
    own.revision.unlink()
    own.remeasured.unlink()
    evolve.run(CampaignFiles(tmp_path / "c"), "r06")
    for path in (first.revision, first.remeasured, *first.plugins.iterdir()):
        assert (own.root / path.relative_to(first.root)).read_bytes() == path.read_bytes()


def test_a_revision_that_is_planned_is_not_planned_again(revised, tmp_path):
    shutil.copytree(revised.root, tmp_path / "c")
    files = CampaignFiles(tmp_path / "c")
    before = files.revision("r06").lineage.read_bytes()
    plan.run(files, "r06")
    assert files.revision("r06").lineage.read_bytes() == before
    assert files.revision("r06").revision.is_file()


def test_published_diagnostics_take_the_place_of_those_before(revised, tmp_path):
    shutil.copytree(revised.root, tmp_path / "c")
    files = CampaignFiles(tmp_path / "c")
    folder = files.root / "harness_plugins" / "evolved"
    (folder / "gone.sql").write_text("SELECT 1")
    publish(files, "r06")
    assert load_plugins(folder) == load_plugins(files.revision("r06").plugins)
    assert (folder / "__init__.py").is_file() and "Evolved diagnostics" in (folder / "README.md").read_text()


def test_what_is_not_the_harness_to_take_back_stays(revised):
    files, plugins = revised, load_plugins(revised.revision("r06").plugins)
    harness = Harness(files.root / "harness_plugins", load_config(files.config).harness, plugins)
    records = [record for record in load_records(files.revision("r06").lineage) if record.spec.version < "v003"]
    contexts = {one.version: one.context for one in load_stored(files, records) if one.is_audit}
    own = Finding(mode="flaky_grading", severity="warning", diagnostic="regrading", version="v001", message="m")
    leak = own.model_copy(update={"mode": "history_leak", "severity": "invalid", "diagnostic": "history_leak"})
    stale = own.model_copy(update={"mode": "score_decline", "diagnostic": "score"})
    gone = plugins[0].model_copy(
        update={"card": plugins[0].card.model_copy(update={"name": "old", "status": "expired"})}
    )
    changed = {"findings": [own, leak, stale], "metrics": {"score": 0.5, "old": 1.0, "older": 2.0}}
    records[1] = records[1].model_copy(update=changed)
    (found,) = [one for one in remeasure(records, contexts, harness, [*plugins, gone]) if one.spec.version == "v001"]
    assert own in found.findings and leak in found.findings and stale not in found.findings
    assert "old" not in found.metrics and found.metrics["older"] == 2.0 and "solve_rate" in found.metrics


def _measured_once_more(tmp_path, findings: list[Finding], **modules: str) -> list[Finding]:
    """Return the findings of a version that had these, under a harness of two shipped diagnostics and these modules."""
    harness = Harness(small_root(tmp_path, **modules), HarnessConfig(plugins=["score"]))
    (found,) = remeasure(
        [record("v001", "good", findings=findings)], {"v001": context(plain_rows(), "v001")}, harness, []
    )
    return found.findings


def test_an_invalid_finding_stays_though_its_diagnostic_says_nothing_of_it_any_more(tmp_path):
    doubt = Finding(mode="history_leak", severity="invalid", diagnostic="score", version="v001", message="m")
    others = [doubt.model_copy(update={"severity": severity}) for severity in ("critical", "warning", "info")]
    assert _measured_once_more(tmp_path, [doubt, *others]) == [doubt]


def test_an_invalid_finding_that_is_said_again_is_there_once(tmp_path):
    found = _measured_once_more(tmp_path / "first", [], says=SAYS_INVALID)
    assert [(one.mode, one.severity) for one in found] == [("history_leak", "invalid")]
    assert _measured_once_more(tmp_path / "again", found, says=SAYS_INVALID) == found


def test_after_failures_in_a_row_the_evaluator_is_questioned(tmp_path, monkeypatch):
    files = write_campaign(tmp_path / "c", ("good", "bad", "bad", "bad"), num_groups=6, escalate_after=3)
    monkeypatch.setattr(evolve, "load_problems", lambda *_: [])
    asked: list[int] = []

    def same(rows, *_):
        asked.append(len(rows))
        return Regrading(len(rows), (), 0)

    monkeypatch.setattr(evolve, "regrade", same)
    plan.run(files, "r04")
    evolve.run(files, "r04")
    made = Revision.model_validate_json(files.revision("r04").revision.read_bytes())
    assert made.failed_in_a_row == ["v002", "v003", "v004"]
    assert made.questioned_rows == sum(asked) and len(asked) == 4 and made.changed_rows == 0

    monkeypatch.setattr(evolve, "regrade", lambda rows, *_: Regrading(len(rows), (rows[0].trajectory_id,), 0))
    evolve.run(files, "r04")  # one grade a version is within the limit
    made = Revision.model_validate_json(files.revision("r04").revision.read_bytes())
    assert made.changed_rows == 4

    monkeypatch.setattr(
        evolve, "regrade", lambda rows, *_: Regrading(len(rows), tuple(r.trajectory_id for r in rows), 0)
    )
    with pytest.raises(GraderError, match=r"got another grade .* after 3 failed versions in a row: repair the grader"):
        evolve.run(files, "r04")


def test_sampled_rows_alone_are_graded_again_on_the_histories_that_they_ran_on(tmp_path, monkeypatch):
    files = write_campaign(tmp_path / "c", ("good", "bad", "bad", "bad"), num_groups=1, escalate_after=3)
    for version in ("v001", "v002", "v003", "v004"):
        greedy = healthy_rows(version=version, split="validation", num_groups=6, group_size=1, decoding="greedy")
        write_rows(files.version(version).validation, 1, change(greedy, lambda _: {"step": 1}))
    own, config = files.version("v003").spec, load_config(files.config)
    own.write_text(json.dumps(json.loads(own.read_text()) | {"access": SANITIZED_HISTORY.model_dump()}))
    config.domain.access = "open_history"
    save_config(files.config, config)
    monkeypatch.setattr(evolve, "load_problems", lambda *_: [])
    asked: list[tuple[int, set[int], str]] = []

    def all_changed(rows, _, domain):
        asked.append((len(rows), {row.step for row in rows}, domain.access))
        return Regrading(len(rows), tuple(row.trajectory_id for row in rows), 0)

    monkeypatch.setattr(evolve, "regrade", all_changed)
    plan.run(files, "r04")
    with pytest.raises(GraderError):
        evolve.run(files, "r04")
    assert asked == [
        (48, {0}, access) for access in ("open_history", "sanitized_history", "open_history", "open_history")
    ]


def test_report_and_lineage_tell_what_became_of_the_harness(revised, tmp_path):
    shutil.copytree(revised.root, tmp_path / "c")
    files = CampaignFiles(tmp_path / "c")
    made, config = _revision(files), load_config(files.config)
    entered = next(one for one in made.decisions if one.outcome == "provisional")
    page = html.unescape(write_report(files).read_text())
    assert all(text in page for text in (entered.plugin, entered.gap, entered.formula, entered.reason))
    data = harness_data(files, config)
    assert data["line"] == f"evolving, r06: {len(data['cards'])} provisional" and data["cards"]
    assert [card["name"] for card in data["cards"]] == sorted(card["name"] for card in data["cards"])
    assert {gap["version"] for gap in data["gaps"]} == {"v004", "v005", "v006"}
    own = files.version("v006").spec
    own.write_text(json.dumps(json.loads(own.read_text()) | {"harness_revision": "r05"}))
    assert lineage_table(read_records(files)).columns[-1].header == "harness"
    assert lineage_table(read_records(files)[:3]).columns[-1].header == "recipe"


def test_a_harness_that_does_not_evolve_says_so(tmp_path):
    files = write_campaign(tmp_path / "c", ("good", "bad"), num_groups=1)
    static = harness_data(files, Config())
    assert (static["line"], static["cards"], static["told"]) == ("static", [], [])
    assert harness_line(files, load_config(files.config)) == "evolving, not revised"
