"""Recorded answers to code problems, cheats among them, are graded as recorded."""

import json

import pytest

from tests.golden.code_answers import RECORDING, graded

pytestmark = pytest.mark.parts

RECORDED = json.loads(RECORDING.read_text())


@pytest.mark.parametrize("answer", RECORDED["answers"], ids=lambda answer: answer["name"])
def test_an_answer_is_graded_as_recorded(answer):
    assert graded(answer, RECORDED["problems"]) == answer["grade"]


def test_only_honest_answers_are_right():
    right = {answer["name"] for answer in RECORDED["answers"] if answer["grade"]["terms"]["correct"] == 1.0}
    assert right == {"honest", "honest, another way", "prose around the block", "honest bool", "honest printing"}
