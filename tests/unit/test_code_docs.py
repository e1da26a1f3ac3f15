"""The page about code: its examples may train, and its tables are those of the code."""

import re
from pathlib import Path

import pytest

from evotrainer.algorithm.code.examination import examine
from evotrainer.algorithm.code.rows import PROBLEM_FIELDS, TRAJECTORY_FIELDS
from evotrainer.config import Config
from evotrainer.config.code import CODE_KEYS, key_of
from evotrainer.config.written import read_written
from tests.code_sources import groups, problems

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "interventions.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.split("(")[0])
def test_an_example_may_train(text):
    assert examine(key_of(text), text, Config(), groups(), problems()).refusals == []


def test_each_key_is_shown_with_its_function():
    assert dict(re.findall(r"^\| `([a-z_.]+)` \| `(\w+)\(", PAGE, re.MULTILINE)) == CODE_KEYS


def test_each_field_of_the_code_is_named():
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert set(TRAJECTORY_FIELDS | PROBLEM_FIELDS) <= named


def test_the_shipped_example_may_train():
    written = read_written(ROOT / "conf" / "intervention" / "brief_answers.yaml")
    ((key, value),) = written.setting.items()
    assert examine(key, written.files[value], Config(), groups(), problems()).refusals == []
