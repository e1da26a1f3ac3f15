"""Memory: cases of scored candidates, what proven ones teach, and how like cases move a rule's credence."""

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.campaign.memory import Memory, load_memory, remember, save_memory, similar, track_record
from evotrainer.config import Config, DomainConfig
from evotrainer.domains.swe.domain import SANITIZED_HISTORY
from evotrainer.errors import LineageError
from evotrainer.promotion.recipe import RecipeGate, design_recipe
from evotrainer.records import Access, Case, Condition, Confirmation, HarnessReport
from tests.campaign_writer import make_intervention
from tests.evolving_campaign import changed
from tests.plain_records import plain_case, plain_finding
from tests.recipe_seeds import seed_runs
from tests.trainer_agents import agent_of

BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})
FIRST = ("v001", 0.3, {"generation": 1, "kind": "baseline", "incumbent": "v000"})
FASTER = make_intervention(Config(), {"algorithm.learning_rate": 1.28e-4}, "score", 0.05)
LEAK = plain_finding("history_leak", "invalid")


def case(domain: str, modes: list[str], outcome="promoted", difference=0.02, version="v002", **changed: str) -> Case:
    """Return a case as memory keeps it."""
    return plain_case(
        campaign=f"c-{domain}",
        version=version,
        domain=domain,
        findings=modes,
        metrics={"solve_rate": 0.4},
        outcome=outcome,
        difference=difference,
        **{"factor": "learning_rate"} | changed,
    )


def closed(make_records, *more):
    return make_records(BASE, FIRST, *more)


def fired(record):
    """Return a record whose recipe was proven on fresh seeds."""
    candidate, reference = [0.62, 0.58, 0.61], [0.3, 0.31, 0.29, 0.32]
    design = design_recipe(len(candidate), 0.01, 0.0, is_pooled=True)
    claim = RecipeGate(design, seed_runs(reference), seed_runs(candidate)).claim("v001", 0.6, 50, 8, 0.95)
    confirmation = Confirmation(version=record.spec.version, recipe=claim, attribution="FIRED")
    return record.model_copy(update={"confirmation": confirmation})


def proposals(memory: Memory, domain: str, records=(), modes=()):
    config = Config(domain=DomainConfig(name=domain))
    return agent_of(config).propose(ProposalContext(config, "v001", 2, seen(*modes), records, memory))


def test_a_proven_recipe_becomes_a_skill_and_an_unproven_one_does_not(make_records, tmp_path):
    asked = FASTER.model_copy(update={"triggers": [Condition(metric="kl", operator="<", value=0.03)]})
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": asked}))
    assert records[2].verdict.outcome == "promoted"
    assert remember(Memory(), "c", "math", records, {}).skills == {}
    memory = remember(Memory(), "c", "math", [*records[:2], fired(records[2])], {})
    (lesson,) = [case.lesson for case in memory.skills["learning-rate-learning-rate-up"]]
    assert lesson.changes == ["algorithm.learning_rate x 2"] and "kl < 0.03" in lesson.triggers
    claim = fired(records[2]).confirmation.recipe
    assert (lesson.low, lesson.high) == (claim.low, claim.high)
    assert lesson.validation == "3 fresh training seeds against 4 of v001, worst 0.5800"
    save_memory(tmp_path, memory)
    text = (tmp_path / "skills" / "learning-rate-learning-rate-up" / "SKILL.md").read_text()
    assert "proven in math" in text and "| c | v002 | math |" in text
    for outcome, kind in (("invalid", "candidate"), ("promoted", "merge")):
        other = changed(fired(records[2]), {"kind": kind}, {"outcome": outcome})
        assert remember(Memory(), "c", "math", [*records[:2], other], {}).skills == {}


def test_cases_keep_every_trial_once(make_records):
    records = closed(make_records, ("v002", 0.1, {"generation": 2, "intervention": FASTER}))
    memory = remember(Memory(), "c", "math", records, {})
    assert [(case.version, case.factor, case.outcome) for case in memory.cases] == [
        ("v002", "learning_rate", "rejected")
    ]
    assert remember(memory, "c", "math", records, {}) == memory


def seen(*modes: str, **metrics: float) -> HarnessReport:
    findings = [plain_finding(mode) for mode in modes]
    return HarnessReport(version="v002", harness_version="h", metrics=metrics, findings=findings)


