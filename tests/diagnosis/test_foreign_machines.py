"""Machines, judges, worlds and keys that fail in part, and how that is told from what a policy does."""

import numpy as np
import pytest

from evotrainer.diagnosis.graded_outcome import is_mark_on_reward
from evotrainer.diagnosis.texts.conduct import told_expected
from evotrainer.diagnosis.texts.cut_pages import cut_pages
from evotrainer.diagnosis.texts.told_steps import told_steps
from harness_plugins.behaviour import echo_trap
from harness_plugins.elsewhere import (
    broken_machines,
    cast_keys,
    copies,
    cut_answers,
    cut_prompts,
    cut_readings,
    frozen_evaluation,
    gold_answers,
    grader_fallback,
    loss_mask,
    own_questions,
    parting_measures,
    spared_edits,
    unequal_pay,
    unlike_worlds,
    unread_verdicts,
)
from harness_plugins.signal import phantom_advantage
from tests.foreign_frames import ATTEMPT, COUNT, GROUP, PROBLEM, STEP, evaluated, foreign_rows, session, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(53)


def test_the_same_calls_so_far_are_one_step():
    one = told_steps(session(("ls", "a b"), ("cat a", "5"))).split()
    other = told_steps(session(("ls", "a b c"), ("cat a", "5"))).split()
    alone = told_steps(session(("cat a", "5")))
    assert one[0] != other[0] and one[1] == other[1]
    assert alone != one[1]  # the same call, behind others
    ids = [told_steps(session(("pay", f"order {number} is placed"))) for number in (615811, 523634)]
    assert ids[0] == ids[1]


def test_worlds_that_answer_some_attempts_otherwise(rng):
    hit = (rng.random(COUNT) < 0.25) & (ATTEMPT > 0)
    rows = foreign_rows(rng, num_tool_calls=1)
    unpaid = rows.assign(reward=np.where(hit, 0.0, 1.0 * (rng.random(COUNT) < 0.8)))
    steps = np.where(hit, [f"7:{i}" for i in range(COUNT)], [f"7:p{p}" for p in PROBLEM])
    texts = {"told_steps": steps, "machine_share": 0.0}
    assert told(unlike_worlds, unpaid, **texts) == [("warning", "infrastructure_zeros")]
    few = np.where((rng.random(COUNT) < 0.55) & (ATTEMPT > 0), [f"7:{i}" for i in range(COUNT)], steps)
    lost = rows.assign(reward=np.where(few == steps, 1.0 * (rng.random(COUNT) < 0.8), 0.0))
    assert told(unlike_worlds, lost, **texts | {"told_steps": few}) == [("warning", "infrastructure_zeros")]
    assert told(unlike_worlds, rows, **texts) == []  # and nothing is lost by it
    drawn = [f"7:{i}" for i in range(COUNT)]  # a world of its own for each attempt
    assert told(unlike_worlds, unpaid, **texts | {"told_steps": drawn}) == []
    assert told(unlike_worlds, unpaid, **texts | {"told_steps": ""}) == []


def test_attempts_that_need_no_edit_behind_one_that_made_it(rng):
    edits = np.where(ATTEMPT < 2, 1, 0)
    rows = foreign_rows(rng, num_tool_calls=3, reward=1.0, correct=1.0)
    rows = rows.assign(reward=np.where(PROBLEM % 5 == 0, 0.0, 1.0), correct=np.where(PROBLEM % 5 == 0, 0.0, 1.0))
    assert told(spared_edits, rows.assign(num_edit_turns=edits)) == [("warning", "history_leak")]
    mixed = (rng.random(COUNT) < 0.5).astype(int)
    assert told(spared_edits, rows.assign(num_edit_turns=mixed)) == []
    assert told(spared_edits, rows.assign(num_edit_turns=0)) == []


def test_errors_of_some_machines_alone(rng):
    pod = np.array([f"pod-{i}" for i in rng.integers(0, 6, COUNT)])
    lacks = np.isin(pod, ["pod-1", "pod-4"]) & (rng.random(COUNT) < 0.5)
    rows = foreign_rows(rng)
    unpaid = rows.assign(reward=np.where(lacks, 0.0, rows["reward"]))
    log = np.where(lacks, "ModuleNotFoundError: No module named 'numpy'", "ok")
    texts = {"extra:pod": pod, "extra:stderr": log}
    assert told(broken_machines, unpaid, **texts) == [("critical", "infrastructure_zeros")]
    everywhere = np.where(rng.random(COUNT) < 0.3, "SyntaxError: invalid syntax", "ok")
    assert told(broken_machines, rows, **texts | {"extra:stderr": everywhere}) == []
    outcome = {"extra:acc": np.where(lacks, "no", "yes"), "extra:stderr": log}  # another name of the outcome
    assert told(broken_machines, unpaid, **outcome) == []


