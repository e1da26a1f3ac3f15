"""Variants that writers of other systems make: calls as text, roles of theirs, folders of steps, any reward names."""

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign import import_rows
from evotrainer.evidence.frames import frame_of_rows

ASKED = [{"role": "user", "content": "1+1?"}]
SAID = [{"role": "assistant", "content": "2"}]
CALL = {"id": "c1", "name": "calc", "arguments": '{"e": "1+1"}'}


def _write(path: Path, *rows: dict) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _verifiers(**columns) -> dict:
    return {"example_id": 3, "prompt": ASKED, "completion": SAID, "reward": 1.0, "metrics": {}, **columns}


def _trl(path: Path, **columns) -> Path:
    prompts = {"step": [1, 1], "prompt": ["1+1?", "1+1?"], "completion": ["2", "3"], "advantage": [0.7, -0.7]}
    pd.DataFrame({**prompts, **columns}).to_parquet(path)
    return path


def test_calls_that_are_written_as_text_are_read(tmp_path):
    said = [{"role": "assistant", "content": "", "tool_calls": [json.dumps(CALL)]}]
    told = [{"role": "tool", "tool_call_id": "c1", "content": "2"}, *SAID]
    (row,) = import_rows(_write(tmp_path / "results.jsonl", _verifiers(completion=[*said, *told]))).rows
    assert [(call.name, call.arguments) for call in row.messages[1].tool_calls] == [("calc", {"e": "1+1"})]
    assert row.messages[2].tool_name == "calc"


@pytest.mark.parametrize("call", ["calc(1+1)", "[1]", "null", "[" * 9000])
def test_a_call_that_is_other_text_is_refused(call, tmp_path):
    said = [{"role": "assistant", "content": "", "tool_calls": [call]}]
    with pytest.raises(EvidenceError, match=r"results.jsonl:1: message 1: a tool call is an object"):
        import_rows(_write(tmp_path / "results.jsonl", _verifiers(completion=said)))


def test_an_environment_speaks_as_a_tool_and_an_unknown_role_is_refused(tmp_path):
    def row(role: str) -> dict:
        return {"content": [[*ASKED, *SAID, {"role": role, "content": "Environment: correct"}]], "rewards": [1.0]}

    (read,) = import_rows(_write(tmp_path / "val_data_step2.jsonl", row("environment"))).rows
    assert [message.role for message in read.messages] == ["user", "assistant", "tool"]
    with pytest.raises(EvidenceError, match="role"):
        import_rows(_write(tmp_path / "val_data_step3.jsonl", row("bot")))


def test_an_image_beside_a_text_adds_no_word_to_it(tmp_path):
    asked = [{"role": "user", "content": [{"type": "image", "text": None}, {"type": "text", "text": "1+1?"}]}]
    (row,) = import_rows(_write(tmp_path / "a.jsonl", {"messages": [*asked, *SAID], "reward": 1.0})).rows
    assert row.messages[0].content == "1+1?"


def test_reward_functions_are_known_by_a_word_of_their_names(tmp_path):
    columns = {"reward_len": [0.5, 0.5], "my_fn": [1.0, 0.0], "temperature": [0.7, 0.7]}
    rows = import_rows(_trl(tmp_path / "a.parquet", **columns)).rows
    assert [row.reward for row in rows] == [1.5, 0.5]
    assert rows[0].reward_terms == {"reward_len": 0.5, "my_fn": 1.0}


def test_a_function_that_does_not_judge_a_row_counts_nothing_there(tmp_path):
    columns = {"math_reward": [1.0, None], "temperature": [0.7, 0.7]}
    rows = import_rows(_trl(tmp_path / "a.parquet", **columns)).rows
    assert [(row.reward, row.reward_terms) for row in rows] == [(1.0, {"math_reward": 1.0}), (0.0, {})]


def test_functions_of_other_names_are_all_decimal_columns(tmp_path):
    columns = {"check_answer": [1.0, 0.0], "reward_kind": ["exact", "exact"], "num_words": [1, 1]}
    rows = import_rows(_trl(tmp_path / "a.parquet", **columns)).rows
    assert [row.reward for row in rows] == [1.0, 0.0]


def test_calls_of_a_parquet_file_have_no_arguments_of_other_tools(tmp_path):
    calls = [{"name": "put", "arguments": {"path": "a", "text": "b"}}, {"name": "get", "arguments": {"path": "a"}}]
    said = [
        [{"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": call}]}] for call in calls
    ]
    found = import_rows(_trl(tmp_path / "a.parquet", completion=said, my_reward=[1.0, 0.0])).rows
    assert [row.messages[1].tool_calls[0].arguments for row in found] == [call["arguments"] for call in calls]


