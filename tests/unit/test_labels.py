"""Labels by honest scores, the escalation after failures, and when a revision is due."""

from dataclasses import replace

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.campaign.labels import honest_difference, is_healthy, labels_of
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, EvaluateConfig, HarnessConfig
from evotrainer.config.factors import FACTORS
from evotrainer.config.interventions import with_values
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL
from evotrainer.diagnosis.evolved.order_revision import best_layer, judge_order, order_revision
from evotrainer.diagnosis.evolved.revision_trigger import revision_trigger
from evotrainer.domains.swe.access import SANITIZED_HISTORY
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.promotion.screening import Screening
from evotrainer.promotion.verdict import decide
from evotrainer.records import CheckpointClaim, Finding, Gap, HarnessReport, Verdict, VersionRecord
from evotrainer.search import make_search
from evotrainer.search.escalation import MARK, escalation, last_good
from tests.evolved_plugins import card
from tests.evolving_campaign import comparison, record, verdict, write_campaign
from tests.trainer_agents import agent_of

UNDER = {"rescored_under": SANITIZED_HISTORY}
ESCALATING = Config(harness=HarnessConfig(escalate_after=3))


def _invalid(mode: str) -> Finding:
    return Finding(mode=mode, severity="invalid", diagnostic=mode, version="v002", message="m")


def _worse_than(version: str) -> Verdict:
    """Return a verdict of worse than another version beyond chance, and better than the base policy by chance."""
    found = [comparison(version, -0.05), comparison("v000", 0.15, width=0.3)]
    return verdict("v003", "bad", version).model_copy(update={"comparisons": found})


def _campaign(*labels, **values) -> list[VersionRecord]:
    records = [record("v000", ""), record("v001", "good", outcome="promoted")]
    return [*records, *(record(f"v{place + 2:03d}", label, **values) for place, label in enumerate(labels))]


def _promoted(records: list[VersionRecord], place: int) -> list[VersionRecord]:
    won = records[place].verdict.model_copy(update={"outcome": "promoted"})
    return [*records[:place], records[place].model_copy(update={"verdict": won}), *records[place + 1 :]]


def _gated(made: VersionRecord, estimate: float, against: str = "v001") -> VersionRecord:
    """Return a record whose gate drew fresh rows against its incumbent."""
    claim = CheckpointClaim(
        against=against,
        outcome="harmful",
        num_problems=60,
        attempts=16,
        alpha=0.01,
        log_wealth=-1.0,
        estimate=estimate,
        low=estimate - 0.04,
        high=estimate + 0.04,
        noise_floor=0.01,
    )
    return made.model_copy(update={"verdict": made.verdict.model_copy(update={"gate": claim})})


def test_fresh_rows_say_how_a_version_compares_with_its_incumbent_and_screening_does_not():
    lucky = record("v002", "good")
    assert labels_of([*_campaign(), lucky])["v002"] == "good"
    assert labels_of([*_campaign(), _gated(lucky, -0.06)])["v002"] == "bad"
    assert labels_of([*_campaign(), _gated(lucky, -0.06, against="v000")])["v002"] == "bad"
    assert labels_of([*_campaign(), _gated(lucky, 0.06)])["v002"] == "good"
    assert labels_of([*_campaign(), _gated(lucky, 0.01)])["v002"] == "good", "over the base policy screening tells"


def test_a_difference_beyond_its_interval_labels_and_one_within_does_not():
    def label(width: float) -> str:
        compared = [comparison("v001", -0.05, width), comparison("v000", 0.15, width)]
        made = verdict("v002", "bad").model_copy(update={"comparisons": compared})
        return labels_of([*_campaign(), record("v002", "bad", verdict=made)])["v002"]

    assert (label(0.049), label(0.051)) == ("bad", "good")


def test_one_that_scored_less_while_nothing_was_decided_is_not_healthy():
    def kept(*differences: float) -> VersionRecord:
        found = [comparison(name, one, width=0.3) for name, one in zip(("v001", "v000"), differences, strict=True)]
        return record("v002", "", verdict=verdict("v002", "").model_copy(update={"comparisons": found}))

    assert is_healthy(kept(0.01, 0.02), "") and not is_healthy(kept(-0.04, 0.02), "")
    assert not is_healthy(_gated(kept(0.01, 0.02), -0.01), "")


