"""A leak through history: who is scored again, where the rows lie, and what the campaign does from then on."""

import json

import pytest
import yaml

from conf.compose import compose_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import evaluation_of, in_force, must_sanitise, peers, rescored_in, to_rescore
from evotrainer.campaign.lineage import baseline, incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.config import SHARED_PLUGINS
from evotrainer.promotion.verdict import Trial, decide
from evotrainer.records import Finding
from evotrainer.search import make_search
from tasks.plan.stage import run as plan

LEAK = Finding(
    mode="history_leak",
    severity="invalid",
    diagnostic="history_leak",
    version="v001",
    message="93% of the attempts restore the fix from history",
)
OPEN = ["domain=swe", "domain.sanitize_history=false"]
BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})


def leaky(**options):
    return ("v001", 0.9, {"generation": 1, "kind": "baseline", "incumbent": "v000", "findings": (LEAK,), **options})


def rescored(v001: float = 0.3, v000: float = 0.35) -> dict:
    return {"rescored": {"v001": v001, "v000": v000}}


def test_a_version_with_a_leak_is_invalid_and_its_corrected_score_stands_beside_it(make_records):
    base, first = make_records(BASE, leaky(**rescored()))
    assert first.verdict.outcome == "invalid"
    assert first.verdict.leak_free_score == first.honest_score == 0.3
    assert first.verdict.rescored == {"v000": 0.35}
    assert "scored again on sanitised histories: v001 0.3000, v000 0.3500" in first.verdict.reasons
    assert base.honest_score == 0.35 != base.verdict.score
    assert incumbent([base, first]) == "v000"


def test_a_leak_is_answered_also_where_too_much_was_lost_to_judge_the_version(make_records):
    records = make_records(BASE, leaky(error_share=0.5, **rescored()))
    assert records[1].verdict.outcome == "inconclusive"
    assert must_sanitise(records)
    (again,) = make_search(compose_campaign(OPEN)).next_generation(records, compose_campaign(OPEN))
    assert again.kind == "baseline"


def test_the_base_policy_is_kept_and_no_reason_to_switch(make_records):
    records = make_records(("v000", 0.0, {**BASE[2], "findings": (LEAK,)}))
    assert records[0].verdict.outcome == "kept"
    assert not must_sanitise(records)


def test_the_recipe_that_trained_under_a_leak_trains_again_and_only_once(make_records):
    records = make_records(BASE, leaky(**rescored()))
    config = compose_campaign(OPEN)
    (again,) = make_search(config).next_generation(records, config)
    assert (again.version, again.kind, again.generation) == ("v002", "baseline", 2)
    assert baseline(records) == "v001"
    closed = [
        *records,
        records[1].model_copy(
            update={
                "spec": records[1].spec.model_copy(update={"version": "v002", "generation": 2, "is_sanitized": True})
            }
        ),
    ]
    assert all(one.kind == "candidate" for one in make_search(config).next_generation(closed, config))
    assert baseline(closed) == "v002"


def test_where_histories_were_sanitised_from_the_start_nothing_trains_again(make_records):
    records = make_records(BASE, leaky())
    config = compose_campaign(["domain=swe"])
    assert all(one.kind == "candidate" for one in make_search(config).next_generation(records, config))


def test_the_next_generation_is_planned_on_sanitised_histories(make_records, campaign_writer):
    files: CampaignFiles = campaign_writer.files
    make_records(BASE, leaky(**rescored()))
    write_campaign(files, compose_campaign(OPEN))
    for folder in (*SHARED_PLUGINS, "swe"):
        (files.root / "harness_plugins" / folder).mkdir(parents=True)
    plan(files, "v002")
    spec = json.loads(files.version("v002").spec.read_text())
    assert spec["is_sanitized"] and spec["rescored_in"] == {"v000": "v001"}
    stage = yaml.safe_load((files.version("v002").root / "dvc.yaml").read_text())["stages"]["evaluate"]
    assert "../v001/leak_response" in stage["deps"] and "leak_response" not in stage["outs"]


def test_a_peer_that_nobody_scored_again_is_scored_by_the_version_itself(make_records):
    records = make_records(
        BASE,
        ("v001", 0.2, {"generation": 1, "kind": "baseline", "incumbent": "v000"}),
        ("v002", 0.9, {"generation": 2, "incumbent": "v000", "findings": (LEAK,), "rescored": {"v000": 0.35}}),
    )
    assert rescored_in("v003", "v001", records) == {"v001": "v003", "v000": "v002"}
    spec = records[1].spec.model_copy(
        update={
            "version": "v003",
            "incumbent": "v001",
            "is_sanitized": True,
            "rescored_in": rescored_in("v003", "v001", records),
        }
    )
    config = compose_campaign(OPEN)
    assert to_rescore(config, spec) == ["v001"]
    assert in_force(config, spec).domain.sanitize_history and not config.domain.sanitize_history


def test_rows_of_peers_are_found_where_they_were_scored_alike(make_records, campaign_writer):
    records = make_records(BASE, leaky(**rescored()))
    spec = records[1].spec.model_copy(update={"version": "v002", "rescored_in": {"v000": "v001"}})
    files = campaign_writer.files
    assert evaluation_of(files, spec, "v000") == files.version("v001").leak_response / "v000"
    assert evaluation_of(files, records[1].spec, "v000") == files.version("v000").validation


def test_base_incumbent_and_parents_are_scored_beside_a_leak(make_records):
    spec = make_records(BASE, leaky())[1].spec
    assert peers(spec.model_copy(update={"version": "v005", "incumbent": "v002", "parents": ["v003", "v002"]})) == [
        "v000",
        "v002",
        "v003",
    ]
    assert to_rescore(compose_campaign(["domain=swe"]), spec) == []
    assert to_rescore(compose_campaign([]), spec) == []


@pytest.mark.parametrize("overrides", [[], ["search=hillclimb"]])
def test_only_the_score_only_gate_does_not_hear_the_leak(make_records, overrides):
    record = make_records(BASE, leaky())[1]
    trial = Trial(
        spec=record.spec,
        harness_version="1",
        findings=(LEAK,),
        score=0.9,
        score_low=0.8,
        score_high=0.95,
        comparisons=tuple(record.verdict.comparisons),
    )
    verdict = decide(trial, compose_campaign(overrides).evaluate)
    assert verdict.outcome == ("promoted" if overrides else "invalid")
    assert any("history_leak: 93% of the attempts restore the fix from history" in reason for reason in verdict.reasons)


def test_a_lineage_that_is_frozen_keeps_the_corrected_scores(make_records, campaign_writer, tmp_path):
    from evotrainer.campaign.repository import load_records, write_records

    records = make_records(BASE, leaky(**rescored()))
    write_records(tmp_path / "lineage.json", records)
    assert [record.honest_score for record in load_records(tmp_path / "lineage.json")] == [0.35, 0.3]
    assert read_records(campaign_writer.files)[0].rescored == 0.35
