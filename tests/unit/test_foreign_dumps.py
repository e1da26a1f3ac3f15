"""Files that other systems' own code wrote (tests/golden/foreign_dumps/README.md), read as a person would."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign import import_rows

DUMPS = Path(__file__).parents[1] / "golden" / "foreign_dumps"
EPISODE = json.loads((DUMPS / "verifiers_traces.jsonl").read_text().splitlines()[0])


def test_a_log_of_inspect_packed_with_zstandard_is_read():
    rows = import_rows(DUMPS / "inspect.eval").rows
    assert [(row.problem_id, row.attempt) for row in rows] == [(f"w{i}", epoch) for i in range(4) for epoch in (0, 1)]
    assert {row.num_tokens for row in rows} == {14}
    failed = [message for row in rows for message in row.messages if message.ok is False]
    assert {message.content for message in failed} == {"no entry for this word"}
    assert {row.reward for row in rows} == {row.correct for row in rows} == {0.0, 1.0}


def test_a_scorer_of_inspect_with_several_values_gives_each(tmp_path: Path):
    sample = {"id": 1, "epoch": 1, "messages": [{"role": "user", "content": "?"}]}
    sample["scores"] = {"rubric": {"value": {"right": "C", "style": 0.5}}}
    (tmp_path / "log.json").write_text(json.dumps({"samples": [sample]}))
    assert import_rows(tmp_path / "log.json").rows[0].reward_terms == {"rubric/right": 1.0, "rubric/style": 0.5}


def test_a_sample_of_inspect_that_no_scorer_saw_is_no_failure(tmp_path: Path):
    asked = {"messages": [{"role": "user", "content": "?"}], "epoch": 1}
    samples = [{"id": 1, "scores": {"match": {"value": "C"}}, **asked}, {"id": 2, "scores": {}, **asked}]
    (tmp_path / "log.json").write_text(json.dumps({"samples": samples}))
    rows = import_rows(tmp_path / "log.json").rows
    assert [(row.reward, row.correct, row.error) for row in rows] == [(1.0, 1.0, None), (None, None, "not scored")]


def test_a_damaged_zstandard_entry_is_named(tmp_path: Path):
    with zipfile.ZipFile(DUMPS / "inspect.eval") as log:
        place = next(entry for entry in log.infolist() if entry.filename.startswith("samples/")).header_offset
    data = bytearray((DUMPS / "inspect.eval").read_bytes())
    data[place + 60 : place + 90] = bytes(30)
    (tmp_path / "log.eval").write_bytes(data)
    with pytest.raises(EvidenceError, match="log.eval is not readable as a log of inspect"):
        import_rows(tmp_path / "log.eval")


def test_traces_of_verifiers_are_read():
    foreign = import_rows(DUMPS / "verifiers_traces.jsonl")
    assert foreign.notes[0].startswith("read as verifiers ")
    assert [row.error for row in foreign.rows].count("ProviderError") == 2
    judged = [row for row in foreign.rows if row.error is None]
    assert {row.split for row in judged} == {"validation"}
    for row in judged:
        assert row.reward == row.reward_terms["correct_answer"] + 0.2 * row.reward_terms["brevity"]
        assert row.correct == row.reward_terms["correct_answer"]
    assert [row.is_truncated for row in judged] == [row.messages[-1].content == "It has 2" for row in judged]
    assert {len([row for row in judged if row.problem_id == f"aviary/{i}"]) for i in range(2)} == {4}


def test_traces_of_a_training_run_have_its_step_policy_groups_and_advantages():
    foreign = import_rows(DUMPS / "prime_rl_traces.jsonl")
    assert foreign.notes[0].startswith("read as prime_rl ")
    assert {(row.split, row.step, row.policy_id) for row in foreign.rows} == {("train", 3, "version 2")}
    assert {row.messages[-1].mean_logprob for row in foreign.rows} == {-0.375}
    for group in {row.group_id for row in foreign.rows}:
        assert sum(row.advantage or 0.0 for row in foreign.rows if row.group_id == group) == pytest.approx(0, abs=1e-3)


def test_an_episode_is_a_row_for_each_agent_and_one_where_none_began(tmp_path: Path):
    other = {**EPISODE["traces"][0], "id": "other"}
    rows = [{**EPISODE, "traces": [*EPISODE["traces"], other]}, {**EPISODE, "id": "lost", "traces": []}]
    rows[1]["errors"] = [{"type": "BootError", "message": "no machine"}]
    with gzip.open(tmp_path / "traces.jsonl.gz", "wt") as file:
        file.write("".join(f"{json.dumps(row)}\n" for row in rows))
    found = import_rows(tmp_path).rows
    assert [row.trajectory_id for row in found] == [EPISODE["traces"][0]["id"], "other", "lost"]
    assert found[2].error == "BootError"


def test_the_last_path_of_a_trace_is_its_conversation(tmp_path: Path):
    said = [("user", None), ("assistant", 0), ("user", 0), ("assistant", 2)]
    nodes = [{"parent": parent, "message": {"role": role, "content": str(i)}} for i, (role, parent) in enumerate(said)]
    trace = {**EPISODE["traces"][0], "errors": [], "ok": True, "rewards": {"r": {"score": 1.0}}, "nodes": nodes}
    (tmp_path / "t.jsonl").write_text(json.dumps({**EPISODE, "traces": [trace]}))
    assert [message.content for message in import_rows(tmp_path).rows[0].messages] == ["0", "2", "3"]


def test_files_of_steps_are_read_in_the_order_of_their_numbers():
    rows = import_rows(DUMPS / "verl").rows
    assert [row.step for row in rows] == [step for step in (1, 2, 9, 10) for _ in range(4)]
    assert {row.correct for row in rows} == {0.0, 1.0}


def test_newer_rows_of_nemo_rl_and_its_validation_are_read(tmp_path: Path):
    sampled = {"generation_logprobs": [[0, 0, -0.5, -0.7]], "advantages": [[0, 0, 0.5, 0.5]]}
    masks = {"token_loss_mask": [[0, 0, 1, 1]], "sample_loss_mask": [1.0], "token_ids": [[4, 5, 6, 7]]}
    train = {"content": [["1+1?", "2"]], "rewards": [1.0], "input_lengths": [4], **sampled, **masks, "idx": 0}
    held = [[{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}]]
    (tmp_path / "train_data_step3.jsonl").write_text(json.dumps(train))
    (tmp_path / "val_data_step3.jsonl").write_text(json.dumps({"content": held, "rewards": [0.0], "idx": 0}))
    rows = import_rows(tmp_path).rows
    assert [(row.split, row.step, row.advantage, row.in_loss) for row in rows] == [
        ("train", 3, 0.5, True),
        ("validation", 3, None, None),
    ]
    assert [message.content for message in rows[1].messages] == ["2+2?", "4"]


def test_broken_gzip_is_named(tmp_path: Path):
    (tmp_path / "traces.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(EvidenceError, match="traces.jsonl.gz is not readable as gzip"):
        import_rows(tmp_path)
