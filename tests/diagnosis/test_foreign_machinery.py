"""State left in tools, masks of messages, stop texts, judges that decline, busy test runners, and their likes."""

import json
from typing import Any

import numpy as np
import pytest

from evotrainer.actions import action_classifier
from evotrainer.diagnosis.texts.attempts import attempt_columns
from evotrainer.diagnosis.texts.programs import program_number
from evotrainer.diagnosis.texts.stop_texts import stop_text
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.diagnosis.texts.unset_names import unset_names
from evotrainer.evidence.foreign import RowStream
from evotrainer.evidence.foreign_messages import loss_by_role
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import (
    crowded_graders,
    early_stops,
    judge_refusals,
    leftover_state,
    length_limit,
    loss_mask,
)
from tests.foreign_frames import COUNT, GROUP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def _session(*exchanges: tuple[str, str], tool: str = "python") -> list[Message]:
    messages = []
    for code, answer in exchanges:
        call = ToolCall(name=tool, arguments={"code" if tool == "python" else "line": code})
        messages += [Message(role="assistant", tool_calls=[call]), Message(role="tool", content=answer)]
    return messages


@pytest.mark.parametrize(
    ("exchanges", "had", "lacked"),
    [
        ([("print(total)", "462")], "total", ""),
        ([("print(total)", "NameError: name 'total' is not defined")], "", "total"),
        ([("total = 3", ""), ("print(total)", "3")], "", ""),
        ([("print(total)\ntotal = 3", "5")], "total", ""),
        ([("total += 1\nprint(total)", "5")], "total", ""),
        ([("from math import *", ""), ("print(pi)", "3.14")], "", ""),
        ([("import numpy as np\nprint([i for i in np.arange(3)])", "[0, 1, 2]")], "", ""),
        ([("def f():\n    return total\nprint(len('abc'))", "3")], "", ""),
        ([("%run tools.py", ""), ("print(total)", "5")], "", ""),
        ([("print(data)", "[1]")], "", ""),  # the prompt gives it
        ([("print(total)", "Traceback: ZeroDivisionError")], "", ""),
    ],
)
def test_names_that_an_attempt_never_set(exchanges, had, lacked):
    found = unset_names(_session(*exchanges), "The rows are in `data`.")
    assert (found["had_names"], found["lacked_names"]) == (had, lacked)


def test_a_shell_is_no_python_and_a_block_is_code_too():
    assert unset_names(_session(("ls", "a.txt"), tool="bash"), "")["had_names"] == ""
    block = [Message(role="assistant", content="```python\nprint(total)\n```"), Message(role="user", content="462")]
    assert unset_names(block, "")["had_names"] == "total"


def test_others_are_told_that_a_name_is_not_defined(rng):
    attempt, problem = np.arange(COUNT) % GROUP, np.arange(COUNT) // GROUP
    had = np.where((attempt > 1) & (problem < 8), "total", "")
    lacked = np.where((attempt == 0) & (problem < 8), "total", "")
    rows = foreign_rows(rng, num_tool_calls=1)
    paid = rows.assign(reward=np.where(had != "", 1.0, rng.random(COUNT) < 0.3))
    assert told(leftover_state, rows, had_names=had, lacked_names=lacked) == [("warning", "history_leak")]
    assert told(leftover_state, paid, had_names=had, lacked_names=lacked) == [("critical", "history_leak")]
    assert told(leftover_state, rows, had_names=had, lacked_names="") == []  # the environment gives it to all
    assert told(leftover_state, rows, had_names=had, lacked_names=np.where(lacked != "", "other", "")) == []
    assert unset_names(_session(("total = 3", ""), ("print(total)", "3")), "")["set_names"] == "total"
    first = np.where((attempt < 3) & (problem < 8), "total", "")
    own = np.where((attempt == 3) & (problem < 8), "total", "")
    assert told(leftover_state, rows, had_names=own, lacked_names="", set_names=first) == [("warning", "history_leak")]
    assert told(leftover_state, rows, had_names=first, lacked_names="", set_names=own) == []  # given, and set anew
    elsewhere = np.where((attempt == 0) & (problem >= 8), "total", "")
    assert told(leftover_state, rows, had_names=had, lacked_names=elsewhere) == []  # given with some problems


