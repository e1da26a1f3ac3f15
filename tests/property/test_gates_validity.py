"""What makes the gates valid: exact expectations on small cases, and error rates in simulated campaigns."""

import itertools

import numpy as np
import pytest
from scipy import stats

from benchmarks.gate_simulation.campaigns import Gate, Versions, run_gates, screening_variance, simulate
from benchmarks.gate_simulation.recipe_campaigns import DEVIATIONS, simulate_recipes
from benchmarks.gate_simulation.score_models import ScoreModel, shifted
from benchmarks.intervals import exact_interval
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion import betting
from evotrainer.promotion.checkpoint import OUTCOMES, open_gate
from evotrainer.promotion.measures import MEASURES
from evotrainer.promotion.recipe import RecipeDesign

STAKES = (0.2, 0.5, 0.9)


def expected_factor(candidate: tuple[float, ...], incumbent: tuple[float, ...], attempts: int, null: float) -> float:
    """Return the exact expectation of one round's factor, over every outcome of every problem and arm."""
    solved = range(attempts + 1)
    total = 0.0
    for outcome in itertools.product(itertools.product(solved, solved), repeat=len(candidate)):
        chance = 1.0
        for (won, lost), p, q in zip(outcome, candidate, incumbent, strict=True):
            chance *= stats.binom.pmf(won, attempts, p) * stats.binom.pmf(lost, attempts, q)
        differences = np.array([(won - lost) / attempts for won, lost in outcome])
        total += chance * np.exp(betting.mixed(betting.log_growth(differences, STAKES, null)))
    return total


@pytest.mark.parametrize(
    ("candidate", "incumbent", "attempts", "null"),
    [
        ((0.5, 0.5), (0.5, 0.5), 2, 0.0),
        ((0.9, 0.1), (0.1, 0.9), 2, 0.0),
        ((1.0, 0.0), (0.0, 1.0), 2, 0.0),
        ((0.9, 0.3, 0.0), (0.5, 0.3, 0.4), 1, 0.0),
        ((0.2, 0.7), (0.6, 0.8), 2, 0.0),
        ((0.4, 0.6), (0.6, 0.6), 2, -0.1),
        ((0.9, 0.6), (0.5, 0.4), 2, 0.3),
    ],
)
def test_the_expected_factor_is_at_most_one_under_any_null(candidate, incumbent, attempts, null) -> None:
    assert np.mean(np.array(candidate) - incumbent) <= null + 1e-12
    assert expected_factor(candidate, incumbent, attempts, null) <= 1 + 1e-12


@pytest.mark.parametrize("jitter", [0.0, 1.0])
def test_null_gates_cross_less_often_than_their_level(jitter: float) -> None:
    gate = Gate(alpha=0.2)
    found = simulate(ScoreModel(0.8, 1.0, 60), Versions("null", 1, jitter=jitter), gate, 2000, np.random.default_rng(3))
    crossed = int(found.promotions.sum())
    assert crossed > 0  # a gate that never opens would pass the next line, too
    assert exact_interval(crossed, 2000, 0.999)[1] < 0.2


def test_the_wealth_itself_keeps_villes_bound_without_the_floor() -> None:
    rng = np.random.default_rng(5)
    chance = rng.beta(0.5, 0.5, (1500, 40))
    other = shifted(chance, np.zeros(1500), rng.normal(0, 1.5, chance.shape))
    differences = (rng.binomial(4, other, (16, *chance.shape)) - rng.binomial(4, chance, (16, *chance.shape))) / 4
    growth = np.cumsum(betting.log_growth(differences, STAKES), axis=0)
    crossed = int((betting.mixed(growth).max(axis=0) >= np.log(10)).sum())
    assert exact_interval(crossed, 1500, 0.999)[1] < 0.1


def test_a_campaign_of_nulls_promotes_within_its_budget_and_twice_the_floor_is_found() -> None:
    model, gate = ScoreModel(1.5, 1.85, 77), Gate(alpha=0.05 / 20)
    null = simulate(model, Versions("null", 20), gate, 400, np.random.default_rng(7))
    assert exact_interval(int((null.promotions > 0).sum()), 400)[1] <= 0.05
    better = simulate(model, Versions("2f", 1, (2.0,)), gate, 400, np.random.default_rng(8))
    assert exact_interval(int(better.promotions.sum()), 400)[0] > 0.8
    assert null.attempts.mean() / 2 < 16


