"""Cards outlive a campaign as candidates: kept, united, retired, asked about elsewhere, and never in force unasked."""

from dataclasses import asdict

import pytest

from evotrainer.campaign.memory import Memory, load_memory, save_memory
from evotrainer.campaign.memory.cards import candidates, with_cards
from evotrainer.campaign.memory.distil import remember
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.diagnosis.evolved.left_cards import left_by, refused_of
from evotrainer.errors import LineageError
from evotrainer.records import CardTrial, Decision, RememberedCard, Revision, Separation
from tests.evolved_plugins import edits
from tests.evolving_campaign import record
from tests.stored_versions import gap, more_edits, nothing, plain_rows, reviser, small_root, stored_versions

EDITS = Term("num_edits", "mean")
LABELS = ["good"] * 6 + ["bad"] * 6
MANY = more_edits(4)


def trial(campaign: str = "a", outcome="accepted", domain: str = "swe", area: float = 0.9) -> CardTrial:
    found = Separation(num_good=6, num_bad=6, area=area, caught=0.8, p_value=0.01)
    return CardTrial(
        campaign=campaign, domain=domain, campaign_seed=len(campaign), outcome=outcome, reason="", separation=found
    )


def remembered(*trials: CardTrial, name: str = "edits", term: Term = EDITS, sign: int = 1) -> RememberedCard:
    kept = list(trials or [trial()])
    return RememberedCard(
        name=name, formula=term.formula, columns=term.columns, term=asdict(term), sign=sign, trials=kept
    )


def recalling(tmp_path, plant, *known: RememberedCard):
    made = reviser(small_root(tmp_path), stored_versions(LABELS, plant), plain_rows(more_edits(0)))
    made.remembered = known
    made.revise([gap("v012")])
    return made


def test_two_that_say_one_thing_are_one_and_the_better_record_defines_it():
    share = remembered(trial("bb", area=0.99), name="edits_above_4", term=Term("num_edits", "share", 4.0))
    (one,) = with_cards([remembered(trial(area=0.8))], [share])
    assert one.name == "edits" and one.also == ["edits_above_4"] and one.term["statistic"] == "share"
    assert one.successes == 2
    other = remembered(name="edits", sign=-1)
    assert [card.name for card in with_cards([remembered()], [other])] == ["edits", "edits_2"]


def test_the_same_draws_count_once():
    (one,) = with_cards([remembered()], [remembered()])
    assert len(one.trials) == 1


def test_what_stops_separating_is_retired_and_what_holds_in_two_domains_is_general():
    held, lost = remembered(), remembered(trial("b", "expired"), trial("cc", "refused"), name="lost")
    assert (held.standing, lost.standing) == ("domain", "retired")
    both = remembered(trial(), trial("bb", domain="code"), name="both")
    assert both.standing == "general"
    assert candidates([lost, held, both], "math") == [both, held]


def test_a_campaign_leaves_cards_in_force_and_not_its_own_expired_ones():
    plugins = [
        edits(),
        edits("expired").model_copy(update={"card": edits("expired").card.model_copy(update={"name": "x"})}),
    ]
    with_term = [one.model_copy(update={"card": one.card.model_copy(update={"term": EDITS})}) for one in plugins]
    (left,) = left_by(with_term, [], "c", "swe", 0)
    assert left.name == "edits" and left.sign == 1 and left.trials[0].outcome == "provisional"
    assert left_by([edits()], [], "c", "swe", 0) == []  # a written SELECT has no term to carry over
    again = with_term[1].model_copy(update={"card": with_term[1].card.model_copy(update={"author": "memory:edits"})})
    assert [one.trials[0].outcome for one in left_by([again], [], "c", "swe", 0)] == ["expired"]


def test_a_remembered_card_is_judged_with_a_bound_of_this_campaign_and_enters_by_the_gate(tmp_path):
    made = recalling(tmp_path, MANY, remembered())
    entered = [plugin.card for plugin in made.plugins]
    assert [card.author for card in entered][:1] == ["memory:edits"]
    assert [one.recalled for one in made.decisions if one.outcome in ("accepted", "provisional")][:1] == ["edits"]
    assert entered[0].term == EDITS and entered[0].alarm is not None


def test_a_remembered_card_that_says_nothing_here_is_not_in_force(tmp_path):
    made = recalling(tmp_path, nothing, remembered())
    assert made.plugins == []


def test_a_column_that_the_domain_lacks_is_one_line_and_no_failure_of_the_card(tmp_path):
    known = remembered(term=Term("num_flights", "mean"))
    made = recalling(tmp_path, nothing, known)
    (said,) = [one for one in made.decisions if one.recalled]
    assert said.reason == "the attempts of this domain have no column num_flights"
    assert refused_of([known], [revision(made.decisions)], "c", "math", 1) == []


def test_what_the_gate_refuses_elsewhere_is_a_failure():
    made = revised_decision("refused")
    (card,) = refused_of([remembered()], [revision([made])], "c", "math", 1)
    assert [(one.domain, one.outcome) for one in card.trials] == [("math", "refused")]
    entered = revision([made, revised_decision("accepted")])
    assert refused_of([remembered()], [entered], "c", "math", 1) == []


def revised_decision(outcome):
    return Decision(
        plugin="edits_r02",
        kind="metric",
        gap="v012: fell",
        gap_kind="unexplained_score",
        outcome=outcome,
        reason="no",
        separation=trial().separation,
        recalled="edits",
    )


def revision(decisions) -> Revision:
    return Revision(
        revision="r02",
        after_generation=2,
        harness_version="h",
        previous_version="g",
        labels={},
        num_terms=0,
        decisions=list(decisions),
    )


def test_cards_survive_their_file_and_a_memory_without_any_has_none(tmp_path):
    grown = remember(Memory(), "c", "swe", [record("v000", "")], {}, [], [remembered()])
    save_memory(tmp_path / "one", grown)
    assert load_memory(tmp_path / "one") == grown
    save_memory(tmp_path / "none", Memory())
    assert not (tmp_path / "none" / "cards.jsonl").exists()
    (tmp_path / "one" / "cards.jsonl").write_text("{}")
    with pytest.raises(LineageError, match="cards.jsonl:1"):
        load_memory(tmp_path / "one")
