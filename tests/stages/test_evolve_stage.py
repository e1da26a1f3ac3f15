"""The evolve stage on a campaign on disk: what it writes, what later versions freeze, and that it repeats itself."""

import html
import json
import shutil
from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import load_records, read_records, save_config
from evotrainer.config import Config, load_config
from evotrainer.diagnosis.evolved.cards import load_cards
from evotrainer.domains.regrading import Regrading
from evotrainer.domains.swe.domain import SANITIZED_HISTORY
from evotrainer.errors import GraderError
from evotrainer.evidence.store import write_rows
from evotrainer.records import Revision
from evotrainer.report.data import harness_data, harness_line
from evotrainer.report.page import write_report
from evotrainer.report.words import lineage_table
from tasks import evolve, plan
from tests.evidence_rows import change, healthy_rows
from tests.evolving_campaign import write_campaign

pytestmark = pytest.mark.slow


LABELS = ("good", "good", "good", "bad", "bad", "bad")


@pytest.fixture(scope="module")
def revised(tmp_path_factory: pytest.TempPathFactory) -> CampaignFiles:
    """A campaign of three known-good and three known-bad versions, and the revision after it."""
    files = write_campaign(tmp_path_factory.mktemp("evolve") / "c", LABELS)
    plan.run(files, "r06")
    evolve.run(files, "r06")
    return files


@pytest.fixture
def files(revised: CampaignFiles, tmp_path: Path) -> CampaignFiles:
    """The campaign again, to change at will."""
    shutil.copytree(revised.root, tmp_path / "c")
    return CampaignFiles(tmp_path / "c")


def _revision(files: CampaignFiles) -> Revision:
    return files.revision("r06").revision.read()


def test_a_revision_says_what_it_did_and_why(revised):
    made = _revision(revised)
    assert made.labels == {f"v{n:03d}": label for n, label in enumerate(LABELS, start=1)}
    entered = [one for one in made.decisions if one.outcome == "provisional"]
    assert entered and entered[0].gap.endswith(": the score fell") and entered[0].separation is not None
    cards = load_cards(revised.revision("r06").plugins)
    assert {card.name for card in cards} == {one.plugin for one in entered}
    assert all(card.date == "campaign c, revision r06" for card in cards)


def test_labels_are_dealt_alike_after_every_generation(revised):
    """Drawn anew each time, a chance near the level would pass by being asked often enough."""
    config, records = load_config(revised.config), load_records(revised.revision("r06").lineage)
    early, late = (evolve._reviser(revised, config, records[:count], "r06") for count in (5, 7))
    assert records[4].spec.generation < records[6].spec.generation
    assert early.seed == late.seed


def test_a_revision_repeats_itself_to_the_byte(revised, files):
    own, first = files.revision("r06"), revised.revision("r06")
    shutil.rmtree(own.plugins)
    own.revision.path.unlink()
    evolve.run(files, "r06")
    for path in (first.revision.path, *first.plugins.iterdir()):
        assert (own.root / path.relative_to(first.root)).read_bytes() == path.read_bytes()


def test_a_revision_that_is_planned_is_not_planned_again(files):
    before = files.revision("r06").lineage.read_bytes()
    plan.run(files, "r06")
    assert files.revision("r06").lineage.read_bytes() == before
    assert files.revision("r06").revision.exists()


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
    made = files.revision("r04").revision.read()
    assert made.failed_in_a_row == ["v002", "v003", "v004"]
    assert made.questioned_rows == sum(asked) and len(asked) == 4 and made.changed_rows == 0

    monkeypatch.setattr(evolve, "regrade", lambda rows, *_: Regrading(len(rows), (rows[0].trajectory_id,), 0))
    evolve.run(files, "r04")  # one grade a version is within the limit
    made = files.revision("r04").revision.read()
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
    own, config = files.version("v003").spec.path, load_config(files.config)
    own.write_text(json.dumps(json.loads(own.read_text()) | {"access": {"policy": SANITIZED_HISTORY.model_dump()}}))
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


def test_report_and_lineage_tell_what_became_of_the_harness(files):
    made, config = _revision(files), load_config(files.config)
    entered = next(one for one in made.decisions if one.outcome == "provisional")
    page = html.unescape(write_report(files).read_text())
    assert all(text in page for text in (entered.plugin, entered.gap, entered.formula, entered.reason))
    data = harness_data(files, config)
    assert data["line"] == f"evolving, r06: {len(data['cards'])} provisional" and data["cards"]
    assert [card["name"] for card in data["cards"]] == sorted(card["name"] for card in data["cards"])
    assert {gap["version"] for gap in data["gaps"]} == {"v004", "v005", "v006"}
    own = files.version("v006").spec.path
    own.write_text(json.dumps(json.loads(own.read_text()) | {"harness_revision": "r05"}))
    assert lineage_table(read_records(files)).columns[-1].header == "harness"
    assert lineage_table(read_records(files)[:3]).columns[-1].header == "recipe"


def test_a_harness_that_does_not_evolve_says_so(tmp_path):
    files = write_campaign(tmp_path / "c", ("good", "bad"), num_groups=1)
    static = harness_data(files, Config())
    assert (static["line"], static["cards"], static["decisions"]) == ("static", [], [])
    assert harness_line(files, load_config(files.config)) == "evolving, not revised"