def test_labels_follow_honest_scores_alone():
    records = _campaign("good", "bad", "")
    assert labels_of(records) == {"v000": "", "v001": "good", "v002": "good", "v003": "bad", "v004": ""}


@pytest.mark.parametrize("outcome", ["invalid", "inconclusive", "promoted", "kept"])
@pytest.mark.parametrize("modes", [["history_leak"], ["test_tampering"], ["history_leak", "test_tampering"]])
def test_a_score_that_is_not_to_be_believed_labels_nothing_whatever_the_verdict(modes, outcome):
    doubted = record("v002", "good", outcome=outcome, findings=[_invalid(mode) for mode in modes])
    assert labels_of([*_campaign(), doubted])["v002"] == "" and not is_healthy(doubted, "")
    assert labels_of([*_campaign(), record("v002", "bad", findings=doubted.findings)])["v002"] == ""
    following = record("v003", "bad", incumbent="v002").model_copy(update={"verdict": _worse_than("v002")})
    assert labels_of([*_campaign(), doubted, following])["v003"] == ""


def test_lost_attempts_and_the_greedy_gate_hide_no_invalid_finding_from_the_label():
    plain = record("v002", "good")
    screening = Screening(score=0.6, comparisons=tuple(plain.verdict.comparisons))
    report = HarnessReport(version="v002", harness_version="h", findings=[_invalid("history_leak")])
    evaluation = Evaluation(plain.spec, report, screening=screening)
    lost = decide(replace(evaluation, screening=replace(screening, error_share=0.5)), EvaluateConfig())
    greedy = decide(evaluation, EvaluateConfig(gate="greedy"))
    assert (lost.outcome, greedy.outcome) == ("inconclusive", "promoted")
    for found in (lost, greedy):
        leaked = plain.model_copy(update={"verdict": found, "findings": report.findings})
        assert labels_of([*_campaign(), leaked])["v002"] == ""


def test_a_score_on_sanitised_histories_answers_a_leak_and_nothing_else():
    leak, tampering = _invalid("history_leak"), _invalid("test_tampering")
    base, first = (one.model_copy(update={"rescored": one.verdict.score, **UNDER}) for one in _campaign())

    def label(corrected: float, *findings: Finding) -> str:
        found = verdict("v002", "good", outcome="invalid").model_copy(update={"leak_free_score": corrected, **UNDER})
        return labels_of([base, first, record("v002", "good", verdict=found, findings=list(findings))])["v002"]

    assert (label(0.61, leak), label(0.3, leak)) == ("good", "bad")
    assert label(0.61, leak, tampering) == label(0.3, leak, tampering) == ""


def _rescored(made: VersionRecord, by: float) -> VersionRecord:
    """Return a record as a later leak leaves its peers: scored again on sanitised histories, lower by `by`."""
    assert made.verdict.score is not None
    return made.model_copy(update={"rescored": made.verdict.score - by, **UNDER})


def test_a_leak_elsewhere_that_rescores_peers_changes_no_label_of_those_evaluated_before():
    base, first, good, bad, neither = _campaign("good", "bad", "")
    plain = labels_of([base, first, good, bad, neither])
    peers = [_rescored(base, 0.15), _rescored(first, 0.15)]
    assert labels_of([*peers, good, bad, neither]) == plain
    assert labels_of([*peers, _rescored(good, 0.15), _rescored(bad, 0.15), _rescored(neither, 0.15)]) == plain
    assert labels_of([base, first, _rescored(good, 0.15), _rescored(bad, 0.15), _rescored(neither, 0.15)]) == plain


