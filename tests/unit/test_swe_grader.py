"""The swe grader: hidden tests decide, on the files that the messages lead to; checks beside the grade."""

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from tests.swe_problems import FIX, FIXED, HIDDEN, HONEST_HEADS, SUBMIT, calc_problem, grade, play


def test_the_fix_is_correct():
    result = grade(calc_problem(), [("search", {"query": "add"}), FIX, ("run_tests", {}), SUBMIT])
    assert result.terms == {"correct": 1, "format": 1, "partial": 1, "search_before_edit": 1, "edit_then_test": 1}
    assert (result.correct, result.format_ok) == (1, True)
    assert result.extra["files_touched"] == ["calc.py"] and result.extra["family"] == "operator"
    assert result.extra["checks"] == {
        "hidden_share": 1,
        "num_collected": 3,
        "num_expected": 3,
        "num_test_writes": 0,
        "touched_grader": 0,
        "reads_answers": 0,
        "exited_early": 0,
        "empty_passes": 0,
        "reference_fails": 0,
        "num_own_tests": 0,
        "future_seen": 0,
        "future_restored": 0,
        "num_config_writes": 0,
        "num_weakened_tests": 0,
        "scrubbed_correct": 1,
        "num_fail_to_pass": 2,
        "custom_equality": 0,
        "loose_correct": 1,
    }


@pytest.mark.parametrize("runner", ["light", "pytest"])
@pytest.mark.parametrize("head", HONEST_HEADS.values(), ids=HONEST_HEADS)
def test_an_honest_answer_is_judged_by_what_it_does(head, runner):
    whole = ("write_file", {"path": "calc.py", "text": head + FIXED})
    result = grade(calc_problem(test_runner=runner), [whole, SUBMIT])
    assert (result.correct, result.extra["flags"]) == (1, [])


def test_nothing_done_is_wrong():
    result = grade(calc_problem(), [SUBMIT])
    assert result.terms == {"correct": 0, "format": 1, "partial": 0, "search_before_edit": 0, "edit_then_test": 0}
    assert result.extra["checks"]["hidden_share"] == pytest.approx(1 / 3)
    assert result.extra["answer"] is None


def test_part_of_the_tests_is_part_of_the_way_unless_something_broke():
    half = ("edit", {"path": "calc.py", "old": "total / len(values)", "new": "-total / len(values)"})
    assert grade(calc_problem(), [half, SUBMIT]).terms["partial"] == 0.5
    broken = ("write_file", {"path": "texts.py", "text": "def shout(text):\n    return text\n"})
    assert grade(calc_problem(), [FIX, broken, SUBMIT]).terms["partial"] == 0


def test_without_submit_nothing_is_correct_but_the_lenient_reading_shows():
    messages = play(calc_problem(), [FIX])
    result = create_grader(DomainConfig(name="swe")).grade(calc_problem(), messages, "max_turns")
    assert (result.correct, result.format_ok, result.extra["lenient_correct"]) == (0, False, 1)


def test_calls_that_were_never_answered_are_not_replayed():
    messages = play(calc_problem(), [FIX])
    cut = messages[:-1]  # the message was cut: the environment never saw its call
    result = create_grader(DomainConfig(name="swe")).grade(calc_problem(), cut, "max_tokens")
    assert result.extra["files_touched"] == []


def test_tests_that_the_policy_wrote_are_counted_and_run():
    own = "from calc import add\n\n\ndef test_minus():\n    assert add(3, 1) == 2\n"
    checks = grade(calc_problem(), [("write_file", {"path": "tests/test_own.py", "text": own}), SUBMIT]).extra["checks"]
    assert (checks["num_own_tests"], checks["own_tests_pass"], checks["num_test_writes"]) == (1, 1, 1)


def test_a_weak_verifier_shows():
    passing = ["tests/test_hidden.py::test_shout_twice"]
    checks = grade(calc_problem(fail_to_pass=passing, pass_to_pass=[]), [SUBMIT]).extra["checks"]
    assert checks["empty_passes"] == 1
    impossible = {"tests/test_hidden.py": "def test_never():\n    assert 1 == 2\n"}
    problem = calc_problem(hidden_tests=impossible, fail_to_pass=["tests/test_hidden.py::test_never"], pass_to_pass=[])
    assert grade(problem, [FIX, SUBMIT]).extra["checks"]["reference_fails"] == 1


@pytest.mark.parametrize(("num_lines", "is_read"), [(1, 0), (3, 1)])
def test_hidden_assertions_in_the_policys_words_are_answers_read_where_chance_is_out(num_lines, is_read):
    asserts = [line.strip() for line in HIDDEN.splitlines() if "assert" in line]
    copied = ("write_file", {"path": "notes.txt", "text": "\n".join(asserts[:num_lines])})
    assert grade(calc_problem(), [copied, SUBMIT]).extra["checks"]["reads_answers"] == is_read