def test_a_null_argument_of_a_line_is_kept(tmp_path):
    said = [{"role": "assistant", "content": "", "tool_calls": [{"name": "get", "arguments": {"path": None}}]}]
    (row,) = import_rows(_write(tmp_path / "a.jsonl", {"messages": [*ASKED, *said], "reward": 1.0})).rows
    assert row.messages[1].tool_calls[0].arguments == {"path": None}


def test_a_reason_to_stop_under_another_name_is_not_missing(tmp_path):
    row = {"messages": [*ASKED, *SAID], "reward": 1.0}
    known = import_rows(_write(tmp_path / "a.jsonl", {**row, "finish_reason": "length"}))
    unknown = import_rows(_write(tmp_path / "b.jsonl", {**row, "finish_reason": None}))
    assert known.rows[0].is_truncated
    assert "'stop_reason'" not in " ".join(known.notes)
    assert "'stop_reason'" in " ".join(unknown.notes)


def test_verl_trains_on_the_score(tmp_path):
    row = {"input": "1+1?", "output": "2", "step": 1}
    rows = import_rows(
        _write(tmp_path / "a.jsonl", {**row, "score": 0.2, "reward": 1.0}, {**row, "score": 0.5, "reward": 0.5})
    ).rows
    assert [row.reward for row in rows] == [0.2, 0.5]
    assert rows[0].extra == {"reward": 1.0}
    assert rows[1].extra == {}


def test_the_first_sample_of_inspect_keeps_its_number(tmp_path):
    samples = [
        {"id": number, "epoch": 1, "input": "1+1?", "messages": [*ASKED, *SAID], "scores": {"match": {"value": "C"}}}
        for number in (0, 1)
    ]
    (tmp_path / "log.json").write_text(json.dumps({"samples": samples}))
    assert [row.problem_id for row in import_rows(tmp_path / "log.json").rows] == ["0", "1"]


def test_verifiers_counts_sampled_tokens(tmp_path):
    usage = {"token_usage": {"input_tokens": 10.0, "output_tokens": 33.0}}
    known = import_rows(_write(tmp_path / "a.jsonl", _verifiers(**usage)))
    unknown = import_rows(_write(tmp_path / "b.jsonl", _verifiers(token_usage={"output_tokens": None})))
    assert known.rows[0].num_tokens == 33
    assert unknown.rows[0].num_tokens == 0
    assert "'num_tokens'" in " ".join(unknown.notes)


@pytest.mark.parametrize("name", ["eval", "val", "dev"])
def test_splits_of_other_names_are_held(name, tmp_path):
    row = {"messages": [*ASKED, *SAID], "reward": 1.0, "split": name}
    assert import_rows(_write(tmp_path / "a.jsonl", row)).rows[0].split == "validation"


def test_a_pattern_names_files_of_several_folders_and_the_folders_their_steps(tmp_path):
    for step in (2, 10):
        _write(tmp_path / "rollouts" / f"step_{step}" / "train_rollouts.jsonl", _verifiers(env_name="math"))
    rows = import_rows(tmp_path / "rollouts" / "step_*" / "*.jsonl").rows
    assert [row.step for row in rows] == [2, 10]
    assert [row.trajectory_id for row in rows] == [f"step_{step}/train_rollouts.jsonl:1" for step in (2, 10)]
    assert len({row.group_id for row in rows}) == 2


def test_a_step_in_a_row_comes_before_that_of_its_folder(tmp_path):
    path = _write(tmp_path / "step_7" / "a.jsonl", _verifiers(step=3), _verifiers())
    assert [row.step for row in import_rows(path).rows] == [3, 7]
    assert import_rows(_write(tmp_path / "stepped_7" / "a.jsonl", _verifiers())).rows[0].step == 0


def test_a_folder_of_folders_says_how_to_name_their_files(tmp_path):
    _write(tmp_path / "rollouts" / "step_2" / "train_rollouts.jsonl", _verifiers())
    with pytest.raises(EvidenceError, match=r"pattern in quotes, like '.*/rollouts/step_\*/train_rollouts.jsonl'"):
        import_rows(tmp_path / "rollouts")


def test_a_pattern_that_fits_nothing_is_refused_and_a_name_with_brackets_is_read(tmp_path):
    with pytest.raises(EvidenceError, match="holds no files of rollouts"):
        import_rows(tmp_path / "*.jsonl")
    assert import_rows(_write(tmp_path / "a[1].jsonl", _verifiers())).rows[0].trajectory_id == "a[1].jsonl:1"


