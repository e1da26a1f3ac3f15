"""Human gates: when they are in force, what an answer becomes, and what a person is shown."""

import html
from pathlib import Path

import pytest

from evotrainer.campaign.gates import (
    begin,
    ended_by,
    given_up,
    is_gated,
    read_answers,
    record_answer,
    refusal,
    refused_candidates,
    remarks,
)
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.config.campaign import GATES
from evotrainer.config.validation import validated
from evotrainer.errors import ConfigError, LineageError
from evotrainer.records import GateAnswer
from evotrainer.report.gates import answers_data, gate_question
from evotrainer.report.page import write_report
from tasks.plan import gates_in_force
from tests.campaign_writer import make_intervention
from tests.evolving_campaign import changed
from tests.plain_records import plain_verdict

VERDICT = plain_verdict("v002", "promoted", reasons=["r"])

VERSIONS = (
    ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}),
    ("v001", 0.05, {"generation": 1, "kind": "baseline", "incumbent": "v000"}),
)


def answer(gate: str, decision: str, text: str = "", candidate: str = "") -> GateAnswer:
    return GateAnswer(version="v002", gate=gate, decision=decision, text=text, candidate=candidate)  # type: ignore[arg-type]


def autonomy(name: str, **settings: object) -> Config:
    config = Config()
    config.autonomy.name = name
    for key, value in settings.items():
        setattr(config.autonomy, key, value)
    return validated(config)


def test_gates_are_in_force_for_changes_alone_and_after_failures_in_a_row(make_records) -> None:
    records = make_records(*VERSIONS)
    assert not gates_in_force(autonomy("full"), records, "candidate")
    assert gates_in_force(autonomy("human_gated"), records, "merge")
    assert not gates_in_force(autonomy("human_gated"), records, "baseline")
    assert not gates_in_force(autonomy("escalate"), records, "candidate")
    trials = [changed(record, {"kind": "candidate"}, {"outcome": "rejected"}) for record in records]
    assert not gates_in_force(autonomy("escalate"), [*records, trials[0]], "candidate")
    assert gates_in_force(autonomy("escalate"), [*records, *trials], "candidate")
    assert not gates_in_force(autonomy("escalate", escalate_after=3), [*records, *trials], "candidate")


def test_an_answer_reaches_the_proposal_only_where_it_changes_it(tmp_path: Path) -> None:
    files = CampaignFiles(tmp_path)
    own = files.version("v002")
    begin(own, files, [])
    assert is_gated(own) and not is_gated(files.version("v001"))
    untouched = own.revisions.read_bytes()
    record_answer(own, answer("diagnosis", "approve"))
    record_answer(own, answer("completion", "revise", "later"))
    assert own.revisions.read_bytes() == untouched, "no stage runs again for an approval"
    record_answer(own, answer("proposal", "revise", "rather the data", "abc"))
    assert refused_candidates(own) == {"abc"}
    assert remarks(own) == ["At the proposal of this version, candidate abc sent back: rather the data"]
    assert not given_up(own)
    record_answer(own, answer("backtest", "abort", "too dear", "abd"))
    assert given_up(own) == 'a person gave it up at its backtest ("too dear")'
    assert [one.decision for one in read_answers(own.gate_answers)] == ["approve", "revise", "revise", "abort"]


def test_the_time_of_an_answer_is_kept_and_is_no_input_of_a_stage(tmp_path: Path) -> None:
    own = CampaignFiles(tmp_path).version("v002")
    given = answer("proposal", "revise", "rather the data", "abc").model_copy(update={"at": "2026-11-25T07:00:12"})
    record_answer(own, given)
    assert read_answers(own.gate_answers) == [given]
    assert read_answers(own.revisions) == [given.as_input] and "07:00" not in own.revisions.read_text()
    record_answer(own, given.model_copy(update={"at": "2026-11-25T07:01:00"}))
    assert len(read_answers(own.revisions)) == 1, "an answer that was asked for again is the same input"
    assert ended_by(own, has_candidate=False) == given.as_input


