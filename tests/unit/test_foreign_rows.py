"""Rows that other systems wrote as columns: a row of each format, roles by value, identity, what is left out."""

import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.evidence.foreign.reading import ForeignRows, read_foreign_rows

GOLDEN = Path(__file__).parents[1] / "golden"
DUMPS: dict[str, Any] = json.loads((GOLDEN / "foreign_dumps" / "rows.json").read_text())
"""One row of each system, as its code writes it."""
REAL = Path(__file__).parents[3] / "shared" / "data" / "real"
EXPECTED: dict[str, dict[str, Any]] = {
    "verl": {"reward": 1.0, "correct": 1.0, "step": 5, "gold": "2", "answer": "2"},
    "trl": {"reward": 1.5, "correct": 1.0, "step": 10, "advantage": 0.7, "gold": "2", "term_format_reward": 0.5},
    "verifiers": {
        "reward": 1.2,
        "correct": 1.0,
        "problem_id": "3",
        "duration_seconds": 1.5,
        "num_tokens": 3,
        "is_truncated": False,
    },
    "prime_rl": {"reward": 1.2, "correct": 1.0, "problem_id": "3", "advantage": -0.2, "gold": "2"},
    "openrlhf": {"reward": 0.5, "correct": None, "num_tokens": None, "is_truncated": None},
    "openai": {"reward": 1.0, "correct": 1.0, "policy_id": "m"},
    "plain": {"reward": 0.5, "correct": 1.0, "step": 3, "gold": "2", "term_format_score": 0.1},
    "nemo_rl": {"reward": 1.0, "correct": None, "logprobs": [-0.5, -0.7], "trainer_logprobs": [-0.6, -0.7]},
    "inspect": {"reward": 1.0, "correct": 1.0, "problem_id": "q1", "stop_reason": "stop", "split": "validation"},
}


def _read(folder: Path, *rows: Any, name: str = "rows.jsonl", columns: dict[str, str] | None = None) -> ForeignRows:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_foreign_rows(folder / name, columns=columns)


def _sums(num_problems: int = 6, size: int = 4, **more: Any) -> list[dict[str, Any]]:
    """Return attempts at sums, every other one right."""
    rows = []
    for number in range(num_problems * size):
        problem = number // size
        said = problem + (number % 2) * 7
        rows.append(
            {"question": f"{problem}+0?", "response": f"It is {said}.", "score": float(number % 2 == 0), **more}
        )
    return rows


@pytest.mark.parametrize("name", DUMPS)
def test_a_row_of_each_system_is_read(tmp_path: Path, name: str):
    if name == "inspect":
        (tmp_path / "log.json").write_text(
            json.dumps({"version": 2, "samples": [DUMPS["inspect"], {**DUMPS["inspect"], "epoch": 1}]})
        )
        found = read_foreign_rows(tmp_path / "log.json")
    else:
        found = _read(tmp_path, DUMPS[name], DUMPS[name])
    row = found.rows.table.slice(0, 1).to_pylist()[0]
    assert found.source == name
    assert {key: row[key] for key in EXPECTED[name]} == EXPECTED[name]
    assert row["last"] == "2"
    assert found.rows.by(found.rows.group)[0].tolist() == [0, 1]
    assert found.rows.records([1])[0].messages[-1].content == "2"


def test_items_of_the_responses_api_are_messages_thoughts_and_calls(tmp_path: Path):
    items = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look first."}]},
        {"type": "function_call", "call_id": "c", "name": "ls", "arguments": '{"path": "/"}'},
        {"type": "function_call_output", "call_id": "c", "output": "bin"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "bin"}]},
    ]
    asked = {"input": [{"role": "user", "content": "What is there?"}]}
    found = _read(tmp_path, {"responses_create_params": asked, "response": {"output": items}, "reward": 1.0})
    said = [(one["role"], one["text"], one["tool"]) for one in found.messages.to_pylist()]
    assert said == [
        ("user", "What is there?", None),
        ("assistant", "<think>\nLook first.\n</think>\n\n", None),
        ("call", None, "ls"),
        ("tool", "bin", "ls"),
        ("assistant", "bin", None),
    ]


