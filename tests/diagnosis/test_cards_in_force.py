"""Cards in force: what they explain, when they are accepted, and when they expire."""

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.evolved.cards import Plugin, load_plugins, save_plugin
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL, Judged, decide, level_of
from evotrainer.diagnosis.evolved.separation import false_alarms, separation
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Condition, Separation
from tests.evolved_plugins import card, edits, write_plugins
from tests.stored_versions import gap, more_edits, revised, small_root

pytestmark = pytest.mark.slow

SIX_EACH = ["good"] * 6 + ["bad"] * 6


def test_what_expires_neither_refuses_a_new_card_nor_is_bounded_by_one(tmp_path):
    always = edits(alarm=Condition(metric="edits", operator=">", value=0.0))
    bounding = Plugin(card=card("edits_bound", "threshold", alarm=Condition(metric="edits", operator=">", value=4.0)))
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(8), [always, bounding], [gap("v009")])
    ended = {plugin.card.name: plugin.card.expired_because for plugin in made.plugins if not plugin.card.is_in_force}
    assert ended.keys() == {"edits", "edits_bound"} and ended["edits_bound"] == "edits, which it bounds, has expired"
    (entered,) = [plugin for plugin in made.plugins if plugin.card.is_in_force]
    assert entered.card.kind != "threshold" and entered.card.status == "accepted"


def test_a_fall_that_an_accepted_card_alarms_on_is_no_gap_any_more(tmp_path):
    fall = gap("v009", numbers={"difference": -0.1})
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(8), [edits("accepted")], [fall])
    assert [decision.outcome for decision in made.decisions] == ["kept"]


def test_a_provisional_card_is_accepted_when_enough_versions_are_closed(tmp_path):
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(8), [edits()])
    assert [
        (plugin.card.status, decision.outcome) for plugin, decision in zip(made.plugins, made.decisions, strict=True)
    ] == [("accepted", "accepted")]


@pytest.mark.parametrize("status", ["provisional", "accepted"])
def test_a_card_in_force_that_chance_explains_expires(tmp_path, status):
    by_chance = edits(status, alarm=Condition(metric="edits", operator=">", value=3.38))
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(1.5), [by_chance], seed=100)
    assert made.plugins[0].card.status == "expired"
    assert made.plugins[0].card.expired_because.startswith("a search over the whole grammar finds as clear")


def test_an_accepted_card_expires_with_a_false_alarm_and_stays_on_record(tmp_path):
    root = small_root(tmp_path / "plugins")

    def calm_then_busy(rows, is_bad, rng):
        return more_edits(0)(rows, is_bad, rng).assign(num_edits=lambda rows: rows["num_edits"] + 3)

    made = revised(root, SIX_EACH, calm_then_busy, [edits("accepted")])
    (decision,) = made.decisions
    assert decision.outcome == "expired" and "false alarm on 6 of 6 healthy" in decision.reason
    for plugin in made.plugins:
        save_plugin(root / "evolved", plugin)
    (kept,) = load_plugins(root / "evolved")
    assert kept.card.status == "expired" and kept.card.expired_because == decision.reason
    after = Harness(root, HarnessConfig(plugins=["score", "evolved"]))
    assert not after.evolved.cards and after.version != made.harness.version


def test_an_accepted_card_is_kept_while_it_separates_and_where_nothing_can_be_said(tmp_path):
    for labels in (SIX_EACH, ["good"] * 3):
        made = revised(small_root(tmp_path / str(len(labels))), labels, more_edits(8), [edits("accepted")])
        assert [plugin.card.status for plugin in made.plugins] == ["accepted"]
        assert [decision.outcome for decision in made.decisions] == ["kept"]


@pytest.mark.parametrize("status", ["provisional", "accepted"])
@pytest.mark.parametrize("num_bad", [0, 1])
def test_a_card_in_force_that_alarms_on_healthy_versions_expires_however_few_are_bad(tmp_path, status, num_bad):
    always = edits(status, alarm=Condition(metric="edits", operator=">", value=0.0))
    made = revised(small_root(tmp_path), ["good"] * 10 + ["bad"] * num_bad, more_edits(8), [always])
    (decision,) = made.decisions
    assert decision.outcome == "expired"
    assert decision.reason == "it raises a false alarm on 10 of 10 healthy sets of evidence"


@pytest.mark.parametrize(
    ("level", "p_value", "after"),
    [(0.05, 0.05, "accepted"), (0.05, 0.051, None), (0.005, 0.005, "accepted"), (0.005, 0.0051, None)],
)
@pytest.mark.parametrize("status", ["provisional", "accepted"])
def test_a_card_in_force_is_asked_for_its_chance_again_as_a_new_one_is(status, level, p_value, after):
    is_bad = [False] * 5 + [True] * 5
    found = separation([float(bad) for bad in is_bad], is_bad, is_bad, p_value)
    silent = false_alarms([False] * 5)
    assert decide(found, silent, level, is_new=False, status=status).status == after
    assert decide(found, silent, level, is_new=True, status="provisional").status == after


@pytest.mark.parametrize(
    ("shown", "new", "in_force"),
    [
        ({}, "accepted", "accepted"),
        ({"area": 0.79}, None, None),
        ({"caught": 0.49}, None, None),
        ({"num_good": 4, "p_value": 1.0}, "provisional", "accepted"),
        ({"num_bad": 4}, "provisional", "accepted"),
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
        assert decide(found, silent, CAMPAIGN_LEVEL, is_new, "accepted").status == status
        assert decide(found, loud, CAMPAIGN_LEVEL, is_new, "accepted").status is None


@pytest.mark.parametrize(("num_versions", "revisions"), [(1, 1), (10, 1), (11, 2), (19, 10), (999, 990)])
def test_the_revisions_that_a_campaign_can_ask_share_its_level(num_versions, revisions):
    assert level_of(num_versions) * revisions == pytest.approx(CAMPAIGN_LEVEL)


def test_a_card_says_why_it_expired_only_where_it_did():
    kept, ended = (Judged(status, "because").entered(card("edits")) for status in ("accepted", None))
    assert (kept.status, kept.expired_because) == ("accepted", "")
    assert (ended.status, ended.expired_because) == ("expired", "because")


def test_a_gap_that_a_card_in_force_answers_is_not_answered_again(tmp_path):
    known = edits("accepted", gap="v009: the score fell and nothing says why")
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(8), [known], [gap("v009")])
    assert [decision.outcome for decision in made.decisions] == ["kept"]


def test_a_hostile_card_in_force_expires_and_the_others_are_judged(tmp_path):
    source = "def analyze(rows, training, signals):\n    raise RuntimeError('no')\n"
    root = write_plugins(tmp_path / "hostile", raises=source)
    hostile = load_plugins(root / "evolved")
    made = revised(small_root(tmp_path / "plugins"), SIX_EACH, more_edits(8), [*hostile, edits()])
    assert [plugin.card.status for plugin in made.plugins] == ["expired", "accepted"]
    assert "raised RuntimeError" in made.plugins[0].card.expired_because
