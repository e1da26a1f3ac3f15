"""The retrospective gate: what enters the harness, what does not and why, what stays and what expires."""

import numpy as np
import pytest

from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.evolved.candidates import load_stored
from evotrainer.diagnosis.evolved.cards import Card, load_cards, save_card
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL, decide, false_alarms, level_of, separation
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Gap, Separation
from tasks.plan.steps import due_revision
from tests.evolving_campaign import write_campaign
from tests.stored_versions import card, gap, more_edits, plain_rows, revised, reviser, small_root, stored_versions

pytestmark = pytest.mark.slow


EIGHT_EACH = ["good"] * 8 + ["bad"] * 8


def edits(status: str = "provisional", **values) -> Card:
    """Return a card that bad versions of `more_edits(8)` alarm on, and good ones do not."""
    return card("edits", **{"shows": "num_edits > 4", "limit": 0.45, "status": status} | values)


def test_a_gap_yields_a_card_that_tells_bad_versions_and_is_silent_on_good_ones(tmp_path):
    root = small_root(tmp_path / "plugins")
    made = revised(root, EIGHT_EACH, more_edits(10), gaps=[gap("v012")])
    decision = made.decisions[-1]
    assert decision.outcome == "accepted" and "num_edits" in decision.formula
    assert decision.separation is not None and decision.separation.p_value <= 0.05
    assert (decision.separation.num_good, decision.separation.num_bad) == (8, 8)
    assert decision.false_alarms is not None and decision.false_alarms.num_alarms == 0
    (entered,) = made.cards
    assert entered.gap == "v012: the score fell and nothing says why" and entered.author == "rules"
    save_card(root / "evolved", entered)
    harness = Harness(root, HarnessConfig(plugins=["score", "evolved"]))
    fresh = stored_versions(["good", "bad"], more_edits(10), seed=500)
    alarmed = [{finding.mode for finding in harness.run(one.context).findings} for one in fresh]
    assert entered.name not in alarmed[0] and entered.name in alarmed[1]
    assert harness.version != made.harness.version


@pytest.mark.parametrize(
    ("labels", "outcome"), [(["good"] * 4 + ["bad"] * 3, "provisional"), (["good"] * 6 + ["bad"], "refused")]
)
def test_few_labelled_versions_make_a_card_provisional_and_fewer_make_none(tmp_path, labels, outcome):
    made = revised(small_root(tmp_path), labels, more_edits(10), gaps=[gap("v007")])
    assert made.decisions[-1].outcome == outcome
    assert [one.status for one in made.cards] == ["provisional"][: outcome == "provisional"]
    if outcome == "refused":
        assert made.decisions[-1].reason == "6 known-good and 1 known-bad versions are too few to judge a revision"


def test_what_another_finding_tells_already_is_refused(tmp_path):
    knows = """
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    is_many = len(context.rows) and context.rows["num_edits"].mean() > 5
    return Diagnosis({}, [context.finding("frantic", "warning", "m", {})] if is_many else [])
"""
    made = revised(small_root(tmp_path / "knows", knows=knows), EIGHT_EACH, more_edits(12), gaps=[gap("v012")])
    assert not made.cards
    assert "frantic already finds these versions" in {decision.reason for decision in made.decisions}
    restated = knows.replace("frantic", "score_decline")
    made = revised(small_root(tmp_path / "restated", knows=restated), EIGHT_EACH, more_edits(12), gaps=[gap("v012")])
    assert [one.status for one in made.cards] == ["accepted"]


def test_a_column_that_goes_with_the_outcome_is_no_card_where_attempts_of_one_outcome_are_alike(tmp_path, monkeypatch):
    search(monkeypatch, "num_edits")

    def plant(rows, is_bad, rng):
        rows = rows.assign(correct=1.0 - (rng.random(len(rows)) < rng.normal(0.5, 0.04)))
        return rows.assign(num_edits=rng.poisson(2.0 + 3 * (rows["correct"] < 1)))

    made = revised(small_root(tmp_path), EIGHT_EACH, plant, gaps=[gap("v012")])
    assert not made.cards and made.decisions


def test_the_card_that_answers_a_fall_alarms_on_the_version_that_fell(tmp_path):
    def plant(rows, is_bad, rng):
        plant.count += is_bad
        rate = {True: 1.0, False: 8.0}[plant.count == 5] if is_bad else 3.0
        return rows.assign(num_edits=rng.poisson(rate * np.exp(rng.normal(0, 0.05)), len(rows)))

    for fell, number in ((9, 0), (8, 1)):
        plant.count = 0
        asked = gap(f"v{fell:03d}", numbers={"difference": -0.1})
        made = revised(small_root(tmp_path / str(fell)), ["good"] * 4 + ["bad"] * 5, plant, gaps=[asked])
        assert len(made.cards) == number
    assert made.cards[0].shows.startswith('"num_edits"::DOUBLE >')


