"""Memory: what is distilled from verdicts, when a skill is tried, how it gains and loses standing."""

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.campaign.memory import Memory
from evotrainer.campaign.memory.cases import recall, similar, track_record
from evotrainer.campaign.memory.distil import remember
from evotrainer.campaign.memory.skills import (
    changes_of,
    foreign,
    is_called_for,
    native,
    setting_of,
    skill_name,
    with_trial,
)
from evotrainer.config import Config, DomainConfig
from evotrainer.domains.swe.access import SANITIZED_HISTORY
from evotrainer.promotion.gates.recipe import RecipeTrial, claim_of, design_recipe, open_recipe, step_recipe
from evotrainer.records import Condition, Confirmation, Finding, HarnessReport, SeedRun, SkillChange
from tests.campaign_writer import make_intervention
from tests.memory_records import case, skill, trial
from tests.trainer_agents import agent_of

BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})
FIRST = ("v001", 0.3, {"generation": 1, "kind": "baseline", "incumbent": "v000"})
FASTER = make_intervention(Config(), {"algorithm.learning_rate": 1.28e-4}, "score", 0.05)
LEAK = Finding(mode="history_leak", severity="invalid", diagnostic="history_leak", version="v001", message="restored")


def closed(make_records, *more):
    return make_records(BASE, FIRST, *more)


def fired(record):
    return attributed(record, "FIRED", [0.62, 0.58, 0.61], [0.3, 0.31, 0.29, 0.32])


def attributed(record, attribution, candidate, reference):
    """Return a record whose recipe was tested on seeds with these scores."""
    design = design_recipe(len(candidate), 0.01, 0.0, is_pooled=True)
    state = open_recipe(reference, design)
    for number, score in enumerate(candidate):
        state = step_recipe(state, number, score) if state.outcome == "open" else state
    runs = [
        [SeedRun(replicate=number, score=score, policy_hash="p", num_tokens=9) for number, score in enumerate(arm)]
        for arm in (candidate, reference)
    ]
    claim = claim_of(RecipeTrial("v001", 0.6, *runs, 50, 8), design, state, 0.95)
    confirmation = Confirmation(version=record.spec.version, recipe=claim, attribution=attribution)
    return record.model_copy(update={"confirmation": confirmation})


RESCORED = {"leak_free_score": 0.3, "rescored_under": SANITIZED_HISTORY}


def judged(record, **verdict):
    return record.model_copy(update={"verdict": record.verdict.model_copy(update=verdict)})


def proposals(memory: Memory, domain: str, records=(), modes=()):
    findings = [Finding(mode=mode, severity="warning", diagnostic="d", version="v1", message="m") for mode in modes]
    report = HarnessReport(version="v1", harness_version="h", findings=findings)
    config = Config(domain=DomainConfig(name=domain))
    return agent_of(config).propose(ProposalContext(config, "v001", 2, report, records, memory))


def test_a_proven_recipe_becomes_a_skill_and_an_unproven_one_does_not(make_records):
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER}))
    assert records[2].verdict.outcome == "promoted"
    assert remember(Memory(), "c", "math", records, {}, []).skills == []
    learned = remember(Memory(), "c", "math", [*records[:2], fired(records[2])], {}, []).skills
    assert [one.name for one in learned] == ["learning-rate-learning-rate-up"]
    assert learned[0].changes == [SkillChange(key="algorithm.learning_rate", ratio=2.0)]
    assert learned[0].standing == "domain" and learned[0].domains == ["math"]
    claim = fired(records[2]).confirmation.recipe
    assert (learned[0].expected_low, learned[0].expected_high) == (claim.low, claim.high)
    assert learned[0].trials[0].difference == claim.difference
    assert "3 fresh training seeds against 4 of v001, worst 0.5800" in learned[0].validation
    merged = records[2].model_copy(update={"spec": records[2].spec.model_copy(update={"kind": "merge"})})
    assert remember(Memory(), "c", "math", [*records[:2], fired(merged)], {}, []).skills == []


def test_a_skill_is_called_for_by_the_readings_that_its_rule_asked_for(make_records):
    timid = Condition(metric="kl", operator="<", value=0.03)
    asked = FASTER.model_copy(update={"triggers": [timid]})
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": asked}))
    learned = remember(Memory(), "c", "math", [*records[:2], fired(records[2])], {}, []).skills[0]
    assert learned.conditions == [timid]
    assert is_called_for(learned, [], {"kl": 0.01})
    assert not is_called_for(learned, [], {"kl": 0.2})