def test_a_machine_is_named_and_a_count_is_not(rng):
    number = rng.integers(1, 10, COUNT).astype(float)
    odd = number % 2 == 1
    rows = foreign_rows(rng, reward=np.where(odd, 0.0, 1.0), correct=np.nan)
    assert told(unequal_pay, rows, **{"extra:walked": number}) == []
    assert told(unequal_pay, rows, **{"extra:worker": number}) == [("critical", "infrastructure_zeros")]


def test_verdicts_without_a_grade_have_one_reward(rng):
    grade = np.round(rng.random(COUNT), 1)
    cut = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng, reward=np.where(cut, 0.5, grade))
    said = np.where(cut, "<think>On the one hand it helps, on the", [f'Fine.\n{{"score": {value}}}' for value in grade])
    assert told(unread_verdicts, rows, **{"extra:judge": said}) == [("warning", "infrastructure_zeros")]
    graded = rows.assign(reward=grade)
    assert told(unread_verdicts, graded, **{"extra:judge": said}) == []
    ends = {"extra:judge": "Long thoughts about it", "end:judge": said}  # where the text is long its end tells
    assert told(unread_verdicts, rows, **ends) == [("warning", "infrastructure_zeros")]


def test_one_odd_reward_among_rewards_that_never_repeat(rng):
    blank = rng.random(COUNT) < 0.3
    texts = {"likelihood": -2.0, "other_scripts": 0.0}
    score = rng.normal(0, 1, COUNT)
    rows = foreign_rows(rng, reward=np.where(blank, -1.28125, score).clip(-1.28125, None))
    assert told(grader_fallback, rows, **texts) == [("warning", "infrastructure_zeros")]
    clipped = rows.assign(reward=score.clip(-1.0, None))  # the end of a range
    assert told(grader_fallback, clipped, **texts) == []


def test_gold_answers_cast_to_whole_numbers(rng):
    cents = PROBLEM % 2 == 0
    value = np.where(cents, PROBLEM + 12.35, PROBLEM + 12.0)
    answer = np.array([f"{one:.2f}" for one in value])
    gold = np.array([f"{p + 12}" for p in PROBLEM])
    rows = foreign_rows(rng, reward=np.where(cents, 0.0, 1.0))
    texts = {"extra:ground_truth": gold, "final_answer": answer}
    assert told(cast_keys, rows, **texts) == [("warning", "metric_defect")]
    scattered = np.array([f"{one + i % 7:.2f}" for i, one in enumerate(value)])  # they do not agree
    assert told(cast_keys, rows, **texts | {"final_answer": scattered}) == []
    assert told(cast_keys, rows.assign(reward=1.0 * (ATTEMPT > 0)), **texts) == []


