import json
import os
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign import import_rows
from evotrainer.evidence.store import write_rows
from tests.evidence_rows import healthy_rows

MINIMAL = {
    "problem_id": "p",
    "messages": [{"role": "user", "content": "1+1"}, {"role": "assistant", "content": "2"}],
    "reward": 1,
}


def _write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n")
    return path


def test_a_minimal_row_is_filled_with_neutral_values_and_says_so(tmp_path):
    foreign = import_rows(_write(tmp_path / "rows.jsonl", MINIMAL, "", MINIMAL))
    first, second = foreign.rows
    assert (first.attempt, second.attempt) == (0, 1)
    assert first.group_id == second.group_id
    assert (first.trajectory_id, second.trajectory_id) == ("rows.jsonl:1", "rows.jsonl:3")
    assert (first.reward, first.correct, first.advantage, first.num_turns) == (1.0, None, None, 1)
    assert len(foreign.notes) == 1
    assert foreign.notes[0].startswith("'advantage', 'campaign', ")
    assert foreign.notes[0].endswith(" are missing (2 of 2 rows)")


def test_columns_missing_in_some_rows_share_the_note(tmp_path):
    whole = import_rows(_write(tmp_path / "r.jsonl", MINIMAL)).rows[0].model_dump(mode="json")
    rows = [{**whole, "trajectory_id": str(number)} for number in range(3)]
    for row, gone in zip(rows, (("seed",), ("seed", "step"), ()), strict=True):
        for key in gone:
            del row[key]
    foreign = import_rows(_write(tmp_path / "rows.jsonl", *rows))
    assert foreign.notes == ["'seed' is missing (2 of 3 rows); 'step' is missing (1 of 3 rows)"]


