"""When a revision is due, which gaps it asks and in which order, and how many diagnostics it lets in."""

import pytest

from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.evolved.cards import save_card
from evotrainer.diagnosis.evolved.stored import load_stored
from evotrainer.records import Gap
from tasks.plan.steps import due_revision
from tests.evolving_campaign import write_campaign
from tests.stored_versions import card, gap, plain_rows, reviser, small_root, stored_versions

KINDS = ("unexplained_score", "failed_prediction", "uncovered_contrast")


@pytest.mark.parametrize(
    ("labels", "due"),
    [((), None), (("good", "bad"), None), (("good", "bad", "bad"), "r04"), (("bad", "bad", "bad"), "r04")],
)
def test_a_revision_is_due_where_something_can_come_of_it(tmp_path, labels, due):
    files = write_campaign(tmp_path, ["good", *labels], num_groups=1, escalate_after=3)
    config = Config(harness=HarnessConfig(evolve=True, escalate_after=3))
    assert due_revision(files, config, read_records(files)) == due
    assert due_revision(files, Config(), read_records(files)) is None
    begun = files.revision(f"r{len(labels) + 1:02d}").root
    begun.mkdir(parents=True)
    (begun / "dvc.yaml").touch()
    assert due_revision(files, config, read_records(files)) == begun.name


def test_a_revision_is_due_while_there_are_cards_to_judge_again(tmp_path):
    files = write_campaign(tmp_path, ["good"] * 3, num_groups=1)
    config = Config(harness=HarnessConfig(evolve=True))
    assert due_revision(files, config, read_records(files)) is None
    save_card(files.evolved_plugins, card())
    assert due_revision(files, config, read_records(files)) == "r03"


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
    assert {decision.outcome for decision in made.decisions} == {"refused"} and not made.cards
    return [(decision.gap_kind, decision.gap[:4]) for decision in made.decisions]


def test_six_gaps_are_asked_by_kind_and_the_newest_first(tmp_path):
    falls = [gap(f"v{number:03d}") for number in range(1, 9)]
    newest = [("unexplained_score", f"v{number:03d}") for number in range(8, 2, -1)]
    assert _asked(tmp_path / "falls", falls) == newest
    mixed = [gap(f"v{number:03d}", kind) for number, kind in enumerate(reversed(KINDS), start=1)]
    assert _asked(tmp_path / "kinds", mixed) == [(kind, f"v{3 - place:03d}") for place, kind in enumerate(KINDS)]


def test_an_accepted_card_explains_falls_and_missed_predictions_of_the_versions_it_alarms_on(tmp_path):
    def long(rows, is_bad, rng):
        return rows.assign(num_tokens=90 if is_bad else 30)

    known = card("long", shows="num_tokens > 60", status="accepted")
    made = reviser(small_root(tmp_path), stored_versions(["good"] * 8 + ["bad"] * 8, long), plain_rows(), [known])
    fall, contrast = {"difference": -0.1}, gap("v012", "uncovered_contrast", columns=["num_edits"])
    rose = gap("v012", numbers={"difference": 0.1}).model_copy(update={"message": "the score rose"})
    explained = [gap("v012", numbers=fall), gap("v012", "failed_prediction")]
    left = [rose, gap("v001", numbers=fall), contrast]
    made.revise([*explained, *left])
    asked = [(one.gap_kind, one.gap) for one in made.decisions if one.outcome == "refused"]
    assert asked == [(one.kind, f"{one.version}: {one.message}") for one in left]


def _two_kinds(rows, is_bad, rng):
    """Of five bad versions the first four edit often, the last four call many tools."""
    _two_kinds.count += is_bad
    edits, tools = is_bad and _two_kinds.count < 5, is_bad and _two_kinds.count > 1
    return rows.assign(
        num_edits=rng.poisson(9.0 if edits else 3.0, len(rows)), num_calls=rng.poisson(9.0 if tools else 3.0, len(rows))
    )


@pytest.mark.parametrize("most", [1, 2])
def test_a_revision_lets_in_so_many_diagnostics_and_asks_no_further(tmp_path, most):
    _two_kinds.count = 0
    stored = stored_versions(["good"] * 4 + ["bad"] * 5, _two_kinds)
    made = reviser(small_root(tmp_path), stored, plain_rows(), max_new_diagnostics=most)
    contrasts = [
        Gap(kind="uncovered_contrast", version="v009", message=column, columns=[column])
        for column in ("num_edits", "num_calls", "noise_0")
    ]
    made.revise(contrasts)
    entered = [decision.gap for decision in made.decisions if decision.outcome == "provisional"]
    assert entered == ["v009: num_edits", "v009: num_calls"][:most]
    assert {decision.gap for decision in made.decisions} == set(entered)