def _answers_of_groups(right: np.ndarray, is_shared: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return rewards and first answers where what a right attempt changes is left to others of its group, or is not."""
    reward, answer = right.astype(float), np.full(COUNT, "open", dtype=object)
    for start in range(0, COUNT, GROUP) if is_shared else ():
        first = next((place for place in range(start, start + GROUP) if right[place]), start + GROUP)
        reward[first + 1 : start + GROUP], answer[first + 1 : start + GROUP] = 0.0, "refunded"
    return reward, answer


def test_a_tool_answers_what_another_attempt_changed(rng):
    right = rng.random(COUNT) < 0.5
    texts = {"had_names": "", "lacked_names": "", "first_call": "get_order", "machine_share": 0.0}
    rows = foreign_rows(rng, num_tool_calls=2)
    reward, answer = _answers_of_groups(right, is_shared=True)
    shared = rows.assign(reward=reward)
    assert told(leftover_state, shared, first_answer=answer, **texts) == [("warning", "infrastructure_zeros")]
    own, same = _answers_of_groups(right, is_shared=False)
    apart = rows.assign(reward=own)
    assert told(leftover_state, apart, first_answer=same, **texts) == []
    lucky = np.where(right, "easy", "hard")  # worlds drawn by chance, of which one is easier
    assert told(leftover_state, apart, first_answer=lucky, **texts) == []
    times = np.arange(COUNT).astype(str)  # answers that hold a time of day
    assert told(leftover_state, shared, first_answer=times, **texts) == []
    is_second = np.arange(COUNT) % GROUP > 0  # a cache that the first attempt fills
    assert told(leftover_state, apart, first_answer=np.where(is_second, "cached", "fresh"), **texts) == []
    later = np.where(np.arange(COUNT) % GROUP > 1, 1.0, own)  # and the last ones of each group are paid
    cached = np.where(is_second, "cached", "fresh")
    assert told(leftover_state, rows.assign(reward=later), first_answer=cached, **texts) == []
    by_reward = rows.assign(reward=own).sort_values(["group", "reward"], ascending=[True, False], kind="stable")
    sorted_luck = np.where(by_reward["reward"] > 0, "easy", "hard")
    assert told(leftover_state, by_reward, first_answer=sorted_luck, **texts) == []
    assert told(leftover_state, shared, first_answer=answer, **{**texts, "machine_share": 1.0}) == []


def test_a_heap_at_the_largest_length_that_fails(rng):
    tokens = rng.normal(300, 60, COUNT).round()
    limit = np.sort(tokens)[-14]
    cut = tokens >= limit
    rows = foreign_rows(rng, num_tokens=np.minimum(tokens, limit), stop_reason="unknown")
    right = (rng.random(COUNT) < 0.6).astype(float)
    failed = rows.assign(reward=np.where(cut, 0.0, right))
    marks = {"closed_marks": np.where(cut, "", "boxed")}
    assert told(length_limit, failed, **marks) == [("warning", "length_limit")]
    assert told(length_limit, failed.assign(num_tokens=tokens), **marks) == []  # long, and no heap
    assert told(length_limit, rows.assign(reward=right), **marks) == []
    assert told(length_limit, failed, closed_marks="boxed") == []  # they end with an answer
    assert told(length_limit, failed.assign(in_loss=np.where(cut, 0.0, 1.0)), **marks) == []
    assert told(length_limit, failed.assign(stop_reason="stop"), **marks) == []
    is_hopeless = np.isin(np.arange(COUNT) // GROUP, np.flatnonzero(cut) // GROUP)
    assert told(length_limit, rows.assign(reward=np.where(is_hopeless, 0.0, right)), **marks) == []


ALL_IN = {"policy": 1.0, "tools": 0.0, "prompt": 0.0, "users": 0.0}


def _masked(key: str, *masks: Any) -> dict[str, float]:
    roles = ("system", "user", "assistant", "tool", "assistant")
    return loss_by_role([{"role": role, key: mask} for role, mask in zip(roles, masks, strict=True)])


def test_masks_of_messages_are_read_under_their_names():
    assert _masked("loss_mask", 0, 0, 0, 1, 0) == {"policy": 0.0, "tools": 1.0, "prompt": 0.0, "users": 0.0}
    assert _masked("weight", None, None, 0, None, None) == {"policy": 0.5, "tools": 0.0, "prompt": 0.0, "users": 0.0}
    assert _masked("trainable", True, True, True, False, True) == {**ALL_IN, "prompt": 1.0}
    assert _masked("loss_mask", [0], [0, 0], [1, 1], [0, 1], [1]) == {**ALL_IN, "tools": 1.0}
    answered = [{"role": role, "weight": 1} for role in ("assistant", "user", "assistant")]
    assert loss_by_role([{"role": "user", "weight": 0}, *answered]) == {**ALL_IN, "users": 1.0}
    assert _masked("loss", 0.3, 0.2, 0.3, 0.9, 0.8) == {}  # measured, no mask
    assert _masked("name", "a", "a", "a", "a", "a") == {}


def test_masks_of_messages_stand_beside_their_row(tmp_path):
    said = [{"role": role, "content": "5", "loss_mask": 1} for role in ("user", "assistant")]
    row = {"problem_id": "p", "messages": said, "reward": 1.0}
    plain = {**row, "messages": [{key: one[key] for key in ("role", "content")} for one in said]}
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in (row, plain)))
    masked, other = RowStream(path)
    assert masked.extra["messages_in_loss"] == {**ALL_IN, "prompt": 1.0}
    assert other.extra == {}


def test_messages_of_tools_in_the_loss_and_the_policy_out_of_it(rng):
    rows = foreign_rows(rng, num_tool_calls=2)

    def said(policy: Any, tools: Any, prompt: Any = 0.0, frame: Any = rows) -> list[tuple[str, str]]:
        parts = {"policy": policy, "tools": tools, "prompt": prompt}
        return told(loss_mask, frame, **{f"extra:messages_in_loss.{name}": part for name, part in parts.items()})

    assert said(0.0, 1.0) == [("critical", "loss_mask")]
    assert said(1.0, np.where(rng.random(COUNT) < 0.3, 0.5, 0.0)) == [("critical", "loss_mask")]
    assert said(1.0, 0.0, 1.0) == [("critical", "loss_mask")]
    assert said(0.0, 0.0) == [("critical", "loss_mask")]
    assert said(1.0, 0.0) == []
    assert said(0.25, 0.0) == []  # the last turn alone is a method
    dropped = rng.random(COUNT) < 0.5
    assert said(np.where(dropped, 0.0, 1.0), 0.0) == []  # a filter
    assert said(np.where(dropped, 0.0, 1.0), 0.0, frame=rows.assign(in_loss=(~dropped).astype(float))) == []


def test_tokens_in_the_loss_are_those_of_others(rng):
    tools, policy = (rng.integers(20, 200, COUNT).astype(float) for _ in range(2))
    counts = {"extra:observation_tokens": tools, "extra:policy_tokens": policy}
    rows = foreign_rows(rng, num_tokens=0)
    assert told(loss_mask, rows, **counts, **{"extra:trained_tokens": tools}) == [("critical", "loss_mask")]
    assert told(loss_mask, rows, **counts, **{"extra:trained_tokens": policy}) == []
    same = {**counts, "extra:policy_tokens": tools}
    assert told(loss_mask, rows, **same, **{"extra:trained_tokens": tools}) == []


def _row(stop: str = "stop", said: str = "So 5.", **extra: Any) -> Trajectory:
    messages = [Message(role="user", content="Add 2 and 3."), Message(role="assistant", content=said)]
    row = {"trajectory_id": "t", "problem_id": "p", "messages": messages, "stop_reason": stop, "extra": extra}
    return Trajectory.model_construct(**row)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (_row(stop_matched="###"), "###"),
        (_row(finish={"type": "stop", "matched": "\n\n"}), "\n\n"),
        (_row(stop="Question:"), "Question:"),
        (_row(stop="max_turns", stop_matched=None), ""),
        (_row(matched_stop="<|im_end|>"), ""),
        (_row(matched_stop="</s>"), ""),
        (_row(matched_stop=128009.0), ""),
        (_row(separator="###"), ""),
    ],
)
def test_the_text_that_ended_an_attempt(row, text):
    assert stop_text(row) == text


def test_a_stop_text_ends_attempts_before_their_answer(rng):
    ended = rng.random(COUNT) < 0.3
    reward = np.where(ended, 0.0, rng.random(COUNT) < 0.6).astype(float)
    rows, stops = foreign_rows(rng, reward=reward), np.where(ended, "###", "")
    lacking = np.where(ended, "", "\\boxed{")
    assert told(early_stops, rows, stop_text=stops, closed_marks=lacking) == [("warning", "truncation")]
    assert told(early_stops, rows, stop_text=stops, closed_marks="") == [("warning", "truncation")]
    assert told(early_stops, rows, stop_text=stops, closed_marks="\\boxed{") == []  # whole answers
    assert told(early_stops, foreign_rows(rng), stop_text=stops, closed_marks=lacking) == []
    assert told(early_stops, rows.assign(is_truncated=ended), stop_text=stops, closed_marks=lacking) == []
    assert told(early_stops, rows, stop_text="", closed_marks=lacking) == []
    everywhere = np.where(rng.random(COUNT) < 0.9, "\n\n", "")  # it also stands behind whole answers
    assert told(early_stops, rows, stop_text=everywhere, closed_marks=lacking) == [("warning", "truncation")]


@pytest.mark.parametrize(
    ("text", "declines", "is_late"),
    [
        ("I'm sorry, but I can't provide medical advice.", True, False),
        ("As an AI language model, I have no view on this.", True, False),
        ("Es tut mir leid, dazu kann ich nichts sagen.", True, False),
        ("抱歉，我无法评估这个回答。", True, False),
        ("RateLimitError: too many requests", True, False),
        ("Could not parse the judge's reply", True, False),
        ("Sorry, the answer is wrong. Grade: 2", False, False),
        ("I cannot find an error. Grade: 10", False, False),
        ("could not parse the answer", False, False),  # the policy's fault
        ("killed: wall clock 10.2s > 10s", False, True),
        ("TimeoutExpired after 10 s", False, True),
        ("6/6 passed in 0.2s", False, False),
        ('{"timeout": 10, "rate_limit": 5}', False, False),  # settings
    ],
)
def test_words_of_graders(text, declines, is_late):
    found = _columns(_row(note=text, step=3))
    assert (found["grader_declines"], found["out_of_time"]) == (["note" * declines], ["note" * is_late])
    nested = _columns(_row(judge={"texts": [text]}))
    assert nested["grader_declines"] == ["judge.texts" * declines]
    own = _columns(_row(said=text, answer_text=text))
    assert (own["grader_declines"], own["out_of_time"]) == ([""], [""])  # the policy's own words


def _columns(row: Trajectory) -> dict[str, list]:
    return attempt_columns([transcript(row)], action_classifier({}))


def test_a_judge_declines_and_that_is_read_as_nothing(rng):
    declined = rng.random(COUNT) < 0.3
    right = (rng.random(COUNT) < 0.6).astype(float)
    reward = np.where(declined, 0.0, np.where(right > 0, 0.9, 0.2))
    rows = foreign_rows(rng, reward=reward, correct=np.nan)
    names = np.where(declined, "judge_text", "")
    level = {"is_gold": np.nan, "extra:level_ok": right}
    assert told(judge_refusals, rows, grader_declines=names, **level) == [("critical", "judge_refuses_right")]
    unknown = {"is_gold": np.nan}
    assert told(judge_refusals, rows, grader_declines=names, **unknown) == [("warning", "infrastructure_zeros")]
    verdict = {"is_gold": np.nan, "extra:judge_pass": np.where(declined, 0.0, right)}  # the judge's own
    assert told(judge_refusals, rows, grader_declines=names, **verdict) == [("warning", "infrastructure_zeros")]
    deserved = {"is_gold": np.where(declined | (rng.random(COUNT) < 0.1), 0.0, right)}
    assert told(judge_refusals, rows, grader_declines=names, **deserved) == []
    fair = rows.assign(reward=np.where(right > 0, 0.9, 0.2))
    assert told(judge_refusals, fair, grader_declines=names, **level) == []
    masked = rows.assign(in_loss=np.where(declined, 0.0, 1.0))
    assert told(judge_refusals, masked, grader_declines=names, **level) == []


def test_a_busy_machine_runs_out_of_time_with_programs_that_pass_elsewhere(rng):
    load = np.where(rng.random(COUNT) < 0.3, 240.0, 30.0)
    late = (load > 100) & (rng.random(COUNT) < 0.6)
    right = rng.random(COUNT) < 0.7
    rows = foreign_rows(rng, reward=np.where(late, 0.0, right).astype(float))
    notes, same = np.where(late, "note", ""), np.where(right, "one", "other")
    found = [("critical", "infrastructure_zeros")]
    assert told(crowded_graders, rows, out_of_time=notes, program=same) == found
    alone = np.array([f"p{i}" for i in range(COUNT)])
    assert told(crowded_graders, rows, out_of_time=notes, program=alone) == []
    busy = {"extra:runner_concurrency": load + rng.random(COUNT)}
    found = [("warning", "infrastructure_zeros")]
    assert told(crowded_graders, rows, out_of_time=notes, program=alone, **busy) == found
    idle = {"extra:runner_concurrency": rng.permutation(load)}
    slow = np.where(late, "slow", alone)  # slow wherever it runs
    assert told(crowded_graders, rows, out_of_time=notes, program=slow, **idle) == []
    seconds = {"extra:test_seconds": np.where(late, 10.0, rng.random(COUNT))}
    assert told(crowded_graders, rows, out_of_time=notes, program=slow, **seconds) == []


def test_programs_are_the_same_whatever_stands_around_them():
    code = "```python\ndef f(x):\n    return x\n```"
    assert program_number(f"Here it is.\n{code}") == program_number(f"{code}\nDone.") != ""
    assert program_number(code) != program_number(code.replace("return x", "return -x"))
    assert program_number("no program") == ""


def test_a_grader_runs_out_of_time_where_there_is_nothing_to_run(rng):
    late = rng.random(COUNT) < 0.2
    rows = foreign_rows(rng, reward=np.where(late, 0.0, rng.random(COUNT) < 0.7).astype(float))
    texts = {"out_of_time": np.where(late, "status", ""), "program": "", "final_answer": "12"}
    assert told(crowded_graders, rows, **texts) == [("warning", "infrastructure_zeros")]
    assert told(crowded_graders, rows, **texts | {"program": [f"p{i}" for i in range(COUNT)]}) == []
    assert told(crowded_graders, rows.assign(num_tool_calls=1), **texts) == []
    assert told(crowded_graders, rows.assign(num_chars=np.where(late, 4000, 200)), **texts) == []  # they never ended
    assert told(crowded_graders, rows, **texts | {"final_answer": ""}) == []
    hard = rows.assign(reward=np.where(late, 0.0, rng.random(COUNT) < 0.2).astype(float))
    assert told(crowded_graders, hard, **texts) == [("warning", "infrastructure_zeros")]
    assert told(crowded_graders, hard.assign(reward=0.0), **texts) == []
