"""The retrospective gate: what enters the harness, what does not and why."""

import re

import numpy as np
import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.evolved.cards import Plugin, save_plugin
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL, decide
from evotrainer.diagnosis.evolved.grammar import Term, is_outcome_metric
from evotrainer.diagnosis.evolved.measure import Rows, value_of
from evotrainer.diagnosis.evolved.proposals import analyzer_source, bound
from evotrainer.diagnosis.evolved.separation import false_alarms, separation
from evotrainer.diagnosis.evolved.stored import _block
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Condition
from tests.evolved_plugins import card, metric
from tests.stored_versions import (
    ROOT,
    context,
    gap,
    more_edits,
    plain_rows,
    revised,
    reviser,
    small_root,
    stored_versions,
)

pytestmark = pytest.mark.slow

SIX_EACH = ["good"] * 6 + ["bad"] * 6


def test_a_gap_yields_a_diagnostic_that_tells_bad_versions_and_is_silent_on_good_ones(tmp_path):
    root = small_root(tmp_path / "plugins")
    made = revised(root, SIX_EACH, more_edits(8), gaps=[gap("v009")])
    (decision,) = made.decisions
    assert decision.outcome == "accepted" and "num_edits" in decision.formula
    assert decision.separation is not None and decision.separation.p_value <= 0.05
    assert (decision.separation.num_good, decision.separation.num_bad, decision.separation.area) == (6, 6, 1.0)
    assert decision.false_alarms is not None and decision.false_alarms.num_alarms == 0
    (plugin,) = made.plugins
    assert plugin.card.gap == "v009: the score fell and nothing says why" and plugin.card.author == "rules"
    assert plugin.card.date == "demo r02" and plugin.card.cost is not None
    save_plugin(root / "evolved", plugin)
    harness = Harness(root, HarnessConfig(plugins=["score", "evolved"]))
    fresh = stored_versions(["good", "bad"], more_edits(8), seed=500)
    alarmed = [{finding.mode for finding in harness.run(one.context).findings} for one in fresh]
    assert plugin.card.name not in alarmed[0] and plugin.card.name in alarmed[1]
    assert harness.version != made.harness.version


@pytest.mark.parametrize(
    ("labels", "outcome"), [(["good"] * 4 + ["bad"] * 3, "provisional"), (["good"] * 6 + ["bad"], "refused")]
)
def test_few_labelled_versions_make_a_card_provisional_and_fewer_make_none(tmp_path, labels, outcome):
    made = revised(small_root(tmp_path), labels, more_edits(8), gaps=[gap("v007")])
    (decision,) = made.decisions
    assert decision.outcome == outcome
    assert [plugin.card.status for plugin in made.plugins] == ["provisional"][: outcome == "provisional"]
    if outcome == "refused":
        assert decision.reason == "6 known-good and 1 known-bad versions are too few to judge a revision"


def test_versions_that_do_not_differ_give_no_diagnostic(tmp_path):
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(0), gaps=[gap(f"v{i:03d}") for i in range(7, 13)])
    assert not made.plugins
    assert {decision.outcome for decision in made.decisions} == {"refused"}


def test_what_a_metric_says_already_gets_a_bound_and_no_second_metric(tmp_path):
    def longer(rows, is_bad, rng):
        return rows.assign(num_tokens=rows["num_tokens"] + 6 * is_bad + rng.integers(0, 2))

    stored = stored_versions(SIX_EACH, longer)
    made = reviser(small_root(tmp_path), stored, plain_rows())
    made.revise([gap("v009"), gap("v010")])
    assert made.plugins and all(plugin.card.kind == "threshold" for plugin in made.plugins)
    refused = [decision for decision in made.decisions if decision.outcome == "refused"]
    assert refused and all(decision.reason.startswith("it repeats ") for decision in refused)
    bounded = [plugin.card.alarm.metric for plugin in made.plugins if plugin.card.alarm]
    assert bounded and set(bounded) <= {"mean_tokens", "median_tokens", "p95_tokens"}
    assert len(bounded) == len(set(bounded))


def test_what_another_finding_tells_already_is_refused(tmp_path):
    knows = """
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    many = float((context.rows["num_edits"] > 100).sum())
    is_many = len(context.rows) and context.rows["num_edits"].mean() > 5
    return Diagnosis({"many": many}, [context.finding("frantic", "warning", "m", {})] if is_many else [])
"""
    made = revised(small_root(tmp_path / "knows", knows=knows), SIX_EACH, more_edits(12), gaps=[gap("v009")])
    assert not made.plugins
    assert "frantic already finds these versions" in {decision.reason for decision in made.decisions}
    restated = knows.replace("frantic", "score_decline")
    made = revised(small_root(tmp_path / "restated", knows=restated), SIX_EACH, more_edits(12), gaps=[gap("v009")])
    assert [plugin.card.status for plugin in made.plugins] == ["accepted"]