def test_a_gap_that_a_card_in_force_answers_is_not_answered_again(tmp_path):
    known = edits("accepted", gap="v012: the score fell and nothing says why")
    made = revised(small_root(tmp_path), EIGHT_EACH, more_edits(10), [known], [gap("v012")])
    assert [decision.outcome for decision in made.decisions] == ["kept"]


def test_an_accepted_card_expires_with_a_false_alarm_and_stays_on_record(tmp_path):
    root = small_root(tmp_path / "plugins")
    made = revised(root, EIGHT_EACH, more_edits(10), [edits("accepted", limit=0.0)])
    (decision,) = made.decisions
    assert decision.outcome == "expired" and "false alarm on 8 of 8 healthy" in decision.reason
    save_card(root / "evolved", made.cards[0])
    (kept,) = load_cards(root / "evolved")
    assert kept.status == "expired" and kept.expired_because == decision.reason
    assert not Harness(root, HarnessConfig(plugins=["score", "evolved"])).cards


@pytest.mark.parametrize(
    ("status", "labels", "outcome"),
    [("provisional", EIGHT_EACH, "accepted"), ("accepted", EIGHT_EACH, "kept"), ("accepted", ["good"] * 3, "kept")],
)
def test_a_card_is_accepted_and_kept_while_it_separates_and_where_nothing_can_be_said(
    tmp_path, status, labels, outcome
):
    made = revised(small_root(tmp_path), labels, more_edits(10), [edits(status)])
    assert [one.status for one in made.cards] == ["accepted"]
    assert [decision.outcome for decision in made.decisions] == [outcome]


def test_a_card_that_fails_on_stored_evidence_expires_and_the_others_are_judged(tmp_path):
    broken = card("broken", shows="error('no') > num_edits")
    made = revised(small_root(tmp_path), EIGHT_EACH, more_edits(10), [broken, edits()])
    assert [one.status for one in made.cards] == ["expired", "accepted"]
    assert "it fails on stored evidence" in made.cards[0].expired_because


def test_a_card_that_does_not_show_its_worth_is_refused_with_the_reason(tmp_path):
    idle = card(shows="attempt > 1", limit=0.9)
    made = reviser(small_root(tmp_path), stored_versions(EIGHT_EACH, more_edits(8)), plain_rows(), [idle])
    made.revise([])
    assert made.cards[0].status == "expired" and "does not separate" in made.cards[0].expired_because


@pytest.mark.parametrize(
    ("shown", "new", "in_force"),
    [
        ({}, "accepted", "accepted"),
        ({"area": 0.79}, None, None),
        ({"caught": 0.49}, None, None),
        ({"num_good": 4, "p_value": 1.0}, "provisional", "accepted"),
        ({"num_good": 2, "num_bad": 2}, "provisional", "accepted"),
        ({"num_bad": 4, "area": 0.79}, None, None),
        ({"num_good": 1}, None, "accepted"),
        ({"num_bad": 1, "area": 0.0}, None, "accepted"),
    ],
)
def test_area_catches_and_the_number_of_versions_decide_what_becomes_of_a_card(shown, new, in_force):
    found = Separation(**{"num_good": 5, "num_bad": 5, "area": 0.8, "caught": 0.5, "p_value": 0.05} | shown)
    silent, loud = false_alarms([False] * 10), false_alarms([False] * 9 + [True])
    for is_new, status in ((True, new), (False, in_force)):
        assert decide(found, silent, CAMPAIGN_LEVEL, is_new, "accepted")[0] == status
        assert decide(found, loud, CAMPAIGN_LEVEL, is_new, "accepted")[0] is None


@pytest.mark.parametrize(("num_versions", "revisions"), [(1, 1), (10, 1), (11, 2), (19, 10), (999, 990)])
def test_the_revisions_that_a_campaign_can_ask_share_its_level(num_versions, revisions):
    assert level_of(num_versions) * revisions == pytest.approx(CAMPAIGN_LEVEL)


def test_separation_is_the_chance_that_a_bad_version_lies_beyond_a_good_one():
    alarms, is_bad = np.array([False, False, True, True]), np.array([False, False, True, True])
    found = separation(np.array([0.1, 0.2, 0.2, 0.3]), alarms, is_bad, 0.01)
    assert (found.area, found.caught) == (0.875, 1.0)


def search(monkeypatch, *columns):
    """Let each gap search one of these columns, in turn, whether or not its version differs in it."""
    left = iter(columns)
    monkeypatch.setattr("evotrainer.diagnosis.evolved.candidates._columns", lambda *_: [next(left)])


