"""What a person reads of a decision: `why`, the narrow lineage, the model card, and the keys of the configuration."""

import io
import os
import shutil

import pytest
import yaml
from rich.console import Console

from evotrainer.campaign.gates import record_answer
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import find
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.reference import reference
from evotrainer.engines.checkpoint import export_policy
from evotrainer.errors import PolicyError
from evotrainer.records import GateAnswer
from evotrainer.report.data import version_data
from evotrainer.report.decision import BASE, MEANINGS, NOTHING_TRIED, REFUSED, UNDECIDED, decision, model_card
from evotrainer.report.words import change_text, change_words, lineage_table


def test_a_decision_names_change_prediction_evidence_and_rule(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    record = find(records, "v007")
    record = record.model_copy(update={"metrics": record.metrics | {"validation_pass_at_k": 0.875}})
    text = "\n".join(decision(record, records, 0.95))
    assert text.startswith("v007 was promoted: ") and "It is the campaign's incumbent." in text
    assert record.intervention is not None and record.intervention.hypothesis in text
    assert f"{record.intervention.prediction.metric} {record.intervention.prediction.direction}" in text
    assert all(reason in text for reason in record.verdict.reasons)
    assert f"v007: mean {record.honest_score:.4f} [" in text
    assert f"], greedy {record.verdict.greedy_score:.4f}, pass@k 0.8750" in text


def test_every_version_has_a_decision_in_words(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    for record in records:
        first = decision(record, records, 0.95)[0]
        is_refused = record.backtest is not None and not record.backtest.accepted
        said = BASE if record.spec.kind == "base" else REFUSED if is_refused else MEANINGS[record.verdict.outcome]
        assert said in first


def test_an_undecided_gate_and_an_empty_version_are_said_as_they_are(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    record = next(one for one in records if one.verdict.gate is not None and one.intervention is not None)
    undecided = record.verdict.model_copy(update={"outcome": "inconclusive", "label": ""})
    lost = undecided.model_copy(update={"label": "lost_attempts"})
    first = [decision(record.model_copy(update={"verdict": one}), records, 0.95)[0] for one in (undecided, lost)]
    assert UNDECIDED in first[0] and "lost" not in first[0] and MEANINGS["inconclusive"] in first[1]
    empty = record.model_copy(update={"intervention": None})
    assert NOTHING_TRIED in decision(empty, records, 0.95)[0] and change_text(empty) == "nothing to try"


ENDINGS = (
    (
        "backtest",
        "abort",
        "person",
        "given up at backtest",
        'a person gave it up at its backtest ("too dear"), so that',
    ),
    ("diagnosis", "abort", "timeout", "given up at diagnosis", "the timeout gave it up at its diagnosis"),
    ("proposal", "revise", "person", "candidates sent back", "a person sent its last candidate back at its proposal"),
)


@pytest.mark.parametrize(("gate", "given", "who", "short", "long"), ENDINGS)
def test_a_version_that_a_gate_ended_says_who_ended_it(
    make_records, campaign_writer, gate: str, given: str, who: str, short: str, long: str
) -> None:
    base = {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}
    make_records(("v000", 0.0, base), ("v001", None, {"generation": 1, "incumbent": "v000"}))
    files = campaign_writer.files
    given_answer = {"gate": gate, "decision": given, "answered_by": who}
    answer = GateAnswer.model_validate(given_answer | {"version": "v001", "text": "too dear", "candidate": "abc"})
    record_answer(files.version("v001"), answer)
    records = read_records(files)
    shown, (first, *_) = version_data(files, records[1], records), decision(records[1], records, 0.95)
    assert change_text(records[1]) == change_words(records[1]) == shown["change"] == short
    assert long in first and '("too dear")' in first and long in shown["ending"]


def test_a_narrow_terminal_shows_score_difference_and_verdict_of_every_version(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(lineage_table(records, 80))
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    for record in records:
        (line,) = [line for line in text.splitlines() if line.startswith(record.spec.version)]
        assert record.verdict.outcome in line
        assert record.honest_score is None or f"{record.honest_score:.4f}" in line


def test_a_model_card_says_how_the_policy_came_about(written_campaign: CampaignFiles) -> None:
    text = model_card(written_campaign, "v007")
    assert "group none → std" in text and "evotrainer reproduce" in text and "## Scores" in text
    head = yaml.safe_load(text.split("---")[1])
    assert text.startswith("---\n") and (head["license"], head["base_model"]) == ("apache-2.0", "evotrainer/tiny_math")
    assert ", greedy 1.0000" in text


def test_every_key_has_a_meaning_and_its_default() -> None:
    keys = {key.name: key for key in reference()}
    assert {name: key.default for name, key in keys.items()} == flatten(config_to_dict(Config()))
    assert [name for name, key in keys.items() if not key.meaning] == []
    assert keys["algorithm.learning_rate"].factor == "learning_rate" and keys["seed"].factor == ""
    assert keys["engine.device"].allowed == "auto | cpu | cuda"


def test_a_policy_is_exported_once(digit_policy, tmp_path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(digit_policy, kept)
    (kept / "model.safetensors").chmod(0o600)
    (kept / "config.json").chmod(0o444)
    before = os.umask(0o027)
    try:
        export_policy(kept, "", tmp_path / "out")
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "out").iterdir()}
    assert (modes, (tmp_path / "out").stat().st_mode & 0o777) == ({0o640}, 0o750)
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == (digit_policy / "model.safetensors").read_bytes()
    with pytest.raises(PolicyError, match="name a new folder"):
        export_policy(digit_policy, "", tmp_path / "out")
    with pytest.raises(PolicyError, match="did not train"):
        export_policy(tmp_path / "none", "", tmp_path / "other")
