"""What a card in force proposes, which cards have no say and why, and how a setting's shift is found."""

from dataclasses import replace

import pytest

from evotrainer.agents import ProposalContext, Workbench
from evotrainer.agents.base import SteeringCard
from evotrainer.agents.shifted import AUTHOR, FIRST_AUTHOR, abstentions, from_cards
from evotrainer.backtests.card_use import usable_cards
from evotrainer.backtests.setting_shifts import setting_shifts
from evotrainer.config import Config, HarnessConfig
from evotrainer.config.interventions import with_values
from evotrainer.diagnosis.evolved.cards import Cost
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.records import Condition, HarnessReport
from evotrainer.search.base import is_first
from evotrainer.training import create_train_engine
from tests.campaign_writer import make_rows
from tests.evolving_campaign import record
from tests.unit.test_backtest_steps import SMALL, cached  # noqa: F401 (the fixture)
from tests.unit.test_card_shift import length_card, paid_by_length  # noqa: F401 (the fixture)

LONG = SteeringCard("long", "mean num_tokens", Condition(metric="long", operator=">", value=4.5), is_provisional=True)
AUDITED = Config(harness=HarnessConfig(levers="audited"))
ROWS = [
    row.model_copy(update={"num_tokens": 4 + index % 5})
    for index, row in enumerate(make_rows("v001", {"a": 0.5}, attempts=20))
]


def asked(length: float, shifts: dict[str, float], records=()) -> ProposalContext:
    """Return a context in which the card's metric is `length` and changes of a key move it by `shifts`."""
    bench = Workbench(
        query=lambda sql: pytest.fail("the tier asks no query"),
        backtest=lambda one: pytest.fail("the tier asks no backtest"),
        cards=[LONG],
        shifts=lambda settings: [
            {"long": shifts[key]} if (key := next(iter(setting))) in shifts else {} for setting in settings
        ],
    )
    report = HarnessReport(version="v002", harness_version="h", metrics={"long": length})
    return ProposalContext(Config(), "v001", 2, report, list(records), workbench=bench)


def proposed(length: float = 6.0, records=(), **shifts: float):
    context = asked(length, {key.replace("__", "."): value for key, value in shifts.items()}, records)
    return from_cards(context, context.reading())


def test_an_alarming_card_asks_for_the_best_setting_of_each_factor_that_helps():
    made = proposed(reward__format=0.01, algorithm__loss=0.05, algorithm__advantage=-0.2)
    assert [one.factor for one in made] == ["loss", "format_reward"]
    assert [one.author for one in made] == [FIRST_AUTHOR, AUTHOR] and is_first(made[0]) and not is_first(made[1])
    best = made[0].prediction
    assert (best.metric, best.direction, best.size, best.low, best.high) == ("long", "down", -1.5, -3.0, 0.0)
    assert "card:long" in made[0].evidence and made[0].triggers == [LONG.alarm]


def test_a_card_that_was_answered_takes_the_place_that_the_slope_gives_it():
    tried = proposed(algorithm__loss=0.05)[0]
    again = proposed(records=[record("v002", "", intervention=tried)], algorithm__loss=0.05)
    assert [one.author for one in again] == [AUTHOR]


def test_a_healthy_card_asks_for_nothing_and_says_so():
    assert proposed(length=4.0, algorithm__loss=0.05) == []
    assert abstentions(asked(4.0, {})) == ["card long asks for nothing: mean num_tokens is 4, its alarm > 4.5"]
    assert abstentions(asked(6.0, {})) == []


def test_each_setting_is_stepped_once_and_those_that_no_step_shows_have_no_shift(paid_by_length):  # noqa: F811
    parent = with_values(SMALL, {"reward.format": 0.8})
    evidence = replace(paid_by_length, cards=[length_card()])
    settings = [
        {"reward.format": 0.0},
        {"reward.format": 0.8},
        {"sampling.temperature": 1.2},
        {"algorithm.adam_beta2": 0.95},
        {"algorithm.loss": "no such loss"},
    ]
    less, *others = setting_shifts(settings, parent, evidence, create_train_engine(SMALL).replay_step)
    assert less["long"] > 0 and others == [{}, {}, {}, {}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "expired", "expired_because": "a false alarm"}, "has expired: a false alarm"),
        ({"term": Term("num_edits_elsewhere", "mean")}, "have no column num_edits_elsewhere"),
        ({"cost": Cost(num_columns=1, seconds=99.0, megabytes=256)}, "may take 99 s, limit harness.plugin_seconds=10"),
        ({"term": Term("num_tokens", "share", 100.0)}, "it abstains"),
        ({"term": Term("num_tokens", "spread")}, "no mean over attempts"),
        ({"term": None}, "no row feature"),
    ],
)
def test_a_card_without_a_say_is_one_line(change, said):
    silent = length_card(name="silent").model_copy(update=change)
    used, lines = usable_cards([length_card(), silent], ROWS, AUDITED)
    assert [card.name for card in used] == ["long"]
    assert len(lines) == 1 and lines[0].startswith("card silent has no say: ") and said in lines[0]


def test_without_levers_no_card_has_a_say():
    assert usable_cards([length_card()], ROWS, Config()) == ([], [])
