"""Rows of a person's own code problems, in our form and in those of TACO and LiveCodeBench."""

import base64
import json
import pickle
import zlib
from dataclasses import replace
from typing import Any

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.base import Grade
from evotrainer.domains.code.rows import PRELUDE, parse_row
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import DataError
from evotrainer.records import Message

PLACE = "own.jsonl:7"

OWN = {
    "id": "double",
    "problem": "Write f(x) that doubles x.",
    "function": "f",
    "reference": "def f(x): return 2 * x",
    "visible": [{"input": [2], "output": 4}],
    "hidden": [{"input": [3], "output": 6}, {"input": ["a"], "output": "aa"}],
    "difficulty": 0.25,
    "family": "warm-up",
    "canary": "canary-1",
    "seconds": 1,
}

TACO = {
    "question": "Given n numbers, print their sum.",
    "starter_code": "",
    "difficulty": "MEDIUM_HARD",
    "input_output": json.dumps({"inputs": ["2\n1 2\n", ["1", "5"]], "outputs": ["3\n", ["5"]]}),
    "solutions": json.dumps(["input()\nprint(sum(map(int, input().split())))", "print(3)"]),
    "time_limit": "1.5 seconds",
    "source": "codeforces",
    "tags": "[]",
    "picture_num": None,
}

TACO_FUNCTION = TACO | {
    "input_output": json.dumps({"fn_name": "total", "inputs": [[[1, 2]], [[]]], "outputs": [[3], [0]]}),
    "solutions": json.dumps(["class Solution:\n    def total(self, xs: List[int]): return sum(xs)"]),
    "starter_code": "class Solution:\n    def total(self, xs):",
}

LIVE = {
    "question_title": "Doubling",
    "question_content": "Print twice the number.",
    "platform": "atcoder",
    "question_id": "abc1",
    "contest_id": "abc",
    "contest_date": "2024-01-01T00:00:00",
    "starter_code": "",
    "difficulty": "hard",
    "public_test_cases": json.dumps([{"input": "1\n", "output": "2\n", "testtype": "stdin"}]),
    "private_test_cases": json.dumps([{"input": "4\n", "output": "8\n", "testtype": "stdin"}]),
    "metadata": "{}",
}

LIVE_FUNCTION = LIVE | {
    "starter_code": "class Solution:\n    def join(self, words: List[str], n: int) -> str:\n        ",
    "public_test_cases": [{"input": '["a", "b"]\n2', "output": '"abab"', "testtype": "functional"}],
    "private_test_cases": json.dumps([{"input": '["x"]\n1', "output": '"x"', "testtype": "functional"}]),
    "metadata": json.dumps({"func_name": "join"}),
    "question_id": 3001,
    "platform": "leetcode",
}


def packed(text):
    return base64.b64encode(zlib.compress(text)).decode()


def grade(row, program) -> Grade:
    problem = problem_of(row, "code", "train")
    said = Message(role="assistant", content=f"```python\n{program}\n```")
    return create_grader(DomainConfig(name="code")).grade(problem, [said], "stop")


def test_an_own_row_keeps_its_fields():
    row = parse_row(OWN, PLACE)
    assert (row.row_id, row.family, row.difficulty, row.answer) == ("double", "warm-up", 0.25, "def f(x): return 2 * x")
    assert row.data == {
        "function": "f",
        "visible": [{"input": [2], "outputs": [4]}],
        "hidden": [{"input": [3], "outputs": [6]}, {"input": ["a"], "outputs": ["aa"]}],
        "prelude": "",
        "canary": "canary-1",
        "seconds": 1.0,
    }


def test_an_own_row_needs_no_more_than_its_hidden_tests():
    row = parse_row({"id": 1, "problem": "Say hello.", "hidden": [{"input": "", "output": "hello"}]}, PLACE)
    assert (row.row_id, row.family, row.answer, row.data["function"]) == ("1", "own", "", None)
    assert grade(row, "print('hello')").correct == 1.0


def test_a_taco_row_that_reads_and_prints():
    row = parse_row(TACO, PLACE)
    assert row.problem.startswith("Given n numbers")
    assert "standard input" in row.problem
    assert (row.family, row.difficulty, row.data["seconds"], row.data["function"]) == ("codeforces", 0.5, 1.5, None)
    assert row.data["hidden"][1] == {"input": "1\n5", "outputs": ["5"]}
    assert row.row_id == parse_row(TACO, "elsewhere").row_id
    graded = grade(row, row.answer)
    assert (graded.correct, graded.extra["checks"]["reference_fails"]) == (1.0, 0.0)