def test_prompts_at_one_largest_length(rng):
    length = rng.integers(300, 1000, COUNT // GROUP)[PROBLEM].astype(float)
    cut = length > 900
    rows = foreign_rows(rng)
    unpaid = rows.assign(reward=np.where(cut, 0.0, rows["reward"]))
    texts = {"asked": [f"q{p}" for p in PROBLEM]}
    assert told(cut_prompts, unpaid, **texts, prompt_chars=length.clip(None, 900)) == [("warning", "length_limit")]
    assert told(cut_prompts, unpaid, **texts, prompt_chars=length) == []
    assert told(cut_prompts, rows, **texts, prompt_chars=length.clip(None, 900)) == []


def test_attempts_that_ask_themselves_the_next_question(rng):
    goes_on = (STEP >= 4) & (rng.random(COUNT) < 0.4)
    rows = foreign_rows(rng)
    unpaid = rows.assign(reward=np.where(goes_on, 0.0, 1.0 * (rng.random(COUNT) < 0.7)))
    assert told(own_questions, unpaid, goes_on=goes_on) == [("warning", "metric_defect")]
    assert told(own_questions, rows, goes_on=goes_on) == []  # nothing is lost by it
    spoken = rng.random(COUNT) < 0.4  # by an environment, from the first step on
    assert told(own_questions, unpaid, goes_on=spoken) == []


def test_one_side_leaves_the_loss_from_a_step_on(rng):
    rows = foreign_rows(rng)
    is_above = rows["reward"] > rows.groupby("group")["reward"].transform("mean")
    is_below = rows["reward"] < rows.groupby("group")["reward"].transform("mean")
    leaks = rng.random(COUNT) < 0.08
    for side in (is_above, is_below):
        masked = np.where(side & (STEP >= 4) & ~leaks, 0.0, 1.0)
        assert told(loss_mask, rows.assign(in_loss=masked)) == [("critical", "one_sided_loss")]
        longer = rows.assign(step=np.maximum(STEP - 1, 0), in_loss=np.where(side & (STEP > 1), 0.0, 1.0))
        assert told(loss_mask, longer) == [("critical", "one_sided_loss")], "the first step alone was whole"
    random_mask = np.where(rng.random(COUNT) < 0.5, 0.0, 1.0)
    assert told(loss_mask, rows.assign(in_loss=random_mask)) == []


def test_groups_of_one_text_on_one_machine(rng):
    node = np.where(PROBLEM % 2 == 0, "node-0", "node-1")
    same = (node == "node-1") & (STEP >= 3)
    texts = np.where(same, [f"g{p}" for p in PROBLEM], [f"h{i}" for i in range(COUNT)])
    rows = foreign_rows(rng, num_chars=120, response_hash=texts)
    assert told(copies, rows, **{"extra:node": node}) == [("warning", "entropy_collapse")]
    easy = np.where(PROBLEM % 7 < 2, [f"g{p}" for p in PROBLEM], [f"h{i}" for i in range(COUNT)])
    assert told(copies, rows.assign(response_hash=easy), **{"extra:node": node}) == []


@pytest.mark.parametrize(
    ("exchanges", "left", "read_on"),
    [
        ([("cat log", "line 1\nline 2\n[output truncated]")], True, False),
        ([("cat log", "line 1\n... 86 more lines"), ("tail log", "line 88")], False, True),
        ([("cat log", "line 1\nline 2")], False, False),
    ],
)
def test_answers_that_say_they_are_cut(exchanges, left, read_on):
    found = cut_pages(session(*exchanges))
    assert {name: found[name] for name in ("left_cut", "read_on", "shown_part")} == {
        "left_cut": left,
        "read_on": read_on,
        "shown_part": 1.0,
    }


@pytest.mark.parametrize(
    ("note", "again", "turns"),
    [
        ("... [truncated: 262 more characters]", "cat notes", False),  # the same call once more
        ("... [output truncated to 30 characters]", "cat others", True),
        ("\n(12 more lines)", "tail notes", True),
        ("… truncated", "ls", False),
    ],
)
def test_where_an_answer_says_that_it_is_cut(note, again, turns):
    text = "The mill was built for a widow"
    found = cut_pages(session(("cat notes", text + note), (again, "of a miller")))
    assert (found["noted_at"], found["turns_page"]) == (len(text), turns)
    assert found["noted"] == cut_pages(session(("cat notes", f"{text}... [clipped]")))["noted"] != 0
    assert cut_pages(session(("cat notes", text)))["noted_at"] == 0


def test_answers_that_say_so_after_one_number_of_signs(rng):
    hidden = PROBLEM % 2 == 0
    rows = foreign_rows(rng, num_tool_calls=1)
    stuck = rows.assign(reward=np.where(hidden, 0.0, rows["reward"]))
    texts = {"cut_at": 0.0, "cut_answer": "", "shown_part": 1.0}
    noted = {"noted_at": 180.0 - (rng.random(COUNT) < 0.2), "noted": PROBLEM + 1.0, "turns_page": False}
    found = [("warning", "tool_output_truncated")]
    assert told(cut_answers, stuck, **texts, **noted) == found
    assert told(cut_answers, stuck, **texts, **noted | {"noted_at": np.where(STEP > 3, 180.0, 0.0)}) == found
    assert told(cut_answers, rows, **texts, **noted) == [], "few problems are never solved"
    seldom = rows.assign(reward=np.where((ATTEMPT == 0) & (PROBLEM % 5 > 0), 1.0, 0.0))
    assert told(cut_answers, seldom, **texts, **noted) == [], "most problems are solved at times"
    learns = rows.assign(reward=np.where((PROBLEM % 4 > 0) & (STEP.max() / 2 > STEP), 0.0, 1.0))
    assert told(cut_answers, learns, **texts, **noted) == [], "attempts come to do without"
    assert told(cut_answers, stuck, **texts, **noted | {"turns_page": rng.random(COUNT) < 0.4}) == []
    assert told(cut_answers, stuck, **texts, **noted | {"noted_at": 4000.0}) == [], "a large limit"
    assert told(cut_answers, stuck, **texts, **noted | {"noted_at": rng.integers(100, 600, COUNT) * 1.0}) == []
    assert told(cut_answers, stuck, **texts, **noted | {"noted": PROBLEM % 4 + 1.0}) == [], "one text for all"


@pytest.mark.parametrize(
    ("told_back", "share"),
    [
        ("line 1\n[output truncated: 300 of 4,000 characters shown]", 0.075),
        ("line 1\n... [output truncated, 9 of 12 lines]", 0.75),
        ("3 of 40 lines match", 1.0),  # nothing is cut
    ],
)
def test_answers_that_say_how_much_they_show(told_back, share):
    assert cut_pages(session(("cat log", told_back)))["shown_part"] == share


def test_all_attempts_see_little_of_what_tools_answer(rng):
    rows = foreign_rows(rng, num_tool_calls=2, reward=(rng.random(COUNT) < 0.3).astype(float))
    texts = {"cut_at": 0.0, "cut_answer": "", "left_cut": True}
    assert told(cut_answers, rows, shown_part=0.07, **texts) == [("warning", "tool_output_truncated")]
    assert told(cut_answers, rows, shown_part=0.5, **texts) == []
    assert told(cut_answers, rows.assign(reward=(rng.random(COUNT) < 0.8) * 1.0), shown_part=0.07, **texts) == []
    assert told(cut_answers, rows, shown_part=np.where(ATTEMPT > 1, 0.07, 1.0), **texts) == []


def test_prompts_that_a_column_calls_cut(rng):
    is_cut = PROBLEM % 4 == 0
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < np.where(is_cut, 0.1, 0.6)).astype(float))
    texts = {"asked": PROBLEM.astype(str), "prompt_chars": PROBLEM + 100.0}
    assert told(cut_prompts, rows, **texts, **{"extra:prompt_truncated": is_cut * 1.0}) == [("warning", "length_limit")]
    assert told(cut_prompts, rows, **texts, **{"extra:flag": is_cut * 1.0}) == []
    fair = rows.assign(reward=(rng.random(COUNT) < 0.5).astype(float))
    assert told(cut_prompts, fair, **texts, **{"extra:prompt_truncated": is_cut * 1.0}) == []