def test_openai_style_messages_are_taken_as_they_come(tmp_path):
    messages = [
        {"role": "developer", "content": [{"type": "text", "text": "be "}, {"type": "text", "text": "brief"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "grep", "arguments": '{"pattern": "x"}'}},
                {"id": "c2", "type": "function", "function": {"name": "ls", "arguments": "not json"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    ]
    row = import_rows(_write(tmp_path / "r.jsonl", {**MINIMAL, "messages": messages})).rows[0]
    system, assistant, tool = row.messages
    assert (system.role, system.content) == ("system", "be brief")
    assert assistant.content == ""
    assert [(call.name, call.arguments) for call in assistant.tool_calls] == [
        ("grep", {"pattern": "x"}),
        ("ls", {"_text": "not json"}),
    ]
    assert tool.tool_name == "grep"


def test_a_column_of_no_schema_is_kept_and_reported(tmp_path):
    foreign = import_rows(_write(tmp_path / "r.jsonl", {**MINIMAL, "model": "gpt", "extra": {"family": "add"}}))
    assert foreign.rows[0].extra == {"model": "gpt", "family": "add"}
    assert "'model' is no column of the schema and is kept in extra (1 of 1 rows)" in foreign.notes


def test_numbers_that_json_lacks_are_read_as_null_and_reported(tmp_path):
    called = {"name": "f", "arguments": '{"x": NaN}'}
    messages = [*MINIMAL["messages"], {"role": "assistant", "content": "", "tool_calls": [called]}]
    row = {**MINIMAL, "messages": messages, "entropy": float("nan"), "extra": {"losses": [0.5, float("inf")]}}
    foreign = import_rows(_write(tmp_path / "r.jsonl", row, MINIMAL))
    assert foreign.rows[0].extra == {"entropy": None, "losses": [0.5, None]}
    assert foreign.rows[0].messages[-1].tool_calls[0].arguments == {"x": None}
    for what in ("'entropy' in extra holds", "'losses' in extra holds", "arguments of tool calls hold"):
        assert f"{what} NaN or infinity, which is read as null (1 of 2 rows)" in foreign.notes


def test_a_cut_stop_reason_marks_the_row_as_cut(tmp_path):
    rows = import_rows(_write(tmp_path / "r.jsonl", {**MINIMAL, "stop_reason": "length"}, MINIMAL)).rows
    assert [row.is_truncated for row in rows] == [True, False]


def test_an_attempt_that_nobody_graded_is_kept_where_it_is_out_of_the_loss(tmp_path):
    ungraded = {**MINIMAL, "reward": None, "in_loss": False}
    foreign = import_rows(_write(tmp_path / "r.jsonl", MINIMAL, ungraded))
    assert [row.error for row in foreign.rows] == [None, "no reward was recorded"]
    told = "out of the loss and without a reward, read as attempts that nobody graded (1 of 2 rows)"
    assert told in foreign.notes


@pytest.mark.parametrize(
    "row, told",
    [
        ("{not json", "not JSON"),
        ("[", "not JSON (Expecting value, column 2): a list over several lines is not read"),
        ("p,1,hello", "it looks like CSV"),
        ('{"a": 1}\r{"a": 2}', "its lines end in carriage returns"),
        ('{"a": ' * 5000 + "1" + "}" * 5000, "nested too deeply: at most 100 levels"),
        ({**MINIMAL, "extra": "[" * 5000}, "'extra' is nested too deeply: at most 100 levels"),
        ('{"seed": ' + "9" * 5000 + "}", "a number has thousands of digits"),
        ({**MINIMAL, "reward": 10**400}, "(401 characters): give a finite number or null"),
        ({**MINIMAL, "step": 10**400}, "(401 characters): give a number of 64 bits"),
        ("[1, 2]", "a row is a JSON object, this one is a list"),
        ({**MINIMAL, "messages": None}, "'messages' is missing"),
        ({**MINIMAL, "problem_id": None}, "'problem_id' is missing"),
        ({**MINIMAL, "reward": None}, "'reward' and 'correct' are both missing"),
        ({**MINIMAL, "reward": None, "in_loss": True}, "'reward' and 'correct' are both missing"),
        ({**MINIMAL, "reward": "high"}, "'reward'"),
        ({**MINIMAL, "reward": float("nan")}, "'reward' is nan"),
        ({**MINIMAL, "messages": ["hello"]}, "'messages' is a list of objects"),
        ({**MINIMAL, "messages": [{"role": "robot", "content": "x"}]}, "'messages.0.role'"),
        ({**MINIMAL, "messages": [{"role": "assistant", "tool_calls": ["ls"]}]}, "message 0: a tool call is an object"),
        ({**MINIMAL, "reward_terms": [1.0]}, "'reward_terms' is an object of numbers"),
        ({**MINIMAL, "reward_terms": {"style": "good"}}, "'reward_terms.style'"),
        ({**MINIMAL, "extra": "[]"}, "'extra' is a JSON list"),
        ({**MINIMAL, "split": "everything"}, "'split'"),
        ({**MINIMAL, "num_tokens": 2.5}, "'num_tokens'"),
        ({**MINIMAL, "extra": [1]}, "'extra' is a JSON list"),
        ({**MINIMAL, "extra": 5}, "'extra' is a JSON int"),
        ({**MINIMAL, "version": ["v1"]}, "'version' is a list, this column holds one value"),
        ({**MINIMAL, "group_id": {"a": 1}}, "'group_id' is an object"),
        ({**MINIMAL, "step": [1]}, "'step' is a list"),
        ({**MINIMAL, "stop_reason": []}, "'stop_reason' is a list"),
        (
            {**MINIMAL, "messages": [{"role": "assistant", "tool_calls": 5}]},
            "message 0: 'tool_calls' is a list of calls",
        ),
        ({**MINIMAL, "messages": [{"role": "assistant", "tool_calls": [{"function": 5}]}]}, "a tool call is an object"),
    ],
)
def test_a_malformed_row_is_named_by_file_and_line(tmp_path, row, told):
    path = _write(tmp_path / "rows.jsonl", MINIMAL, row)
    with pytest.raises(EvidenceError) as caught:
        import_rows(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_id_used_twice_names_both_lines(tmp_path):
    path = _write(tmp_path / "rows.jsonl", {**MINIMAL, "trajectory_id": "a"}, {**MINIMAL, "trajectory_id": "a"})
    with pytest.raises(EvidenceError, match=r"rows.jsonl:2: trajectory_id 'a' is that of .*rows.jsonl:1"):
        import_rows(path)


@pytest.mark.parametrize(
    "name, content, told",
    [
        ("rows.csv", b"", "come as .jsonl or .parquet"),
        ("rows.jsonl", None, "does not exist"),
        ("rows", None, "does not exist"),
        ("rows.jsonl", b"\n\n", "holds no trajectories"),
        ("r" * 300 + ".jsonl", None, r"cannot be read \(File name too long\)"),
        ("rows.jsonl", b"\x1f\x8b\x08", "is packed with gzip: name it .jsonl.gz"),
        ("rows.jsonl", b"PAR1\x15", "holds Parquet: name it .parquet"),
        ("rows.jsonl", b"PK\x03\x04", "is a zip archive: unpack it"),
        ("rows.jsonl", "{}".encode("utf-16"), "is UTF-16 text: write it as UTF-8"),
        ("rows.jsonl.gz", b"{}", "not readable as gzip .*: is it whole, and packed at all"),
        ("rows.jsonl", b'{"a": "\xff"}', "not UTF-8"),
        ("rows.parquet", b"PAR1 but not really", "not readable as Parquet"),
    ],
)
def test_a_file_that_holds_no_rows_is_refused(tmp_path, name, content, told):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EvidenceError, match=told):
        import_rows(path)


def test_what_is_no_plain_file_is_refused_and_not_waited_for(tmp_path):
    pipe, link, lost, device = (tmp_path / f"{name}.jsonl" for name in ("pipe", "link", "lost", "device"))
    os.mkfifo(pipe)
    link.symlink_to(link)
    lost.symlink_to("nowhere")
    device.symlink_to("/dev/zero")
    told = {
        pipe: "is a pipe, no plain file: write what it gives to a file first",
        link: "cannot be read .Too many levels of symbolic links",
        lost: "is a link to a file that is not there",
        device: "is a device, no plain file",
    }
    for path, words in told.items():
        with pytest.raises(EvidenceError, match=words):
            import_rows(path)


def test_a_byte_order_mark_of_utf_8_is_no_text(tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps(MINIMAL), encoding="utf-8-sig")
    assert len(import_rows(tmp_path / "rows.jsonl").rows) == 1


def test_ids_that_are_integers_are_read_as_their_text(tmp_path):
    rows = [{**MINIMAL, "trajectory_id": 10**30 + n, "problem_id": 7, "group_id": 0, "policy_id": 3} for n in range(2)]
    first, second = import_rows(_write(tmp_path / "rows.jsonl", *rows)).rows
    assert (first.trajectory_id, first.problem_id, first.group_id, first.policy_id) == (f"{10**30}", "7", "0", "3")
    assert (first.attempt, second.attempt) == (0, 1)


def test_integers_beyond_64_bits_are_read_where_a_column_holds_decimal_numbers(tmp_path):
    row = {**MINIMAL, "reward": 2**63, "advantage": -(10**30), "duration_seconds": 2**70}
    read = import_rows(_write(tmp_path / "rows.jsonl", row)).rows[0]
    assert (read.reward, read.advantage, read.duration_seconds) == (2.0**63, -1e30, 2.0**70)


@pytest.mark.parametrize("value, kind", [(b"\xff\x00", "bytes"), ({"at": [datetime(2026, 1, 1)]}, "datetime")])
def test_a_column_that_json_cannot_hold_is_named_with_its_row(tmp_path, value, kind):
    rows = [{**MINIMAL, "more": None}, {**MINIMAL, "more": value}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "rows.parquet")
    with pytest.raises(EvidenceError, match=rf"rows.parquet row 2: 'more' holds {kind}, which JSON lacks: leave the"):
        import_rows(tmp_path / "rows.parquet")


def test_many_long_names_are_shortened_in_messages(tmp_path):
    with pytest.raises(EvidenceError) as caught:
        import_rows(_write(tmp_path / "rows.jsonl", {f"{'k' * 5000}{number}": 1 for number in range(100)}))
    assert len(str(caught.value)) < 4000 and ", 70 more, of no known format" in str(caught.value)


def test_parquet_that_this_program_wrote_comes_back_as_it_was(tmp_path):
    rows = healthy_rows(0, num_groups=4)
    write_rows(tmp_path, 0, rows)
    assert import_rows(tmp_path / "trajectories/step_00000.parquet").rows == rows


def test_parquet_of_other_making_is_read_too(tmp_path):
    rows = [{**MINIMAL, "reward_terms": {"a": 1.0, "b": 0.5}, "attempt": n} for n in range(2)]
    pd.DataFrame(rows).to_parquet(tmp_path / "rows.parquet")
    read = import_rows(tmp_path / "rows.parquet").rows
    assert [row.reward_terms for row in read] == [{"a": 1.0, "b": 0.5}] * 2
    assert read[1].messages[1].content == "2"


def test_a_malformed_parquet_row_is_named_by_number(tmp_path):
    pd.DataFrame([MINIMAL, {**MINIMAL, "problem_id": None}]).to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(EvidenceError, match=r"rows.parquet row 2: 'problem_id' is missing"):
        import_rows(tmp_path / "rows.parquet")


CALL = '<tool_call>\n{"name": "look", "arguments": {"day": 3}}\n</tool_call>'


@pytest.mark.parametrize("role", ["tool", "user"])
def test_calls_in_text_are_calls_where_a_tool_answers(tmp_path, role):
    told = "<tool_response>\nbusy\n</tool_response>\n<tool_response>\nfree\n</tool_response>"
    said = [
        {"role": "assistant", "content": f"I look.\n{CALL}\n{CALL.replace('3', '4')}"},
        {"role": role, "content": told},
        {"role": "assistant", "content": f"Once more. {CALL}"},
    ]
    path = _write(tmp_path / "rows.jsonl", {**MINIMAL, "messages": [{"role": "user", "content": "When?"}, *said]})
    asked, first, *answers, last = import_rows(path).rows[0].messages
    assert first.content == "I look." and [call.arguments for call in first.tool_calls] == [{"day": 3}, {"day": 4}]
    told_apart = [("look", "busy"), ("look", "free")] if role == "user" else [("look", told)]
    assert [(one.tool_name, one.content) for one in answers] == told_apart
    assert {one.role for one in answers} == {"tool"} and asked.role == "user"
    assert last.tool_calls == [] and CALL in last.content, "nobody answered it"


def test_a_slime_dump_with_turns_in_its_text_is_read_as_turns(tmp_path):
    prompt = "<|im_start|>user\nWhen?<|im_end|>\n<|im_start|>assistant\n"
    told = "<|im_end|>\n<|im_start|>user\n<tool_response>\nbusy\n</tool_response><|im_end|>\n<|im_start|>assistant\n"
    row = {"prompt": prompt, "response": f"{CALL}{told}Not then.<|im_end|>\n", "label": "no", "reward": 1.0}
    [found] = import_rows(_write(tmp_path / "rows.jsonl", row)).rows
    assert [one.role for one in found.messages] == ["user", "assistant", "tool", "assistant"]
    assert found.messages[1].tool_calls[0].name == "look" and found.messages[2].content == "busy"


def test_a_verl_dump_without_special_tokens_is_read_as_turns(tmp_path):
    told = "\nuser\n<tool_response>\nbusy\n</tool_response>\nassistant\n"
    row = {
        "input": "user\nWhen?\nassistant\n",
        "output": f"{CALL}{told}Not then.",
        "gts": "no",
        "score": 1.0,
        "step": 1,
    }
    [found] = import_rows(_write(tmp_path / "rows.jsonl", row)).rows
    assert [one.role for one in found.messages] == ["user", "assistant", "tool", "assistant"]
    assert found.messages[1].tool_calls[0].name == "look" and found.messages[3].content == "Not then."


def test_rows_of_another_format_among_those_of_the_first_are_read_by_their_own(tmp_path):
    trained = {"prompt": "1 + 1?", "completion": "2", "advantage": 0.5, "reward": 1.0}
    held = {"prompt": "2 + 2?", "completion": "4", "reward": 1.0, "split": "validation"}
    path = _write(tmp_path / "rows.jsonl", trained, held, trained)
    foreign = import_rows(path)
    assert [(row.advantage, row.split) for row in foreign.rows] == [
        (0.5, "train"),
        (None, "validation"),
        (0.5, "train"),
    ]
    assert any(note.startswith("read as trl (2 of 3 rows") for note in foreign.notes)
    assert any(note.startswith("read as plain (1 of 3 rows") for note in foreign.notes)
    with pytest.raises(EvidenceError, match="rows.jsonl:2: no row of trl"):
        import_rows(path, "trl")
    with pytest.raises(EvidenceError, match="odd.jsonl:2: no row of trl"):
        import_rows(_write(tmp_path / "odd.jsonl", trained, {"prompt": "2 + 2?"}))


@pytest.mark.parametrize(
    "said",
    [
        {"content": "4", "reasoning_content": "two and two"},
        {"content": "4", "reasoning": "two and two"},
        {"content": [{"type": "thinking", "thinking": "two and two"}, {"type": "text", "text": "4"}]},
    ],
)
def test_what_a_server_keeps_apart_as_thought_stands_before_the_text(tmp_path, said):
    asked = {"role": "user", "content": "2 + 2?", "reasoning": "not the policy's"}
    row = {"problem_id": "p", "messages": [asked, {"role": "assistant", **said}], "reward": 1.0}
    (read,) = import_rows(_write(tmp_path / "rows.jsonl", row)).rows
    assert [message.content for message in read.messages] == ["2 + 2?", "<think>\ntwo and two\n</think>\n\n4"]


def test_a_thought_that_the_text_holds_already_is_not_said_twice(tmp_path):
    said = {"role": "assistant", "content": "<think>so</think>4", "reasoning_content": "so"}
    row = {"problem_id": "p", "messages": [{"role": "user", "content": "2 + 2?"}, said], "reward": 1.0}
    (read,) = import_rows(_write(tmp_path / "rows.jsonl", row)).rows
    assert read.messages[-1].content == "<think>so</think>4"
