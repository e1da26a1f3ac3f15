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
    failures_in_a_row,
    find,
    incumbent,
    numbers_of_findings,
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


def test_a_version_without_a_verdict_is_not_closed(make_records: Make, campaign_writer: Any) -> None:
    make_records(("v000", 0.0, {"generation": 0, "kind": "base", "parents": []}))
    open_version = campaign_writer.files.version("v001")
    open_version.root.mkdir()
    open_version.spec.path.write_text("{}")
    assert [record.spec.version for record in read_records(campaign_writer.files)] == ["v000"]


def test_of_two_winners_the_better_reigns_and_an_honest_score_counts(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    rival = records[8].model_copy(update={"verdict": records[7].verdict.model_copy(update={"score": 0.9})})
    assert incumbent([*records[:8], rival]) == "v008"
    caught = changed(rival, verdict={"leak_free_score": 0.3, "rescored_under": AccessPolicy()})
    assert incumbent([*records[:8], caught]) == "v007"


def test_a_winner_over_an_older_version_reigns_only_where_it_ranks_above(make_records: Make) -> None:
    """A search that went back to v000 compares with v000: what wins there has not met v001."""
    start = [
        ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}),
        ("v001", 0.4, {"generation": 1, "kind": "baseline", "incumbent": "v000"}),
    ]
    back = {"generation": 2, "incumbent": "v000", "parents": ["v000"]}
    records = make_records(*start, ("v002", 0.25, back))
    assert [record.verdict.outcome for record in records[1:]] == ["promoted", "promoted"]
    assert incumbent(records) == "v001"
    assert incumbent(make_records(("v003", 0.6, back | {"generation": 3}))) == "v003"


def test_what_infrastructure_took_may_be_tried_again(make_records: Make) -> None:
    records = make_records(
        ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}),
        ("v001", 0.4, {"generation": 1, "kind": "baseline", "incumbent": "v000"}),
        ("v002", 0.3, {"generation": 2}),
    )

    def lost(record: VersionRecord) -> VersionRecord:
        return changed(record, verdict={"outcome": "inconclusive", "label": "lost_attempts"})

    recipe, policy = records[1].config_hash, records[1].policy_hash
    assert recipe in taken_recipes(records[:2]) and policy in taken_policies(records[:2])
    assert recipe not in taken_recipes([lost(records[1])]) and policy not in taken_policies([lost(records[1])])
    assert failures_in_a_row([*records[:2], lost(records[2])]) == 0
    assert failures_in_a_row([*records[:2], changed(records[2], verdict={"outcome": "rejected"})]) == 1


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
    with pytest.raises(LineageError, match="'best' is not a version"):
        find(records, "best")


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
    assert found.outcomes == ("promoted", "kept")
    assert diff_versions(written_campaign, "v002", "v002").changes == {}


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


def test_numbers_of_both_versions_findings_are_named(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    finding = records[6].findings[0]
    one, two = (
        record.model_copy(update={"findings": [finding.model_copy(update={"numbers": numbers})]})
        for record, numbers in ((records[1], {"score": 0.5}), (records[2], {"entropy": 1.0, "score": 0.6}))
    )
    assert numbers_of_findings(one, two) == {"entropy", "score"}
    assert set(diff_versions(written_campaign, "v001", "v006").named) <= numbers_of_findings(records[1], records[6])


def test_against_the_base_the_settings_beyond_the_campaigns_own_are_shown(written_campaign: CampaignFiles) -> None:
    assert diff_versions(written_campaign, "v000", "v001").changes == {}
    assert diff_versions(written_campaign, "v000", "v002").changes == {"algorithm.learning_rate": (6.4e-5, 1.92e-4)}


def test_metrics_that_are_no_numbers_are_left_out(make_records: Make, campaign_writer: Any) -> None:
    make_records(("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}))
    values = {"a": 1, "b": "x", "c": float("nan"), "d": True}
    campaign_writer.files.version("v000").metrics.write_text(json.dumps(values))
    assert read_record(campaign_writer.files, "v000").metrics == {"a": 1.0}
    campaign_writer.files.version("v000").metrics.write_text("{")
    with pytest.raises(LineageError, match="metrics.json is not JSON"):
        read_records(campaign_writer.files)