def test_a_search_among_versions_that_do_not_differ_accepts_hardly_a_card(tmp_path, monkeypatch):
    accepted = 0
    for seed in range(4):
        columns = [f"noise_{place}" for place in range(4)]
        search(monkeypatch, *columns)
        gaps = [gap("v012").model_copy(update={"message": column}) for column in columns]
        made = revised(small_root(tmp_path / str(seed)), EIGHT_EACH, more_edits(0), gaps=gaps, seed=1000 * seed)
        accepted += sum(one.status == "accepted" for one in made.cards)
    assert accepted <= 1


@pytest.mark.parametrize(
    ("labels", "due"),
    [((), None), (("good", "bad"), None), (("good", "bad", "bad"), "r04"), (("bad", "bad", "bad"), "r04")],
)
def test_a_revision_is_due_where_something_can_come_of_it(tmp_path, labels, due):
    files = write_campaign(tmp_path, ["good", *labels], num_groups=1, escalate_after=3)
    config = Config(harness=HarnessConfig(evolve=True, escalate_after=3))
    assert due_revision(files, config, read_records(files)) == due
    assert due_revision(files, Config(), read_records(files)) is None
    begun = files.revision(f"r{len(labels) + 1:02d}").root
    begun.mkdir(parents=True)
    (begun / "dvc.yaml").touch()
    assert due_revision(files, config, read_records(files)) == begun.name


def test_a_revision_is_due_while_there_are_cards_to_judge_again(tmp_path):
    files = write_campaign(tmp_path, ["good"] * 3, num_groups=1)
    config = Config(harness=HarnessConfig(evolve=True))
    assert due_revision(files, config, read_records(files)) is None
    save_card(files.evolved_plugins, card())
    assert due_revision(files, config, read_records(files)) == "r03"


@pytest.mark.parametrize("first", ["good", ""])
def test_the_gate_reads_own_rows_of_every_version(tmp_path, first):
    files = write_campaign(tmp_path, [first, "good", "bad"], num_groups=1)
    found = load_stored(files, read_records(files))
    audits = [("v001", first, True), ("v002", "good", True), ("v003", "bad", False)]
    assert [(one.version, one.label, one.is_healthy) for one in found] == audits


def test_six_gaps_are_asked_and_the_newest_first(tmp_path):
    made = reviser(small_root(tmp_path), stored_versions(["good"]), plain_rows())
    made.revise([gap(f"v{number:03d}") for number in range(1, 9)])
    assert {decision.outcome for decision in made.decisions} == {"refused"} and not made.cards
    assert [decision.gap[:4] for decision in made.decisions] == [f"v{number:03d}" for number in range(8, 2, -1)]


def test_an_accepted_card_explains_falls_of_the_versions_it_alarms_on(tmp_path):
    def long(rows, is_bad, rng):
        return rows.assign(num_tokens=90 if is_bad else 30)

    known = card("long", shows="num_tokens > 60", status="accepted")
    made = reviser(small_root(tmp_path), stored_versions(["good"] * 8 + ["bad"] * 8, long), plain_rows(), [known])
    fall = {"difference": -0.1}
    rose = gap("v012", numbers={"difference": 0.1}).model_copy(update={"message": "the score rose"})
    left = [rose, gap("v001", numbers=fall)]
    made.revise([gap("v012", numbers=fall), *left])
    asked = [one.gap for one in made.decisions if one.outcome == "refused"]
    assert asked == [f"{one.version}: {one.message}" for one in left]


def _two_kinds(rows, is_bad, rng):
    """Of five bad versions the first four edit often, the last four call many tools."""
    _two_kinds.count += is_bad
    edits, tools = is_bad and _two_kinds.count < 5, is_bad and _two_kinds.count > 1
    return rows.assign(
        num_edits=rng.poisson(9.0 if edits else 3.0, len(rows)), num_calls=rng.poisson(9.0 if tools else 3.0, len(rows))
    )


@pytest.mark.parametrize("most", [1, 2])
def test_a_revision_lets_in_so_many_diagnostics_and_asks_no_further(tmp_path, monkeypatch, most):
    _two_kinds.count = 0
    stored = stored_versions(["good"] * 4 + ["bad"] * 5, _two_kinds)
    made = reviser(small_root(tmp_path), stored, plain_rows(), max_new_diagnostics=most)
    columns = ("num_edits", "num_calls", "noise_0")
    search(monkeypatch, *columns)
    made.revise([Gap(version="v009", message=column) for column in columns])
    entered = [decision.gap for decision in made.decisions if decision.outcome == "provisional"]
    assert entered == ["v009: num_edits", "v009: num_calls"][:most]
    assert {decision.gap for decision in made.decisions} == set(entered)
