"""The checkpoint gate and the error budget: rounds, bad and degenerate input."""

import numpy as np
import pytest

from evotrainer.config import Config, DomainConfig
from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion.checkpoint import Gate, open_gate, open_limit
from evotrainer.promotion.statistics import can_drift, holds_by_round, noise_floor

NAMES = tuple(f"{number:03d}" for number in range(60))
CHANCE = np.random.default_rng(1).beta(1.5, 1.85, 60)
NAN = float("nan")


def rows(seed: int, change: float = 0.0, attempts: int = 4, names: tuple[str, ...] = NAMES) -> ScoreTable:
    chance = np.clip(CHANCE[: len(names)] + change, 0, 1)
    drawn = np.random.default_rng(seed).random((len(names), attempts)) < chance[:, None]
    return ScoreTable(names, drawn.astype(float))


def constant(value: float, attempts: int = 4) -> ScoreTable:
    return ScoreTable(NAMES, np.full((60, attempts), value))


def play(state: Gate, change: float) -> Gate:
    while state.outcome == "open":
        number = len(state.tables)
        state = state.after(rows(1000 + number, change), rows(2000 + number))
    return state


def test_the_gate_is_sized_by_the_noise_floor() -> None:
    screening = rows(0, attempts=8)
    design = open_gate(screening, 0.01)
    assert design.min_estimate == pytest.approx(noise_floor(screening))
    assert design.futile_below == pytest.approx(2 * noise_floor(screening))
    assert design.stakes == tuple(sorted(design.stakes))


def test_a_missing_arm_holds_the_round() -> None:
    opened = open_gate(rows(0, attempts=8), 0.01)
    lost = rows(1).values.copy()
    lost[3] = NAN
    held = opened.after(ScoreTable(NAMES, lost), rows(2))
    assert (held.held, held.tables, held.outcome) == (("003",), (), "open")


def test_unequal_counts_are_weighed_as_they_are() -> None:
    lost = rows(1).values.copy()
    lost[0] = [1.0, NAN, NAN, NAN]
    first, second = ScoreTable(NAMES, lost), rows(2, attempts=5)
    state = open_gate(rows(0, attempts=8), 0.01).after(first, second)
    assert state.estimate == pytest.approx(first.score - second.score)
    spread = [np.nanvar(one.values, axis=1, ddof=1) for one in (first, second)]
    spread[0][0] = np.nanmean(spread[0])
    counts = np.where(np.arange(60) == 0, 1, 4)
    assert state.standard_error == pytest.approx(np.sqrt((spread[0] / counts + spread[1] / 5).sum()) / 60)


def test_a_gate_that_is_undecided_at_its_last_attempt_has_ended() -> None:
    opened = open_gate(rows(0, attempts=8), 1e-9, max_attempts=16)
    state = play(opened, 0.06)
    assert (state.outcome, state.attempts) == ("inconclusive", 16)
    assert state.after(rows(1), rows(2)) is state


def test_all_ties_never_promote() -> None:
    state = open_gate(constant(1.0, 8), 0.05)
    assert state.min_estimate == 1 / (8 * 60)
    assert state.stakes == (0.9, 0.9, 0.9)
    for _ in range(2):
        state = state.after(constant(1.0), constant(1.0))
    assert (state.log_wealth, state.estimate, state.standard_error) == (0.0, 0.0, 0.0)
    assert state.outcome == "futile"


def test_a_policy_without_noise_that_solves_more_is_promoted() -> None:
    more = np.zeros((60, 4))
    more[:10] = 1.0
    state = open_gate(constant(0.0, 8), 0.0025)
    for _ in range(2):
        state = state.after(ScoreTable(NAMES, more), constant(0.0))
    assert state.outcome == "promoted"


@pytest.mark.parametrize(
    ("screening", "message"),
    [
        (ScoreTable(("a",), np.array([[1.0, 0.0]])), "evaluate at least 2"),
        (ScoreTable(("a", "b"), np.array([[1.0], [0.0]])), "one attempt a problem"),
        (ScoreTable(("a", "b"), np.array([[1.0, 0.0], [NAN, NAN]])), "problem 'b' has no graded attempt"),
    ],
)
def test_rows_that_cannot_size_a_gate_are_refused(screening: ScoreTable, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        open_gate(screening, 0.01)


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.0, NAN])
def test_a_margin_that_is_none_is_refused(margin: float) -> None:
    with pytest.raises(EvidenceError, match="is none"):
        open_limit(rows(0, attempts=8), 0.01, margin)


PROBLEMS = tuple(f"{number:03d}" for number in range(175))
CHANCES = np.random.default_rng(3).beta(1.5, 1.85, 175)
ALPHA = 0.05 / 20


def table(rng: np.random.Generator, change: float, attempts: int = 4) -> ScoreTable:
    chances = np.clip(CHANCES + change, 0, 1)[:, None]
    return ScoreTable(PROBLEMS, (rng.random((175, attempts)) < chances).astype(float))


def run(seed: int, change: float, shock: float, is_guarded: bool) -> Gate:
    rng = np.random.default_rng(seed)
    state = open_gate(table(rng, 0.0, 8), ALPHA, can_drift=is_guarded)
    while state.outcome == "open":
        arms = (table(rng, change + rng.normal(0, shock)), table(rng, rng.normal(0, shock)))
        state = state.after(*arms)
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
