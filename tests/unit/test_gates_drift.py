"""Promotion where something may move one arm for a round: rounds are counted, not the attempts in them."""

import numpy as np

from evotrainer.config import Config, DomainConfig
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion.checkpoint import CheckpointState, open_gate, step
from evotrainer.promotion.noise import can_drift, holds_by_round

PROBLEMS = tuple(f"{number:03d}" for number in range(175))
CHANCES = np.random.default_rng(3).beta(1.5, 1.85, 175)
ALPHA = 0.05 / 20


def table(rng: np.random.Generator, change: float, attempts: int = 4) -> ScoreTable:
    chances = np.clip(CHANCES + change, 0, 1)[:, None]
    return ScoreTable(PROBLEMS, (rng.random((175, attempts)) < chances).astype(float))


def run(seed: int, change: float, shock: float, is_guarded: bool) -> CheckpointState:
    rng = np.random.default_rng(seed)
    state = open_gate(table(rng, 0.0, 8), ALPHA, can_drift=is_guarded)
    while state.outcome == "open":
        arms = (table(rng, change + rng.normal(0, shock)), table(rng, rng.normal(0, shock)))
        state = step(state, state.num_rounds, *arms)
    return state


def promoted(change: float, shock: float, is_guarded: bool, trials: int) -> int:
    return sum(run(seed, change, shock, is_guarded).outcome == "promoted" for seed in range(trials))


def test_shocks_of_a_round_promote_no_equal_policy() -> None:
    assert promoted(0.0, 0.05, False, 30) >= 5, "attempts as units take shocks for skill"
    assert promoted(0.0, 0.05, True, 30) <= 1


def test_a_better_policy_is_still_promoted() -> None:
    assert promoted(0.06, 0.0, True, 10) >= 9


def test_few_rounds_never_stand_and_equal_rounds_are_not_taken_for_certainty() -> None:
    errors = np.array([0.02])
    assert not holds_by_round(np.full((2, 1), 0.5), errors, ALPHA).any()
    assert not holds_by_round(np.full((8, 1), 0.02), errors, ALPHA).any()
    assert holds_by_round(np.full((8, 1), 0.04), errors, ALPHA).all()


def test_rows_that_follow_from_seeds_cannot_drift() -> None:
    assert not can_drift(Config(domain=DomainConfig(name="swe")))
    assert can_drift(Config(domain=DomainConfig(name="my_rubric:DOMAIN")))
