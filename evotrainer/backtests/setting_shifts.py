"""Where one step of each of many settings moves the cards in force: what ranks settings before any is proposed.

The present recipe and all settings are stepped from the incumbent's policy on one batch; each card is a column, so a
setting costs one step. A setting has no shift where a step cannot show it: sampling and data, the pull towards the
start, the optimiser's memory; nor where it is unlawful or changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.algorithm.step_replay import StepReplayer
from evotrainer.backtests.algorithm import UNSEEN
from evotrainer.backtests.base import CachedEvidence
from evotrainer.backtests.card_shift import card_numbers, rows_of
from evotrainer.backtests.step import MAX_GROUPS, replay_steps
from evotrainer.config import Config
from evotrainer.config.factors import changed_keys, effective_recipe, factors_of, families_of, recipe_hash
from evotrainer.config.interventions import with_values
from evotrainer.domains import factors_in
from evotrainer.errors import ConfigError

STEPPED = {"algorithm", "reward", "filter"}


def setting_shifts(
    settings: Sequence[Mapping[str, Any]], parent: Config, evidence: CachedEvidence, replayer: StepReplayer
) -> list[dict[str, float]]:
    """Return {card: shift towards its healthy side, standard deviations a step} of each setting, in their order."""
    children = [_child(parent, setting) for setting in settings]
    stepped = {recipe_hash(child): child for child in children if child is not None}
    if not stepped or not evidence.tokens or not evidence.cards:
        return [{} for _ in settings]
    steps = replay_steps([parent, *stepped.values()], evidence, replayer)
    before = steps[recipe_hash(parent)]
    rows = rows_of(evidence.batch(MAX_GROUPS), parent, before)
    shifts = {name: card_numbers(evidence.cards, rows, before, steps[name]) for name in stepped}
    return [_by_card(shifts[recipe_hash(child)]) if child is not None else {} for child in children]


def _child(parent: Config, setting: Mapping[str, Any]) -> Config | None:
    """Return the recipe of a setting whose step differs from the present one's; None for others."""
    try:
        child = with_values(parent, setting)
        diff = changed_keys(parent, child)
        names = {factor.name for factor in factors_of(set(diff), factors_in(parent))}
    except ConfigError:
        return None
    is_same = not diff or effective_recipe(child) == effective_recipe(parent)
    return None if is_same or names & UNSEEN.keys() or not families_of(diff) <= STEPPED else child


def _by_card(numbers: Mapping[str, float]) -> dict[str, float]:
    return {name.removeprefix("shift_"): value for name, value in numbers.items() if name.startswith("shift_")}