def test_a_difference_to_a_score_with_a_leak_is_none_where_the_other_side_was_not_scored_again():
    base, first, good, bad = _campaign("good", "bad")
    leaked = _rescored(first, 0.15).model_copy(update={"findings": [_invalid("history_leak")]})
    labels = labels_of([_rescored(base, 0.0), leaked, good, bad])
    assert (labels["v002"], labels["v003"]) == ("", "")
    below_base = record("v004", "", verdict=_worse_than("v000"))
    assert labels_of([base, leaked, below_base])["v004"] == "bad"
    assert honest_difference(bad, "v001", {"v001": leaked}) is None
    corrected = honest_difference(_rescored(bad, 0.15), "v001", {"v001": leaked})
    assert corrected is not None and corrected[0] == pytest.approx(-0.05)


def test_a_version_on_sanitised_histories_is_compared_as_its_verdict_compared_it():
    base, first = _campaign()
    peers = [_rescored(base, 0.15), _rescored(first, 0.3)]
    compared = [comparison("v001", 0.1), comparison("v000", 0.15)]
    made = record(
        "v004", "good", verdict=verdict("v004", "good").model_copy(update={"score": 0.4, "comparisons": compared})
    )
    spec = made.spec.model_copy(update={"access": SANITIZED_HISTORY, "rescored_in": {"v000": "v003", "v001": "v003"}})
    clean = made.model_copy(update={"spec": spec})
    assert labels_of([*peers, clean])["v004"] == "good"
    after = record("v005", "bad", incumbent="v004").model_copy(
        update={
            "spec": spec.model_copy(update={"version": "v005", "incumbent": "v004", "rescored_in": {"v000": "v003"}})
        }
    )
    assert labels_of([*peers, clean, after])["v005"] == "bad"
    leaked = first.model_copy(update={"findings": [_invalid("history_leak"), _invalid("test_tampering")]})
    assert honest_difference(clean, "v001", {"v001": _rescored(leaked, 0.3)}) is None


def test_an_inconclusive_version_has_no_label():
    assert labels_of([*_campaign(), record("v002", "good", outcome="inconclusive")])["v002"] == ""


def test_healthy_is_what_nothing_is_known_against():
    good, bad, open_, failed = (
        record("v002", "good"),
        record("v002", "bad"),
        record("v002", ""),
        record("v002", "", outcome="rejected"),
    )
    labels = ("good", "bad", "", "")
    assert [is_healthy(one, label) for one, label in zip((good, bad, open_, failed), labels, strict=True)] == [
        True,
        False,
        True,
        False,
    ]
    leak = {"findings": [_invalid("history_leak")]}
    assert not any(is_healthy(one.model_copy(update=leak), label) for one, label in ((good, "good"), (open_, "")))


def test_three_failed_versions_since_a_promotion_escalate_and_fewer_do_not():
    assert escalation(_campaign("bad", "bad"), ESCALATING) is None
    assert escalation(_promoted(_campaign("bad", "bad", "good", "bad"), 4), ESCALATING) is None
    assert escalation(_campaign("bad", "bad", "bad"), Config()) is None
    found = escalation(_campaign("good", "bad", "bad", "bad"), ESCALATING)
    assert found is not None and found.failed == ("v003", "v004", "v005") and found.last_good == "v001"
    assert found.families == {"filter", "data", "reward"}


def test_a_promotion_beside_failures_of_its_generation_ends_the_row():
    def together(*labels):
        spec = {"generation": 2}
        return [
            one if one.spec.generation < 2 else one.model_copy(update={"spec": one.spec.model_copy(update=spec)})
            for one in _campaign(*labels)
        ]

    assert escalation(_promoted(together("good", "bad", "bad", "bad"), 2), ESCALATING) is None
    found = escalation(together("bad", "bad", "bad"), ESCALATING)
    assert found is not None and found.failed == ("v002", "v003", "v004")


def test_what_was_kept_without_a_claim_neither_counts_nor_ends_the_row():
    found = escalation(_campaign("bad", "bad", "good", "bad"), ESCALATING)
    assert found is not None and found.failed == ("v002", "v003", "v005")
    assert escalation(_campaign("bad", "bad", "good", "good"), ESCALATING) is None


