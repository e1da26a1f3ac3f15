"""A replayed step says where a recipe moves a card's metric; only a record of that changes a prediction."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from evotrainer.backtests import CachedEvidence, backtest
from evotrainer.backtests.base import Replayed
from evotrainer.backtests.card_shift import card_effect, shift_of
from evotrainer.config.interventions import apply, with_values
from evotrainer.diagnosis.evolved.cards import Plugin, load_plugins, save_plugin
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.diagnosis.evolved.measure import Rows, value_of
from evotrainer.evidence.frames import frame_of_rows
from evotrainer.records import Backtest, Condition
from evotrainer.training import create_train_engine
from tests.campaign_writer import make_rows
from tests.evolved_plugins import card
from tests.evolving_campaign import comparison, record
from tests.unit.test_backtest_steps import SMALL, cached, step_of  # noqa: F401 (the fixture)

LONG = Term("num_tokens", "mean")


def length_card(operator: Literal["<", ">"] = ">", term: Term | None = LONG, name: str = "long"):
    alarm = Condition(metric=name, operator=operator, value=4.5)
    return card(name, term=term, alarm=alarm, status="provisional")


@pytest.fixture(scope="module")
def paid_by_length(cached) -> CachedEvidence:  # noqa: F811
    """Attempts that end in an odd digit count as longer, and the term `format` is that length."""
    odd = {turn.trajectory_id: turn.token_ids[1] % 2 for turn in cached.tokens}
    rows = [
        row.model_copy(
            update={
                "num_tokens": 4 + odd[row.trajectory_id],
                "reward_terms": dict(row.reward_terms) | {"format": odd[row.trajectory_id]},
            }
        )
        for row in cached.rows
    ]
    return replace(cached, rows=rows)


def replayed(evidence: CachedEvidence, setting: dict, parent=SMALL):
    step = step_of(setting, parent)
    return backtest(step, parent, apply(parent, step.diff), evidence, create_train_engine(SMALL).replay_step)


def test_a_recipe_that_pays_length_moves_a_card_of_length_away_from_health(paid_by_length):
    evidence = replace(paid_by_length, cards=[length_card(), length_card("<", name="short")])
    paying = replayed(evidence, {"reward.format": 0.8}, with_values(SMALL, {"reward.format": 0.0}))
    assert paying.numbers["shift_long"] < 0 < paying.numbers["shift_short"]
    removing = replayed(evidence, {"reward.format": 0.0}, with_values(SMALL, {"reward.format": 0.8}))
    assert removing.numbers["shift_long"] == pytest.approx(-paying.numbers["shift_long"], abs=1e-8)


def test_cards_change_no_prediction_without_a_record_and_no_card_changes_nothing(paid_by_length):
    plain = replayed(paid_by_length, {"reward.format": 0.8})
    assert not any("shift" in name or "card" in name for name in plain.numbers)
    with_card = replayed(replace(paid_by_length, cards=[length_card()]), {"reward.format": 0.8})
    assert with_card.predicted_effect == plain.predicted_effect
    assert with_card.numbers["card_effect"] == 0.0


def test_cards_without_a_row_feature_are_left_out_and_the_backtest_goes_on(paid_by_length):
    lacks = [
        length_card(term=None, name="written"),
        length_card(term=Term("num_edits_elsewhere", "mean"), name="foreign"),
        length_card(term=Term("num_tokens", "spread"), name="spread"),
    ]
    plain = replayed(paid_by_length, {"reward.format": 0.8})
    assert replayed(replace(paid_by_length, cards=lacks), {"reward.format": 0.8}) == plain


@pytest.mark.parametrize(
    "term",
    [
        Term("num_tokens", "share", 6.0),
        Term("num_tokens", "ratio", over="num_turns"),
        Term("num_tokens", "mean", part="wrong"),
        Term("num_tokens", "quantile", 0.5),
    ],
)
def test_a_shift_has_the_sign_of_the_terms_own_change_where_long_attempts_are_repeated(term):
    rows = [
        row.model_copy(update={"num_tokens": 4 + index % 5, "trajectory_id": f"t{index}"})
        for index, row in enumerate(make_rows("v001", {"a": 0.5, "b": 0.3}, attempts=40))
    ]
    longer = [replace_id(row, copy) for row in rows for copy in range(1 + 3 * (row.num_tokens > 6))]
    plain, repeated = Rows(frame_of_rows(rows)), Rows(frame_of_rows(longer))
    weights = np.where(plain.column("num_tokens") > 6, 4.0, 1.0)
    assert shift_of(term, plain, weights) > 0
    assert value_of(term, repeated) > value_of(term, plain)
    assert shift_of(term, plain, np.ones(plain.size)) == pytest.approx(0.0, abs=1e-12)
    assert shift_of(term, plain, 1 / weights) < 0


def replace_id(row, copy: int):
    return row.model_copy(update={"trajectory_id": f"{row.trajectory_id}-{copy}"})


def trained_record(shift: float, gained: float):
    """A trained version whose backtest predicted no change of score."""
    made = record("v002", "good", backtest=judged(shift))
    over = [comparison(made.spec.incumbent, gained)]
    return made.model_copy(update={"verdict": made.verdict.model_copy(update={"comparisons": over})})


def judged(shift: float) -> Backtest:
    return Backtest(
        intervention_id="",
        family="algorithm",
        accepted=True,
        reason="",
        predicted_effect=0.0,
        usable_groups_before=0.5,
        usable_groups_after=0.5,
        order_violations=0.0,
        mistruncated_correct=0.0,
        numbers={"card_shift": shift, "card_effect": 0.0},
    )


def test_the_slope_is_learned_from_what_predictions_left_unexplained():
    part = [Replayed("algorithm", numbers={"card_shift": 0.04})]
    assert card_effect([], part) == {"card_shift": 0.04, "card_effect": 0.0}
    paid = [trained_record(shift=0.04, gained=0.05), trained_record(shift=-0.04, gained=-0.03)]
    found = card_effect(paid, part)["card_effect"]
    assert found == pytest.approx(0.04 * (0.04 * 0.05 + 0.04 * 0.03) / (4 * 0.02**2 + 2 * 0.04**2))
    far = card_effect(paid, [Replayed("algorithm", numbers={"card_shift": 40.0})])["card_effect"]
    assert far == pytest.approx(found)  # nothing is extrapolated beyond what was seen
    hurt = [trained_record(shift=0.04, gained=-0.05)]
    assert card_effect(hurt, part)["card_effect"] < 0
    assert card_effect(paid, [Replayed("algorithm")]) == {}


def test_the_term_of_a_card_survives_its_file(tmp_path):
    plugin = Plugin(card=length_card(), source="SELECT avg(num_tokens) FROM rows\n")
    save_plugin(tmp_path, plugin)
    assert load_plugins(tmp_path) == [plugin]
