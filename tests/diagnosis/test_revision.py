"""When a revision is due, which gaps it asks and in which order, and how many diagnostics it lets in."""

import pytest

from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.evolved.cards import Plugin, save_plugin
from evotrainer.diagnosis.evolved.revision_trigger import revision_trigger
from evotrainer.diagnosis.evolved.search import Grammar, terms_shown
from evotrainer.diagnosis.evolved.stored import load_stored
from evotrainer.records import Condition, Gap, HarnessReport
from tests.evolved_plugins import card
from tests.evolving_campaign import write_campaign
from tests.stored_versions import gap, more_edits, plain_rows, reviser, small_root, stored_versions

KINDS = ("unexplained_score", "failed_prediction", "contradiction", "uncovered_contrast")


@pytest.mark.parametrize(("status", "due"), [("accepted", "r03"), ("provisional", "r03"), ("expired", None)])
def test_a_revision_is_due_while_a_card_is_in_force(tmp_path, status, due):
    files = write_campaign(tmp_path, ["good"] * 3, num_groups=1)
    alarm = Condition(metric="mean_tokens", operator=">", value=9.0)
    save_plugin(files.evolved_plugins, Plugin(card=card("long", "threshold", alarm=alarm, status=status)))
    assert revision_trigger(files, Config(harness=HarnessConfig(evolve=True)), read_records(files)) == due


@pytest.mark.parametrize(("hits", "due"), [("1100", "r05"), ("1110", None), ("1000", None)])
def test_missed_predictions_are_asked_where_two_came_true_and_two_missed(tmp_path, hits, due):
    files = write_campaign(tmp_path, ["good"] * 5, num_groups=1)
    missed = Gap(kind="failed_prediction", version="v005", message="missed")
    report = HarnessReport(version="v005", harness_version="h", gaps=[missed])
    files.version("v005").audit.write_text(report.model_dump_json())
    records = read_records(files)
    for place, hit in enumerate(hits, start=2):
        verdict = records[place].verdict.model_copy(update={"prediction_hit": hit == "1"})
        records[place] = records[place].model_copy(update={"verdict": verdict})
    assert revision_trigger(files, Config(harness=HarnessConfig(evolve=True)), records) == due


@pytest.mark.parametrize(("first", "rollouts"), [("good", [("v001", "", True, False)]), ("", [])])
def test_the_gate_reads_own_rows_of_every_version_and_rollouts_of_known_good_incumbents(tmp_path, first, rollouts):
    files = write_campaign(tmp_path, [first, "good", "bad"], num_groups=1)
    found = load_stored(files, read_records(files))
    audits = [("v001", first, True, True), ("v002", "good", True, True), ("v003", "bad", False, True)]
    assert [(one.version, one.label, one.is_healthy, one.is_audit) for one in found] == [*audits, *rollouts]


def _asked(root, gaps) -> list[tuple[str, str]]:
    """Return what is asked where versions are too few to answer anything: (kind, version) of each gap."""
    made = reviser(small_root(root), stored_versions(["good"]), plain_rows())
    made.revise(gaps)
    assert {decision.outcome for decision in made.decisions} == {"refused"} and not made.plugins
    return [(decision.gap_kind, decision.gap[:4]) for decision in made.decisions]


def test_six_gaps_are_asked_by_kind_and_the_newest_first(tmp_path):
    falls = [gap(f"v{number:03d}") for number in range(1, 9)]
    newest = [("unexplained_score", f"v{number:03d}") for number in range(8, 2, -1)]
    assert _asked(tmp_path / "falls", falls) == newest
    mixed = [gap(f"v{number:03d}", kind) for number, kind in enumerate(reversed(KINDS), start=1)]
    assert _asked(tmp_path / "kinds", mixed) == [(kind, f"v{4 - place:03d}") for place, kind in enumerate(KINDS)]


def test_an_accepted_card_explains_falls_and_missed_predictions_of_the_versions_it_alarms_on(tmp_path):
    def long(rows, is_bad, rng):
        return rows.assign(num_tokens=90 if is_bad else 30)

    alarm = Condition(metric="mean_tokens", operator=">", value=60.0)
    known = Plugin(card=card("long", "threshold", alarm=alarm))
    made = reviser(small_root(tmp_path), stored_versions(["good", "bad"], long), plain_rows(), [known])
    fall, contrast = {"difference": -0.1}, gap("v002", "uncovered_contrast", columns=["num_edits"])
    rose = gap("v002", numbers={"difference": 0.1}).model_copy(update={"message": "the score rose"})
    explained = [gap("v002", numbers=fall), gap("v002", "failed_prediction")]
    left = [rose, gap("v001", numbers=fall), gap("v002", "contradiction"), contrast]
    made.revise([*explained, *left])
    asked = [(one.gap_kind, one.gap) for one in made.decisions if one.outcome == "refused"]
    assert asked == [(one.kind, f"{one.version}: {one.message}") for one in left]


def test_an_uncovered_contrast_is_answered_by_terms_that_look_at_right_or_wrong_attempts_apart():
    grammar = Grammar(stored_versions(["good", "bad"], more_edits()), seed=0)
    shown = terms_shown(gap("v002", "uncovered_contrast", columns=["num_edits"]), grammar, None, None, seed=0)
    assert {term.column for term in shown} == {"num_edits"}
    assert {term.part for term in shown} == {"correct", "wrong", "difference"}


def _two_kinds(rows, is_bad, rng):
    """Of three bad versions the first two edit often, the last two call many tools."""
    _two_kinds.count += is_bad
    edits, tools = is_bad and _two_kinds.count < 3, is_bad and _two_kinds.count > 1
    return rows.assign(
        num_edits=rng.poisson(9.0 if edits else 3.0, len(rows)), num_calls=rng.poisson(9.0 if tools else 3.0, len(rows))
    )


@pytest.mark.parametrize("most", [1, 2])
def test_a_revision_lets_in_so_many_diagnostics_and_asks_no_further(tmp_path, most):
    _two_kinds.count = 0
    stored = stored_versions(["good"] * 4 + ["bad"] * 3, _two_kinds)
    made = reviser(small_root(tmp_path), stored, plain_rows(), max_new_diagnostics=most)
    contrasts = [
        Gap(kind="uncovered_contrast", version="v007", message=column, columns=[column])
        for column in ("num_edits", "num_calls", "noise_0")
    ]
    made.revise(contrasts)
    entered = [decision.gap for decision in made.decisions if decision.outcome == "provisional"]
    assert entered == ["v007: num_edits", "v007: num_calls"][:most]
    assert {decision.gap for decision in made.decisions} == set(entered)