def test_the_confidence_sequence_covers_at_every_round_at_once() -> None:
    rng = np.random.default_rng(9)
    missed = 0
    for _ in range(150):
        chance = rng.beta(1, 1, 50)
        other = shifted(chance[None], np.array([0.05]), rng.normal(0, 0.5, (1, 50)))[0]
        differences = (rng.binomial(4, other, (6, 50)) - rng.binomial(4, chance, (6, 50))) / 4
        low, high = betting.confidence_sequence(differences, (0.3, 0.5, 0.8), 0.2)
        missed += not low <= (other - chance).mean() <= high
    assert exact_interval(missed, 150, 0.999)[0] < 0.2
    assert low > -0.3
    assert high < 0.4


def test_simulated_gates_end_as_real_ones_do() -> None:
    """The benchmark's vectorised gate and step() are two paths to one rule."""
    rng = np.random.default_rng(11)
    model = ScoreModel(1.5, 1.85, 40)
    for change in (-2.0, 0.0, 2.0, 4.0):
        incumbent = model.draw(rng, 6)
        candidate = shifted(incumbent, np.full(6, change * 0.03))
        drawn = {
            True: rng.random((16, 6, 40, 4)) < candidate[..., None],
            False: rng.random((16, 6, 40, 4)) < incumbent[..., None],
        }
        screening = rng.random((6, 40, 8)) < incumbent[..., None]
        outcomes, attempts = vectorised(drawn, screening)
        for index in range(6):
            state = one_by_one(drawn, screening[index], index)
            assert (state.outcome, state.attempts) == (outcomes[index], attempts[index])


def vectorised(drawn, screening):
    found, attempts = run_gates(
        lambda running, number, is_candidate: drawn[is_candidate][number][running].sum(axis=2),
        screening_variance(screening.sum(axis=2)),
        40,
        0.0025,
    )
    return [OUTCOMES[index] for index in found], attempts.tolist()


def one_by_one(drawn, screening, index):
    names = tuple(f"{number:02d}" for number in range(40))
    state = open_gate(ScoreTable(names, screening.astype(float)), 0.0025)
    while state.outcome == "open":
        number = len(state.tables)
        tables = [ScoreTable(names, drawn[arm][number][index].astype(float)) for arm in (True, False)]
        state = state.after(*tables)
    return state


@pytest.mark.parametrize("measure", ["greedy", "pass"])
def test_null_campaigns_by_another_measure_promote_within_their_budget(measure: str) -> None:
    """The real gate, on policies that are equal over problems of their kind, and on one that is better."""
    rng, versions, num_problems = np.random.default_rng(13), 5, 60
    null = [
        any(promotes(measure, rng, 0.0, num_problems, 0.05 / versions) for _ in range(versions)) for _ in range(150)
    ]
    assert exact_interval(sum(null), 150)[1] <= 0.05
    found = [promotes(measure, rng, 0.25, 4 * num_problems, 0.05 / versions) for _ in range(20)]
    assert sum(found) >= 15


def promotes(measure: str, rng: np.random.Generator, gain: float, num_problems: int, alpha: float) -> bool:
    """Return whether a candidate's gate promotes; one whose screening is not above the incumbent's is not tested.

    Of greedy answers the policies differ problem by problem, and whether a problem is solved is drawn once.
    """
    names, how = tuple(f"{number:03d}" for number in range(num_problems)), MEASURES[measure]
    chance = {arm: np.clip(rng.beta(0.8, 1.6, num_problems) + gain * arm, 0, 1) for arm in (False, True)}
    if how.is_greedy:
        chance = {arm: (rng.random(num_problems) < chance[arm]).astype(float) for arm in chance}
    else:
        chance[True] = rng.permutation(chance[False]) if not gain else np.clip(chance[False] + gain / 4, 0, 1)

    def table(arm: bool, attempts: int) -> ScoreTable:
        return how.joined(
            ScoreTable(names, (rng.random((num_problems, attempts)) < chance[arm][:, None]).astype(float))
        )

    attempts = 1 if how.is_greedy else 4
    screening = {arm: table(arm, 2 * attempts) for arm in (True, False)}
    if screening[True].score <= screening[False].score:
        return False
    state = open_gate(screening[False], alpha, measure=measure)
    while state.outcome == "open":
        state = state.after(table(True, attempts), table(False, attempts))
    return state.outcome == "promoted"


@pytest.mark.parametrize("shape", DEVIATIONS)
def test_other_seeds_of_one_recipe_seldom_prove_it_better(shape: str) -> None:
    null = simulate_recipes(DEVIATIONS[shape], 50, 0.0, RecipeDesign(), 1000, np.random.default_rng(1))
    assert exact_interval(int((null.promotions > 0).sum()), 1000)[1] <= 0.05


def test_a_recipe_twice_its_floor_better_is_mostly_proven() -> None:
    better = simulate_recipes(DEVIATIONS["normal"], 1, 2.0, RecipeDesign(), 2000, np.random.default_rng(2))
    assert exact_interval(int(better.promotions.sum()), 2000)[0] > 0.8