def test_a_taco_function_takes_wrapped_and_plain_values():
    row = parse_row(TACO_FUNCTION, PLACE)
    assert row.data["function"] == "Solution.total"
    assert row.data["prelude"] == PRELUDE
    assert "Complete this code" in row.problem
    for program in (row.answer, "def total(xs): return sum(xs)", "def total(xs): return [sum(xs)]"):
        assert grade(row, program).correct == 1.0
    plain = json.dumps({"fn_name": "total", "inputs": [[[1, 2]]], "outputs": [[1, 2]]})
    row = parse_row(TACO | {"input_output": plain}, PLACE)
    assert (row.data["function"], row.data["hidden"][0]["outputs"]) == ("total", [[1, 2]])
    assert "function named total" in row.problem


def test_a_livecodebench_row_that_reads_and_prints():
    row = parse_row(LIVE, PLACE)
    assert (row.row_id, row.family, row.difficulty, row.answer) == ("abc1", "atcoder", 0.75, "")
    assert row.data["visible"] == [{"input": "1\n", "outputs": ["2\n"]}]
    assert grade(row, "print(int(input()) * 2)").correct == 1.0


def test_a_livecodebench_function_reads_one_argument_a_line():
    row = parse_row(LIVE_FUNCTION, PLACE)
    assert (row.row_id, row.data["function"]) == ("3001", "Solution.join")
    assert row.data["visible"] == [{"input": [["a", "b"], 2], "outputs": ["abab"]}]
    method = "class Solution:\n    def join(self, words: List[str], n: int) -> str:\n        return ''.join(words) * n"
    assert grade(row, method).correct == 1.0


def test_packed_private_tests_are_unpacked():
    row = parse_row(LIVE | {"private_test_cases": packed(LIVE["private_test_cases"].encode())}, PLACE)
    assert row.data["hidden"] == [{"input": "4\n", "outputs": ["8\n"]}]


class Bomb:
    def __reduce__(self):
        return (print, ("unpickled",))


@pytest.mark.parametrize("value", [Bomb(), "[]", json.dumps([{"input": "", "output": ""}])])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_and_never_read(value, protocol, capsys):
    reason = "packed with pickle" if protocol >= 2 else "not JSON"  # the oldest ones have no mark
    with pytest.raises(DataError, match=rf"own\.jsonl:7: 'private_test_cases' is {reason}"):
        parse_row(LIVE | {"private_test_cases": packed(pickle.dumps(value, protocol))}, PLACE)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (OWN | {"hidden": []}, "'hidden' is missing or empty"),
        (OWN | {"hidden": "x"}, "'hidden' must be a list of tests"),
        (OWN | {"hidden": [{"input": [1]}]}, "a test of 'hidden' needs input and output alone, found input"),
        (OWN | {"hidden": [{"input": "1", "output": 2}]}, "must be a list of arguments for 'f'"),
        (OWN | {"function": None}, "must be texts, since no function is named"),
        (OWN | {"function": 7}, "'function' must be the name of a function"),
        (OWN | {"function": "f; import os"}, "'function' must be the name of a function"),
        (OWN | {"function": "class"}, "'function' must be the name of a function"),
        (TACO | {"time_limit": "soon"}, "a time limit must be seconds above 0"),
        (TACO | {"time_limit": -3}, "a time limit must be seconds above 0"),
        (
            TACO | {"input_output": '{"inputs": ["\\ud800"], "outputs": ["1"]}'},
            "'input_output' cannot be used .*surrogates",
        ),
        (TACO | {"input_output": '{"inputs": [' + "9" * 5000 + "]}"}, "'input_output' cannot be used .*digits"),
        (OWN | {"seconds": 0}, "a time limit must be seconds above 0"),
        (TACO | {"input_output": "{"}, "'input_output' is not JSON"),
        (TACO | {"input_output": "{}"}, "needs inputs and outputs"),
        (TACO | {"input_output": '{"inputs": ["1"], "outputs": []}'}, "two lists of one length"),
        (TACO | {"difficulty": "IMPOSSIBLE"}, "one of easy, medium"),
        (TACO | {"solutions": "{}"}, "'solutions' must hold a list of programs"),
        (LIVE | {"private_test_cases": "%%%"}, "neither JSON nor base64 of zlib of JSON"),
        (LIVE | {"private_test_cases": packed(b"{")}, "'private_test_cases' is not JSON"),
        (LIVE | {"private_test_cases": "[]"}, "'hidden' is missing or empty"),
        (LIVE | {"private_test_cases": '[{"input": ""}]'}, "each with input and output"),
        (LIVE | {"metadata": '{"func_name": "f"}'}, "has a stdin test, and metadata.func_name is 'f'"),
        (LIVE_FUNCTION | {"public_test_cases": [{"input": "a", "output": "1"}]}, "'public_test_cases' is not JSON"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(row, message):
    with pytest.raises(DataError, match=message) as caught:
        parse_row(row, PLACE)
    assert str(caught.value).startswith("own.jsonl:7: ")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [("1.5 seconds", 1.5), ("0.5 - 1 seconds", 1), ("3", 3), (2, 2), (None, 2), ("", 2), ("0.01 s", 0.1), ("90 s", 60)],
)
def test_a_time_limit_of_taco_is_read_as_it_is_published(limit, seconds):
    assert parse_row(TACO | {"time_limit": limit}, PLACE).data["seconds"] == seconds