def test_lists_of_attempts_are_rows_each(tmp_path: Path):
    group = {"messages": [[{"role": "user", "content": "?"}, {"role": "agent", "content": t}] for t in "ab"]}
    found = _read(tmp_path, {**group, "scores": [0.0, 1.0], "tokens": [[1], [2]], "masks": [[1], [1]]})
    assert found.rows.reward.tolist() == [0.0, 1.0] and found.rows.table["last"].to_pylist() == ["a", "b"]
    guesses = {"prompt": "?", "predicted_actions": ["go", "go", "look"], "action_rewards": {"go": 0.0, "look": 1.0}}
    assert _read(tmp_path, guesses).rows.reward.tolist() == [0.0, 0.0, 1.0]
    one = _read(tmp_path, {"question": "?", "gt": "1", "code": ["print(1)"], "pred": ["1"], "score": [True]})
    assert one.rows.table.select(["response", "gold", "answer", "reward"]).to_pylist()[0] == {
        "response": "print(1)",
        "gold": "1",
        "answer": "1",
        "reward": 1.0,
    }


def test_steps_of_agents_and_states_are_messages(tmp_path: Path):
    traj = {
        "trajectory": [{"action": "ls", "observation": "a.py", "response": "Look.\nls"}],
        "info": {"exit_status": "submitted"},
    }
    found = _read(tmp_path, {**traj, "environment": "e"})
    assert [one["role"] for one in found.messages.to_pylist()] == ["assistant", "tool"]
    assert any("no column holds a reward" in note for note in found.notes)
    turns = {"actions": ["ls", "cat a"], "observations": ["a", "hi"], "rewards": [0.0, 1.0]}
    found = _read(tmp_path, {"task_id": 3, "query": "say hi", "turn_history": turns, "summary": {"max_reward": 1.0}})
    assert found.rows.table["prompt"].to_pylist() == ["say hi"] and found.rows.reward.tolist() == [1.0]


def test_answers_of_an_environment_within_a_reply_are_its_own(tmp_path: Path):
    said = "<search>cats</search>\n<information>Cats purr.</information>\nSo <answer>yes</answer>"
    found = _read(tmp_path, {"input": "Do cats purr?", "output": said, "score": 1.0})
    texts = [(one["role"], one["text"].strip()) for one in found.messages.to_pylist()]
    assert texts[1:] == [
        ("assistant", "<search>cats</search>"),
        ("tool", "Cats purr."),
        ("assistant", "So <answer>yes</answer>"),
    ]
    assert "Cats purr" not in found.rows.table["response"].to_pylist()[0]


