"""What earlier campaigns teach of a replay's numbers enters where it tells gains on campaigns left out, else not."""

from dataclasses import replace

import numpy as np
import pytest

from evotrainer.backtests import backtest
from evotrainer.backtests.learned import MIN_CAMPAIGNS, LearnedTerm, left_out_errors, replayed, search_learned
from evotrainer.campaign.memory.distil import remember
from evotrainer.campaign.memory.store import Memory
from evotrainer.config import Config
from evotrainer.config.interventions import apply
from evotrainer.records import LEARNED_EFFECT, Case
from tests.backtest_groups import evidence, group
from tests.campaign_writer import make_intervention
from tests.evolving_campaign import record
from tests.memory_records import case


def cases(slope: float, campaigns: int = 12, each: int = 4, seed: int = 0) -> list[Case]:
    """Return cases whose gain follows `quality` by this slope beyond what was predicted, with noise of 0.01."""
    rng = np.random.default_rng(seed)
    made = []
    for campaign in range(campaigns):
        for place in range(each):
            quality, noise = rng.normal(size=2)
            numbers = {
                "quality_before": 1.0,
                "quality_after": float(np.exp(quality)),
                "step_cosine": float(noise),
                "raw_effect": 0.5,
            }
            gain = 0.01 + slope * quality + 0.01 * rng.normal()
            made.append(
                case("math", [], difference=gain, version=f"v{place:03d}").model_copy(
                    update={"campaign_seed": campaign, "predicted": 0.01, "numbers": numbers}
                )
            )
    return made


def test_a_number_that_tells_gains_enters_with_its_slope():
    found = search_learned(cases(0.02))
    assert found.term is not None and found.term.name == "quality" and found.p <= 0.05
    assert found.errors is not None and found.errors["quality"] < 0.7 * found.error
    assert found.term.effect({"quality_before": 1.0, "quality_after": np.e}) == pytest.approx(0.02, rel=0.3)
    assert found.term.effect({"step_cosine": 3.0}) == 0.0


def test_numbers_that_tell_nothing_rarely_enter():
    entered = [search_learned(cases(0.0, campaigns=8, seed=seed)).term is not None for seed in range(20)]
    assert sum(entered) <= 3


@pytest.mark.parametrize("campaigns", [0, MIN_CAMPAIGNS - 1])
def test_few_campaigns_give_one_line(campaigns):
    found = search_learned(cases(0.02, campaigns=campaigns, each=8))
    assert found.term is None and f"of {campaigns} campaigns" in found.reason


def test_before_and_after_are_one_number_and_what_is_no_replay_is_left_out():
    numbers = {
        "mass_before": 2.0,
        "mass_after": 4.0,
        "step_kl": 0.1,
        "raw_effect": 1.0,
        "shift_card": 1.0,
        LEARNED_EFFECT: 0.3,
    }
    assert replayed(numbers) == {"mass": pytest.approx(np.log(2)), "step_kl": 0.1}


def test_an_error_is_of_slopes_that_did_not_see_the_campaign():
    """Two campaigns with opposite slopes: each predicts the other wrongly."""
    values, unit = np.tile([-1.0, 1.0], 8)[:, None], np.repeat([0, 1], 8)
    left = values[:, 0] * np.where(unit == 0, 1.0, -1.0)
    assert left_out_errors(values, left, unit)[0] > np.sqrt((left**2).mean())


def test_a_backtest_gains_the_term_and_a_campaign_leaves_its_replay_without_it():
    rows = [row for i in range(10) for row in group(f"a{i}", "1100", partial=[1.0, 0.0, 1.0, 0.0])]
    step = make_intervention(Config(), {"reward.partial": 0.5}, "score", 0.01)
    plain = backtest(step, Config(), apply(Config(), step.diff), evidence(rows))
    term = LearnedTerm("quality", mean=0.0, scale=1.0, slope=0.1, widest=0.5)
    with_term = replace(evidence(rows), learned=term)
    taught = backtest(step, Config(), apply(Config(), step.diff), with_term)
    added = taught.numbers[LEARNED_EFFECT]
    assert -0.05 <= added < 0 and LEARNED_EFFECT not in plain.numbers
    assert taught.predicted_effect == pytest.approx(plain.predicted_effect + added, abs=1e-6)
    memory = remember(Memory(), "c", "math", [record("v002", "good", backtest=taught)], {}, [])
    (kept,) = memory.cases
    assert kept.predicted == pytest.approx(plain.predicted_effect, abs=1e-6) and kept.numbers == taught.numbers