def test_a_case_is_found_by_what_was_seen_before_the_change(make_records):
    after = {"solve_rate": 0.8, "usable_groups": 0.9}
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER, "metrics": after}))
    before = seen("dead_groups", "truncation", solve_rate=0.3, usable_groups=0.4)
    cases = remember(Memory(), "c", "math", records, {"v002": before}).cases
    assert [(case.findings, case.metrics) for case in cases] == [(["dead_groups", "truncation"], before.metrics)]
    assert similar(cases, "math", ["truncation", "dead_groups"], before.metrics) == [(cases[0], 1.0)]
    assert similar(cases, "math", ["dead_groups"], after) == []


def test_what_was_refused_before_training_is_no_case(make_records):
    records = closed(make_records, ("v002", None, {"generation": 2, "intervention": FASTER}))
    memory = remember(Memory(), "c", "math", records, {})
    assert memory.cases == []
    stored = [case("math", ["dead_groups"], "rejected", difference=None)]
    assert track_record(similar(stored, "math", ["dead_groups"], {"solve_rate": 0.4}), "learning_rate") == (0.0, 0.0)


def test_what_was_measured_under_a_leak_is_no_case(make_records):
    promoted = ("v002", 0.6, {"generation": 2, "incumbent": "v000", "intervention": FASTER})
    base, first, second = closed(make_records, promoted)
    assert [one.outcome for one in remember(Memory(), "c", "swe", [base, first, second], {}).cases] == ["promoted"]
    rescored = {"leak_free_score": 0.3, "rescored_under": SANITIZED_HISTORY}
    leaky = changed(first, verdict={"outcome": "invalid", **rescored}, findings=[LEAK])
    assert remember(Memory(), "c", "swe", [base, leaky, second], {}).cases == []
    clean = changed(second, {"access": Access(policy=SANITIZED_HISTORY)})
    assert [one.version for one in remember(Memory(), "c", "swe", [base, leaky, clean], {}).cases] == ["v002"]


def test_nights_of_one_seed_count_once_and_a_night_of_another_seed_counts(make_records):
    records = closed(make_records, ("v002", 0.6, {"generation": 2, "intervention": FASTER}))
    records = [*records[:2], fired(records[2])]
    memory = Memory()
    for night in range(5):
        memory = remember(memory, f"night{night}", "math", records, {"v002": seen("dead_groups")})
    assert len(memory.cases) == 5
    found = similar(memory.cases, "math", ["dead_groups"], {})
    assert track_record(found, "learning_rate") == (1.0, 0.0)
    other = [changed(one, {"campaign_seed": 7}) for one in records]
    memory = remember(memory, "another seed", "math", other, {"v002": seen("dead_groups")})
    assert track_record(similar(memory.cases, "math", ["dead_groups"], {}), "learning_rate") == (2.0, 0.0)


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


def test_files_round_trip_to_the_byte_and_a_damaged_one_is_named(tmp_path):
    memory = Memory(cases=[case("swe", ["dead_groups"])])
    save_memory(tmp_path / "one", memory)
    assert load_memory(tmp_path / "one") == memory
    cases = tmp_path / "one" / "cases.jsonl"
    cases.write_text(cases.read_text() + '{"campaign": 3}\n')
    with pytest.raises(LineageError, match=r"cases.jsonl:2: campaign: .*branch memory"):
        load_memory(tmp_path / "one")


@pytest.mark.parametrize(
    ("outcome", "difference", "has_paid"),
    [
        ("promoted", 0.02, True),
        ("kept", 0.02, True),
        ("kept", -0.02, False),
        ("rejected", 0.02, False),
        ("invalid", 0.02, False),
    ],
)
def test_a_change_paid_where_it_gained_and_was_not_refused(outcome, difference, has_paid):
    won, lost = track_record([(case("swe", [], outcome, difference), 1.0)], "learning_rate")
    assert (won, lost) == ((1.0, 0.0) if has_paid else (0.0, 1.0))


def test_the_same_change_counts_once_as_the_most_alike_and_another_change_counts_too():
    again = [(case("swe", [], change="learning-rate-up"), 1.0), (case("swe", [], change="learning-rate-up"), 0.5)]
    assert track_record(again, "learning_rate") == track_record(again[::-1], "learning_rate") == (1.0, 0.0)
    assert track_record([*again, (case("swe", [], change="learning-rate-down"), 0.5)], "learning_rate") == (1.5, 0.0)
    merged = [(case("swe", [], factor="kl+learning_rate"), 1.0)]
    assert track_record(merged, "kl") == track_record(merged, "learning_rate") == (1.0, 0.0), "it is a case of both"
