"""The lineage on disk: records, incumbent, chain, duplicates, differences, and what is said of damaged files."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import (
    NUM_LEADING,
    VersionDiff,
    best_chain,
    children,
    diff_versions,
    find,
    incumbent,
    taken_policies,
    taken_recipes,
)
from evotrainer.campaign.repository import load_records, read_record, read_records, write_records
from evotrainer.config import load_config
from evotrainer.config.factors import recipe_hash
from evotrainer.errors import LineageError
from evotrainer.records import AccessPolicy, VersionRecord
from tests.evolving_campaign import changed

Make = Callable[..., list[VersionRecord]]
BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})
FIRST = ("v001", 0.4, {"generation": 1, "kind": "baseline", "incumbent": "v000"})


def test_records_are_read_in_order_with_what_belongs_to_them(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    assert [record.spec.version for record in records] == [f"v{index:03d}" for index in range(9)]
    second = records[2]
    assert second.intervention is not None and second.intervention.factor == "learning_rate"
    assert second.backtest is not None and second.backtest.accepted
    assert second.metrics["score"] == second.verdict.score
    assert second.config_hash == recipe_hash(load_config(written_campaign.version("v002").config))
    assert second.cost == {"train_tokens": 200_000, "train_seconds": 31.5, "train_cpu_seconds": 30.9}
    assert records[6].findings[0].mode == "reward_outcome_divergence"
    assert records[0].intervention is None and records[0].config_hash == "" and records[0].policy_hash is None


def test_of_two_winners_the_better_reigns_and_an_honest_score_counts(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    rival = records[8].model_copy(update={"verdict": records[7].verdict.model_copy(update={"score": 0.9})})
    assert incumbent([*records[:8], rival]) == "v008"
    caught = changed(rival, verdict={"leak_free_score": 0.3, "rescored_under": AccessPolicy()})
    assert incumbent([*records[:8], caught]) == "v007"


def test_a_winner_over_an_older_version_reigns_only_where_it_ranks_above(make_records: Make) -> None:
    """A search that went back to v000 compares with v000: what wins there has not met v001."""
    back = {"generation": 2, "incumbent": "v000", "parents": ["v000"]}
    records = make_records(BASE, FIRST, ("v002", 0.25, back))
    assert [record.verdict.outcome for record in records[1:]] == ["promoted", "promoted"]
    assert incumbent(records) == "v001"
    assert incumbent(make_records(("v003", 0.6, back | {"generation": 3}))) == "v003"


def test_what_infrastructure_took_may_be_tried_again(make_records: Make) -> None:
    records = make_records(BASE, FIRST)
    lost = changed(records[1], verdict={"outcome": "inconclusive", "label": "lost_attempts"})
    recipe, policy = records[1].config_hash, records[1].policy_hash
    assert recipe in taken_recipes(records) and policy in taken_policies(records)
    assert recipe not in taken_recipes([lost]) and policy not in taken_policies([lost])


def test_who_descends_from_whom(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    assert children(records, "v002") == ["v004", "v005", "v006", "v007", "v008"]
    assert children(records, "v003") == ["v004"]
    assert best_chain(records) == ["v000", "v001", "v002", "v007"]


def test_an_unknown_version_is_answered_with_what_there_is(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    with pytest.raises(LineageError, match=r"no version v033 .*nearest: v003.*9 closed versions"):
        find(records, "v33")
    with pytest.raises(LineageError, match="none is closed yet"):
        find([], "v1")


def test_frozen_records_come_back_and_hold_nothing_that_differs_from_run_to_run(
    written_campaign: CampaignFiles, tmp_path: Any
) -> None:
    records = read_records(written_campaign)
    path = tmp_path / "inputs" / "lineage.json"
    write_records(path, records)
    frozen = load_records(path)
    assert [record.model_copy(update={"cost": {}}) for record in frozen] == [
        record.model_copy(update={"cost": {}}) for record in records
    ]
    assert frozen[2].cost == {"train_tokens": 200_000}
    first = path.read_bytes()
    slower = [record.model_copy(update={"cost": record.cost | {"train_seconds": 99.0}}) for record in frozen]
    write_records(path, slower)
    assert path.read_bytes() == first


def test_no_frozen_lineage_is_an_empty_one_and_a_damaged_one_an_error(tmp_path: Any) -> None:
    assert load_records(tmp_path / "lineage.json") == []
    (tmp_path / "lineage.json").write_text('[{"spec": 1}]')
    with pytest.raises(LineageError, match=r"lineage.json is not a lineage"):
        load_records(tmp_path / "lineage.json")


def test_duplicates_are_found_by_recipe_and_by_policy(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    assert taken_recipes(records)[records[1].config_hash] == "v001"
    assert "" not in taken_recipes(records)
    assert taken_policies(records)["hash-v003"] == "v003"
    assert "v005" not in taken_policies(records).values()
    twin = records[3].model_copy(update={"config_hash": records[1].config_hash})
    assert taken_recipes([*records[:3], twin])[twin.config_hash] == "v001", "the earliest holds the recipe"


def test_two_versions_differ_by_settings_and_metrics(written_campaign: CampaignFiles) -> None:
    found = diff_versions(written_campaign, "v2", "v003")
    assert (found.first, found.second) == ("v002", "v003")
    assert found.changes == {"algorithm.kl_coefficient": (0.04, 0.001), "algorithm.learning_rate": (1.92e-4, 6.4e-5)}
    records = read_records(written_campaign)
    assert found.metrics["score"] == (records[2].verdict.score, records[3].verdict.score)
    assert "truncation_rate" not in found.metrics
    other = diff_versions(written_campaign, "v001", "v006")
    assert set(other.named) >= records[6].findings[0].numbers.keys() & other.metrics.keys(), "a finding's numbers lead"
    assert found.outcomes == ("promoted", "kept")
    assert diff_versions(written_campaign, "v002", "v002").changes == {}
    assert diff_versions(written_campaign, "v000", "v001").changes == {}, "the base stands for the campaign's recipe"
    assert diff_versions(written_campaign, "v000", "v002").changes == {"algorithm.learning_rate": (6.4e-5, 1.92e-4)}


def test_of_many_metrics_scores_lead_then_what_findings_name_then_what_differs_most() -> None:
    metrics: dict[str, tuple[float | None, float | None]] = {f"m{index:02d}": (1.0, 1.0 + index) for index in range(20)}
    metrics |= {
        "score": (0.5, 0.51),
        "rare": (0.0, 1e-9),
        "alone": (None, 3.0),
        "told": (7.0, 7.1),
        "turned": (-2.0, 2.0),
    }
    found = VersionDiff("v001", "v002", {}, metrics, ("kept", "kept"), ["alone", "told"])
    assert found.leading[:3] == ["score", "alone", "told"]
    assert found.leading[3:6] == ["turned", "rare", "m19"]
    assert len(found.leading) == NUM_LEADING
    many = VersionDiff("v001", "v002", {}, metrics, ("kept", "kept"), sorted(metrics))
    assert len(many.leading) == len(metrics), "what a finding names is never left out"


def test_metrics_that_are_no_numbers_are_left_out(make_records: Make, campaign_writer: Any) -> None:
    make_records(BASE)
    values = {"a": 1, "b": "x", "c": float("nan"), "d": True}
    campaign_writer.files.version("v000").metrics.write_text(json.dumps(values))
    assert read_record(campaign_writer.files, "v000").metrics == {"a": 1.0}
    campaign_writer.files.version("v000").metrics.write_text("{")
    with pytest.raises(LineageError, match="metrics.json is not JSON"):
        read_records(campaign_writer.files)
