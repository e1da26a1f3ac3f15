"""A leak: who is scored again, where the rows lie, and what the campaign does from then on."""

import json

import pytest
import yaml

from conf.compose import compose_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import (
    access_after,
    access_of,
    evaluation_of,
    in_force,
    is_superseded,
    stricter_access,
)
from evotrainer.campaign.lineage import baseline, incumbent
from evotrainer.config import SHARED_PLUGINS
from evotrainer.domains.swe.domain import OPEN_HISTORY, SANITIZED_HISTORY
from evotrainer.promotion.evaluation import Evaluation, Screening
from evotrainer.promotion.verdict import decide
from evotrainer.records import Access, AccessPolicy, HarnessReport
from evotrainer.search import make_search
from tasks.plan import run as plan
from tests.evolving_campaign import changed
from tests.plain_records import plain_finding

LEAK = plain_finding("history_leak", "invalid", message="93% of the attempts restore the fix from history")
HISTORIES = (OPEN_HISTORY, SANITIZED_HISTORY)
OPEN = ["domain=swe", "domain.access=open_history"]
BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})


def leaky(**options):
    return ("v001", 0.9, {"generation": 1, "kind": "baseline", "incumbent": "v000", "findings": (LEAK,), **options})


def rescored(v001: float = 0.3, v000: float = 0.35) -> dict:
    return {"rescored": {"v001": v001, "v000": v000}, "rescored_under": SANITIZED_HISTORY}


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
    assert access_after(OPEN_HISTORY, records) == SANITIZED_HISTORY
    (again,) = make_search(compose_campaign(OPEN)).next_generation(records, compose_campaign(OPEN))
    assert again.kind == "baseline"


def test_the_base_policy_is_kept_and_no_reason_to_switch(make_records):
    records = make_records(("v000", 0.0, {**BASE[2], "findings": (LEAK,)}))
    assert records[0].verdict.outcome == "kept"
    assert access_after(OPEN_HISTORY, records) == OPEN_HISTORY


def test_the_recipe_that_trained_under_a_leak_trains_again_and_only_once(make_records):
    records = make_records(BASE, leaky(**rescored()))
    config = compose_campaign(OPEN)
    (again,) = make_search(config).next_generation(records, config)
    assert (again.version, again.kind, again.generation) == ("v002", "baseline", 2)
    assert baseline(records) == "v001"
    spec = {"version": "v002", "generation": 2, "access": Access(policy=SANITIZED_HISTORY)}
    verdict = {"outcome": "kept", "leak_free_score": None, "rescored": {}, "rescored_under": None}
    closed = [*records, changed(records[1], spec, verdict)]
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
    for folder in SHARED_PLUGINS:
        (files.root / "harness_plugins" / folder).mkdir(parents=True)
    plan(files, "v002")
    spec = json.loads(files.version("v002").spec.path.read_text())
    assert spec["access"]["policy"]["name"] == "sanitized_history"
    assert (spec["access"]["rows_in"], spec["access"]["again"]) == ({"v000": "v001"}, [])
    stage = yaml.safe_load((files.version("v002").root / "dvc.yaml").read_text())["stages"]["evaluate"]
    assert "../v001/leak_response" in stage["deps"] and "leak_response" not in stage["outs"]


def test_rows_of_peers_are_found_where_they_were_scored_alike(make_records, campaign_writer):
    records = make_records(BASE, leaky(**rescored()))
    spec = records[1].spec.model_copy(update={"version": "v002", "access": Access(rows_in={"v000": "v001"})})
    files = campaign_writer.files
    assert evaluation_of(files, spec, "v000") == files.version("v001").leak_response / "v000"
    assert evaluation_of(files, records[1].spec, "v000") == files.version("v000").validation


def test_base_incumbent_and_parents_may_be_scored_beside_a_leak_where_a_stricter_policy_is_left(make_records):
    records = make_records(BASE, leaky())
    spec = records[1].spec.model_copy(update={"version": "v005", "incumbent": "v001", "parents": ["v003", "v001"]})
    assert access_of(spec, OPEN_HISTORY, HISTORIES, records).again == ["v000", "v001", "v003"]
    assert access_of(spec, OPEN_HISTORY, (OPEN_HISTORY,), records).again == []
    assert access_of(spec, OPEN_HISTORY, HISTORIES, []) == Access(policy=OPEN_HISTORY)


@pytest.mark.parametrize("overrides", [[], ["search=hillclimb"]])
def test_only_the_score_only_gate_does_not_hear_the_leak(make_records, overrides):
    record = make_records(BASE, leaky())[1]
    evaluation = Evaluation(
        record.spec,
        HarnessReport(version="v001", harness_version="1", findings=[LEAK]),
        screening=Screening(score=0.9, low=0.8, high=0.95, comparisons=tuple(record.verdict.comparisons)),
    )
    verdict = decide(evaluation, compose_campaign(overrides).evaluate)
    assert verdict.outcome == ("promoted" if overrides else "invalid")
    assert any("history_leak: 93% of the attempts restore the fix from history" in reason for reason in verdict.reasons)


LADDER = (
    AccessPolicy(name="all"),
    AccessPolicy(name="no_network", strictness=1, answers=["answer_lookup"]),
    AccessPolicy(name="offline_and_sealed", strictness=2, answers=["answer_lookup", "test_reading"]),
)


@pytest.mark.parametrize(
    ("current", "modes", "asked"),
    [
        (0, ["answer_lookup"], "no_network"),
        (0, ["test_reading"], "offline_and_sealed"),
        (0, ["answer_lookup", "test_reading"], "offline_and_sealed"),
        (1, ["answer_lookup"], "offline_and_sealed"),
        (1, ["history_leak"], None),
        (2, ["test_reading"], None),
    ],
)
def test_a_finding_asks_for_the_least_strict_policy_that_answers_it(current, modes, asked):
    findings = [LEAK.model_copy(update={"mode": mode}) for mode in modes]
    found = stricter_access(LADDER, LADDER[current], findings)
    assert (found and found.name) == asked
    milder = [finding.model_copy(update={"severity": "critical"}) for finding in findings]
    assert stricter_access(LADDER, LADDER[current], milder) is None


def test_access_becomes_stricter_step_by_step_and_never_opens_again(make_records):
    middle = {"rescored": {"v001": 0.3, "v000": 0.3}, "rescored_under": LADDER[1]}
    base, first = make_records(BASE, leaky(**middle))
    assert access_after(LADDER[0], [base, first]) == LADDER[1]
    assert access_after(LADDER[2], [base, first]) == LADDER[2]
    spec = {"version": "v002", "access": Access(policy=LADDER[1])}
    second = changed(first, spec, {"rescored": {"v000": 0.1}, "rescored_under": LADDER[2]})
    records = [base, first, second]
    assert access_after(LADDER[0], records) == LADDER[2]
    assert all(is_superseded(record, records) for record in records)
    planned = second.spec.model_copy(update={"version": "v003", "incumbent": "v001"})
    access = access_of(planned, LADDER[0], LADDER, records)
    assert access.rows_in == {"v001": "v003", "v000": "v002"} and access.scored_by("v003") == access.again == ["v001"]
    spec, config = planned.model_copy(update={"access": access}), compose_campaign(OPEN)
    assert in_force(config, spec).domain.access == "offline_and_sealed"
    assert config.domain.access == "open_history"