def test_a_packed_file_with_altered_bytes_is_named(tmp_path):
    packed = bytearray(gzip.compress((json.dumps(_verifiers()) + "\n").encode() * 2000))
    packed[40:44] = b"XXXX"
    (tmp_path / "a.jsonl.gz").write_bytes(packed)
    with pytest.raises(EvidenceError, match=r"a.jsonl.gz is not readable as gzip"):
        import_rows(tmp_path / "a.jsonl.gz")


@pytest.mark.parametrize("source", ["verl", "trl", "verifiers", "openai", "plain"])
def test_a_count_of_what_passed_is_no_correctness_where_it_is_one(tmp_path: Path, source: str):
    assert _outcomes(tmp_path, source, 0, 1, 6) == [None, None, None]
    assert _outcomes(tmp_path, source, 0, 1, 1) == [0.0, 1.0, 1.0]
    assert _outcomes(tmp_path, source, False, True, True) == [0.0, 1.0, 1.0]


def _outcomes(folder: Path, source: str, *passed: float) -> list[float | None]:
    asked = {
        "verl": {"input": "1+1?", "output": "2", "score": 0.5},
        "trl": {"prompt": "1+1?", "completion": "2", "advantage": 0.1},
        "verifiers": {"prompt": ASKED, "completion": SAID, "reward": 0.5},
        "openai": {"messages": [*ASKED, *SAID], "reward": 0.5},
        "plain": {"prompt": "1+1?", "response": "2", "reward": 0.5},
    }[source]
    rows = [
        {**asked, "example_id": number, "metrics": {"passed": count}}
        if source == "verifiers"
        else {**asked, "cases_passed_reward": count}
        for number, count in enumerate(passed)
    ]
    return [row.correct for row in import_rows(_write(folder / "rows.jsonl", *rows), source).rows]


def test_a_token_that_was_certain_moves_no_logprobs_of_nemo_rl(tmp_path: Path):
    row = {"content": [["1+1?", "2"]], "rewards": [1.0], "input_lengths": [5], "step": 1}
    row |= {"generation_logprobs": [[0.0, 0.0, -0.5, -0.001, -0.7]], "prev_logprobs": [[0.0, -0.3, -0.6, 0.0, -0.8]]}
    (read,) = import_rows(_write(tmp_path / "train_data_step1.jsonl", row)).rows
    assert read.extra["generation_logprobs"] == [-0.5, -0.001, -0.7]
    assert read.extra["prev_logprobs"] == [-0.6, 0.0, -0.8]


@pytest.mark.parametrize("row", [{"prompt": "1+1?", "reward": 1.0}, {"prompt": 5, "response": "2", "reward": 1.0}])
def test_a_row_without_a_text_of_each_is_of_no_known_form(tmp_path: Path, row: dict):
    with pytest.raises(EvidenceError, match="of no known format: .*; plain"):
        import_rows(_write(tmp_path / "own.jsonl", row))


TALK = [
    {"role": "user", "content": "What is 2 and 3?"},
    {"role": "assistant", "content": "It is 5.", "tool_calls": [{"name": "add", "arguments": {"a": 2}}]},
    {"role": "user", "content": "And twice that?"},
]
DECODED = "".join(f"<|im_start|>{one['role']}\n{one['content']}<|im_end|>\n" for one in TALK)


@pytest.mark.parametrize("said", [{}, {"content": 5}, {"content": ["a", {"text": "b"}]}, {"tool_calls": 5}])
def test_an_odd_message_in_a_prompt_is_shown_as_it_is(tmp_path: Path, said: dict[str, Any]):
    asked = [{"role": "assistant", **said}]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"step": 1, "prompt": asked, "completion": "2", "advantage": 0.1, "r_reward": 1.0}))
    (read,) = import_rows(path).rows
    assert [read.messages[0].role, read.messages[1].content] == ["user", "2"]
    assert all(str(part) in read.messages[0].content for part in said.values() if isinstance(part, int))


@pytest.mark.parametrize(
    "row",
    [
        {"step": 1, "prompt": TALK, "completion": "10", "advantage": 0.5, "accuracy_reward": 1.0},
        {"prompt": TALK, "completion": [{"role": "assistant", "content": "10"}], "reward": 1.0, "example_id": 3},
        {"input": f"{DECODED}<|im_start|>assistant\n", "output": "10", "gts": "10", "score": 1.0, "step": 1},
    ],
    ids=["trl", "verifiers", "verl"],
)
def test_what_an_assistant_said_in_the_prompt_is_not_the_policys(tmp_path: Path, row: dict[str, Any]):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row))
    (read,) = import_rows(path).rows
    assert [message.role for message in read.messages] == ["user", "user", "user", "assistant"]
    assert "It is 5." in read.messages[1].content and read.messages[-1].content == "10"
    assert frame_of_rows([read])["num_chars"].tolist() == [2] and read.num_turns == 1
