"""What others say in turn: answers without content or with dots, last words, results in tags, logs, cuts."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.answer_forms import answer_forms, first_forms, form_of
from evotrainer.diagnosis.texts.own_results import own_result
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.diagnosis.texts.turns import turns
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import (
    broken_off,
    cut_answers,
    hollow_answers,
    leftover_state,
    own_results,
    passing_logs,
    rising_cuts,
    tool_outages,
)
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, session, told

_EACH = np.array([f"n{i}" for i in range(COUNT)])
_OUTAGE = [("warning", "infrastructure_zeros")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(37)


def _row(*messages: Message, **extra: str) -> Trajectory:
    return Trajectory.model_construct(messages=[Message(role="user", content="Do it."), *messages], extra=extra)


def test_forms_leave_numbers_out():
    assert form_of("Doc 1 (0.81)") == form_of("Doc 7 (0.9)") != form_of("Doc 1 (0.81) Oslo")
    assert form_of(" \n") == ""


@pytest.mark.parametrize(
    ("shown", "whole", "elides"),
    [
        ("URL = fetch(...'key-7')\nA = 1", "URL = fetch(env['key-7'] or 'key-7')", True),
        ("host: db-east...net:5432", "host: db-eastern-one.example.net:5432", True),
        ("host: db-east…net:5432", "host: db-eastern-one.example.net:5432", True),
        ("git log main-branch...work", "git log main-branch and then work", False),  # stands in no text of it
        ("and so on ... and on", "and so on for long and on", False),
        ("URL = fetch(...'key-7')", "URL = fetch(...'key-7')", False),
    ],
)
def test_dots_for_the_middle_of_a_short_line(shown, whole, elides):
    beside = whole if "branch" not in whole else ""
    row = transcript(_row(*session(("cat a.py", shown)), line_before=beside))
    assert answer_forms(row)["elides"] is elides


def test_short_lines_whose_middle_is_left_out(rng):
    rows = foreign_rows(rng, num_tool_calls=2)
    texts = {"cut_at": 0.0, "cut_answer": ""}
    assert told(cut_answers, rows, **texts, elides=STEP > 3) == [("warning", "tool_output_truncated")]
    assert told(cut_answers, rows, **texts, elides=PROBLEM < 4) == []


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ("cat /var/job-12.log", 12.0),
        ("head -n 12 a.log", 0.0),
        ("head -12 a.log", 0.0),
        ("sed -n 1,12p a.log", 0.0),
        ('{"limit": 10}', 0.0),
        ('{"limit": 30}', 12.0),
    ],
)
def test_lines_that_a_call_asks_for(call, lines):
    assert first_forms(call, "one\n" * 12)["first_lines"] == lines


def test_tools_that_show_the_first_lines_alone(rng):
    rows = foreign_rows(rng, num_tool_calls=1)
    is_long = PROBLEM % 3 == 0
    short = 4 + PROBLEM % 7
    lines = np.where(is_long, 14, short).astype(float)
    stuck = rows.assign(reward=np.where(is_long, 0.0, rows["reward"]))
    texts = {"cut_at": 0.0, "cut_answer": "", "first_answer": _EACH}
    found = [("warning", "tool_output_truncated")]
    assert told(cut_answers, stuck, first_lines=lines, **texts) == found
    assert told(cut_answers, rows, first_lines=lines, **texts) == []  # a search that lists so many
    assert told(cut_answers, stuck, first_lines=np.where(is_long, 14.0 + PROBLEM % 30, lines), **texts) == []
    assert told(cut_answers, stuck, first_lines=np.where(is_long, 14.0, 5.0), **texts) == []  # a log of success
    mixed = np.where(rng.random(COUNT) < 0.5, lines, 14.0)
    assert told(cut_answers, stuck, first_lines=mixed, **texts) == []  # by attempts, not by problems
    assert told(cut_answers, stuck, first_lines=np.where(is_long, 9.0, short), **texts) == []  # others are longer
    assert told(cut_answers, stuck, first_lines=lines, **texts | {"first_answer": "one"}) == []


def test_a_tool_loses_its_content(rng):
    rows = foreign_rows(rng, num_tool_calls=2)
    late = STEP > 3
    poor = rows.assign(reward=np.where(late & (rng.random(COUNT) < 0.7), 0.0, rows["reward"]))
    forms, asked = np.where(late, "frame", _EACH), {"calls_number": _EACH, "first_request": ""}
    assert told(hollow_answers, poor, answer_form=forms, **asked) == _OUTAGE
    assert told(hollow_answers, rows, answer_form=forms, **asked) == []  # nothing is lost by it
    assert told(hollow_answers, poor, answer_form=forms, calls_number="go", first_request="") == []
    assert told(hollow_answers, poor, answer_form=np.where(late, "done", "ok"), **asked) == []
    often = np.where(rng.random(COUNT) < 0.4, "nothing found", _EACH)
    assert told(hollow_answers, poor, answer_form=often, **asked) == []


def test_a_tool_loses_its_content_on_one_machine(rng):
    there = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng)
    poor = rows.assign(reward=np.where(there & (rng.random(COUNT) < 0.7), 0.0, rows["reward"]))
    texts = {"answer_form": np.where(there, "frame", _EACH), "calls_number": "", "first_request": _EACH}
    assert told(hollow_answers, poor, **texts, **{"extra:shard": np.where(there, "b", "a")}) == _OUTAGE
    assert told(hollow_answers, poor, **texts, **{"extra:shard": rng.choice(["a", "b"], COUNT)}) == []


def test_the_turns_of_an_attempt():
    asks, yes = Message(role="assistant", content="Shall I?"), Message(role="user", content="Yes, please! ###STOP###")
    found, other = turns(transcript(_row(asks, yes))), turns(transcript(_row(asks, yes, asks)))
    assert found["end_words"] == other["answered_words"] != ""
    assert other["end_words"] == found["answered_words"] == ""
    code = Message(role="assistant", content='Use it.\n<tool_call>\n{"code": "print(1)"}\n</tool_call>')
    same = Message(role="assistant", content='Now:\n<tool_call>{"code":  "print(1)"}</tool_call>')
    told_back = Message(role="tool", content="1")
    first = turns(transcript(_row(code, told_back)))["first_request"]
    assert first == turns(transcript(_row(same, told_back)))["first_request"] != ""
    assert turns(transcript(_row(code)))["first_request"] == ""


def test_a_user_who_ends_with_what_others_answer(rng):
    ended = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng, num_turns=np.where(ended, 2, 4))
    unpaid = rows.assign(reward=np.where(ended, 0.0, rows["reward"]))
    texts = {"end_words": np.where(ended, "yes", "bye"), "answered_words": np.where(ended, "", "yes hello")}
    assert told(broken_off, unpaid, **texts) == _OUTAGE
    assert told(broken_off, rows, **texts) == []
    assert told(broken_off, unpaid, **texts | {"end_words": "bye"}) == []  # a farewell
    assert told(broken_off, unpaid.assign(num_turns=np.where(ended, 9, 4)), **texts) == []  # a limit of turns
    assert told(broken_off, unpaid.assign(is_truncated=ended), **texts) == []


@pytest.mark.parametrize(
    ("asks", "says", "consent"),
    [
        ("Shall I cancel it?", "Yes, please go ahead. ###STOP###", "ends"),
        ("May I book it (yes/no)?", "Confirmed, that is all.", "ends"),
        ("Soll ich das tun?", "Ja, bitte.", "ends"),
        ("可以退款吗？", "好的，谢谢", "ends"),
        ("Shall I cancel it?", "No, leave it. ###STOP###", ""),
        ("It is cancelled.", "Yes, thank you. ###STOP###", ""),
        ("Shall I cancel it?", "Yesterday I did. ###STOP###", ""),
    ],
)
def test_what_becomes_of_a_consent(asks, says, consent):
    question, answer = Message(role="assistant", content=asks), Message(role="user", content=says)
    deed = session(("cancel", "ok"))
    assert turns(transcript(_row(question, answer)))["consent"] == consent
    followed = turns(transcript(_row(question, answer, *deed, Message(role="assistant", content="Done."))))["consent"]
    assert followed == ("followed" if consent else "")
    # Leave was given before, and the last question is another one.
    assert turns(transcript(_row(question, answer, *deed, question, answer)))["consent"] == followed


def test_a_user_who_consents_and_is_gone(rng):
    ended = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng, num_turns=np.where(ended, 2, 4))
    unpaid = rows.assign(reward=np.where(ended, 0.0, rows["reward"]))
    texts = {"end_words": _EACH, "answered_words": "", "consent": np.where(ended, "ends", "followed")}
    assert told(broken_off, unpaid, **texts) == _OUTAGE
    assert told(broken_off, rows, **texts) == []  # what was asked leave for was not needed
    assert told(broken_off, unpaid, **texts | {"consent": np.where(ended, "ends", "")}) == []  # nobody acts here
    elsewhere = np.where(PROBLEM % 2, np.where(ended, "ends", ""), np.where(ended, "", "followed"))
    assert told(broken_off, unpaid, **texts | {"consent": elsewhere}) == []
    assert told(broken_off, unpaid.assign(is_truncated=ended), **texts) == []
    assert told(broken_off, unpaid.assign(num_turns=np.where(ended, 9, 4)), **texts) == []


def test_a_tool_loses_a_part_of_its_answers(rng):
    late = (STEP > 3) & (rng.random(COUNT) < 0.55)
    names = {"problem_id": [f"p{one}" for one in PROBLEM % 12]}
    rows = foreign_rows(rng, num_tool_calls=2, **names)
    poor = rows.assign(reward=np.where(late & (rng.random(COUNT) < 0.8), 0.0, rows["reward"]))
    calls = np.array([f"q{one}" for one in PROBLEM % 12])
    texts = {"answer_form": _EACH, "calls_number": _EACH, "first_request": "", "first_call": calls}
    forms = np.where(late, "nothing", _EACH)
    assert told(hollow_answers, poor, first_form=forms, **texts) == _OUTAGE
    assert told(hollow_answers, rows, first_form=forms, **texts) == []  # nothing is lost by it
    # The policy comes to ask what nobody asked before.
    other = np.where(late, np.char.add(calls, "?"), calls)
    assert told(hollow_answers, poor, first_form=forms, **texts | {"first_call": other}) == []
    # The tool finds nothing now and then from the beginning.
    always = rng.random(COUNT) < 0.4
    unlucky = rows.assign(reward=np.where(always, 0.0, rows["reward"]))
    assert told(hollow_answers, unlucky, first_form=np.where(always, "nothing", _EACH), **texts) == []
    few = np.where(late & (rng.random(COUNT) < 0.3), "nothing", _EACH)
    assert told(hollow_answers, poor, first_form=few, **texts) == []
    frames = np.where(late, "done", "ok")  # a tool that says little
    assert told(hollow_answers, poor, first_form=frames, **texts) == []


def _tagged(text: str, prompt: str = "Results come back in <information> tags.") -> dict[str, str]:
    asked = Message(role="user", content=prompt)
    row = Trajectory.model_construct(messages=[asked, Message(role="assistant", content=text)], extra={})
    return own_result(transcript(row))


def test_a_call_and_its_result_within_one_message():
    call = "<think>Ask.</think>\n<search>depot of Rin</search>"
    text = f"{call}\n<information>Doc 1: built by Tre in 1901.</information>\nTre"
    assert _tagged(text)["own_query"] != ""
    assert _tagged(text, "Answer.")["own_query"] == ""
    assert _tagged("<think>It is Tre.</think>\n<answer>Tre, as is known to all</answer>", "<answer>")["own_query"] == ""


def test_the_same_query_has_another_result_each_time(rng):
    rows = foreign_rows(rng)
    queries = np.array([f"q{one}" for one in PROBLEM])
    assert told(own_results, rows, own_query=queries, own_result=_EACH) == [("warning", "tool_fabrication")]
    assert told(own_results, rows, own_query=queries, own_result=queries) == []  # a tool ran
    assert told(own_results, rows, own_query=_EACH, own_result=_EACH) == []
    assert told(own_results, rows, own_query="", own_result="") == []


_OK, _BAD = "test_a ... checked\nok\n\nRan 12 tests in 0.1s\n\nOK", "test_a ... FAIL\n\nFAILED (failures=1)"


@pytest.mark.parametrize(
    ("passed", "failed"),
    [
        (_OK, _BAD),
        ("....\n5 passed, 0 failed in 0.2s", "..F.\n4 passed, 1 failed in 0.2s"),
        (
            "running 4 tests\ntest result: ok. 4 passed; 0 failed",
            "running 4 tests\ntest result: FAILED. 3 passed; 1 failed",
        ),
    ],
)
def test_logs_without_a_failed_test_that_go_unpaid(rng, passed, failed):
    right, misread = rng.random(COUNT) < 0.6, rng.random(COUNT) < 0.3
    rows = foreign_rows(rng, reward=(right & ~misread).astype(float))
    log = np.where(right, passed, failed)
    assert told(passing_logs, rows, **{"extra:test_log": log}) == [("warning", "metric_defect")]
    assert told(passing_logs, rows, **{"extra:public_log": log}) == []
    assert told(passing_logs, rows.assign(reward=right.astype(float)), **{"extra:test_log": log}) == []
    assert told(passing_logs, rows, **{"extra:test_log": rng.permutation(log)}) == []  # not what is paid for


def test_cuts_that_set_in_as_replies_grow(rng):
    cut = (STEP > 6) & (rng.random(COUNT) < 0.15)
    right = rng.random(COUNT) < 0.6
    rows = foreign_rows(rng, reward=np.where(cut, 0.0, right), is_truncated=cut, num_chars=100 + 30 * STEP)
    assert told(rising_cuts, rows) == [("warning", "truncation")]
    assert told(rising_cuts, rows.assign(num_chars=rng.integers(60, 400, COUNT))) == []
    assert told(rising_cuts, rows.assign(in_loss=np.where(cut, 0.0, 1.0))) == []  # cut ones are masked
    assert told(rising_cuts, rows.assign(reward=right.astype(float))) == []
    assert told(rising_cuts, rows.assign(reward=np.where(cut | (PROBLEM % 3 > 0), 0.0, 1.0), is_truncated=False)) == []


def test_a_machine_was_down_though_some_guess_right(rng):
    down = rng.random(COUNT) < 0.4
    rows = foreign_rows(rng, num_tool_calls=1)
    lost = rows.assign(reward=np.where(down & (rng.random(COUNT) < 0.7), 0.0, 1.0))
    texts = {"machine_share": np.where(down, 1.0, 0.0), "usual_answer": "", "first_request": "run"}
    assert told(tool_outages, lost, **texts) == _OUTAGE
    assert told(tool_outages, rows, **texts) == []
    mild = rows.assign(reward=np.where(down & (rng.random(COUNT) < 0.4), 0.0, 1.0))  # most get over it
    assert told(tool_outages, mild, **texts) == []
    own = np.where(down, _EACH, "run")  # only they ask for what fails
    assert told(tool_outages, lost, **texts | {"first_request": own}) == []


@pytest.mark.parametrize("status", ["VerifierTimeoutError: no file after 900s", "judge_timeout", "grader crashed"])
def test_a_grader_that_was_out_of_time_by_its_status(rng, status):
    down = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng)
    lost = rows.assign(reward=np.where(down, 0.0, rows["reward"]))
    texts = {"machine_share": 0.0, "usual_answer": "", "first_request": ""}
    assert told(tool_outages, lost, **texts, **{"extra:status": np.where(down, status, "ok")}) == _OUTAGE
    assert told(tool_outages, lost, **texts, **{"extra:status": np.where(down, "TimeoutError in f()", "ok")}) == []


def test_pages_whose_numbers_differ_show_what_a_paid_attempt_left(rng):
    right = rng.random(COUNT) < 0.5
    first = np.array([min((a for a in range(4) if r[a]), default=4) for r in right.reshape(-1, 4)]).repeat(4)
    left, paid = first < ATTEMPT, first == ATTEMPT
    rows = foreign_rows(rng, num_tool_calls=2, reward=paid.astype(float))
    texts = {"had_names": "", "lacked_names": "", "first_call": "open", "machine_share": 0.0, "first_answer": _EACH}
    assert told(leftover_state, rows, **texts, first_form=np.where(left, "with file", "without")) == _OUTAGE
    assert told(leftover_state, rows, **texts, first_form="without") == []
    assert told(leftover_state, rows, **texts, first_form=rng.choice(["one", "two"], COUNT)) == []
