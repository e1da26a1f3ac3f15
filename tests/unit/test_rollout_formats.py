"""Dumps in the names that other systems write, and what comes back of our own rows through each format."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign import export_rows, import_rows
from evotrainer.evidence.formats import FORMATS, JSON_ONLY
from evotrainer.evidence.frames import frame_of_rows
from evotrainer.records import Message, ToolCall, Trajectory
from tests.evidence_rows import healthy_rows

REAL_TRL = Path(__file__).parents[1] / "golden" / "trl_completions"
CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1?"}]
SAID = [{"role": "assistant", "content": "2"}]
VERL = {
    "input": "user\n1+1?\nassistant\n",
    "output": "2",
    "gts": "2",
    "score": 1.0,
    "step": 5,
    "acc": True,
    "pred": "2",
}
TRL = {
    "step": 10,
    "prompt": CHAT,
    "completion": SAID,
    "accuracy_reward": 1.0,
    "format_reward": 0.5,
    "solution": "2",
    "advantage": 0.7,
}
VERIFIERS = {
    "example_id": 3,
    "task": "gsm8k",
    "prompt": CHAT,
    "completion": SAID,
    "answer": "2",
    "reward": 1.2,
    "error": None,
    "timing": {"total_ms": 1500.0},
    "is_completed": True,
    "is_truncated": False,
    "stop_condition": "max_turns_reached",
    "metrics": {"correct_answer": 1.0, "format": 0.2},
    "correct_answer": 1.0,
    "format": 0.2,
    "token_usage": {"input_tokens": 10.0, "output_tokens": 3.0},
}
PRIME_RL = {**{key: VERIFIERS[key] for key in VERIFIERS if key != "task"}, "env_name": "gsm8k", "advantage": -0.2}
NEMO_RL = {
    "content": [["1+1?", "2"]],
    "rewards": [1.0],
    "generation_logprobs": [[0.0, 0.0, -0.5, -0.7]],
    "prev_logprobs": [[0.0, 0.0, -0.6, -0.7]],
    "input_lengths": [4],
    "idx": 0,
}
OPENRLHF = {"input": "1+1?", "output": "2", "reward": 0.5}
PLAIN = {
    "question": "1+1?",
    "response": "2",
    "score": 0.5,
    "format_score": 0.1,
    "step": 3,
    "gold": 2,
    "is_correct": True,
}
OPENAI = {"messages": [*CHAT, *SAID], "reward": 1.0, "success": True, "model": "m"}
INSPECT = {
    "id": "q1",
    "epoch": 2,
    "input": "1+1?",
    "target": "2",
    "messages": [
        *CHAT,
        {
            "role": "assistant",
            "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "look"}],
            "tool_calls": [{"id": "a", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}],
        },
        {
            "role": "tool",
            "content": "no such file",
            "tool_call_id": "a",
            "function": "bash",
            "error": {"type": "unknown"},
        },
        *SAID,
    ],
    "output": {"model": "m", "choices": [{"message": SAID[0], "stop_reason": "stop"}]},
    "scores": {"match": {"value": "C", "answer": "2", "explanation": "2"}},
    "metadata": {"level": 1},
    "total_time": 2.5,
}
DUMPS: dict[str, dict[str, Any]] = {
    "verl": VERL,
    "trl": TRL,
    "verifiers": VERIFIERS,
    "prime_rl": PRIME_RL,
    "openrlhf": OPENRLHF,
    "openai": OPENAI,
    "plain": PLAIN,
    "nemo_rl": NEMO_RL,
    "inspect": INSPECT,
}
EXPECTED: dict[str, dict[str, Any]] = {
    "verl": {"reward": 1.0, "correct": 1.0, "step": 5},
    "trl": {"reward": 1.5, "correct": 1.0, "step": 10, "advantage": 0.7},
    "verifiers": {"reward": 1.2, "correct": 1.0, "problem_id": "gsm8k/3", "duration_seconds": 1.5},
    "prime_rl": {"reward": 1.2, "correct": 1.0, "problem_id": "gsm8k/3", "advantage": -0.2},
    "openrlhf": {"reward": 0.5, "correct": None},
    "openai": {"reward": 1.0, "correct": 1.0},
    "plain": {"reward": 0.5, "correct": 1.0, "step": 3, "reward_terms": {"format_score": 0.1}},
    "nemo_rl": {"reward": 1.0, "correct": None},
    "inspect": {"reward": 1.0, "correct": 1.0, "problem_id": "q1", "attempt": 1, "stop_reason": "stop"},
}
EXTRA = {
    "verl": {"ground_truth": "2", "answer": "2"},
    "trl": {"solution": "2"},
    "verifiers": {"ground_truth": "2", "task": "gsm8k"},
    "prime_rl": {"env_name": "gsm8k"},
    "openrlhf": {},
    "openai": {"model": "m", "success": True},
    "plain": {"gold": 2},
    "nemo_rl": {"generation_logprobs": [-0.5, -0.7], "prev_logprobs": [-0.6, -0.7]},
    "inspect": {"ground_truth": "2", "answer": "2", "metadata": {"level": 1}},
}


def _write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("name", DUMPS)
def test_a_dump_is_recognised_and_read(tmp_path: Path, name: str):
    foreign = import_rows(
        _write(tmp_path / "dump.jsonl", DUMPS[name], DUMPS[name]) if name != "inspect" else _log(tmp_path)
    )
    row = foreign.rows[0]
    assert foreign.notes[0] == f"read as {name} ({FORMATS[name].keys})"
    assert {key: getattr(row, key) for key in EXPECTED[name]} == EXPECTED[name]
    assert EXTRA[name].items() <= row.extra.items()
    assert [row.messages[-1].role, row.messages[-1].content] == ["assistant", "2"]
    assert len({row.group_id for row in foreign.rows}) == 1
    assert import_rows(tmp_path / ("dump.jsonl" if name != "inspect" else "log.json"), name).rows == foreign.rows


def _log(folder: Path) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {"task": "t"}, "samples": [INSPECT, {**INSPECT, "epoch": 1}]}))
    return path


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ({"match": {"value": "C", "explanation": "2"}}, None),  # the completion once more
        ({"tests": {"value": "I", "explanation": "No module named 'a'"}}, "No module named 'a'"),
        (
            {"tests": {"value": "I", "explanation": "0 of 4"}, "judge": {"value": "I", "explanation": "It is wrong."}},
            {"tests": "0 of 4", "judge": "It is wrong."},
        ),
    ],
)
def test_what_scorers_of_inspect_explain_is_kept(tmp_path: Path, scores: dict[str, Any], kept: object):
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {"task": "t"}, "samples": [{**INSPECT, "scores": scores}]}))
    (row,) = import_rows(path).rows
    assert row.extra.get("explanation") == kept


def test_a_zipped_log_of_inspect_is_read_as_its_json(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as log:
        log.writestr("header.json", "{}")
        log.writestr("samples/q1_epoch_2.json", json.dumps(INSPECT))
    (row,) = import_rows(tmp_path / "log.eval").rows
    call, answer = row.messages[2], row.messages[3]
    assert [(each.name, each.arguments) for each in call.tool_calls] == [("bash", {"cmd": "ls"})]
    assert (call.content, answer.tool_name, answer.ok) == ("<think>\nhm\n</think>\n\nlook", "bash", False)


def test_a_folder_of_dumps_is_one_set(tmp_path: Path):
    folder = tmp_path / "completions"
    folder.mkdir()
    for step in (1, 2):
        frame = pd.DataFrame([{**TRL, "step": step}] * 2)
        frame.to_parquet(folder / f"completions_{step:05d}.parquet")
    rows = import_rows(folder).rows
    assert [row.step for row in rows] == [1, 1, 2, 2]
    assert len({row.group_id for row in rows}) == 2
    assert [row.reward_terms for row in rows] == [{"accuracy_reward": 1.0, "format_reward": 0.5}] * 4


def test_the_step_of_nemo_rl_stands_in_the_name_of_its_file(tmp_path: Path):
    for step in (2, 11):
        _write(tmp_path / f"train_data_step{step}.jsonl", NEMO_RL, NEMO_RL)
    assert [row.step for row in import_rows(tmp_path).rows] == [2, 2, 11, 11]


def test_completions_that_trl_logged_are_read_as_it_trained_on_them():
    """Steps 1, 6 and 12 of a GRPO run of TRL 1.16 on the embedded math policy (benchmarks/elsewhere/trl_runs.py)."""
    rows = import_rows(REAL_TRL).rows
    assert [len(rows), sorted({row.step for row in rows})] == [192, [1, 6, 12]]
    frame = frame_of_rows(rows)
    assert set(frame.groupby("group").size()) == {8}
    assert frame.groupby("group")["advantage"].sum().abs().max() < 1e-4
    assert (frame["reward"] == frame["correct"]).all() and 0.2 < frame["reward"].mean() < 0.8
    assert rows[0].messages[0].role == "user"


def test_a_failed_rollout_has_an_error_and_no_reward(tmp_path: Path):
    failed = {**VERIFIERS, "error": {"error": "SandboxError", "error_chain_repr": "r", "error_chain_str": "s"}}
    (row,) = import_rows(_write(tmp_path / "r.jsonl", {**failed, "completion": None})).rows
    assert (row.error, row.reward, row.correct) == ("SandboxError", None, None)


def test_a_mapping_reads_rows_of_any_other_form(tmp_path: Path):
    path = _write(tmp_path / "r.jsonl", {"qid": 7, "chat": [*CHAT, *SAID], "info": {"score": 0.5}, "lang": "de"})
    columns = {"problem_id": "qid", "messages": "chat", "reward": "info.score"}
    with pytest.raises(EvidenceError, match="has the keys qid, chat, info, lang, of no known format: .* --map FILE"):
        import_rows(path)
    with pytest.raises(EvidenceError, match="the mapping of 'reward' names 'score', the row has qid, chat"):
        import_rows(path, columns={**columns, "reward": "score"})
    with pytest.raises(EvidenceError, match="names 'problem_idd', no column of ours: did you mean problem_id?"):
        import_rows(path, columns={"problem_idd": "qid", "messages": "chat", "reward": "info.score"})
    assert import_rows(path, columns=columns).rows[0].problem_id == "7"
    (row,) = import_rows(
        _write(path, {"qid": "7", "chat": [*CHAT, *SAID], "info": {"score": 0.5}}), columns=columns
    ).rows
    assert (row.problem_id, row.reward) == ("7", 0.5)
    assert row.extra == {"info": {"score": 0.5}}


UNSTORABLE = {
    "'step' is 1180591620717411303424: give a number of 64 bits": {"step": 2**70},
    "holds half of a surrogate pair": {"messages": [{"role": "user", "content": "a\ud800"}]},
    "holds half of a surrogate pair in 'problem_id'": {"problem_id": "p\udfff"},
    "nested too deeply": {"messages": [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": {"a": None}}]}]},
}


@pytest.mark.parametrize("says", UNSTORABLE)
def test_what_cannot_be_stored_is_named_with_its_line(tmp_path: Path, says: str):
    row = {"problem_id": "p", "messages": CHAT, "reward": 1.0}
    bad = json.dumps(row | UNSTORABLE[says]).replace('{"a": null}', '{"a": ' + "[" * 900 + "]" * 900 + "}")
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(row)}\n{bad}\n")
    with pytest.raises(EvidenceError, match=f"rows.jsonl:2: .*{says}"):
        import_rows(path)


def test_a_format_that_a_person_insists_on_must_fit(tmp_path: Path):
    path = _write(tmp_path / "r.jsonl", OPENRLHF)
    with pytest.raises(
        EvidenceError, match="no row of verl, which has input, output, score: the row has input, output"
    ):
        import_rows(path, "verl")
    with pytest.raises(EvidenceError, match="'veral' is no format of rollouts: choose from evotrainer, inspect"):
        import_rows(path, "veral")


def _attempts() -> list[Trajectory]:
    """Attempts of several turns with tools, beside plain ones with right, wrong and failed ends."""
    rows = healthy_rows(0, num_groups=3)[:6]
    turns = [
        *rows[0].messages[:1],
        Message(role="assistant", content="I look", tool_calls=[ToolCall(name="read_file", arguments={"path": "a"})]),
        Message(role="tool", content="1: x", tool_name="read_file", ok=True),
        Message(role="assistant", content="done"),
    ]
    failed = {"reward": None, "correct": None, "error": "SandboxError", "reward_terms": {}}
    return [rows[0].model_copy(update={"messages": turns}), *rows[1:5], rows[5].model_copy(update=failed)]


KEPT = ("problem_id", "group_id", "reward", "error", "step", "trajectory_id")
LOSSY = {"verl", "openrlhf", "nemo_rl"}


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_in_a_format_is_read_back(tmp_path: Path, name: str, ending: str):
    rows = _attempts()
    path = tmp_path / f"rows{ending}"
    if name in JSON_ONLY and ending == ".parquet":
        with pytest.raises(EvidenceError, match=f"{name} writes JSON: name a file that ends in .jsonl"):
            export_rows(rows, path, name)
        return
    export_rows(rows, path, name)
    found = import_rows(path, name).rows
    skipped = {"step"} if name == "openrlhf" else set()
    for key in (key for key in KEPT if key not in skipped):
        assert [getattr(row, key) for row in found] == [getattr(row, key) for row in rows], key
    assert [row.correct for row in found] == [row.correct for row in rows]
    if name not in LOSSY:
        assert [[(m.role, m.content, m.tool_calls) for m in row.messages] for row in found] == [
            [(m.role, m.content, m.tool_calls) for m in row.messages] for row in rows
        ]


@pytest.mark.parametrize(
    "row, told",
    [
        (
            {**TRL, "completion": 5},
            "'completion': Input should be a valid string or Input should be a valid list (got '5')",
        ),
        ({**INSPECT, "scores": ["C"]}, "'scores': Input should be a valid dictionary"),
        ({**NEMO_RL, "advantages": [[0.5, "high"]]}, "'advantages.0.1': Input should be a valid number"),
        (
            {"nodes": [{"message": {}}, {"parent": 1, "message": {}}], "rewards": {}, "task": {}},
            "parent of node 1 is 1",
        ),
        ({"nodes": [{"parent": None}], "rewards": {}, "task": {}}, "'nodes.0.message' is missing"),
    ],
)
def test_a_row_of_another_shape_is_refused_with_its_place(tmp_path, row, told):
    path = _write(tmp_path / "rows.jsonl", row)
    with pytest.raises(EvidenceError) as caught:
        import_rows(path)
    assert str(caught.value).startswith(f"{path}:1: ") and told in str(caught.value)


@pytest.mark.parametrize(
    "row, read",
    [
        ({"prompt": "1+1?", "completion": "2", "reward": 1.0}, {"reward": 1.0, "correct": None}),
        ({"prompt": "1+1?", "completion": "2", "reward": 0.2, "score": 9.0}, {"reward": 0.2}),
        ({"instruction": "1+1?", "generation": "2", "correct": 1}, {"reward": None, "correct": 1.0}),
        ({"query": CHAT, "response": SAID, "score": 1.0, "correct": 0.0}, {"reward": 1.0, "correct": 0.0}),
    ],
)
def test_a_prompt_a_reply_and_a_mark_are_enough(tmp_path: Path, row: dict[str, Any], read: dict[str, Any]):
    found = import_rows(_write(tmp_path / "own.jsonl", row, row))
    assert found.notes[0].startswith("read as plain")
    one, other = found.rows
    assert {name: getattr(one, name) for name in read} == read and one.problem_id == other.problem_id
    assert [(message.role, message.content) for message in one.messages][-2:] == [("user", "1+1?"), ("assistant", "2")]
