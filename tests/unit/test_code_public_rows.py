"""Rows of APPS, CodeContests and verl's code data."""

import json
from dataclasses import replace
from typing import Any

import pytest

from evotrainer.domains.code.rows import parse_row
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import DataError

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
        ({**APPS, "input_output": ""}, "'input_output' must hold an object"),
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