def test_every_answer_at_a_gate_is_said_in_plain_words(make_records, campaign_writer) -> None:
    raised = make_intervention(campaign_writer.config, {"algorithm.learning_rate": 1.92e-4}, "score", 0.05)
    make_records(*VERSIONS, ("v002", 0.3, {"generation": 2, "intervention": raised}))
    own = campaign_writer.files.version("v002")
    spoken = {"at": "2026-11-25T07:00:12"}
    for given in (
        answer("diagnosis", "revise", "shorter <b>answers</b>").model_copy(update=spoken),
        answer("proposal", "revise", "", "abc").model_copy(update={"at": "2026-11-25T07:05:00"}),
        answer("backtest", "approve").model_copy(update={"answered_by": "timeout", "at": "2026-11-25T19:05:00"}),
        answer("completion", "approve"),
    ):
        record_answer(own, given)
    words = [
        'diagnosis, 2026-11-25T07:00:12: a person answered REVISE: "shorter <b>answers</b>"',
        "proposal, 2026-11-25T07:05:00: a person answered REVISE, of candidate abc",
        "backtest, 2026-11-25T19:05:00: nobody answered in time, so that APPROVE was taken",
        "completion: a person answered APPROVE",
    ]
    found = answers_data(own)
    assert [one["words"] for one in found] == words
    assert found[0]["text"] == "shorter <b>answers</b>"
    page = write_report(campaign_writer.files).read_text(encoding="utf-8")
    section = page.partition('<section class="card version" id="v002">')[2].partition("</section>")[0]
    assert "Answers at gates" in section and "<b>answers</b>" not in section
    assert all(line in html.unescape(section) for line in words)


def test_what_is_said_at_the_end_goes_to_later_versions(tmp_path: Path, make_records, campaign_writer) -> None:
    records = make_records(*VERSIONS)
    files = campaign_writer.files
    said = GateAnswer(version="v001", gate="completion", decision="revise", text="shorter answers")
    record_answer(files.version("v001"), said)
    begin(files.version("v002"), files, records)
    assert remarks(files.version("v002")) == ["At the completion of v001: shorter answers"]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text('[{"gate": "lunch"}]')
    with pytest.raises(LineageError, match="answers.json is damaged"):
        read_answers(path)


@pytest.mark.parametrize(("gate", "is_refused"), zip(GATES, (True, False, False, True), strict=True))
def test_a_revision_that_is_its_text_alone_needs_one(gate: str, is_refused: bool) -> None:
    expected = f"REVISE at the {gate} needs a text (--text): it is what the trainer agent is told"
    assert refusal(gate, "revise", " ", "claude") == (expected if is_refused else "")
    assert refusal(gate, "revise", "shorter", "claude") == refusal(gate, "approve", "", "rules") == ""
    assert refusal(gate, "revise", "shorter", "my_agent:Agent") == ""
    assert bool(refusal(gate, "revise", "shorter", "rules")) == is_refused, "nobody would read it"


def test_a_question_shows_the_evidence_inert_and_what_each_answer_does(make_records, campaign_writer) -> None:
    make_records(*VERSIONS)
    own = campaign_writer.files.version("v001")
    hostile = VERDICT.model_copy(update={"reasons": ["<img src=x> [click](http://x)"], "version": "v001"})
    own.verdict.write(hostile)
    text = gate_question(campaign_writer.files, "v001", "completion", autonomy("human_gated", on_timeout="abort"))
    assert "**promoted**, mean 0.5000" in text
    assert "<img" not in text and "[click]" not in text
    assert "**ABORT**: the version is rolled back" in text
    assert text.endswith("Without an answer within 12 h: ABORT.")


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(ConfigError, match="autonomy.gates names 'lunch': choose from " + ", ".join(GATES)):
        autonomy("human_gated", gates=["lunch"])
    config = Config()
    config.autonomy.name, config.trainer.name = "human_gated", "claude"
    with pytest.raises(ConfigError, match="set search.candidates_per_generation=1"):
        validated(config)