def test_what_never_varies_within_a_problem_is_the_reference(tmp_path: Path):
    rows = [{**row, "answer": str(number // 4)} for number, row in enumerate(_sums())]
    assert _read(tmp_path, *rows).roles["gold"] == "answer"
    own = [{**row, "answer": row["response"][6:-1]} for row in _sums()]
    found = _read(tmp_path, *own)
    assert found.roles["answer"] == "answer" and "gold" not in found.roles
    single = [{**row, "answer": row["response"][6:-1]} for row in _sums(40, 1)]
    for number, row in enumerate(single):
        row["score"] = float(number % 2)
    assert _read(tmp_path, *single).roles["answer"] == "answer"


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [("mask_sample", True, False), ("is_masked", 1, False), ("loss_mask", 0, False), ("in_loss", True, True)],
)
def test_masks_under_any_name_say_what_the_loss_holds(tmp_path: Path, name: str, value: Any, kept: bool):
    rows = _sums()
    rows[0] |= {name: value}
    for row in rows[1:]:
        row[name] = type(value)(not value)
    assert _read(tmp_path, *rows).rows.table["in_loss"].to_pylist()[:2] == [kept, not kept]


def test_an_empty_error_is_none_and_what_is_not_said_is_null(tmp_path: Path):
    rows = [{**row, "error": ""} for row in _sums()]
    rows[3]["error"] = "TimeoutError"
    table = _read(tmp_path, *rows).rows.table
    assert table["error"].null_count == len(rows) - 1
    for name in ("num_tokens", "is_truncated", "in_loss", "advantage", "format_ok"):
        assert table[name].null_count == len(rows), name


def test_prompts_are_the_problems_where_an_id_holds_several_and_that_is_said(tmp_path: Path):
    split = [{**row, "problem_id": f"p{number // 8}"} for number, row in enumerate(_sums())]
    mixed = [{**row, "id": number // 3} for number, row in enumerate([_sums()[i // 6 + i % 6 * 4] for i in range(24)])]
    for rows in (split, mixed):
        found = _read(tmp_path, *rows)
        assert len(found.rows.problem.names) == 6 and any("prompts are the problems" in note for note in found.notes)
    alike = [{**row, "question_id": -1} for row in _sums()]
    assert any("no id of a problem" in note for note in _read(tmp_path, *alike).notes)


def test_an_id_counts_where_all_rows_begin_alike(tmp_path: Path):
    chat = [{"role": "assistant", "content": "Hi! How can I help?"}, {"role": "user", "content": "My order"}]
    rows = [{"task_id": str(number), "messages": chat, "reward": 1.0} for number in range(5)]
    assert len(_read(tmp_path, *rows).rows.problem.names) == 5


def test_runs_of_one_file_are_apart_by_a_column_of_runs_or_one_that_a_mapping_names(tmp_path: Path):
    rows = [{"prompt": f"q{i % 5}", "completion": "a", "reward": 1.0, "seed": i // 5 % 2} for i in range(20)]
    found = _read(tmp_path, *rows, columns={"run": "seed"})
    assert found.roles["run"] == "seed" and len(found.rows.by(found.rows.group)) == 10
    assert len(_read(tmp_path, *rows).rows.group.names) == 5


def test_a_mapping_names_any_column_and_terms_too(tmp_path: Path):
    row = {"q": "1+1?", "a": "2", "m": {"good": 0.5, "short": 1.0}, "total": 1.5, "who": "p1"}
    columns = {"prompt": "q", "response": "a", "reward": "total", "problem_id": "who", "reward_terms.good": "m.good"}
    found = _read(tmp_path, row, row, columns=columns)
    table = found.rows.table.to_pylist()[0]
    assert table["prompt"] == "1+1?" and table["reward"] == 1.5 and table["problem_id"] == "p1"
    assert table["term_good"] == 0.5 and found.rows.records([0])[0].reward_terms == {"good": 0.5}
    names = _read(tmp_path, row, columns=columns | {"reward_terms": "m"}).rows.table.column_names
    assert {"term_good", "term_short"} <= set(names)
    with pytest.raises(ConfigError, match="names 'nothing', the rows have m.good, m.short, total"):
        _read(tmp_path, row, columns=columns | {"advantage": "nothing"})
    with pytest.raises(EvidenceError, match="did you mean reward"):
        _read(tmp_path, row, columns={"rewerd": "total"})


def test_rows_that_cannot_be_read_are_left_out_and_named(tmp_path: Path):
    good = [json.dumps(row) for row in _sums()]
    bad = ["{", '"text"', json.dumps(DUMPS["verl"]).replace('"2"', '"\\ud800"'), '{"other": 1}']
    (tmp_path / "rows.jsonl").write_text("\n".join([*good[:5], *bad, *good[5:]]))
    found = read_foreign_rows(tmp_path / "rows.jsonl")
    assert len(found.rows) == len(good)
    reasons = {one.split(": ")[0]: one for one in found.skipped}
    assert sorted(reasons) == [f"rows.jsonl:{line}" for line in (6, 7, 8, 9)]
    assert "not JSON" in reasons["rows.jsonl:8"] and "no object but a text" in reasons["rows.jsonl:7"]
    (tmp_path / "rows.jsonl").write_text("\n".join([good[0], *bad]))
    with pytest.raises(EvidenceError, match="3 of 5 rows cannot be read"):
        read_foreign_rows(tmp_path / "rows.jsonl")


@pytest.mark.parametrize(("name", "odd"), [("score", "n/a"), ("score", float("nan")), ("step", "three")])
def test_an_odd_cell_of_a_column_of_numbers_is_unknown_and_said(tmp_path: Path, name: str, odd: Any):
    rows = [{**row, "step": number // 12 + 1} for number, row in enumerate(_sums())]
    rows[5][name] = odd
    found = _read(tmp_path, *rows)
    ours = "reward" if name == "score" else "step"
    assert found.roles[ours] == name and np.flatnonzero(np.isnan(found.rows.numbers(ours))).tolist() == [5]
    assert f"'{name}' is no number in 1 of {len(rows)} rows ({odd}): it is unknown there" in found.notes
    for row in rows:
        row[name] = odd
    found = _read(tmp_path, *rows)
    assert ours not in found.roles and (odd == odd or any("is no number in 24 of 24" in one for one in found.notes))


def test_an_object_without_text_is_no_reply(tmp_path: Path):
    rows = [{"sample": {"prompt": row["question"], "reply": {"text": "hm"}}, "score": 1} for row in _sums()]
    with pytest.raises(EvidenceError, match=r"no column holds what a policy wrote.*response: sample.reply.text"):
        _read(tmp_path, *rows)


def test_a_refusal_shows_columns_and_a_mapping_to_begin_with(tmp_path: Path):
    with pytest.raises(EvidenceError) as refused:
        _read(tmp_path, {"qq": "a long text of a question", "zz": "short", "group": 7, "points": 1.0})
    assert "I see these columns: qq, zz, group, points" in str(refused.value)
    proposed = yaml.safe_load(str(refused.value).partition("--map FILE: ")[2])
    assert proposed == {"prompt": "qq", "response": "zz", "reward": "points"}


def test_a_logged_series_is_read_a_row_a_step(tmp_path: Path):
    found = _read(
        tmp_path, *({"step": i, "data": {"critic/score/mean": i / 9, "a": 1, "b": 2, "c": 3}} for i in range(9))
    )
    assert not found.rows.has("response") and found.rows.table["x.data.a"].to_pylist() == [1] * 9
    assert any("logged series" in note for note in found.notes)


def test_files_of_steps_packed_or_not_are_read_in_order_and_say_their_step(tmp_path: Path):
    for step, ending, pack in ((10, "", bytes), (9, ".xz", lzma.compress)):
        folder = tmp_path / f"step_{step}"
        folder.mkdir()
        row = json.dumps({"prompt": "q", "completion": "a", "reward": step}).encode()
        (folder / f"val_rollouts.jsonl{ending}").write_bytes(pack(row))
    table = read_foreign_rows(tmp_path / "*" / "*.jsonl*").rows.table
    assert table["step"].to_pylist() == [9, 10] and set(table["split"].to_pylist()) == {"validation"}


def test_traces_packed_logs_and_completions_of_real_code_are_read():
    traces = read_foreign_rows(GOLDEN / "foreign_dumps" / "verifiers_traces.jsonl")
    assert traces.rows.table["error"].to_pylist().count("ProviderError") == 2
    right, brief = (np.nan_to_num(traces.rows.numbers(f"term_{name}")) for name in ("correct_answer", "brevity"))
    known = ~np.isnan(traces.rows.reward)
    assert np.allclose(traces.rows.reward[known], (right + 0.2 * brief)[known])
    log = read_foreign_rows(GOLDEN / "foreign_dumps" / "inspect.eval")
    failed = {one["text"] for one in log.messages.to_pylist() if one["ok"] is False}
    assert failed == {"no entry for this word"} and set(log.rows.reward) == {0.0, 1.0}
    steps = read_foreign_rows(GOLDEN / "foreign_dumps" / "prime_rl_traces.jsonl").rows
    assert steps.has("advantage") and steps.has("step")
    completions = read_foreign_rows(GOLDEN / "trl_completions").rows
    for places in completions.by(completions.group):
        assert abs(completions.numbers("advantage")[places].mean()) < 1e-3


@pytest.mark.skipif(not REAL.is_dir(), reason="real files lie beside the repository")
@pytest.mark.parametrize("folder", sorted(REAL.iterdir()) if REAL.is_dir() else [], ids=lambda path: path.name)
def test_real_files_are_read_as_they_come(folder: Path):
    if folder.suffix == ".tsv":
        return
    if folder.name == "verl-token-mismatch":
        with pytest.raises(EvidenceError, match="no column holds what a policy wrote"):
            read_foreign_rows(folder)
        return
    found = read_foreign_rows(folder)
    assert len(found.rows) and (
        "reward" in found.roles or any("no column holds a reward" in note for note in found.notes)
    )