@pytest.mark.parametrize(
    ("alarmed", "severity", "is_refused"),
    [
        (["v003", "v004"], "warning", True),
        (["v003"], "warning", False),
        (["v003", "v004"], "info", False),
        (["v002", "v003", "v004"], "warning", False),
    ],
)
def test_a_finding_tells_bad_versions_where_it_alarms_on_all_that_a_card_catches_and_on_no_healthy_one(
    tmp_path, alarmed, severity, is_refused
):
    knows = f"""
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    found = [context.finding("frantic", "{severity}", "m", {{}})] if context.version in {alarmed} else []
    return Diagnosis({{"mean_edits": float(context.rows["num_edits"].mean())}}, found)
"""
    stored = stored_versions(["good", "good", "bad", "bad"], more_edits(12))
    made = reviser(small_root(tmp_path, knows=knows), stored, plain_rows())
    alarm = Condition(metric="mean_edits", operator=">", value=5.0)
    judged = made.gate.judge(Plugin(card=card("busy", "threshold", alarm=alarm)))
    alarmed = (None, "frantic already finds these versions")
    kept = ("provisional", "separates 2 known-good from 2 known-bad versions: too few to accept it")
    assert (judged.status, judged.reason) == (alarmed if is_refused else kept)


def _by_outcome(rows, is_bad, rng, column):
    """Return rows of which many are wrong where the version is bad, with a column made from them."""
    rows = rows.assign(correct=1.0 - (rng.random(len(rows)) < rng.normal(0.7 if is_bad else 0.3, 0.04)))
    return rows.assign(num_edits=column(rows))


def test_a_column_that_goes_with_the_outcome_is_no_metric_since_the_labels_say_the_same(tmp_path):
    def plant(rows, is_bad, rng):
        return _by_outcome(rows, is_bad, rng, lambda rows: rng.poisson(2.0 + 3 * (rows["correct"] < 1)))

    made = revised(small_root(tmp_path), SIX_EACH, plant, gaps=[gap("v009")])
    assert not made.plugins and made.decisions


def test_a_metric_of_outcomes_gets_no_bound_since_the_labels_say_the_same(tmp_path):
    def plant(rows, is_bad, rng):
        def rate(rows):
            return rows["correct"].groupby(rows["problem_id"].map(_block)).transform("mean") * 100

        return _by_outcome(rows, is_bad, rng, rate)

    made = revised(small_root(tmp_path), SIX_EACH, plant, gaps=[gap("v009")])
    alarmed = [decision for decision in made.decisions if decision.reason.startswith("it repeats ")]
    assert alarmed and all(is_outcome_metric(decision.reason.removeprefix("it repeats ")) for decision in alarmed)
    assert not made.plugins


def test_a_metric_that_tells_bad_versions_is_no_twin_of_the_solve_rate_for_that(tmp_path):
    def plant(rows, is_bad, rng):
        edits = rng.poisson(3.0 * np.exp(rng.normal(0, 0.05) + is_bad), len(rows))
        return _by_outcome(rows, is_bad, rng, lambda _: edits)

    made = revised(small_root(tmp_path), SIX_EACH, plant, gaps=[gap("v009")])
    assert [plugin.card.status for plugin in made.plugins] == ["accepted"]


def test_a_card_tells_one_kind_of_bad_versions_where_they_are_of_two(tmp_path):
    def plant(rows, is_bad, rng):
        plant.count += is_bad
        is_busy = is_bad and plant.count % 3
        return rows.assign(num_edits=rng.poisson(3.0 * np.exp(rng.normal(0, 0.05) + bool(is_busy)), len(rows)))

    plant.count = 0
    made = revised(small_root(tmp_path), ["good"] * 8 + ["bad"] * 6, plant, gaps=[gap("v009")])
    (plugin,) = made.plugins
    assert plugin.card.status == "accepted" and plugin.card.separation.caught == pytest.approx(4 / 6)


def test_the_card_that_answers_a_fall_alarms_on_the_version_that_fell(tmp_path):
    fell = gap("v014", numbers={"difference": -0.1})

    def plant(rows, is_bad, rng):
        plant.count += is_bad
        rate = {True: 1.0, False: 8.0}[plant.count == 6] if is_bad else 3.0
        return rows.assign(num_edits=rng.poisson(rate * np.exp(rng.normal(0, 0.05)), len(rows)))

    for asked, number in ((fell, 0), (gap("v013", numbers={"difference": -0.1}), 1)):
        plant.count = 0
        root = small_root(tmp_path / asked.version)
        made = revised(root, ["good"] * 8 + ["bad"] * 6, plant, gaps=[asked])
        assert len(made.plugins) == number
    assert made.plugins[0].card.alarm.operator == ">"


@pytest.mark.parametrize(("silent_on", "is_bounded"), [("", True), ("v006", False)])
def test_a_bound_answers_no_fall_of_a_version_that_its_metric_is_not_known_of(tmp_path, silent_on, is_bounded):
    knows = f"""
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    edits = float(context.rows["num_edits"].mean())
    return Diagnosis({{"mean_edits": edits}} if context.version != "{silent_on}" else {{}})
"""

    def plant(rows, is_bad, rng):
        low, high = rng.normal(9.0 if is_bad else 3.0, 0.5, 2)
        return rows.assign(num_edits=rows["problem_id"].map(_block).map({0: low, 1: high}))

    fell, root = gap("v006", numbers={"difference": -0.1}), small_root(tmp_path, knows=knows)
    made = revised(root, ["good"] * 3 + ["bad"] * 3, plant, gaps=[fell])
    assert made.decisions[0].reason == "it repeats mean_edits"
    assert ("threshold" in {plugin.card.kind for plugin in made.plugins}) == is_bounded


