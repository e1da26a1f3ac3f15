"""The recipe gate, the winner's-curse correction, and score models."""

import numpy as np
import pytest
from scipy import stats

from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion.recipe import RecipeDesign, RecipeGate, recipe_floor
from evotrainer.promotion.statistics import winners_curse
from evotrainer.records import RecipeClaim
from tests.recipe_seeds import seed_runs

SEEDS = (0.50, 0.51, 0.49, 0.52, 0.50, 0.48, 0.51, 0.49)
DESIGN = RecipeDesign()


def gate(scores=(), reference=SEEDS, design: RecipeDesign = DESIGN) -> RecipeGate:
    return RecipeGate(design, seed_runs(reference), seed_runs(scores))


def claimed(scores, reference=SEEDS, design: RecipeDesign = DESIGN) -> RecipeClaim:
    return gate(scores, reference, design).claim("v001", 0.6, 50, 8, 0.95)


def test_a_better_recipe_is_proven_by_scipys_t_test() -> None:
    better = [0.56, 0.57, 0.55, 0.58, 0.56, 0.57]
    claim = claimed(better)
    assert claim.outcome == "proven"
    assert claim.minimum == 0.55
    assert claim.p_value == pytest.approx(stats.ttest_ind(better, SEEDS, alternative="greater").pvalue, abs=1e-9)
    interval = stats.ttest_ind(better, SEEDS).confidence_interval(0.95)
    assert (claim.low, claim.high) == pytest.approx((interval.low, interval.high))


def test_one_lucky_seed_proves_nothing() -> None:
    claim = claimed([0.56, 0.53, 0.50, 0.51, 0.52, 0.50])
    assert (claim.outcome, claim.minimum) == ("unproven", 0.50)


def test_seeds_without_any_spread_have_a_stated_answer() -> None:
    same = (0.5,) * 8
    assert gate([0.6] * 6, same).outcome == "proven"
    equal = claimed([0.5] * 6, same)
    assert (equal.outcome, equal.p_value, equal.low, equal.high) == ("unproven", 1.0, 0.0, 0.0)


def test_a_few_seeds_that_came_out_alike_do_not_hide_the_noise_of_an_evaluation():
    """A base policy that never solves a problem, two seeds that solve one attempt each: no proof without a spread."""
    design = RecipeDesign(alpha=0.01, candidate_seeds=2, incumbent_seeds=3, min_difference=1 / 1920, is_pooled=False)
    claim = claimed([1 / 1920] * 2, [0.0] * 3, design)
    assert claim.outcome == "unproven" and claim.p_value is not None and claim.p_value > 0.1
    assert claim.low is not None and claim.high is not None and claim.low < 0.0 < claim.high
    assert gate([0.2] * 2, [0.0] * 3, design).outcome == "proven"


def test_without_a_fresh_seed_nothing_is_claimed() -> None:
    assert gate().outcome == "open"
    for reference in (SEEDS[:2], ()):
        claim = claimed((), reference)
        assert (claim.outcome, claim.difference, claim.p_value) == ("unproven", None, None)


def test_the_screen_asks_for_half_a_recipe_floor() -> None:
    found = gate(reference=[0.5 + score - np.mean(SEEDS) for score in SEEDS])
    assert found.seed_spread == pytest.approx(np.std(SEEDS, ddof=1))
    half = 0.5 * recipe_floor(found.seed_spread)
    assert found.passes_screen(0.5 + 1.01 * half)
    assert not found.passes_screen(0.5 + 0.99 * half)


def table(means: np.ndarray, attempts: int = 8, seed: int = 0) -> ScoreTable:
    drawn = np.random.default_rng(seed).random((len(means), attempts)) < means[:, None]
    return ScoreTable(tuple(f"{i:04d}" for i in range(len(means))), drawn.astype(float))


def test_the_best_of_eight_loses_what_luck_had_added() -> None:
    chance = np.random.default_rng(2).beta(1.5, 1.85, 100)
    corrections = []
    for run in range(40):
        screenings = [table(chance, seed=100 * run + i) for i in range(8)]
        best = max(screenings, key=lambda screening: screening.score)
        corrections.append(winners_curse(best, table(chance, seed=100 * run + 50)))
    mean = np.mean([found.correction for found in corrections])
    error = np.mean([found.standard_error for found in corrections])
    # The expected maximum of 8 normal scores is 1.42 of their SD; the correction's error holds two evaluations' noise.
    assert mean == pytest.approx(1.42 * error / np.sqrt(2), rel=0.35)
    with pytest.raises(EvidenceError, match="in one evaluation only"):
        winners_curse(table(chance), table(chance[:-1]))