def test_unpacked_tests_have_a_limit(monkeypatch):
    monkeypatch.setattr("evotrainer.domains.code.rows.MAX_TEXT_BYTES", 1000)
    with pytest.raises(DataError, match="over 1000 bytes unpacked"):
        parse_row(LIVE | {"private_test_cases": packed(b"[" + b" " * 10_000 + b"]")}, PLACE)


APPS = {
    "problem_id": 17,
    "question": "Print the sum.",
    "solutions": json.dumps(["print(sum(map(int, input().split())))"]),
    "input_output": json.dumps({"inputs": ["1 2\n"], "outputs": ["3\n"]}),
    "difficulty": "interview",
    "url": "https://example.org/17",
    "starter_code": "",
}
CODECONTESTS = {
    "name": "1575_A. Another Sorting Problem",
    "description": "Sort the strings.",
    "public_tests": {"input": ["1\na\n"], "output": ["1\n"]},
    "private_tests": {"input": [], "output": []},
    "generated_tests": {"input": ["2\nb\na\n"], "output": ["2 1\n"]},
    "source": 2,
    "difficulty": 7,
    "cf_rating": 1100,
    "solutions": {"language": [2, 3], "solution": ["int main() {}", "print(1)"]},
    "time_limit": {"seconds": 1, "nanos": 500000000},
    "input_file": "",
    "output_file": "",
}
TESTS = {"inputs": ["1 2"], "outputs": ["3"]}
VERL = {
    "data_source": "apps",
    "prompt": [{"role": "user", "content": "Print the sum."}],
    "reward_model": {"style": "rule", "ground_truth": json.dumps(TESTS)},
}


def test_a_row_of_apps():
    row = parse_row(APPS, "f:1")
    assert (row.row_id, row.difficulty, row.family) == ("17", 0.5, "taco")
    assert row.data["hidden"] == [{"input": "1 2\n", "outputs": ["3\n"]}]
    assert row.answer.startswith("print(sum")


def test_a_row_of_code_contests():
    row = parse_row(CODECONTESTS, "f:1")
    assert (row.row_id, row.family) == (CODECONTESTS["name"], "codeforces")
    assert row.difficulty == pytest.approx(1100 / 3500)
    assert row.data["visible"] == [{"input": "1\na\n", "outputs": ["1\n"]}]
    assert row.data["hidden"] == [{"input": "2\nb\na\n", "outputs": ["2 1\n"]}]
    assert (row.answer, row.data["seconds"]) == ("print(1)", 1.5)


def test_a_row_of_verl_is_that_of_its_tests():
    def bare(row: Row) -> Row:
        return replace(row, family="", row_id="", answer="", difficulty=0.0)

    made = parse_row(VERL, "f:1")
    assert made.family == "apps"
    assert bare(made) == bare(parse_row({**APPS, "input_output": TESTS}, "f:1"))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({**APPS, "input_output": ""}, "'input_output' needs inputs and outputs"),
        ({**CODECONTESTS, "input_file": "in.txt"}, "'input_file' names a file"),
        ({**CODECONTESTS, "generated_tests": None}, "a problem needs hidden tests"),
        ({**CODECONTESTS, "public_tests": {"input": ["1"], "output": []}}, "two lists of one length"),
        ({**VERL, "reward_model": {}}, "'reward_model' must hold ground_truth"),
        ({"text": "p"}, "has the keys text: wanted are id, problem and hidden, .* --map question=KEY"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused(values: dict[str, Any], message: str):
    with pytest.raises(DataError, match=f"^f:1: .*{message}"):
        parse_row(values, "f:1")