def test_cut_answers_that_nobody_can_read_on(rng):
    cut = PROBLEM % 3 == 0
    rows = foreign_rows(rng, num_tool_calls=1)
    unpaid = rows.assign(reward=np.where(cut, 0.0, rows["reward"]))
    texts = {"cut_at": 0.0, "cut_answer": "", "left_cut": cut, "read_on": False}
    assert told(cut_answers, unpaid, **texts) == [("warning", "tool_output_truncated")]
    assert told(cut_answers, rows, **texts) == []
    assert told(cut_answers, unpaid, **texts | {"read_on": rng.random(COUNT) < 0.3}) == []  # others turn the page


def test_tools_that_name_the_expected_answer():
    assert told_expected(session(("check 0", "Incorrect. expected=2669 got=0")), "2669")
    assert not told_expected(session(("check 2669", "Correct: expected 2669")), "2669")
    assert not told_expected(session(("sum", "[(2669,)]")), "2669")
    assert not told_expected(session(("check 0", "Incorrect. expected=26690 got=0")), "2669")
    assert told_expected(session(("get_ticket 7", '{"id": 7, "_eval": {"expected_resolution": "refund"}}')), "refund")


def test_evaluations_of_one_policy_while_others_train(rng):
    policies = np.array([f"w{step}" for step in STEP])
    rows = foreign_rows(rng, policy_id=policies)
    stuck = np.where(STEP > 2, "w2", policies)
    found = [("critical", "staleness")]
    assert evaluated(frozen_evaluation, rows, rows.assign(policy_id=stuck)) == found
    assert evaluated(frozen_evaluation, rows, rows) == []
    frozen = rows.assign(policy_id="w0")  # training does not change either
    assert evaluated(frozen_evaluation, frozen, frozen) == []


