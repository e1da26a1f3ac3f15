"""A person's settings of a bench: any that leave arms, worlds and seeds what their names say."""

import pytest

from benchmarks.coevolution.own_settings import check_own_settings
from benchmarks.coevolution.worlds import ARMS, WORLDS, choose_arms, choose_worlds
from evotrainer.errors import ConfigError


@pytest.mark.parametrize(
    ("world", "own", "key"),
    [
        ("math", "seed=7", "seed"),
        ("math", "search=hillclimb", "evaluate.gate"),
        ("math", "harness=static", "harness."),
        ("math", "trainer.name=rules", "trainer.name"),
        ("math", "domain=code", "domain."),
        ("math", "memory=branch", "memory."),
        ("math", "evaluate.gate=paired", "evaluate.gate"),
        ("math-length_pay", "reward.length_penalty=0", "reward.length_penalty"),
        ("math-hot_rate", "algorithm.learning_rate=1e-4", "algorithm.learning_rate"),
        ("code-weak_tests", "domain.data_path=data/code", "domain.data_path"),
        ("swe-open_history", "domain.access=sanitized_history", "domain.access"),
    ],
)
def test_a_setting_that_undoes_the_bench_is_refused_by_its_name(world: str, own: str, key: str) -> None:
    with pytest.raises(ConfigError, match=f"your settings change {key}"):
        check_own_settings(WORLDS[world], tuple(ARMS), "quick", (own,))


@pytest.mark.parametrize("world", ["math", "math-hot_rate"])
def test_any_other_setting_is_a_persons_own(world: str) -> None:
    own = (
        "num_versions=2",
        "search.candidates_per_generation=1",
        "domain.data_path=data/math",
        "reward.length_penalty=0.1",
        "harness.plugins=[score]",
    )
    check_own_settings(WORLDS[world], tuple(ARMS), "quick", own)


def test_a_name_that_is_given_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="world math is there twice"):
        choose_worlds(["math", "math"])
    with pytest.raises(ConfigError, match="arm static is there twice"):
        choose_arms(["static", "random", "static"])
