"""Rules that choose from a pool: the campaign's own, the same without one of its parts, and trivial ones.

The campaign ranks by what stands in the backtests (search/base.py, `best_accepted`). A rule without a part ranks in the
same way by backtests that lack it, so an ablation needs no training and no second ranking.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.regret.measured.records import TrainedCandidate, TrainedPool
from evotrainer.backtests.learned import LearnedTerm
from evotrainer.backtests.step import NO_MARGIN, SPEED_LIMIT
from evotrainer.records import Backtest
from evotrainer.search.base import best_accepted

Told = Callable[[TrainedCandidate], Backtest]
"""What a rule takes for the backtest of a candidate."""

OURS, AGENT, RANDOM, ACCEPTED, LONGEST = "backtest", "agent", "random", "random accepted", "longest step"
COMPARED = (OURS, AGENT, RANDOM, ACCEPTED, LONGEST)
"""Rules that stand by themselves; all others are the first without a part of it."""


@dataclass(frozen=True)
class Rule:
    """A way to choose; without `told` every candidate is as likely, of accepted ones alone where it `refuses`."""

    words: str
    told: Told | None
    refuses: bool = False


def _changed(backtest: Backtest, effect: float | None = None, is_accepted: bool | None = None) -> Backtest:
    effect = backtest.predicted_effect if effect is None else effect
    accepted = backtest.accepted if is_accepted is None else is_accepted
    return backtest.model_copy(update={"predicted_effect": effect, "accepted": accepted})


def speed(numbers: Mapping[str, float]) -> float:
    """Return the speed of learning that a replay saw, before damping; the mean over families of a data factor."""
    for name in ("sampling_speed", "filter_speed"):
        if name in numbers:
            return numbers[name]
    if numbers.get("margin_before", 0.0) > NO_MARGIN:
        return min(max(numbers["margin_after"] / numbers["margin_before"], 0.0), SPEED_LIMIT)
    families = [value for name, value in numbers.items() if name.startswith("speed_")]
    return sum(families) / len(families) if families else 1.0


def step_ratio(numbers: Mapping[str, float]) -> float:
    """Return how many times as long the replayed update is; 1 where no step was replayed."""
    before = numbers.get("update_norm_before", 0.0)
    return numbers["update_norm_after"] / before if before > 0 else 1.0


def _raw(one: TrainedCandidate) -> Backtest:
    return _changed(one.backtest, one.backtest.numbers.get("raw_effect", 0.0))


RULES: dict[str, Rule] = {
    OURS: Rule("the campaign's: predicted effect, refused candidates last", lambda one: one.backtest),
    AGENT: Rule("the agent's order, nothing refused", lambda one: _changed(one.backtest, 0.0, True)),
    RANDOM: Rule("a random candidate: the mean over the pool", None),
    ACCEPTED: Rule("a random candidate that is not refused", None, refuses=True),
    LONGEST: Rule(
        "the longest update, nothing refused",
        lambda one: _changed(one.backtest, step_ratio(one.backtest.numbers), True),
    ),
    "refusals alone": Rule("the agent's order, refused candidates last", lambda one: _changed(one.backtest, 0.0)),
    "effect alone": Rule("predicted effect, nothing refused", lambda one: _changed(one.backtest, is_accepted=True)),
    "without trust": Rule("predicted effect without trust in the family", _raw),
    "without damping": Rule(
        "replayed speed of learning, refused candidates last",
        lambda one: _changed(one.backtest, speed(one.backtest.numbers)),
    ),
    "speed alone": Rule(
        "replayed speed of learning, nothing refused",
        lambda one: _changed(one.backtest, speed(one.backtest.numbers), True),
    ),
}
"""{name: rule}."""


def learned_rule(terms: Mapping[int, LearnedTerm | None]) -> Callable[[TrainedPool], Rule]:
    """Return the campaign's rule with a learned term, {seed: the term that its pools are ranked with}."""

    def rule(pool: TrainedPool) -> Rule:
        term = terms[pool.seed]

        def told(one: TrainedCandidate) -> Backtest:
            added = term.effect(one.backtest.numbers) if term else 0.0
            return _changed(one.backtest, one.backtest.predicted_effect + added)

        return Rule("the campaign's with a learned term", told)

    return rule


def chosen(pool: TrainedPool, rule: Rule, count: int) -> list[tuple[int, ...]]:
    """Return the sets of `count` candidates that a rule takes, each as likely; fewer where it refuses the others."""
    if rule.told is None:
        members = [i for i, one in enumerate(pool.candidates) if one.backtest.accepted or not rule.refuses]
        return list(itertools.combinations(members, min(count, len(members))))
    told = [rule.told(one) for one in pool.candidates]
    order = best_accepted([one.intervention for one in pool.candidates], told)
    return [tuple(index for index in order[:count] if told[index].accepted)]