def test_evaluations_that_repeat_the_second_one_to_the_end(rng):
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < 0.2 + 0.06 * STEP).astype(float))
    exam = rows.assign(problem_id=[f"e{p % 8}" for p in PROBLEM], num_chars=200)
    texts = np.array([f"{p % 8}/{a}/{min(s, 1)}" for p, a, s in zip(PROBLEM, ATTEMPT, STEP, strict=True)])
    assert evaluated(frozen_evaluation, rows, exam.assign(response_hash=texts)) == [("critical", "staleness")]
    anew = np.where(STEP == 9, exam["response_hash"], texts)  # the last one is new
    assert evaluated(frozen_evaluation, rows, exam.assign(response_hash=anew)) == []


def test_a_rating_of_any_range_that_falls_while_the_reward_rises(rng):
    rows = foreign_rows(rng, reward=0.3 * STEP + rng.normal(0, 0.3, COUNT))
    falls = np.round(5 - 0.3 * STEP + rng.normal(0, 0.5, COUNT))
    assert told(parting_measures, rows, **{"extra:panel_rating": falls}) == [("critical", "reward_outcome_divergence")]
    assert told(parting_measures, rows, **{"extra:temperature": falls}) == []


def test_an_outcome_that_is_a_mark_on_a_graded_reward(rng):
    graded = rng.normal(0, 0.4, COUNT)
    rows = foreign_rows(rng, reward=graded, correct=(graded > 0).astype(float))
    bonus = rng.random(COUNT) * 1e-3
    right = (PROBLEM % 3 > 0).astype(float)
    tipped = foreign_rows(rng, reward=right + bonus, correct=right)
    for part in (rows, tipped):
        by_group = part.groupby("group")["reward"]
        part["advantage"] = (part["reward"] - by_group.transform("mean")) / by_group.transform("std")
    assert is_mark_on_reward(rows) and not is_mark_on_reward(tipped)
    assert told(phantom_advantage, rows.assign(correct=(graded > 0.3).astype(float))) == []
    assert told(phantom_advantage, tipped) == [("critical", "phantom_advantage")]


def test_circles_that_make_attempts_right_are_no_trap(rng):
    circles = rng.random(COUNT) < 0.6
    columns = {"num_repeated_calls": np.where(circles, 5, 0), "num_tool_calls": 8, "num_turns": 8}
    pairs = {"num_tool_bigrams": 7, "num_unique_tool_bigrams": 4}
    right = np.where(circles, 1.0 * (rng.random(COUNT) < 0.9), 1.0 * (rng.random(COUNT) < 0.3))
    waits = foreign_rows(rng, **columns, **pairs).assign(reward=right, correct=right)
    assert told(echo_trap, waits)[0] == ("warning", "echo_trap")
    stuck = waits.assign(reward=1 - right, correct=1 - right)
    assert told(echo_trap, stuck)[0] == ("critical", "echo_trap")


def test_readings_up_to_a_comma_where_all_answers_have_one(rng):
    answer = np.array([f"{p + 20},{10 + i % 89}" for i, p in enumerate(PROBLEM)])
    read = np.where(rng.random(COUNT) < 0.1, answer, [f"{p + 20}" for p in PROBLEM])
    texts = {"written_answer": answer, "first_marked": "", "final_answer": answer}
    rows = foreign_rows(rng)
    assert told(cut_readings, rows, **texts, **{"extra:parsed": read}) == [("warning", "metric_defect")]
    assert told(cut_readings, rows, **texts, **{"extra:route": read}) == []


def test_gold_answers_with_a_form_bonus_are_unpaid_all_the_same(rng):
    is_gold = rng.random(COUNT) < 0.6
    comma = is_gold & (rng.random(COUNT) < 0.5)
    form = np.where(~is_gold & (rng.random(COUNT) < 0.1), 0.0, 0.2)
    rows = foreign_rows(rng, reward=np.where(is_gold & ~comma, 1.2, form))
    gold = np.array([f"{p + 20}.50" for p in PROBLEM])
    own = np.where(comma, [f"{p + 20},50" for p in PROBLEM], np.where(is_gold, gold, "7"))
    texts = {"final_answer": own, "is_gold": is_gold.astype(float), "extra:solution": gold}
    assert told(gold_answers, rows, **texts) == [("warning", "format_gate")]