def test_what_was_no_trial_neither_counts_nor_ends_the_row():
    records = _campaign("bad", "bad", "", "bad")
    undecided = records[4].model_copy(
        update={"verdict": records[4].verdict.model_copy(update={"outcome": "inconclusive"})}
    )
    found = escalation([*records[:4], undecided, records[5]], ESCALATING)
    assert found is not None and found.failed == ("v002", "v003", "v005")


def test_candidates_start_from_the_last_good_version_after_failures():
    records = _campaign("bad", "bad", "bad")
    records[1] = record("v001", "", outcome="promoted")
    plain = make_search(Config(num_versions=9)).next_generation(records, Config(num_versions=9))
    config = Config(harness=HarnessConfig(escalate_after=3), num_versions=9)
    escalated = make_search(config).next_generation(records, config)
    assert {plan.incumbent for plan in plain} == {"v001"} and {plan.incumbent for plan in escalated} == {"v000"}


def test_what_fresh_rows_promoted_is_good_enough_to_go_back_to():
    """Its screening score may not lie above the base policy's beyond chance: the gate showed that it is better."""
    records = _campaign("bad", "bad", "bad")
    records[1] = record("v001", "", outcome="promoted")
    assert last_good(records) == "v000"
    gate = CheckpointClaim(
        against="v000",
        outcome="promoted",
        num_problems=60,
        attempts=16,
        alpha=0.01,
        log_wealth=6.0,
        estimate=0.03,
        low=0.01,
        high=0.05,
        noise_floor=0.01,
    )
    records[1] = records[1].model_copy(update={"verdict": records[1].verdict.model_copy(update={"gate": gate})})
    assert last_good(records) == "v001"


def test_after_failures_other_families_come_first_and_removals_before_all():
    added = record("v002", "good", outcome="promoted")
    records = [*_campaign()[:2], added, *(record(f"v{n:03d}", "bad", incumbent="v002") for n in (3, 4, 5))]
    assert added.intervention is not None
    taken_up = {key: new for key, (_, new) in added.intervention.diff.items()}
    report = HarnessReport(version="v006", harness_version="h", metrics={"solve_rate": 0.5})
    recipe = with_values(ESCALATING, taken_up)
    calm = with_values(Config(), taken_up)
    found = agent_of(recipe).propose(ProposalContext(recipe, "v002", 6, report, records))
    usual = agent_of(calm).propose(ProposalContext(calm, "v002", 6, report, records))
    assert f"{MARK}removal of v002" in found[0].evidence
    assert {key: new for key, (_, new) in found[0].diff.items()} == {
        key: old for key, (old, _) in added.intervention.diff.items()
    }
    limited = report.model_copy(update={"metrics": {"solve_rate": 0.5, "truncation_rate": 0.1}})
    removal = agent_of(recipe).propose(ProposalContext(recipe, "v002", 6, limited, records))[0]
    assert [(limit.metric, limit.value) for limit in removal.limits] == [("truncation_rate", 0.25)]
    escalated = escalation(records, ESCALATING)
    assert escalated is not None

    def families(proposals):
        return {
            FACTORS[name].family
            for one in proposals
            for name in one.factor.split("+")
            if not any(item.startswith(MARK) for item in one.evidence)
        }

    assert families(found).isdisjoint(escalated.families) and not families(usual).isdisjoint(escalated.families)
    wide = with_values(recipe, {"search.candidates_per_generation": len(found) + 1})
    filled = agent_of(wide).propose(ProposalContext(wide, "v002", 6, report, records))
    assert len(filled) > len(found) and not families(filled).isdisjoint(escalated.families)


def _predicted(version: str, mode: str, hit: bool) -> VersionRecord:
    made = record(version, "")
    assert made.intervention is not None
    return made.model_copy(
        update={
            "intervention": made.intervention.model_copy(update={"evidence": [mode, "rule:x"]}),
            "verdict": made.verdict.model_copy(update={"prediction_hit": hit}),
        }
    )


