"""Our intervals and tests against scipy's, and two paths of our own that must agree."""

import numpy as np
import pytest
from scipy import stats

from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion.statistics import mean_interval, noise_floor, wilcoxon_p

DRAWS = {"samples": 10_000, "confidence": 0.95, "seed": 17}


def table(num_problems: int, attempts: int, seed: int, lift: float = 0.0) -> ScoreTable:
    rng = np.random.default_rng(seed)
    chance = np.clip(np.random.default_rng(99).beta(0.8, 1.0, (num_problems, 1)) + lift, 0, 1)
    return ScoreTable(
        tuple(f"{i:04d}" for i in range(num_problems)), (rng.random((num_problems, attempts)) < chance).astype(float)
    )


def test_the_quantiles_are_numpys() -> None:
    values = table(50, 4, 1).means()
    drawn = np.random.default_rng(17).integers(0, 50, (1000, 50))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    ours = mean_interval(values, samples=1000, confidence=0.95, seed=17)
    assert (ours.low, ours.high) == (pytest.approx(low, abs=2e-6), pytest.approx(high, abs=2e-6))


def test_the_interval_does_not_depend_on_how_the_draws_are_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    values = table(90, 8, 5).means()
    whole = mean_interval(values, **DRAWS)
    monkeypatch.setattr("evotrainer.promotion.statistics.BLOCK_CELLS", 1000)
    assert mean_interval(values, **DRAWS) == whole


def test_the_signed_rank_test_is_scipys() -> None:
    differences = np.round(table(60, 8, 1).means() - table(60, 8, 2, 0.1).means(), 12)
    assert wilcoxon_p(differences) == pytest.approx(stats.wilcoxon(differences).pvalue, rel=1e-5)


@pytest.mark.parametrize(
    "differences", [[3.0, -1, 0.5, 0.5, 0], [1, 1, -1, 2, -2, 2.5], [1, -2, 3, 4], [0.25], [1, -1]]
)
def test_few_differences_with_ties_and_zeros_have_scipys_exact_p(differences: list[float]) -> None:
    assert wilcoxon_p(np.array(differences)) == pytest.approx(stats.wilcoxon(differences).pvalue, rel=1e-5)


def test_the_noise_floor_is_the_spread_of_repeated_evaluations() -> None:
    chance = np.random.default_rng(4).beta(0.8, 1.0, (77, 1))
    rng = np.random.default_rng(5)
    names = tuple(f"{i:02d}" for i in range(77))
    runs = [ScoreTable(names, (rng.random((77, 8)) < chance).astype(float)) for _ in range(2000)]
    differences = [one.score - two.score for one, two in zip(runs[::2], runs[1::2], strict=True)]
    estimate = np.mean([noise_floor(run) for run in runs])
    assert estimate == pytest.approx(np.std(differences), rel=0.08)
    assert estimate == pytest.approx(np.sqrt(2 * (chance * (1 - chance)).sum() / 8) / 77, rel=0.02)