@pytest.mark.parametrize(("attribution", "failures"), [("NOT_FIRED", 1), ("CONFOUNDED", 0), (None, 0)])
def test_a_skill_tried_again_fails_where_its_recipe_was_tested_in_vain(make_records, attribution, failures):
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER}))
    before = Memory(skills=[skill(trial("math", version="v009"))])
    tried = attributed(records[2], attribution, [0.3, 0.31], [0.3, 0.31, 0.29])
    after = remember(before, "c", "math", [*records[:2], tried], {}, []).skills
    assert len(after) == 1 and (after[0].successes, after[0].failures) == (1, failures)


@pytest.mark.parametrize(
    ("outcome", "label", "failures"),
    [
        ("rejected", "", 1),
        ("invalid", "", 1),
        ("failed", "", 1),
        ("rejected", "duplicate", 0),
        ("inconclusive", "lost_attempts", 0),
    ],
)
def test_a_skill_fails_by_a_trial_alone(make_records, outcome, label, failures):
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER}))
    before = Memory(skills=[skill(trial("math", version="v009"))])
    tried = judged(records[2], outcome=outcome, label=label)
    after = remember(before, "c", "math", [*records[:2], tried], {}, []).skills
    assert (after[0].successes, after[0].failures) == (1, failures)


def test_ledger_and_cases_keep_every_version_and_every_trial(make_records):
    records = closed(make_records, ("v002", 0.1, {"generation": 2, "intervention": FASTER}))
    memory = remember(Memory(), "c", "math", records, {}, [])
    assert [row.version for row in memory.ledger] == ["v000", "v001", "v002"]
    assert [(case.version, case.factor, case.outcome) for case in memory.cases] == [
        ("v002", "learning_rate", "rejected")
    ]
    assert remember(memory, "c", "math", records, {}, []) == memory


def seen(*modes: str, **metrics: float) -> HarnessReport:
    return HarnessReport(
        version="v002",
        harness_version="h",
        metrics=metrics,
        findings=[
            Finding(mode=mode, severity="warning", diagnostic="d", version="v002", message="m") for mode in modes
        ],
    )


def test_a_case_is_found_by_what_was_seen_before_the_change(make_records):
    after = {"solve_rate": 0.8, "usable_groups": 0.9}
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER, "metrics": after}))
    before = seen("dead_groups", "truncation", solve_rate=0.3, usable_groups=0.4)
    cases = remember(Memory(), "c", "math", records, {"v002": before}, []).cases
    assert [(case.findings, case.metrics) for case in cases] == [(["dead_groups", "truncation"], before.metrics)]
    assert similar(cases, "math", ["truncation", "dead_groups"], before.metrics) == [(cases[0], 1.0)]
    assert similar(cases, "math", ["dead_groups"], after) == []


def test_what_was_refused_before_training_is_no_case(make_records):
    records = closed(make_records, ("v002", None, {"generation": 2, "intervention": FASTER}))
    memory = remember(Memory(), "c", "math", records, {}, [])
    assert memory.cases == [] and memory.ledger[2].factor == "learning_rate"
    stored = [case("math", ["dead_groups"], "rejected", difference=None)]
    assert track_record(similar(stored, "math", ["dead_groups"], {"solve_rate": 0.4}), "learning_rate") == (0.0, 0.0)


def test_what_was_measured_under_a_leak_is_no_case(make_records):
    promoted = ("v002", 0.6, {"generation": 2, "incumbent": "v000", "intervention": FASTER})
    base, first, second = closed(make_records, promoted)
    assert [one.outcome for one in remember(Memory(), "c", "swe", [base, first, second], {}, []).cases] == ["promoted"]
    leaky = judged(first, outcome="invalid", **RESCORED).model_copy(update={"findings": [LEAK]})
    assert remember(Memory(), "c", "swe", [base, leaky, second], {}, []).cases == []
    clean = second.model_copy(update={"spec": second.spec.model_copy(update={"access": SANITIZED_HISTORY})})
    assert [one.version for one in remember(Memory(), "c", "swe", [base, leaky, clean], {}, []).cases] == ["v002"]


