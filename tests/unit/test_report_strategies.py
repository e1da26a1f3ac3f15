"""What campaigns retained: only settings of the incumbent's line, told apart by campaign."""

from evotrainer.config import Config
from evotrainer.report.strategies import Kept, Strategy, differences, retained, strategies_table
from tests.conftest import make_intervention

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