def test_the_layer_whose_predictions_come_true_is_read_first():
    signal = [_predicted(f"v{n:03d}", "dead_groups", True) for n in range(2, 8)]
    behaviour = [_predicted(f"v{n:03d}", "truncation", False) for n in range(8, 14)]
    gap = Gap(kind="failed_prediction", version="v013", message="missed")
    found = order_revision(gap, [*signal, *behaviour], "", "demo r13", [], 0, CAMPAIGN_LEVEL)
    assert found is not None
    plugin, judged = found
    assert (plugin.card.order, judged.status) == ("signal-first", "accepted")
    assert judged.separation is not None and judged.separation.p_value == pytest.approx(2 / 924), "of either layer"
    few = [
        order_revision(gap, [*signal, *behaviour[:count]], "", "demo r13", [], 0, CAMPAIGN_LEVEL) for count in (4, 2, 1)
    ]
    assert [one and one[1].status for one in few] == ["provisional", "provisional", None]
    assert order_revision(gap, [*signal, *behaviour], "signal-first", "demo r13", [], 0, CAMPAIGN_LEVEL) is None
    turned = card("signal_first", "order", alarm=None, order="behaviour-first", status="accepted")
    assert judge_order(turned, [*signal, *behaviour], 0, CAMPAIGN_LEVEL, is_new=False).status is None


@pytest.mark.parametrize("status", ["provisional", "accepted"])
@pytest.mark.parametrize(("inside", "outside", "is_kept"), [("11100", "11000", False), ("1110", "1000", True)])
def test_an_order_in_force_is_asked_for_its_chance_again(status, inside, outside, is_kept):
    """Its layer leads by no more than chance: with five hits and five misses it expires, with four nobody is sure."""
    trials = [("dead_groups", hit) for hit in inside] + [("truncation", hit) for hit in outside]
    records = [_predicted(f"v{n + 2:03d}", mode, hit == "1") for n, (mode, hit) in enumerate(trials)]
    order = card("signal_first", "order", alarm=None, order="signal-first", status=status)
    judged = judge_order(order, records, 0, CAMPAIGN_LEVEL, is_new=False)
    assert judged.status == (status if is_kept else None)
    assert ("no more than chance" in judged.reason) != is_kept


def test_a_rise_that_is_not_to_be_believed_is_no_hit():
    trials = [("dead_groups", True), ("dead_groups", False), ("truncation", True), ("truncation", False)]
    honest = [_predicted(f"v{n:03d}", mode, hit) for n, (mode, hit) in enumerate(trials, start=2)]
    sound = [_predicted(f"v{n:03d}", "dead_groups", True) for n in range(6, 9)]
    leak = {"findings": [_invalid("history_leak")], "rescored": 0.3, **UNDER}
    leaked = [one.model_copy(update=leak) for one in sound]
    assert best_layer(honest) is None and best_layer([*honest, *leaked]) is None
    assert best_layer([*honest, *sound]) == "signal"


def test_no_layer_leads_where_all_predictions_fare_alike():
    records = [
        _predicted(f"v{n:03d}", mode, n % 2 == 0)
        for n in range(2, 10)
        for mode in ["dead_groups" if n < 6 else "truncation"]
    ]
    assert best_layer(records) is None
    order = card("signal_first", "order", alarm=None, order="signal-first", status="accepted")
    assert judge_order(order, records, 0, CAMPAIGN_LEVEL, is_new=False).status is None


@pytest.mark.parametrize(
    ("labels", "due"),
    [((), None), (("good", "bad"), None), (("good", "bad", "bad"), "r04"), (("bad", "bad", "bad"), "r04")],
)
def test_a_revision_is_due_where_something_can_come_of_it(tmp_path, labels, due):
    files = write_campaign(tmp_path, ["good", *labels], num_groups=1, escalate_after=3)
    config = Config(harness=HarnessConfig(evolve=True, escalate_after=3))
    assert revision_trigger(files, config, read_records(files)) == due
    assert revision_trigger(files, Config(), read_records(files)) is None
    begun = files.revision(f"r{len(labels) + 1:02d}").root
    begun.mkdir(parents=True)
    (begun / "dvc.yaml").touch()
    assert revision_trigger(files, config, read_records(files)) == begun.name