def test_what_was_won_under_a_leak_is_quarantined(make_records):
    rescored = {"rescored": {"v001": 0.3}, "rescored_under": SANITIZED_HISTORY}
    records = make_records(
        BASE,
        ("v001", 0.9, {"generation": 1, "kind": "baseline", "incumbent": "v000", "findings": (LEAK,), **rescored}),
        ("v002", 0.6, {"generation": 2, "incumbent": "v000", "intervention": FASTER}),
    )
    learned = remember(Memory(), "c", "swe", [*records[:2], fired(records[2])], {}, []).skills
    assert [one.standing for one in learned] == ["quarantined"]
    assert native(learned, "swe") == foreign(learned, "math") == []
    alone = [records[0], judged(fired(records[2]), outcome="invalid")]
    assert [one.standing for one in remember(Memory(), "c", "swe", alone, {}, []).skills] == ["quarantined"]


def test_the_first_clean_success_teaches_a_quarantined_skill_anew(make_records):
    doubled = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER}))
    records = [*doubled[:2], fired(doubled[2])]
    leaky = skill(trial("swe", is_invalid=True)).model_copy(
        update={"changes": [SkillChange(key="algorithm.learning_rate", ratio=4.0)], "validation": "of a leak"}
    )
    (learned,) = remember(Memory(skills=[leaky]), "c", "math", records, {}, []).skills
    (fresh,) = remember(Memory(), "c", "math", records, {}, []).skills
    assert learned.trials == [*leaky.trials, *fresh.trials] and learned.standing == "domain"
    assert learned == fresh.model_copy(update={"trials": learned.trials})
    stands = leaky.model_copy(update={"trials": [trial("swe")]})
    (grown,) = remember(Memory(skills=[stands]), "c", "math", records, {}, []).skills
    assert (grown.validation, grown.changes) == (stands.validation, stands.changes)
    lost = [*doubled[:2], judged(doubled[2], outcome="rejected")]
    (still,) = remember(Memory(skills=[leaky]), "c", "math", lost, {}, []).skills
    assert (still.standing, still.failures, still.validation) == ("quarantined", 1, "of a leak")


def test_standing_follows_the_record():
    assert skill(trial("swe")).standing == "domain"
    assert skill(trial("swe"), trial("code")).standing == "general"
    lost = [trial("swe", succeeded=False, version=f"v{index}") for index in range(3)]
    assert skill(trial("swe"), *lost[:2]).standing == "domain"
    assert skill(trial("swe"), *lost).standing == "retired"
    assert skill(trial("swe", is_invalid=True)).standing == "quarantined"
    assert with_trial(skill(trial("swe")), trial("swe")) == skill(trial("swe"))


def test_the_same_outcome_under_the_same_seed_is_no_new_evidence():
    known = skill(trial("swe"))
    again = trial("swe").model_copy(update={"campaign": "another night", "version": "v005"})
    assert with_trial(known, again) == known
    for news in ({"campaign_seed": 7}, {"domain": "code"}, {"succeeded": False}, {"is_invalid": True}):
        assert len(with_trial(known, again.model_copy(update=news)).trials) == 2


def test_nights_of_one_seed_count_once_and_a_night_of_another_seed_counts(make_records):
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER}))
    records = [*records[:2], fired(records[2])]
    memory = Memory()
    for night in range(5):
        memory = remember(memory, f"night{night}", "math", records, {"v002": seen("dead_groups")}, [])
    assert memory.skills[0].successes == 1 and len(memory.cases) == 5
    found = similar(memory.cases, "math", ["dead_groups"], {})
    assert track_record(found, "learning_rate") == (1.0, 0.0)
    other = [one.model_copy(update={"spec": one.spec.model_copy(update={"campaign_seed": 7})}) for one in records]
    memory = remember(memory, "another seed", "math", other, {"v002": seen("dead_groups")}, [])
    assert memory.skills[0].successes == 2
    assert track_record(similar(memory.cases, "math", ["dead_groups"], {}), "learning_rate") == (2.0, 0.0)


def test_a_skill_is_tried_first_in_its_own_domain_only_when_called_for():
    memory = Memory(skills=[skill(trial("swe"))])
    first = proposals(memory, "swe", modes=["dead_groups"])[0]
    assert first.author == "skill:learning-rate-learning-rate-up"
    assert first.diff == {"algorithm.learning_rate": (6.4e-5, 1.28e-4)}
    assert "skill:" not in "".join(one.author for one in proposals(memory, "swe", modes=["truncation"]))


