"""Held prompts beside training prompts: what makes two of them one problem, and how loud that is."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.texts.prompts import training_twins
from harness_plugins.elsewhere import prompts


def _choice(number: int, shift: int = 0) -> str:
    rng = np.random.default_rng(number + shift)
    planets = rng.permutation(["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"])[:5]
    kind = ["is the largest", "takes the longest for one orbit", "is the warmest"][rng.integers(0, 3)]
    return f"Question {number}: which of these {kind}?\n" + "\n".join(planets)


def test_two_splits_that_number_their_questions_alike_share_none():
    trained, held = {f"t{i}": _choice(i) for i in range(60)}, {f"h{i}": _choice(i, 1000) for i in range(60)}
    assert len(training_twins(trained, held)) <= 1
    assert training_twins(trained, {"h": _choice(7)}) == {"h": ("t7", True)}


def test_an_identifier_that_holds_the_number_of_another_is_another():
    asked = "Payload {} was rejected. Read the job log in your workspace and give the verdict."
    trained = {f"t{i}": asked.format(300 + i) for i in range(40)}
    assert training_twins(trained, {f"h{i}": asked.format(f"{300 + i}h") for i in range(16)}) == {}
    again = {f"h{i}": "Now: " + asked.format(300 + i) for i in range(16)}
    assert len(training_twins(trained, again)) == 16


@pytest.mark.parametrize(("count", "severity"), [(4, "warning"), (20, "critical")])
def test_a_few_reworded_problems_are_no_reason_to_stop(count, severity):
    rows = pd.DataFrame({"trajectory_id": [f"h{i}" for i in range(40)], "problem_id": [f"p{i}" for i in range(40)]})
    twins = [f"t{i}" if i < count else "" for i in range(40)]
    texts = pd.DataFrame(
        {"twin": twins, "is_same_text": False, "given_away": "", "telltale": ""}, index=rows["trajectory_id"]
    )
    rows = rows.assign(split="validation", reward=1.0, correct=1.0, error=None)
    report = prompts.diagnose(Context("v", rows.head(0), rows.head(0), rows, pd.DataFrame(), texts=texts))
    assert [(found.severity, found.mode) for found in report.findings] == [(severity, "contamination")]
