"""What is healthy stays silent: whole campaigns, rows of unknown making, other shapes, a handful of rows.

On how many of hundreds it is not is measured by `python -m benchmarks failure-modes`.
"""

import pytest

from evotrainer.config import Config
from tests.evidence_rows import healthy_rows, trained_rows
from tests.examination import base_harness, examine, modes

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def harness():
    return base_harness()


@pytest.mark.parametrize("seed", range(4))
def test_healthy_evidence_of_a_campaign_is_silent(harness, seed):
    training, signals = trained_rows(seed)
    validation = healthy_rows(seed + 500, split="validation", num_groups=100)
    assert not examine(harness, healthy_rows(seed, num_groups=48), training, signals, validation, Config()).findings


@pytest.mark.parametrize("seed", range(4))
def test_healthy_rows_of_unknown_making_are_silent(harness, seed):
    training, _ = trained_rows(seed + 100, improvement=0.0)
    assert not examine(harness, training, training).findings


@pytest.mark.parametrize("ease", [(5.0, 2.0), (2.0, 5.0), (4.0, 4.0)])
@pytest.mark.parametrize("group_size", [4, 16])
def test_healthy_rows_of_other_shapes_are_silent(harness, ease, group_size):
    for seed in range(2):
        rows = healthy_rows(seed, ease=ease, group_size=group_size, num_groups=40)
        assert modes(examine(harness, rows)) <= ({"dead_groups"} if group_size == 4 else set())


@pytest.mark.parametrize("num_groups", [1, 2, 5])
def test_a_handful_of_rows_never_cries_wolf(harness, num_groups):
    for seed in range(4):
        assert not examine(harness, healthy_rows(seed, num_groups=num_groups, ease=(0.5, 0.5))).findings


def test_no_rows_are_no_claim(harness):
    report = examine(harness)
    assert not report.findings
    assert not report.metrics
