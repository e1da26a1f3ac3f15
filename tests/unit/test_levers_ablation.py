"""Retention: what a version loses with access, beside what the base policy loses."""

import numpy as np
import pytest

from evotrainer.campaign.leak_response import stricter_access
from evotrainer.config import DomainConfig
from evotrainer.domains import access_policies
from evotrainer.levers.ablation import DEPENDENT, Pair, Scored, dependence, scored
from evotrainer.records import AccessPolicy
from tests.audited_rows import attempts

STRICT = AccessPolicy(name="strict", strictness=1, answers=[DEPENDENT], wording="without it")
PROBLEMS, ATTEMPTS = 32, 4


def pair(rng: np.random.Generator, given: float, without: float, spread: float = 0.0) -> Pair:
    """Return attempts with and without access at these rates; problems differ in difficulty by `spread`."""
    ease = rng.normal(0, spread, PROBLEMS)

    def counts(rate: float) -> Scored:
        rates = 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + ease)))
        return Scored(rng.binomial(ATTEMPTS, rates).astype(float), np.full(PROBLEMS, ATTEMPTS))

    return counts(given), counts(without)


def alarms(own: tuple[float, float], base: tuple[float, float], runs: int = 400) -> float:
    rng = np.random.default_rng(5)
    found = [dependence("v001", STRICT, pair(rng, *own, 1.0), pair(rng, *base, 1.0)) for _ in range(runs)]
    return sum(map(bool, found)) / runs


def test_a_version_that_lives_on_the_access_is_found():
    assert alarms((0.93, 0.02), (0.25, 0.24)) > 0.95


@pytest.mark.parametrize(
    ("own", "base"),
    [
        ((0.25, 0.24), (0.25, 0.24)),
        ((0.70, 0.68), (0.25, 0.24)),
        ((0.60, 0.12), (0.25, 0.05)),
        ((0.05, 0.05), (0.25, 0.24)),
    ],
    ids=["nothing learned", "a skill that stays", "what all need falls alike", "a run that broke"],
)
def test_healthy_versions_raise_no_alarm_beyond_two_in_a_hundred(own, base):
    assert alarms(own, base) <= 0.02


def test_the_finding_asks_the_campaign_for_the_stricter_access():
    (found,) = dependence(
        "v001", STRICT, pair(np.random.default_rng(0), 0.93, 0.02), pair(np.random.default_rng(1), 0.25, 0.24)
    )
    assert found.severity == "invalid" and found.reads_validation
    assert found.numbers["retention"] < 0.1 < found.numbers["retention_of_base"]
    ladder = access_policies(DomainConfig(name="swe"))
    assert stricter_access(ladder, ladder[0], [found]) == ladder[-1]


def test_counts_are_by_problem_in_the_order_asked_for():
    rows = attempts(lambda text: 0.0, problems=4)
    names = sorted({row.problem_id for row in rows}, reverse=True)
    found = scored(rows, names)
    assert found.total.tolist() == [8, 8, 8, 8]
    assert found.right[0] == sum(row.correct or 0.0 for row in rows if row.problem_id == names[0])
