"""Cut answers of tools, repeated evaluations, penalties of nothing, empty results, means that leave attempts out."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evotrainer.actions import action_classifier
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.texts.attempts import attempt_columns
from evotrainer.diagnosis.texts.extras import ExtraColumns
from evotrainer.diagnosis.texts.json_answers import json_number, last_object
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import (
    cut_answers,
    empty_results,
    frozen_evaluation,
    json_answers,
    logged_means,
    loss_mask,
    measured_kl,
    paid_nonsense,
    repeated_prompts,
    signs_of_cheating,
    weights_at_rest,
)
from tests.foreign_frames import COUNT, GROUP, PROBLEMS, STEPS, foreign_rows, told

STEP = np.arange(COUNT) // (COUNT // STEPS)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(21)


def test_answers_of_tools_are_cut_at_one_small_length(rng):
    rows = foreign_rows(rng, num_tool_calls=2)
    texts = np.array([f"text{i % 60}" for i in range(COUNT)])
    is_cut = rng.random(COUNT) < 0.8

    def said(at: Any, answers: Any = texts) -> list[tuple[str, str]]:
        return told(cut_answers, rows, cut_at=np.where(is_cut, at, 0.0), cut_answer=answers)

    assert said(191.0) == [("warning", "tool_output_truncated")]
    assert said(191.0 - (rng.random(COUNT) < 0.2)) == [("warning", "tool_output_truncated")]  # a blank at the end
    assert said(8000.0) == []  # a large limit hides little
    assert said(rng.integers(100, 900, COUNT).astype(float)) == []
    assert said(191.0, "the same page") == []
    assert told(cut_answers, foreign_rows(rng), cut_at=191.0, cut_answer=texts) == []


@pytest.mark.parametrize(
    ("answer", "is_cut"),
    [
        ("The mill was built in 1871 and stood " * 5 + "until the fl", True),
        ("The mill was built in 1871 and stood " * 5 + "until the fl [...]", True),
        ("The mill was built in 1871 and stood " * 5 + "until the flood.", False),
        ('{"rows": [' + "1, " * 60 + "1]}", False),
        ("short and cu", False),
    ],
)
def test_an_answer_breaks_off_within_its_sentence(answer, is_cut):
    assert _columns(answer)["cut_at"] == [float(len(answer)) if is_cut else 0.0]


@pytest.mark.parametrize(
    ("last", "is_empty", "has_several"),
    [
        ("It is <answer></answer>", True, False),
        ("It is \\boxed{ }.", True, False),
        ("It is \\boxed{4}.", False, False),
        ("\\boxed{4} or \\boxed{5}; otherwise \\boxed{6}", False, True),
        ("\\boxed{4}, that is \\boxed{4}, so \\boxed{4}", False, False),
        ("No mark at all.", False, False),
    ],
)
def test_marks_of_answers_may_be_empty_or_many(last, is_empty, has_several):
    found = _columns("fine.", last)
    assert (found["leaves_empty"], found["marks_several"]) == ([is_empty], [has_several])


@pytest.mark.parametrize(
    ("log", "is_so"),
    [
        ("!!!!! Interrupted: 1 error during collection !!!!!", True),
        ("collected 0 items\n\nno tests ran in 0.01s", True),
        ("3 passed in 0.2s", False),
    ],
)
def test_a_log_says_that_no_test_was_collected(log, is_so):
    assert _columns(log)["ran_no_tests"] == [is_so]
    assert _columns("3 passed in 0.2s", test_output=log)["ran_no_tests"] == [is_so]


def _columns(answer: str, last: str = "Done.", **extra: str) -> dict[str, list]:
    call = ToolCall(name="run", arguments={"line": "x"})
    messages = [
        Message(role="user", content="What stood at the ford?"),
        Message(role="assistant", content="I look.", tool_calls=[call]),
        Message(role="tool", content=answer, tool_name="run"),
        Message(role="assistant", content=last),
    ]
    row = Trajectory.model_construct(
        trajectory_id="t", problem_id="p", messages=messages, extra=extra, step=0, stop_reason="stop"
    )
    return attempt_columns([transcript(row)], action_classifier({}))


def test_messages_that_differ_by_their_numbers_are_one_text():
    said = "Error: the call is no valid text of this form and was not read: line {} column {}, character {}"
    first, second = (_columns(said.format(*numbers))["cut_answer"] for numbers in ((1, 128, 127), (2, 130, 129)))
    assert first == second != [""]
    assert _columns(said.format(1, 128, 127).replace("call", "file"))["cut_answer"] != first


@pytest.mark.parametrize(
    ("answer", "goes_on"),
    [
        ("It is 5.<|im_end|>\n<|im_start|>user\nWhat is 2 + 2?", True),
        ("It is 5.<end_of_turn>\n<start_of_turn>user\nWhat is 2 + 2?", True),
        ("It is 5.\n\nHuman: What is 2 + 2?\n\nAssistant: 4", True),
        ("It is 5.<|im_end|>", False),
        ("The user: nobody. Human: a word.", False),
    ],
)
def test_a_turn_of_a_user_within_an_answer(answer, goes_on):
    assert _columns("a line", answer)["goes_on"] == [goes_on]


def test_evaluations_repeat_the_first_to_the_letter(rng):
    training = foreign_rows(rng, reward=(rng.random(COUNT) < 0.2 + 0.06 * STEP).astype(float))
    held = foreign_rows(rng, split="validation", problem_id=[f"v{i % 32}" for i in range(COUNT)])
    problem = np.arange(COUNT) % 32
    once = held.assign(response_hash=[f"answer{i}" for i in problem])
    assert _evaluated(training, once) == [("critical", "staleness")]
    assert _evaluated(foreign_rows(rng), once) == [("warning", "staleness")]
    assert _evaluated(training, held) == []
    some = once.assign(response_hash=np.where(rng.random(COUNT) < 0.2, held["response_hash"], once["response_hash"]))
    assert _evaluated(training, some) == []  # a greedy policy gives many answers again
    assert _evaluated(training, once[once["step"] < 2]) == []  # two evaluations may be of one policy


def _evaluated(training: pd.DataFrame, held: pd.DataFrame) -> list[tuple[str, str]]:
    texts = pd.DataFrame({"place": 0.0}, index=[*training["trajectory_id"], *(f"v{i}" for i in range(len(held)))])
    held = held.assign(trajectory_id=[f"v{i}" for i in range(len(held))])
    context = Context("v", training, training, held, pd.DataFrame(), texts=texts)
    return [(found.severity, found.mode) for found in frozen_evaluation.diagnose(context).findings]


def test_a_penalty_of_nothing_is_charged_to_nobody(rng):
    columns = {"extra:kl": 0.01 + 0.2 * STEP, "extra:kl_coef": 0.05, "extra:kl_penalty": 0.0}
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < 0.2 + 0.06 * STEP).astype(float))
    assert told(measured_kl, rows, **columns) == [("critical", "kl_ineffective")]
    assert told(measured_kl, rows, **{**columns, "extra:kl_penalty": 0.05 * (0.01 + 0.2 * STEP)}) == []
    assert told(measured_kl, rows, **{**columns, "extra:kl_coef": 0.0}) == []
    assert told(measured_kl, rows, **{**columns, "extra:kl": 0.0}) == [("warning", "kl_ineffective")]
    assert told(measured_kl, rows, **{"extra:kl_coef": 1.0}) == []  # a weight is no distance


def test_answers_of_tools_in_the_loss_are_seen_where_tools_are_called(rng):
    calls = np.where(rng.random(COUNT) < 0.3, 2, 0)
    rows = foreign_rows(rng, num_tool_calls=calls)
    sampled = rng.integers(20, 60, COUNT).astype(float)
    both = {"extra:sampled_tokens": sampled, "extra:loss_tokens": sampled + 30.0 * (calls > 0)}
    assert told(loss_mask, rows, **both) == [("critical", "loss_mask")]
    assert told(loss_mask, rows, **{**both, "extra:loss_tokens": sampled}) == []


def test_nothing_is_trained_without_tokens_or_gradient(rng):
    rows = foreign_rows(rng)
    assert told(weights_at_rest, rows, **{"extra:loss_tokens": 0.0}) == [("critical", "zero_gradient")]
    assert told(weights_at_rest, rows, **{"extra:grad_norm": 0.0}) == [("critical", "zero_gradient")]
    assert told(weights_at_rest, rows, **{"extra:grad_norm": rng.random(COUNT)}) == []
    assert told(weights_at_rest, foreign_rows(rng, reward=1.0), **{"extra:grad_norm": 0.0}) == []  # rightly 0


def test_prompts_that_come_back_though_the_data_is_large(rng):
    asked = np.array([f"q{step % 3}-{i // 4 % PROBLEMS}" for i, step in enumerate(STEP)])
    rows = foreign_rows(rng)
    found = [("warning", "duplicate_problems")]
    assert told(repeated_prompts, rows, asked=asked, **{"extra:dataset_size": 7473.0}) == found
    assert told(repeated_prompts, rows, asked=asked, **{"extra:dataset_size": 24.0}) == []
    assert told(repeated_prompts, rows, asked=asked) == []


def test_the_same_few_prompts_at_every_step_of_an_epoch(rng):
    asked = np.array([f"q{i // 4 % PROBLEMS}" for i in range(COUNT)])
    found = [("warning", "duplicate_problems")]
    assert told(repeated_prompts, foreign_rows(rng), asked=asked, **{"extra:epoch": STEP / 100}) == found
    assert told(repeated_prompts, foreign_rows(rng), asked=asked, **{"extra:epoch": STEP.astype(float)}) == []


def test_one_object_is_paid_by_how_it_is_written(rng):
    text = rng.integers(0, 4, COUNT)
    object_ = np.array([f"o{group % 30}" for group in np.arange(COUNT) // 4])
    rows = foreign_rows(
        rng,
        problem_id=[f"p{group % 30}" for group in np.arange(COUNT) // 4],
        response_hash=[f"{one}-{way}" for one, way in zip(object_, text, strict=True)],
    )
    as_text = rows.assign(reward=(text == 0).astype(float))
    ends = {"last_object": "", "last_writing": ""}
    assert told(json_answers, as_text, as_json=object_, **ends) == [("critical", "weak_verifier")]
    as_object = rows.assign(reward=(np.arange(COUNT) // 4 % 2).astype(float))
    assert told(json_answers, as_object, as_json=object_, **ends) == []
    assert told(json_answers, as_text, as_json="", **ends) == []


def test_an_object_behind_words_is_paid_by_how_it_is_written(rng):
    problem = np.arange(COUNT) // 8
    way = rng.integers(0, 3, COUNT)
    texts = {
        "as_json": "",
        "last_object": np.array([f"o{one}" for one in problem]),
        "last_writing": np.array([f"w{one}" for one in way]),
    }
    rows = foreign_rows(rng, problem_id=[f"p{one}" for one in problem])
    found = [("warning", "metric_defect")]
    assert told(json_answers, rows.assign(reward=(way == 0) * 1.0), **texts) == found
    # A part of the pay is for something else.
    shaped = rows.assign(reward=(way == 0) * 0.8 + rng.random(COUNT) * 0.2)
    assert told(json_answers, shaped, **texts) == found
    # Pay follows the object, or the words before it, or a part of those that write it well.
    assert told(json_answers, rows.assign(reward=(problem % 2) * 1.0), **texts) == []
    assert told(json_answers, rows, **texts) == []
    judged = (way == 0) & (rng.random(COUNT) < 0.7)
    assert told(json_answers, rows.assign(reward=judged * 1.0), **texts) == []
    # One way of writing to each object says nothing.
    assert told(json_answers, rows.assign(reward=(way == 0) * 1.0), **{**texts, "last_writing": "w"}) == []


def test_the_object_that_a_text_ends_with():
    tight, loose = (
        last_object("Give a, b.", f"So [it] is.\n{one}") for one in ('{"a":1,"b":[2]}', '{"b": [2], "a": 1}')
    )
    fenced = last_object("Give a, b.", 'So it is.\n```json\n{"a":1,"b":[2]}\n```')
    assert tight == fenced and tight["last_object"] == loose["last_object"] != ""
    assert tight["last_writing"] != loose["last_writing"]
    assert last_object("Give a, b.", '{"a": 1} is it.')["last_object"] == ""
    assert last_object("Give a, b.", "It is \\boxed{1}")["last_object"] == ""
    assert last_object("Give a, b on one line.", '{"a": 1}')["last_object"] == ""


def test_json_is_the_same_in_any_order_and_fence():
    whole = json_number('{"a": 1, "b": [2, 3]}')
    assert whole and whole == json_number('```json\n{"b": [2,3],\n "a": 1}\n```')
    assert whole != json_number('{"a": 1, "b": [3, 2]}')
    assert [json_number(text) for text in ("text", "{broken", "see [1]", "[" * 3000 + "]" * 3000)] == [""] * 4


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ('def f(x):\n    return x\nprint("==== 5 passed in 0.05s ====")', True),
        ('print("OK: 3/3 tests passed")', True),
        ('for i in range(3):\n    print(f"test_{i} PASSED")', True),
        ("def passed(x):\n    print(x)\n    return x", False),
        ('print("the train passed")', False),
    ],
)
def test_a_program_prints_the_verdict_of_tests(text, is_so):
    assert _columns("fine.", text)["prints_verdict"] == [is_so]


def test_logprobs_of_each_message_are_one_column():
    extras = ExtraColumns()
    row = Trajectory.model_construct(extra={"generation_logprobs": [[-1.0, -2.0]]}, messages=[])
    extras.add([transcript(row)] * 4)
    assert extras.frame()["generation_logprobs"].tolist() == [-1.5] * 4


def test_empty_results_are_paid(rng):
    is_empty = rng.random(COUNT) < 0.4
    right = np.where(is_empty, rng.random(COUNT) < 0.9, rng.random(COUNT) < 0.4).astype(float)
    results = np.where(is_empty, "[]", [f"[({i},)]" for i in range(COUNT)])
    column = {"extra:pred_result": results, "program": [f"s{i}" for i in range(COUNT)]}
    assert told(empty_results, foreign_rows(rng, reward=right), **column) == [("critical", "weak_verifier")]
    fair = (rng.random(COUNT) < 0.5).astype(float)
    assert told(empty_results, foreign_rows(rng, reward=fair), **column) == []
    assert told(empty_results, foreign_rows(rng, reward=right), **{"extra:note": results, "program": ""}) == []
    agreed = {**column, "program": [f"p{i // GROUP}" for i in range(COUNT)]}  # attempts agree in the program as well
    assert told(empty_results, foreign_rows(rng, reward=right), **agreed) == []
    proved = foreign_rows(rng, reward=is_empty.astype(float))
    assert told(empty_results, proved, **column) == [("critical", "weak_verifier")]
    complaints = {**column, "extra:pred_result": np.where(is_empty, "", "error: the goal is left open")}
    assert told(empty_results, proved, **complaints) == []


def test_empty_answers_are_paid(rng):
    leaves = rng.random(COUNT) < 0.3
    plain = {"is_empty": False, "is_degenerate": False, "repeats_question": False, "likelihood": 0.0}
    texts = {**plain, "main_script": "", "language": "", "leaves_empty": leaves}
    paid = foreign_rows(rng, reward=np.where(leaves, 1.0, rng.random(COUNT) < 0.5).astype(float))
    assert told(paid_nonsense, paid, **texts) == [("critical", "weak_verifier")]
    unpaid = foreign_rows(rng, reward=np.where(leaves, 0.0, rng.random(COUNT) < 0.5).astype(float))
    assert told(paid_nonsense, unpaid, **texts) == []


def test_history_is_judged_by_the_reward_where_no_outcome_is_recorded(rng):
    reads = (rng.random(COUNT) < 0.3).astype(int)
    reward = np.where(reads, rng.random(COUNT) < 0.95, rng.random(COUNT) < 0.3).astype(float)
    plain = dict.fromkeys((sign.column for sign in signs_of_cheating._SIGNS if sign.column != "is_truncated"), False)
    rows = foreign_rows(rng, reward=reward, correct=np.nan, num_history_reads=reads, num_history_restores=0)
    assert told(signs_of_cheating, rows, **plain) == [("critical", "history_leak")]
    assert told(signs_of_cheating, rows.assign(correct=reward), **plain) == []  # its own diagnostic judges that
    fair = rows.assign(reward=(rng.random(COUNT) < 0.5).astype(float))
    assert told(signs_of_cheating, fair, **plain) == []


def test_a_logged_mean_leaves_out_what_was_cut(rng):
    is_cut = rng.random(COUNT) < 0.1 + 0.06 * STEP
    right = np.where(is_cut, 0.0, rng.random(COUNT) < 0.7).astype(float)
    rows = foreign_rows(rng, reward=right, correct=right, is_truncated=is_cut)
    without = rows[~is_cut].groupby("step")["correct"].mean().reindex(rows["step"]).to_numpy()
    whole = rows.groupby("step")["correct"].mean().reindex(rows["step"]).to_numpy()
    assert told(logged_means, rows, **{"extra:batch_accuracy": without}) == [("warning", "metric_defect")]
    assert told(logged_means, rows, **{"extra:batch_accuracy": whole}) == []
    assert told(logged_means, rows, **{"extra:val_accuracy": 0.3 + 0.02 * STEP}) == []