def test_falls_are_asked_before_contrasts_and_a_column_once(tmp_path):
    contrasts = [gap(f"v{i:03d}", "uncovered_contrast", columns=["num_edits"]) for i in range(1, 13)]
    made = revised(small_root(tmp_path), SIX_EACH, more_edits(0), gaps=[*contrasts, gap("v007")])
    asked = [(decision.gap_kind, decision.gap[:4]) for decision in made.decisions]
    assert asked[0] == ("unexplained_score", "v007") and {name for kind, name in asked[1:]} == {"v012"}


@pytest.mark.parametrize("diagnostic", ["score", "families"])
def test_every_metric_of_the_score_and_of_families_is_one_of_outcomes(diagnostic):
    harness = Harness(ROOT / "harness_plugins", HarnessConfig(plugins=["score"]))
    metrics = harness.run(context(plain_rows(num_groups=48), "v001"), only=[diagnostic]).metrics
    assert len(metrics) > 1
    assert all(is_outcome_metric(name) for name in metrics if not name.startswith("num_"))


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT first(num_edits) FROM rows", "depends on the order of rows"),
        ("SELECT avg(mean_logprob) FROM rows", "it fails on stored evidence: "),
        ("SELECT 1; SELECT 2", "it fails on stored evidence: .*exactly one SELECT"),
        ("SELECT avg(attempt) FROM rows", "does not separate"),
        ("SELECT -avg(num_edits) FROM rows", "false alarm on 6 of 6 healthy"),
    ],
)
def test_a_card_that_does_not_show_its_worth_is_refused_with_the_reason(tmp_path, sql, reason):
    made = reviser(small_root(tmp_path), stored_versions(SIX_EACH, more_edits(8)), plain_rows())
    good, edits = -50.0, 4.0
    bound = good if sql.startswith("SELECT -") else edits
    judged = made.gate.judge(metric("m", sql, Condition(metric="m", operator=">", value=bound)))
    assert judged.status is None
    assert re.search(reason, judged.reason), judged.reason


@pytest.mark.parametrize(("error", "value"), [(0.0, 2.5), (0.3, 2.5), (0.4, 6.0)])
def test_a_bound_lies_halfway_to_the_nearest_bad_value_that_is_two_standard_errors_off(error, value):
    stored, values, errors = stored_versions(["good", "good", "bad", "bad"], num_groups=1), [1, 2, 3, 10], [error] * 4
    assert bound("m", 1, values, errors, stored) == Condition(metric="m", operator=">", value=value)
    turned = bound("m", -1, [-one for one in values], errors, stored)
    assert turned == Condition(metric="m", operator="<", value=-value)
    assert bound("m", -1, values, errors, stored) is None


def test_the_rate_of_false_alarms_has_an_upper_limit_however_few_there_were():
    assert false_alarms([False] * 59).high == pytest.approx(0.0495, abs=1e-3)
    assert false_alarms([True] * 3).high == 1.0 and false_alarms([]).num_healthy == 0


def test_separation_is_the_chance_that_a_bad_version_lies_beyond_a_good_one():
    found = separation([1.0, 2.0, 2.0, 3.0], [False, False, True, True], [False, False, True, True], 0.01)
    assert (found.area, found.caught) == (0.875, 1.0)
    judged = decide(found, false_alarms([False] * 2), CAMPAIGN_LEVEL, is_new=True, status="provisional")
    assert judged.status == "provisional" and "too few to accept it" in judged.reason


@pytest.mark.parametrize("part", ["all", "correct", "wrong"])
@pytest.mark.parametrize(("family", "sign"), [("", 1), ("add", 1), ("", -1)])
def test_an_analyzer_measures_what_its_term_means_and_names_the_farthest_rows(tmp_path, part, family, sign):
    term = Term("num_tokens", "share", 20.0, part=part, family=family)
    alarm = Condition(metric="long", operator=">", value=0.0)
    plugin = Plugin(card=card("long", "analyzer", alarm=alarm), source=analyzer_source(term, "long", sign))
    save_plugin(tmp_path / "evolved", plugin)
    rows = plain_rows(num_groups=48)
    report = Harness(tmp_path, HarnessConfig(plugins=["evolved"])).run(context(rows, "v001"))
    assert report.metrics["long"] == pytest.approx(value_of(term, Rows(rows)), rel=1e-8)
    named = rows.set_index("trajectory_id").loc[report.findings[0].trajectory_ids, "num_tokens"]
    assert len(named) == 20 and (sign * named).is_monotonic_decreasing and {*(named > 20)} == {sign > 0}
