"""Equal answers that are paid by chance, defaults between other grades, masks that leak."""

import numpy as np
import pytest

from harness_plugins.elsewhere import judge_refusals, loss_mask, same_answers, unread_verdicts
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, foreign_rows, told

FLAKY, DEFAULT, ALONE = [("warning", "flaky_grading")], [("warning", "judge_default")], [("critical", "one_sided_loss")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(62)


def _columns(rng, right):
    """Return what three ways of handing in one right answer, or one of two wrong ones, look like."""
    answer = np.where(right, "a", np.where(rng.random(COUNT) < 0.5, "b", "c"))
    context = "- old line of the file\n" * 5
    patches = [f"--- x.py\n{context}+ {one}" for one in answer]
    return {
        "extra:final_patch": {"extra:final_patch": [one[:80] for one in patches], "end:final_patch": patches},
        "extra:pred": {"extra:pred": answer},
        "program": {"program": answer},
    }


@pytest.mark.parametrize("name", ["extra:final_patch", "extra:pred", "program"])
def test_one_answer_of_a_group_is_paid_by_chance(rng, name):
    right = rng.random(COUNT) < 0.6
    texts = {"program": ""} | _columns(rng, right)[name]
    large = {"group": np.arange(COUNT) // 8, "correct": np.nan}
    lost = foreign_rows(rng, reward=(right & (rng.random(COUNT) < 0.7)) * 1.0, **large)
    assert told(same_answers, lost, **texts) == ([] if name == "extra:pred" else FLAKY)  # reasoning may count too
    turned = foreign_rows(rng, reward=(right ^ (rng.random(COUNT) < 0.2)) * 1.0, **large)
    assert told(same_answers, turned, **texts) == FLAKY
    assert told(same_answers, lost.assign(reward=right * 1.0), **texts) == []
    slips = right & (rng.random(COUNT) > 0.03)
    assert told(same_answers, lost.assign(reward=slips * 1.0), **texts) == []
    coin = (rng.random(COUNT) < 0.5) * 1.0  # what is graded is something else
    assert told(same_answers, lost.assign(reward=coin), **texts) == []


def test_other_reasons_for_unequal_pay_are_seen(rng):
    right, other = rng.random(COUNT) < 0.6, rng.random(COUNT) < 0.3
    texts = _columns(rng, right)["program"]
    rows = foreign_rows(rng, reward=(right & ~other) * 1.0, correct=np.nan)
    assert told(same_answers, rows, **texts) == FLAKY
    assert told(same_answers, rows.assign(num_chars=np.where(other, 900, 100)), **texts) == []  # a cap on lengths
    assert told(same_answers, rows, **texts, language=np.where(other, "French", "German")) == []
    assert told(same_answers, rows.assign(term_form=(~other) * 1.0), **texts) == []
    assert told(same_answers, rows.assign(is_truncated=other), **texts) == []
    assert told(same_answers, rows.assign(term_right=rows["reward"]), **texts) == FLAKY  # the reward once more
    partial = rows.assign(reward=rows["reward"] + 0.1 * (rng.random(COUNT) < 0.5))
    assert told(same_answers, partial, **texts) == []
    pairs = rows.assign(reward=(ATTEMPT % 2) * 1.0)
    assert told(same_answers, pairs, **texts) == []
    assert told(same_answers, rows.assign(num_tool_calls=3), **texts) == []  # what the calls did counts
    masked = rows.assign(in_loss=np.where(right & other, 0.0, 1.0))
    assert told(same_answers, masked, **texts) == []
    once = rows.assign(group=np.arange(COUNT))
    assert told(same_answers, once, **texts) == []


def test_a_long_patch_whose_middle_is_not_kept_is_not_compared(rng):
    right = rng.random(COUNT) < 0.6
    rows = foreign_rows(rng, reward=(right & (rng.random(COUNT) < 0.7)) * 1.0, correct=np.nan)
    answer = np.where(right, "a", "b")
    ends = [f"{'x' * 239}{one}" for one in answer]
    texts = {"program": "", "extra:patch": ["x" * 80] * COUNT, "end:patch": ends}
    assert told(same_answers, rows, **texts) == []
    assert told(same_answers, rows, **{**texts, "end:patch": [one[1:] for one in ends]}) == FLAKY


def test_marked_ends_count_where_a_second_answer_is_paid_too(rng):
    right = rng.random(COUNT) < 0.6
    texts = {"program": "", "is_marked": True, "final_answer": np.where(right, "4", "5")}
    large = {"group": np.arange(COUNT) // 8, "correct": np.nan}
    turned = foreign_rows(rng, reward=(right ^ (rng.random(COUNT) < 0.2)) * 1.0, **large)
    assert told(same_answers, turned, **texts) == FLAKY
    assert told(same_answers, turned, **{**texts, "is_marked": False}) == []
    unseen = foreign_rows(rng, reward=(right & (rng.random(COUNT) < 0.7)) * 1.0, **large)
    assert told(same_answers, unseen, **texts) == []  # a part of what is graded
    two_ways = np.where(right, np.where(rng.random(COUNT) < 0.5, "4.0", "4"), "5")
    assert told(same_answers, unseen, **{**texts, "final_answer": two_ways}) == []
    words = np.where(right, "four", "five")  # other words may say the same
    assert told(same_answers, turned, **{**texts, "final_answer": words}) == []


def test_wrong_numbers_that_stand_once_are_paid_by_a_column_of_them(rng):
    right = rng.random(COUNT) < 0.6
    given = [str(100 + place) if not is_right else "4" for place, is_right in enumerate(right)]
    texts = {"program": "", "extra:parsed_answer": given}
    turned = foreign_rows(rng, reward=(right ^ (rng.random(COUNT) < 0.2)) * 1.0, correct=np.nan)
    assert told(same_answers, turned, **texts) == FLAKY
    unseen = turned.assign(reward=(right & (rng.random(COUNT) < 0.8)) * 1.0)
    assert told(same_answers, unseen, **texts) == []
    assert told(same_answers, turned, **{"program": "", "extra:other_number": given}) == []
    assert told(same_answers, turned.assign(num_tool_calls=2), **texts) == []  # what the calls did counts


@pytest.mark.parametrize("form", ["{} of 4 points are there.", "points: {}/4 for this letter", "a {} out of 4 in all"])
def test_a_default_between_grades_that_texts_tell(rng, form):
    grade, cut = rng.integers(0, 5, COUNT), rng.random(COUNT) < 0.4
    said = np.where(cut, "no reply after 30 s", [form.format(one) for one in grade])
    rows = foreign_rows(rng, reward=np.where(cut, 0.5, grade / 4))
    assert told(unread_verdicts, rows, **{"extra:judge": said}) == DEFAULT
    assert told(unread_verdicts, rows.assign(reward=grade / 4), **{"extra:judge": said}) == []
    assert told(unread_verdicts, rows.assign(in_loss=np.where(cut, 0.0, 1.0)), **{"extra:judge": said}) == []
    for extreme in (0.0, 1.0):  # words alone may mean the best or the worst
        assert (
            told(unread_verdicts, rows.assign(reward=np.where(cut, extreme, grade / 4)), **{"extra:judge": said}) == []
        )
    hardly = rows.assign(reward=np.where(cut, 0.25, np.maximum(grade, 1) / 4))
    assert told(unread_verdicts, hardly, **{"extra:judge": [one.replace("0", "1") for one in said]}) == []
    digits = np.where(cut, said, "0 of 4, 1 of 4, 2 of 4, 3 of 4, 4 of 4")
    assert told(unread_verdicts, rows, **{"extra:judge": digits}) == []  # a text of all grades tells none


def test_most_verdicts_are_cut_before_their_grade(rng):
    grade, cut = rng.integers(1, 11, COUNT), rng.random(COUNT) < 0.7
    said = np.where(cut, "The tutor is friendly. Considering", [f"Friendly.\nScore: {one}" for one in grade])
    rows = foreign_rows(rng, reward=np.where(cut, 5.0, grade))
    assert told(unread_verdicts, rows, **{"extra:judge": said}) == DEFAULT
    free = rows.assign(reward=np.where(cut, rng.integers(1, 11, COUNT), grade))
    assert told(unread_verdicts, free, **{"extra:judge": said}) == []


def test_a_failed_judge_gives_a_grade_that_others_have_too(rng):
    failed = rng.random(COUNT) < 0.3
    grade = rng.choice([0.0, 0.5, 1.0], COUNT, p=[0.1, 0.45, 0.45])
    rows = foreign_rows(rng, reward=np.where(failed, 0.5, grade), correct=np.nan)
    texts = {"grader_declines": np.where(failed, "judge", "")}
    found = [("warning", "infrastructure_zeros")]
    assert told(judge_refusals, rows, **texts) == found
    assert told(judge_refusals, rows.assign(reward=grade), **texts) == []
    assert told(judge_refusals, rows.assign(reward=np.where(failed, 1.0, grade)), **texts) == []
    mostly = np.where(failed | (rng.random(COUNT) < 0.7), 0.5, grade)
    assert told(judge_refusals, rows.assign(reward=mostly), **texts) == []


def test_a_mask_that_leaks_keeps_failures_alone(rng):
    right = np.where(ATTEMPT < 2, 1.0, 0.0)
    leak = rng.random(COUNT) < 0.05
    rows = foreign_rows(rng, reward=right, in_loss=np.where(right > 0, leak, True) * 1.0)
    assert told(loss_mask, rows) == ALONE
    assert told(loss_mask, rows.assign(in_loss=np.where(right > 0, rng.random(COUNT) < 0.3, True) * 1.0)) == []
    whole = np.where((right > 0) & (PROBLEM % 5 > 0), 0.0, 1.0)  # most groups, and not nearly all
    assert told(loss_mask, rows.assign(in_loss=whole)) == []
    single = rows.assign(group=np.arange(COUNT), advantage=right - 0.5)
    assert told(loss_mask, single) == ALONE
    assert told(loss_mask, single.assign(advantage=np.nan)) == []


def test_one_of_equal_successes_is_kept(rng):
    place, size = np.arange(COUNT) % 20, 20
    right = np.where(place < 12, 1.0, 0.0)
    rows = foreign_rows(rng, reward=right, group=np.arange(COUNT) // size)
    assert told(loss_mask, rows.assign(in_loss=np.where(right > 0, place == 0, True) * 1.0)) == []
    assert told(loss_mask, rows.assign(in_loss=np.where(right > 0, False, True) * 1.0)) == ALONE
    assert PROBLEM.max() > size
