"""Findings that contradict each other: a limit moves where that resolves it, and what the gate says of the move."""

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.evolved.cards import Plugin, load_plugins, save_plugin
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL, level_of
from evotrainer.diagnosis.evolved.limits import judge_limit
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Gap
from tests.evolved_plugins import card
from tests.stored_versions import plain_rows, reviser, small_root, stored_versions

TURNS = """
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    turns = float(context.rows["num_turns"].mean()) if len(context.rows) else 0.0
    limit = context.thresholds.{limit}
    found = [context.finding("{mode}", "warning", "m", {{"turns": turns}}, ("{limit}",))] if turns {sign} limit else []
    return Diagnosis({{"turns_of_{mode}": turns}}, found)
"""
MODULES = {
    "circling": TURNS.format(limit="turns", mode="echo_trap", sign=">"),
    "leaving": TURNS.format(limit="failed_turns", mode="timidity", sign="<"),
}
LIMITS = {"turns": 10.0, "failed_turns": 15.0}
GAP = Gap(kind="contradiction", version="v001", message="too many turns and too few", modes=["echo_trap", "timidity"])


def _turns(rows, is_bad, rng):
    """Good versions take about 12 turns, which both findings call wrong; bad ones take 40."""
    return rows.assign(num_turns=rng.poisson(40 if is_bad else 12, len(rows)))


def _revised(root, labels):
    stored = stored_versions(labels, _turns)
    made = reviser(small_root(root, **MODULES), stored, plain_rows(), thresholds=dict(LIMITS))
    made.revise([GAP])
    return made


def test_the_move_that_spares_healthy_versions_and_keeps_the_catches_is_taken(tmp_path):
    made = _revised(tmp_path, ["good"] * 6 + ["bad"] * 6)
    (plugin,) = made.plugins
    assert (plugin.card.kind, plugin.card.status, plugin.card.mode) == ("threshold", "accepted", "echo_trap")
    assert plugin.card.limits["turns"] > 12 and plugin.card.gap == "v001: too many turns and too few"
    assert plugin.card.separation is not None and plugin.card.separation.area == 1.0
    assert plugin.card.separation.p_value < 0.05
    save_plugin(tmp_path / "evolved", plugin)
    harness = Harness(tmp_path, HarnessConfig(plugins=["score", "evolved"], thresholds=dict(LIMITS)))
    modes = [{finding.mode for finding in harness.run(one.context).findings} for one in made.stored]
    assert all("echo_trap" not in told for told in modes[:6]) and all("echo_trap" in told for told in modes[6:])


def test_of_moves_that_end_the_contradiction_one_that_spares_most_and_moves_least_is_taken(tmp_path):
    """At 12.5 turns a good version is still named, at 20 the limit is farther off, below 12 the contradiction stays."""
    turns = iter([12.0, 14.5, 12.0, 40.0, 40.0, 11.0])
    stored = stored_versions(["good"] * 3 + ["bad"] * 3, lambda rows, *_: rows.assign(num_turns=next(turns)))
    made = reviser(small_root(tmp_path, **MODULES), stored, plain_rows(), thresholds=dict(LIMITS))
    made.revise([GAP])
    assert [plugin.card.limits for plugin in made.plugins] == [{"turns": 15.0}]


def test_with_few_versions_a_move_is_recorded_and_not_in_force(tmp_path):
    made = _revised(tmp_path, ["good"] * 3 + ["bad"] * 3)
    (plugin,) = made.plugins
    assert plugin.card.status == "provisional"
    save_plugin(tmp_path / "evolved", plugin)
    harness = Harness(tmp_path, HarnessConfig(plugins=["score", "evolved"], thresholds=dict(LIMITS)))
    assert harness.thresholds.turns == LIMITS["turns"]


def test_a_limit_that_catches_nothing_any_more_expires(tmp_path):
    stored = stored_versions(["good"] * 6 + ["bad"] * 6)
    moved = card("turns_limit", "threshold", limits={"turns": 16.0}, mode="echo_trap")
    judged = judge_limit(moved, stored, lambda *_: False, CAMPAIGN_LEVEL, is_new=False)
    assert judged.status is None and "does not separate" in judged.reason


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize(
    ("num_moves", "level", "status"),
    [(1, CAMPAIGN_LEVEL, "accepted"), (200, CAMPAIGN_LEVEL, None), (1, level_of(12), None)],
)
def test_the_chance_of_a_move_counts_all_that_were_tried_whenever_it_is_decided(num_moves, level, status, is_new):
    stored = stored_versions(["good"] * 5 + ["bad"] * 6)
    moved = card(
        "turns_limit", "threshold", limits={"turns": 16.0}, mode="echo_trap", status="provisional", num_moves=num_moves
    )
    caught = [one.version for one in stored if one.label == "bad"][:4]
    judged = judge_limit(moved, stored, lambda limits, mode, context: context.version in caught, level, is_new)
    assert judged.status == status
    assert judged.separation is not None and judged.separation.p_value == pytest.approx(min(1.0, num_moves / 22))


def test_a_move_that_entered_on_few_versions_is_decided_by_all_moves_that_were_tried(tmp_path):
    few = _revised(tmp_path / "few", ["good"] * 3 + ["bad"] * 3)
    (entered,) = few.plugins
    assert (entered.card.status, entered.card.num_moves) == ("provisional", 12)
    save_plugin(tmp_path / "evolved", entered)
    (loaded,) = load_plugins(tmp_path / "evolved")
    stored = stored_versions(["good"] * 5 + ["bad"] * 5, _turns)
    root = small_root(tmp_path / "more", **MODULES)
    made = reviser(root, stored, plain_rows(), [loaded], thresholds=dict(LIMITS))
    made.revise([])
    (decision,) = made.decisions
    assert decision.outcome == "accepted" and decision.separation is not None
    assert decision.separation.p_value == pytest.approx(12 / 252)


def test_a_card_without_the_number_of_moves_is_of_one_move(tmp_path):
    moved = Plugin(card=card("turns_limit", "threshold", alarm=None, limits={"turns": 16.0}, mode="echo_trap"))
    save_plugin(tmp_path, moved)
    assert "num_moves" not in (tmp_path / "turns_limit.yaml").read_text()
    assert load_plugins(tmp_path)[0].card.num_moves == 1
