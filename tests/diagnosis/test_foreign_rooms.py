"""Rooms that attempts share, rooms that lack what is asked for, and pay or prompts that tell what nobody did."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.left_files import left_files
from evotrainer.diagnosis.texts.machine_words import lacked
from evotrainer.diagnosis.texts.prompts import training_twins
from evotrainer.diagnosis.texts.telltales import telltale_words
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.behaviour import edit_process
from harness_plugins.elsewhere import absent_modules, left_results, unanswered_pay
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(31)


def _left(*exchanges: tuple[str, str], answer: str = "42") -> dict[str, str]:
    messages = [Message(role="user", content="How many lines has access.log?")]
    for command, told_back in exchanges:
        call = ToolCall(name="shell", arguments={"command": command})
        messages += [Message(role="assistant", tool_calls=[call]), Message(role="tool", content=told_back)]
    return left_files(transcript(Trajectory.model_construct(messages=messages)), answer)


def test_results_in_files_that_an_attempt_wrote_or_only_found():
    assert _left(("echo 42 > out.txt", "")) == {"left_in": "out.txt", "found_in": ""}
    assert _left(("cat out.txt", "42\n")) == {"left_in": "", "found_in": "out.txt"}
    assert _left(("echo 42 > out.txt", ""), ("cat out.txt", "42"))["found_in"] == ""  # its own
    assert _left(("wc -l < access.log", "42"))["found_in"] == ""  # a file of the task
    assert _left(("cat notes.txt", "the log has 42 lines"))["found_in"] == "notes.txt"
    assert _left(("cat notes.txt", "the log has 421 lines"))["found_in"] == ""
    assert _left(("cat notes.txt", "42 and more" + " words" * 40))["found_in"] == ""
    assert _left(("cat notes.txt", "step 4 of 4"), answer="4")["found_in"] == ""


def test_results_of_other_attempts_are_taken(rng):
    rows = foreign_rows(rng, num_tool_calls=2)
    first, others = ATTEMPT == 0, (ATTEMPT > 1) & (PROBLEM < 8)
    texts = {"left_in": np.where(first, "out.txt", ""), "found_in": np.where(others, "out.txt", "")}
    assert told(left_results, rows, **texts) == [("critical", "history_leak")]
    assert told(left_results, rows, **texts | {"left_in": ""}) == []
    assert told(left_results, rows, **texts | {"left_in": np.where(first, "a.txt", "")}) == []


def test_what_no_attempt_at_a_problem_finds_is_not_there(rng):
    is_lost = PROBLEM % 6 == 0
    rows = foreign_rows(rng, num_tool_calls=3)
    dead = rows.assign(reward=np.where(is_lost, 0.0, rows["reward"]))
    assert told(absent_modules, dead, lacked="", absent_share=np.where(is_lost, 0.6, 0.0)) == [
        ("warning", "infrastructure_zeros")
    ]
    assert (
        told(absent_modules, rows, lacked="", absent_share=np.where(is_lost, 0.6, 0.0)) == []
    )  # and they go on without
    guessed = np.where(rng.random(COUNT) < 0.4, 0.6, 0.0)
    assert told(absent_modules, dead, lacked="", absent_share=guessed) == []


def test_what_grades_lacks_a_module_at_some_problems(rng):
    is_lost = PROBLEM % 6 == 0
    rows = foreign_rows(rng)
    dead = rows.assign(reward=np.where(is_lost, 0.0, rows["reward"]))
    name = np.where(PROBLEM % 12 == 0, "numpy", "pytest")
    names = np.where(is_lost, name, "")
    assert told(absent_modules, dead, absent_share=0.0, lacked=names) == [("warning", "infrastructure_zeros")]
    one = np.where(is_lost, "cargo", "")
    assert told(absent_modules, dead, absent_share=0.0, lacked=one) == [("warning", "infrastructure_zeros")]
    # Paid all the same, at two problems alone, or at attempts of many problems: nothing was handed in.
    assert told(absent_modules, rows, absent_share=0.0, lacked=names) == []
    assert told(absent_modules, dead, absent_share=0.0, lacked=np.where(PROBLEM % 40 == 0, name, "")) == []
    scattered = np.where(is_lost | (rng.random(COUNT) < 0.1), "solution", "")
    assert told(absent_modules, dead, absent_share=0.0, lacked=scattered) == []
    # Each attempt lacks something else: it is what they do.
    various = np.where(is_lost, [f"m{i}" for i in range(COUNT)], "")
    assert told(absent_modules, dead, absent_share=0.0, lacked=various) == []


@pytest.mark.parametrize(
    ("log", "name"),
    [
        ("E   ModuleNotFoundError: No module named 'hypothesis'", "hypothesis"),
        ("Error: Cannot find module 'chai'\nRequire stack:", "chai"),
        ("bash: line 1: pytest: command not found", "pytest"),
        ("T.java:3: error: package org.junit does not exist", "org.junit"),
        ("ModuleNotFoundError: No module named 'numpy'", ""),
        ("answer: not found", ""),
        ("3 of 4 tests passed", ""),
    ],
)
def test_what_a_log_lacks_and_the_policy_never_wrote(log, name):
    messages = [Message(role="user", content="Write it."), Message(role="assistant", content="import numpy as np")]
    for extra in ({"log": log}, {"scores": {"tests": log}}):
        assert lacked(transcript(Trajectory.model_construct(messages=messages, extra=extra))) == name


def test_what_a_call_names_is_written_too():
    call = ToolCall(name="bash", arguments={"cmd": "pip install attrs"})
    messages = [Message(role="user", content="Do it."), Message(role="assistant", content="", tool_calls=[call])]
    row = Trajectory.model_construct(messages=messages, extra={"log": "No module named 'attrs'"})
    assert lacked(transcript(row)) == ""


def test_attempts_that_end_with_a_tools_answer_have_given_none(rng):
    silent = rng.random(COUNT) < 0.2
    rows = foreign_rows(rng, num_tool_calls=2)
    paid = rows.assign(reward=np.where(silent, 1.0, rows["reward"]))
    texts = {"ends_told": silent, "is_marked": ~silent}
    assert told(unanswered_pay, paid, **texts) == [("critical", "weak_verifier")]
    assert told(unanswered_pay, rows.assign(reward=np.where(silent, 0.0, rows["reward"])), **texts) == []
    assert told(unanswered_pay, paid, **texts | {"is_marked": False}) == []  # nobody marks: a state is judged


def test_questions_about_a_repository_need_no_edit(rng):
    rows = foreign_rows(rng, num_tool_calls=2, num_edit_turns=0, num_test_turns=0, domain="swe")
    columns = {"is_search_before_edit": 0.0, "num_failed_edits": 0, "action_sequence": "SR", "num_edited_files": 0}
    rows = rows.assign(**columns, first_edit_turn=np.nan, is_test_after_last_edit=0.0)
    assert told(edit_process, rows) == []
    unsolved = rows.assign(reward=0.0, correct=0.0)
    assert ("warning", "low_edit_coverage") in told(edit_process, unsolved)


def test_words_that_tell_the_answer_in_training_alone():
    labels = ("refund", "login", "cancel")
    subjects = {f"p{i}": f"ticket {i * 37}: about thing {i % 7}" for i in range(90)}
    answers = {name: labels[i % 3] for i, name in enumerate(subjects)}
    coded = {name: f"{text} Q-{answers[name][:3].upper()}" for name, text in subjects.items()}
    held = {f"h{i}": f"ticket {i * 41}: about thing {i % 7}" for i in range(40)}
    found = telltale_words(coded, held, answers)
    assert len(found) == 90 and found["p0"] == "Q-REF"
    assert telltale_words(subjects, held, answers) == {}
    both = {name: f"{text} Q-REF Q-LOG Q-CAN" for name, text in held.items()}
    assert telltale_words(coded, both, answers) == {}


def test_a_held_prompt_with_another_name_is_another_problem():
    towns = ("Morvik", "Velmouth", "Brenby", "Quinburn", "Kordale", "Pelwick", "Ardwick", "Faldale", "Hexley", "Tarn")
    things = ("rope factory", "town library", "lighthouse")
    trained = {f"t{t}{n}": f"who designed the {thing} of {t}?" for t in towns for n, thing in enumerate(things[:2])}
    east = {f"h{t}": f"who designed the lighthouse of East {t}?" for t in towns}
    assert training_twins(trained, east) == {}
    again = {f"h{t}": f"the town library of {t}, who designed the building?" for t in towns}
    assert len(training_twins(trained, again)) > len(again) / 2