def test_another_domain_borrows_it_only_after_its_own_options_failed(make_records):
    memory = Memory(skills=[skill(trial("swe"), modes=())])
    assert all(not one.author.startswith("skill:") for one in proposals(memory, "code"))
    std, hot = ({"filter.group": "std"}, {"sampling.temperature": 1.2})
    failed = closed(
        make_records,
        ("v002", 0.3, {"generation": 2, "intervention": make_intervention(Config(), std, "score", 0.01)}),
        ("v003", 0.28, {"generation": 2, "slot": 1, "intervention": make_intervention(Config(), hot, "score", 0.01)}),
    )
    assert all(record.verdict.outcome != "promoted" for record in failed[2:])
    borrowed = proposals(memory, "code", records=failed)[0]
    assert borrowed.author.startswith("skill:") and "transfer:swe" in borrowed.evidence


def test_a_general_skill_is_at_home_everywhere():
    memory = Memory(skills=[skill(trial("swe"), trial("code"))])
    assert proposals(memory, "math", modes=["dead_groups"])[0].author.startswith("skill:")


def test_ratios_scale_with_the_recipe_and_values_do_not():
    change = make_intervention(Config(), {"filter.group": "std"}, "score", 0.01)
    assert changes_of(change) == [SkillChange(key="filter.group", value="std")]
    assert skill_name("group_filter", changes_of(change)) == "group-filter-group-std"
    config = Config()
    config.algorithm.learning_rate = 1e-4
    assert setting_of(skill(trial("swe")), config) == {"algorithm.learning_rate": 2e-4}
    assert is_called_for(skill(trial("swe"), modes=()), [], {})


def test_cases_are_found_by_likeness_own_domain_first():
    cases = [
        case("code", ["dead_groups"]),
        case("swe", ["dead_groups"]),
        case("swe", ["echo_trap", "timidity"], version="v3"),
    ]
    found = similar(cases, "swe", ["dead_groups"], {"solve_rate": 0.41})
    assert [(one.domain, weight) for one, weight in found] == [("swe", 1.0), ("code", 0.5)]
    assert track_record(found, "learning_rate") == (1.5, 0.0)
    assert track_record(found, "kl") == (0.0, 0.0)
    half_alike = similar(cases, "swe", ["dead_groups", "kl_ineffective"], {"solve_rate": 0.41})
    assert [(one.domain, round(weight, 3)) for one, weight in half_alike] == [("swe", 0.667), ("code", 0.333)]
    barely = similar(cases, "swe", ["dead_groups", "kl_ineffective", "truncation"], {"solve_rate": 0.9})
    assert [one.domain for one, _ in barely] == [], "one in five is not alike, in the own domain or in another"
    third = similar(cases, "swe", ["dead_groups", "kl_ineffective"], {})
    assert [(one.domain, round(weight, 3)) for one, weight in third] == [("swe", 0.333), ("code", 0.167)]


def test_like_cases_move_a_rules_credence():
    paid = Memory(cases=[case("math", ["dead_groups"], version=f"v{i}") for i in range(4)])
    lost = Memory(cases=[case("math", ["dead_groups"], "rejected", -0.02, f"v{i}") for i in range(4)])

    def credence(memory: Memory) -> float:
        found = proposals(memory, "math", modes=["dead_groups"])
        return next(one.prediction.probability for one in found if one.factor == "learning_rate")

    assert credence(paid) > credence(Memory()) > credence(lost)


def test_what_the_agent_asked_its_memory_is_recorded():
    report = HarnessReport(
        version="v1",
        harness_version="h",
        metrics={"solve_rate": 0.4},
        findings=[Finding(mode="dead_groups", severity="warning", diagnostic="d", version="v1", message="m")],
    )
    memory = Memory(cases=[case("swe", ["dead_groups"])], skills=[skill(trial("swe"))])
    (trace,) = recall(memory, "v002", "swe", report)
    assert trace.sources == ["c-swe/v002"] and trace.artifacts == ["learning-rate-learning-rate-up"]
    assert recall(Memory(), "v002", "swe", report) == []
