"""What becomes of a hypothesis: recipe claim, predicted metric and negative controls over training seeds."""

import pytest

from evotrainer.promotion.recipe import (
    RecipeGate,
    design_recipe,
    fired,
    seed_interval,
    shift_of_control,
    shift_of_prediction,
)
from evotrainer.records import Condition, Prediction, RecipeClaim
from tests.recipe_seeds import seed_runs

BEFORE = [0.40, 0.42, 0.39, 0.41]
DOWN = Prediction(metric="dead_group_ratio", direction="down", size=-0.1, low=-0.3, high=0.0, probability=0.7)
CUT = Condition(metric="truncation_rate", operator="<=", value=0.15)
READINGS = {"truncation_rate": 0.05}


def claim(candidate: list[float], floor: float = 0.0) -> RecipeClaim:
    design = design_recipe(3, 0.01, floor, is_pooled=True)
    return RecipeGate(design, seed_runs(BEFORE), seed_runs(candidate)).claim("v001", 0.6, 50, 8, 0.95)


def metrics(name: str, values: list[float]) -> list[dict[str, float]]:
    return [{name: value} for value in values]


def predicted(candidate: list[float], prediction: Prediction = DOWN):
    return shift_of_prediction(
        prediction, metrics("dead_group_ratio", candidate), metrics("dead_group_ratio", BEFORE), 0.95
    )


def control(candidate: list[float], condition: Condition = CUT, before: list[float] = BEFORE):
    return shift_of_control(
        condition, READINGS, metrics("truncation_rate", candidate), metrics("truncation_rate", before), 0.95
    )


PROVEN = claim([0.52, 0.55, 0.53])


def test_a_proven_recipe_that_moved_what_it_said_and_nothing_else_has_fired() -> None:
    assert PROVEN.outcome == "proven" and PROVEN.minimum == 0.52
    found, reasons = fired(PROVEN, predicted([0.2, 0.25, 0.22]), [control([0.45, 0.44, 0.46])])
    assert found == "FIRED"
    assert "dead_group_ratio down by -0.1" in reasons[0] and "1 negative controls held still" in reasons[0]


def test_a_recipe_that_is_not_proven_has_not_fired_whatever_else_moved() -> None:
    for candidate, outcome in (([0.40, 0.41], "futile"), ([0.40, 0.50, 0.41], "unproven")):
        tested = claim(candidate)
        assert tested.outcome == outcome
        assert fired(tested, predicted([0.2, 0.2, 0.2]), [])[0] == "NOT_FIRED"


@pytest.mark.parametrize("candidate", [[0.41, 0.39, 0.40], [0.6, 0.61, 0.59]])
def test_a_gain_without_the_predicted_move_is_confounded(candidate: list[float]) -> None:
    found, reasons = fired(PROVEN, predicted(candidate), [])
    assert found == "CONFOUNDED" and "predicted dead_group_ratio down" in reasons[1]


def test_a_gain_beside_a_control_that_moved_is_confounded() -> None:
    still, moved = control([0.5, 0.5, 0.5]), control([0.51, 0.52, 0.51])
    assert (still.came_true, moved.came_true) == (True, False), "0.10 over the reading of 0.05 was allowed"
    found, reasons = fired(PROVEN, predicted([0.2, 0.25, 0.22]), [still, moved])
    assert found == "CONFOUNDED" and len(reasons) == 2 and "truncation_rate <= 0.15 (+0.1 allowed)" in reasons[1]


def test_a_control_is_held_against_the_other_recipes_seeds_not_against_one_reading() -> None:
    assert control([0.3] * 3, before=[0.3] * 4).came_true, "far above the reading, and so is the other recipe"


@pytest.mark.parametrize(
    ("operator", "value", "candidate", "still"),
    [
        (">=", 0.0, [0.36, 0.37, 0.36], True),
        (">=", 0.0, [0.30, 0.31, 0.30], False),
        ("==", 0.05, [0.40, 0.41, 0.40], True),
        ("==", 0.05, [0.48, 0.48, 0.48], False),
        ("<", 0.15, [0.50, 0.49, 0.50], True),
        (">", 0.0, [0.30, 0.31, 0.30], False),
    ],
)
def test_controls_of_every_operator(operator: str, value: float, candidate: list[float], still: bool) -> None:
    condition = Condition.model_validate({"metric": "truncation_rate", "operator": operator, "value": value})
    assert control(candidate, condition).came_true is still


def test_what_was_not_measured_on_every_seed_vouches_for_nothing() -> None:
    one_missing = [{"dead_group_ratio": 0.2}, {}, {"dead_group_ratio": 0.2}]
    shift = shift_of_prediction(DOWN, one_missing, metrics("dead_group_ratio", BEFORE), 0.95)
    assert (shift.difference, shift.came_true) == (None, None)
    assert fired(PROVEN, shift, [])[0] == "CONFOUNDED"
    unread = shift_of_control(CUT, {}, metrics("truncation_rate", BEFORE), metrics("truncation_rate", BEFORE), 0.95)
    assert unread.came_true is None
    assert fired(PROVEN, predicted([0.2, 0.25, 0.22]), [unread])[0] == "CONFOUNDED"


@pytest.mark.parametrize(
    ("direction", "candidate", "came_true"),
    [("none", [0.36, 0.37, 0.35], True), ("none", [0.5, 0.52, 0.51], False), ("up", [0.5, 0.52, 0.51], True)],
)
def test_predictions_of_every_direction(direction: str, candidate: list[float], came_true: bool) -> None:
    size = {"none": 0.0, "up": 0.1}[direction]
    said = DOWN.model_copy(update={"direction": direction, "size": size, "low": -0.07, "high": 0.3 * size})
    assert predicted(candidate, said).came_true is came_true


def test_a_difference_below_the_noise_floor_proves_nothing() -> None:
    close = claim([0.52, 0.55, 0.53], floor=0.2)
    assert (close.outcome, close.reason) == ("unproven", "the difference is below the noise floor 0.2000")


def test_against_one_policy_spreads_are_not_pooled() -> None:
    """Evaluations of one checkpoint say nothing of the spread between seeds: pooling them would shrink it."""
    candidate, base = [0.50, 0.58, 0.54], [0.40, 0.401, 0.399, 0.40]
    wide, narrow = (seed_interval(candidate, base, 0.95, is_pooled=pooled) for pooled in (False, True))
    assert wide[0] == narrow[0] and wide[1] < narrow[1] < narrow[2] < wide[2]
    design = design_recipe(3, 0.01, 0.0, is_pooled=False)
    found = RecipeGate(design, seed_runs(base), seed_runs(candidate)).claim("v001", 0.6, 50, 8, 0.95)
    assert (found.low, found.high) == pytest.approx(wide[1:])
    assert found.outcome == "unproven" and found.p_value == pytest.approx(0.0132, abs=0.001)
    assert found.seed_spread == pytest.approx(0.04)


def test_one_seed_a_side_has_no_interval() -> None:
    assert seed_interval([0.5], [0.4], 0.95)[1:] == (-float("inf"), float("inf"))
