"""Which problems a step draws: order, weights of families, and repeatability."""

from collections import Counter

import pytest

from evotrainer.algorithm.curriculum import ProblemSchedule, full_pass_rates
from evotrainer.config import DataConfig
from evotrainer.errors import ConfigError
from tests.plain_records import plain_problem

PROBLEMS = [
    plain_problem(f"{family}{index}", "x", "1", family=family, difficulty=index / 40)
    for family in ("easy", "mixed", "hard")
    for index in range(40)
]
RATES = {"easy": 0.95, "mixed": 0.5, "hard": 0.1}
PASS_RATES = {problem.problem_id: RATES[problem.family] for problem in PROBLEMS[::4]}


def _families(config: DataConfig, progress: float = 1.0) -> Counter[str]:
    schedule = ProblemSchedule(PROBLEMS, PASS_RATES, config, seed=1)
    return Counter(problem.family for step in range(100) for problem in schedule.draw(step, 12, progress))


def test_draws_repeat_by_step_and_differ_between_steps_and_seeds():
    first, again = (ProblemSchedule(PROBLEMS, PASS_RATES, DataConfig(), seed=1) for _ in range(2))
    other = ProblemSchedule(PROBLEMS, PASS_RATES, DataConfig(), seed=2)
    assert [first.draw(step, 8, 0.0) for step in (3, 1)] == [again.draw(step, 8, 0.5) for step in (3, 1)]
    assert first.draw(0, 8, 0.0) != first.draw(1, 8, 0.0)
    assert first.draw(0, 8, 0.0) != other.draw(0, 8, 0.0)


def test_a_step_never_draws_a_problem_twice():
    schedule = ProblemSchedule(PROBLEMS, {}, DataConfig(mixture="by_signal"), seed=1)
    drawn = [problem for skip in (0, 50, 100) for problem in schedule.draw(5, 50, 0.0, skip=skip)]
    assert sorted(problem.problem_id for problem in drawn) == sorted(problem.problem_id for problem in PROBLEMS)


def test_pass_rates_fall_back_to_family_then_to_all():
    stranger = PROBLEMS[0].model_copy(update={"problem_id": "new", "family": "unseen"})
    rates = full_pass_rates([*PROBLEMS, stranger], {"easy0": 1.0, "easy1": 0.5, "hard0": 0.0})
    assert rates["easy0"] == 1.0 and rates["easy7"] == 0.75 and rates["hard9"] == 0.0
    assert rates["mixed3"] == rates["new"] == 0.5
    assert set(full_pass_rates(PROBLEMS, {}).values()) == {0.5}


@pytest.mark.parametrize("first", ["easy", "hard"])
def test_a_curriculum_begins_with_its_end_and_ends_with_all(first):
    config = DataConfig(curriculum=f"{first}_first")
    assert set(_families(config, 0.0)) == {first}
    assert min(_families(config).values()) > 250


def test_a_band_takes_what_lies_in_it():
    assert set(_families(DataConfig(curriculum="band", band_low=0.2, band_high=0.9))) == {"mixed"}
    with pytest.raises(ConfigError, match="widen the band"):
        _families(DataConfig(curriculum="band", band_low=0.6, band_high=0.7))


def test_mixtures_weigh_families():
    failure, signal = _families(DataConfig(mixture="by_failure")), _families(DataConfig(mixture="by_signal"))
    assert failure["hard"] > failure["mixed"] > failure["easy"] > 0
    assert signal["mixed"] > signal["hard"] > signal["easy"] > 0
    assert signal["mixed"] / signal.total() == pytest.approx(0.25 / (0.25 + 0.09 + 0.0475), abs=0.08)
