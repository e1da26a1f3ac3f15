import json

import pyarrow.parquet as pq
import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError
from evotrainer.evidence.digests import versions_without_rows
from evotrainer.evidence.features import feature_columns
from evotrainer.evidence.frames import load_signals
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, read_table, read_tokens, write_rows, write_signals
from evotrainer.records import Message, TokenTurn, ToolCall
from tests.evidence_rows import healthy_rows, trained_rows


def test_what_is_written_is_read_back_by_step(tmp_path):
    rows, signals = trained_rows(0, num_steps=3, num_groups=4)
    tokens = [
        TokenTurn(
            trajectory_id=rows[0].trajectory_id,
            turn=0,
            prompt_ids=[1, 2],
            token_ids=[3],
            logprobs=[-0.25],
            in_loss=True,
        )
    ]
    for step in (2, 0, 1):
        write_rows(tmp_path, step, [row for row in rows if row.step == step], tokens if step == 0 else ())
    write_signals(tmp_path, signals)
    assert list(Rows.read(tmp_path)) == rows
    assert read_tokens(tmp_path) == tokens
    assert read_signals(tmp_path) == signals


def test_equal_rows_give_equal_bytes_whatever_the_order_of_their_terms(tmp_path):
    rows, signals = trained_rows(0, num_steps=1, num_groups=4)
    for name in ("one", "two"):
        write_rows(tmp_path / name, 0, rows)
        write_signals(tmp_path / name, signals)
        rows = [
            row.model_copy(
                update={name: dict(reversed(getattr(row, name).items())) for name in ("reward_terms", "extra")}
            )
            for row in rows
        ]
    one, two = (
        {path.relative_to(tmp_path / n): path.read_bytes() for path in (tmp_path / n).rglob("*") if path.is_file()}
        for n in ("one", "two")
    )
    assert one == two and len(one) == 4


def test_a_step_written_again_is_replaced_and_its_file_names_the_schema(tmp_path):
    rows = healthy_rows(0, num_groups=2)
    write_rows(tmp_path, 0, rows)
    write_rows(tmp_path, 0, rows[:3])
    assert list(Rows.read(tmp_path)) == rows[:3]
    assert read_table(tmp_path, "features").num_rows == 3
    metadata = pq.read_schema(tmp_path / "trajectories/step_00000.parquet").metadata
    assert metadata[b"evotrainer.schema_version"] == b"3"
    assert sorted(json.loads((tmp_path / "digests.json").read_text())) == [
        "features/step_00000.parquet",
        "trajectories/step_00000.parquet",
    ]


def test_an_evidence_directory_without_rows_is_empty(tmp_path):
    (tmp_path / "UNTRAINED").write_text("refused\n")
    assert list(Rows.read(tmp_path)) == read_tokens(tmp_path) == read_signals(tmp_path) == []
    assert Rows.read(tmp_path).frame().empty
    assert load_signals(tmp_path).empty


def test_two_rows_of_one_id_and_what_json_cannot_hold_are_refused(tmp_path):
    row = healthy_rows(0, num_groups=1)[0]
    with pytest.raises(EvidenceError, match="share a trajectory_id"):
        write_rows(tmp_path, 0, [row, row])
    with pytest.raises(EvidenceError, match=f"extra of {row.trajectory_id}"):
        write_rows(tmp_path, 0, [row.model_copy(update={"extra": {"score": float("nan")}})])


def test_features_of_a_tool_using_episode():
    calls = ["search", "edit", "edit", "test", "edit", "test"]
    messages = [Message(role="user", content="fix it")]
    for number, name in enumerate(calls):
        said = Message(
            role="assistant", content="go", tool_calls=[ToolCall(name=name)], num_tokens=number + 1, mean_logprob=-1.0
        )
        messages += [said, Message(role="tool", tool_name=name, ok=name != "test")]
    row = healthy_rows(0, num_groups=1)[0].model_copy(update={"messages": messages, "extra": {}})
    found = {name: value for name, (value,) in feature_columns([row]).items()}
    assert found["num_tool_calls"] == 6
    assert found["num_failed_tool_calls"] == 2
    assert dict(found["tool_counts"]) == {"edit": 3, "search": 1, "test": 2}
    assert (found["num_tool_bigrams"], found["num_unique_tool_bigrams"], found["longest_tool_run"]) == (5, 4, 2)
    assert found["mean_logprob"] == -1.0
    assert found["num_chars"] == 12
    assert (found["family"], found["answer"], found["decoding"]) == ("", None, "sampled")


def test_the_mean_logprob_weighs_turns_by_their_tokens():
    turns = [Message(role="assistant", content="a", num_tokens=n, mean_logprob=p) for n, p in ((1, -1.0), (3, -0.2))]
    row = healthy_rows(0, num_groups=1)[0].model_copy(update={"messages": turns})
    assert feature_columns([row])["mean_logprob"][0] == pytest.approx(-0.4)


def test_a_frame_is_the_same_from_disk_and_from_memory(tmp_path):
    rows, _ = trained_rows(0, num_steps=2, num_groups=4)
    for step in range(2):
        write_rows(tmp_path, step, [row for row in rows if row.step == step])
    stored, fresh = Rows.read(tmp_path).frame(), Rows.of(rows).frame()
    assert stored.equals(fresh)
    assert stored["group"].nunique() == 8
    assert list(stored["term_correct"]) == [row.reward_terms["correct"] for row in rows]


def test_a_term_that_a_row_lacks_is_unknown_in_its_frame():
    rows = healthy_rows(0, num_groups=1)[:2]
    rows[0] = rows[0].model_copy(update={"reward_terms": {"style": 0.5}})
    frame = Rows.of(rows).frame()
    assert frame["term_style"].tolist()[0] == 0.5
    assert frame["term_style"].isna().tolist() == [False, True]
    assert frame["term_correct"].isna().tolist() == [True, False]


def test_versions_whose_recorded_rows_a_clone_lacks_are_named(tmp_path):
    recorded = "stages:\n  evaluate:\n    outs:\n    - path: validation\n      hash: md5\n"
    files = CampaignFiles(tmp_path)
    for name, lock in (("v000", recorded), ("v001", recorded), ("v002", "stages: {}\n")):
        files.version(name).root.mkdir(parents=True)
        (files.version(name).root / "dvc.lock").write_text(lock)
    files.version("v000").validation.mkdir()
    assert versions_without_rows(files) == ["v001"]
