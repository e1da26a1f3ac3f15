"""What campaigns retained: only settings of the incumbent's line, told apart by campaign."""

import dataclasses

import numpy as np
import pytest

from benchmarks.failure_modes import find_failure_mode
from benchmarks.failure_modes.healthy_code import healthy_code
from benchmarks.failure_modes.healthy_swe import healthy_swe
from evotrainer.campaign.lineage import brought_by
from evotrainer.config import SHARED_PLUGINS, Config, HarnessConfig
from evotrainer.config.interventions import merge
from evotrainer.diagnosis.harness import Harness
from evotrainer.report.data import version_data
from evotrainer.report.decision import decision
from evotrainer.report.strategies import BEHAVIOUR, Kept, Strategy, differences, retained, strategies_table
from tests.campaign_writer import make_intervention
from tests.examination import PLUGINS, examine

pytestmark = pytest.mark.parts

BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})
FIRST = ("v001", 0.3, {"generation": 1, "kind": "baseline", "incumbent": "v000", "metrics": {"mean_tokens": 20.0}})


def kept(factor: str, key: str) -> Kept:
    return Kept(key, factor, 0.0, 0.1, "v002", ())


def strategy(name: str, *factors: str) -> Strategy:
    return Strategy(name, name, "v002", tuple(kept(factor, f"reward.{factor}") for factor in factors), {})


def test_the_line_of_the_incumbent_alone_is_retained(written_campaign):
    found = retained(written_campaign)
    assert found.incumbent == "v007"
    assert [(one.key, one.old, one.new, one.version) for one in found.kept] == [("filter.group", "none", "std", "v007")]


def test_the_behaviour_is_the_incumbents_beside_the_baselines(make_records, campaign_writer):
    change = make_intervention(Config(), {"algorithm.learning_rate": 1.92e-4}, "score", 0.05)
    make_records(
        BASE, FIRST, ("v002", 0.8, {"generation": 2, "intervention": change, "metrics": {"mean_tokens": 17.0}})
    )
    found = retained(campaign_writer.files)
    assert found.behaviour["mean_tokens"] == (20.0, 17.0)
    assert [(one.key, one.version) for one in found.kept] == [("algorithm.learning_rate", "v002")]


def test_settings_of_a_merge_are_of_the_versions_that_brought_them(make_records, campaign_writer):
    rate, batch = {"algorithm.learning_rate": 1.92e-4}, {"algorithm.num_minibatches": 2}
    one, other = (make_intervention(Config(), diff, "score", 0.05) for diff in (rate, batch))
    both = merge(one, other, Config(), parents=("v002", "v003"), have_won=False)
    later = make_intervention(Config(), {"algorithm.kl_coefficient": 0.1}, "score", 0.05)
    second = {"generation": 2, "incumbent": "v001", "parents": ["v001"]}
    records = make_records(
        BASE,
        FIRST,
        ("v002", 0.5, {**second, "intervention": one}),
        ("v003", 0.5, {**second, "intervention": other}),
        ("v004", 0.7, {"generation": 3, "kind": "merge", "parents": ["v002", "v003"], "intervention": both}),
        ("v005", 0.1, {"generation": 4, "incumbent": "v004", "parents": ["v004"], "intervention": later}),
    )
    origins = {"algorithm.learning_rate": "v002", "algorithm.num_minibatches": "v003"}
    names = {**origins, "algorithm.kl_coefficient": "v005", "algorithm.entropy_coefficient": ""}
    assert {key: brought_by(records, "v005", key) for key in names} == names
    files = campaign_writer.files
    assert {one.key: one.version for one in retained(files).kept if one.key in origins} == origins
    told = "\n".join(decision(records[4], records, 0.95))
    assert "algorithm.learning_rate was brought by v002, algorithm.num_minibatches was brought by v003" in told
    assert version_data(files, records[4], records)["setting_origins"] == origins
    assert version_data(files, records[3], records)["setting_origins"] == {}


def test_a_campaign_whose_base_is_the_incumbent_retained_nothing(make_records, campaign_writer):
    make_records(BASE)
    assert retained(campaign_writer.files).kept == ()


def test_differences_are_told_by_factor():
    told = differences([strategy("math", "kl", "format"), strategy("swe", "kl", "process"), strategy("code", "kl")])
    assert told == [
        "all keep a change of kl",
        "only math (math) keeps a change of format",
        "only swe (swe) keeps a change of process",
    ]
    assert differences([strategy("math")]) == ["math (math) keeps nothing beyond its own recipe"]


def test_the_table_has_a_column_a_campaign_and_a_row_a_setting():
    columns, rows = strategies_table([strategy("math", "kl"), strategy("swe", "kl", "process")])
    assert len(columns) == 3
    assert rows == [["reward.kl", "0.0 → 0.1", "0.0 → 0.1"], ["reward.process", "", "0.0 → 0.1"]]


def behaving(name: str, **behaviour: tuple[float, float]) -> Strategy:
    return dataclasses.replace(strategy(name, "kl"), behaviour=behaviour)


def test_behaviour_that_parts_and_behaviour_of_one_domain_are_told():
    found = [
        behaving("math", mean_tokens=(20.0, 15.0), entropy=(0.5, 0.49)),
        behaving("code", mean_tokens=(20.0, 30.0), entropy=(0.5, 0.1)),
        behaving("swe", mean_tokens=(20.0, 20.5), self_test_rate=(0.4, 0.8), git_usage_rate=(0.1, 0.1)),
    ]
    assert differences(found)[1:] == [
        "tokens an attempt: falls in math (20 → 15), rises in code (20 → 30)",
        "only swe (swe) shows: attempts that run a test 0.4 → 0.8",
    ]


def test_what_the_report_compares_is_what_the_harness_measures():
    """Every name of BEHAVIOUR is a metric of real rows of some domain, or of signals, and two domains differ by it."""
    swe, code = (
        examine(
            Harness(PLUGINS, HarnessConfig(plugins=[*SHARED_PLUGINS, domain])),
            make(np.random.default_rng(0), num_groups=12),
        )
        for domain, make in (("swe", healthy_swe), ("code", healthy_code))
    )
    of_signals = {"entropy"}
    assert set(BEHAVIOUR) - swe.metrics.keys() - code.metrics.keys() - of_signals == set()
    for name in ("self_test_rate", "search_before_edit_rate", "edit_then_test_rate", "git_usage_rate"):
        assert 0 < swe.metrics[name] <= 1
        assert name not in code.metrics


def test_a_domain_that_stops_testing_is_told_beside_another(make_records, campaign_writer):
    rng = np.random.default_rng(1)
    rows = healthy_swe(rng, num_groups=12)
    lazy = find_failure_mode("timidity").inject(rows, 0.9, np.random.default_rng(1))
    harness = Harness(PLUGINS, HarnessConfig(plugins=[*SHARED_PLUGINS, "swe"]))
    before, after = (examine(harness, part).metrics for part in (rows, lazy))
    change = make_intervention(Config(), {"algorithm.learning_rate": 1.92e-4}, "score", 0.05)
    make_records(
        BASE,
        (*FIRST[:2], {**FIRST[2], "metrics": before}),
        ("v002", 0.8, {"generation": 2, "intervention": change, "metrics": after}),
    )
    found = retained(campaign_writer.files)
    assert found.behaviour["self_test_rate"] == (before["self_test_rate"], after["self_test_rate"])
    told = differences([found, behaving("math", mean_tokens=(20.0, 20.0))])
    assert any("attempts that run a test" in sentence for sentence in told)
