"""Cards: what is loaded, what a card makes of some rows, and how it enters the harness version."""

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.checks import attempt_checks
from evotrainer.diagnosis.evolved.cards import Card, load_cards, save_card
from evotrainer.diagnosis.harness import Harness
from evotrainer.diagnosis.judgement import evidence_of
from evotrainer.errors import ConfigError
from evotrainer.records import HarnessReport
from tests.stored_versions import card, context, plain_rows, small_root


def judged(root, *cards: Card, rows=None) -> tuple[Harness, HarnessReport]:
    """Return a harness of two shipped diagnostics and these cards, and its report on rows that edit five times."""
    small_root(root)
    (root / "evolved").mkdir()
    for one in cards:
        save_card(root / "evolved", one)
    harness = Harness(root, HarnessConfig(plugins=["score"], evolve=True))
    rows = plain_rows().assign(num_edits=5) if rows is None else rows
    return harness, harness.run(context(rows, "v001"))


@pytest.mark.parametrize(("status", "severity"), [("accepted", "warning"), ("provisional", "info")])
def test_a_share_above_the_limit_is_a_finding_and_an_accepted_limit_a_guard(tmp_path, status, severity):
    _, report = judged(tmp_path, card(status=status))
    (found,) = [one for one in report.findings if one.mode == "busy"]
    assert (found.severity, found.diagnostic, found.numbers["share"]) == (severity, "busy", 1.0)
    assert found.numbers["limit"] == 0.4 and len(found.trajectory_ids) == 20
    assert report.metrics["busy"] == 1.0
    assert [(one.metric, one.operator, one.value) for one in report.guards] == [("busy", "<=", 0.4)] * (
        status == "accepted"
    )


def test_the_share_is_that_among_attempts_that_could_show_it():
    rows = plain_rows()
    rows["num_edits"] = [None if place % 2 else place % 4 for place in range(len(rows))]
    known, lacking = card(shows="num_edits > 1", among="num_edits IS NOT NULL"), card(shows="num_edits IS NULL")
    found = [known.check, lacking.model_copy(update={"among": "correct < 1"}).check]
    half, wrong = attempt_checks(found, evidence_of(rows))
    assert half.share == 0.5
    is_wrong = rows["correct"] < 1
    assert wrong.share == pytest.approx(rows.loc[is_wrong, "num_edits"].isna().mean())


def test_rows_of_validation_and_rows_without_the_column_are_not_read(tmp_path):
    held = plain_rows().assign(num_edits=5, split="validation")
    _, report = judged(tmp_path / "held", card(), rows=held)
    assert "busy" not in report.metrics
    _, report = judged(tmp_path / "lacking", card(shows="num_unheard_of > 1"))
    assert "num_unheard_of" not in str(report) and "busy" not in report.metrics


@pytest.mark.parametrize("shows", ["num_edits / (num_edits - num_edits) > 'x'", "error('rows: ' || problem_id) > 1"])
def test_a_condition_that_fails_is_a_finding_without_a_word_of_the_rows(tmp_path, shows):
    _, report = judged(tmp_path, card(shows=shows), card("calm", shows="num_edits > 4"))
    failed = [one for one in report.findings if one.mode == "plugin_failure"]
    assert [one.message for one in failed] == [
        "busy could not judge this evidence: its condition fails on this evidence"
    ]
    assert report.metrics["calm"] == 1.0, "the others are heard"


@pytest.mark.parametrize(
    ("shows", "reason"),
    [
        ("num_edits > (SELECT 1)", "reads another table"),
        ("1); DROP TABLE attempts; --", "is no SQL condition|is more than a condition"),
        ("(SELECT count(*) FROM read_csv('/etc/passwd')) > 1", "reads another table"),
        ("num_edits >", "is no SQL condition"),
    ],
)
def test_a_card_that_is_no_condition_is_refused_when_it_is_loaded(tmp_path, shows, reason):
    save_card(tmp_path, card(shows=shows))
    with pytest.raises(ConfigError, match=reason):
        load_cards(tmp_path)


def test_a_card_is_stored_and_read_back_as_it_was(tmp_path):
    save_card(tmp_path, card(among="correct < 1", status="accepted"))
    first = (tmp_path / "busy.yaml").read_bytes()
    assert load_cards(tmp_path) == [card(among="correct < 1", status="accepted")]
    save_card(tmp_path, load_cards(tmp_path)[0])
    assert (tmp_path / "busy.yaml").read_bytes() == first
    (tmp_path / "other.yaml").write_bytes(first)
    with pytest.raises(ConfigError, match="holds the card of 'busy'"):
        load_cards(tmp_path)
    (tmp_path / "other.yaml").write_text("name: other")
    with pytest.raises(ConfigError, match="other.yaml is not a card"):
        load_cards(tmp_path)


def test_the_harness_version_follows_what_a_card_measures_and_not_its_record(tmp_path):
    plain, _ = judged(tmp_path / "none")
    first, _ = judged(tmp_path / "first", card())
    same, _ = judged(tmp_path / "same", card(status="accepted", gap="another"))
    other, _ = judged(tmp_path / "other", card(limit=0.5))
    expired, _ = judged(tmp_path / "expired", card(status="expired"))
    assert first.version == same.version != other.version
    assert expired.version == plain.version != first.version and not expired.cards


def test_a_card_called_like_a_diagnostic_or_a_metric_takes_nothing_from_it(tmp_path):
    with pytest.raises(ConfigError, match="'score' is called like"):
        judged(tmp_path / "diagnostic", card("score"))
    _, report = judged(tmp_path / "metric", card("solve_rate"))
    assert report.metrics["solve_rate"] != 1.0
    assert "which another diagnostic reports" in str([one.message for one in report.findings])
